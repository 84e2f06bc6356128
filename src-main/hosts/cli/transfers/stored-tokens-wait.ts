/**
 * @file Keeps a command running while only its process has a new token, until the keychain or the user also has the
 * token.
 */
import type { App } from '../../../compose/app.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import { onEnter } from '../terminal/stdin-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';

const retryIntervalMs = 15_000;
const pollIntervalMs = 250;

export interface TokenWaitOptions {
  app: Pick<App, 'newTokens' | 'suspendJobs'>;
  terminal: Terminal;
  clock?: Clock;
  /** Listens for the Enter key; returns true if there is a keyboard. */
  listenForEnter?: typeof onEnter;
}

/** Stops jobs and plans. Resolves once every new token is stored or was shown. Await it before closing the app. */
export async function waitForStoredTokens(options: TokenWaitOptions): Promise<void> {
  const { terminal, clock = systemClock, listenForEnter = onEnter } = options;
  const { newTokens } = options.app;
  await options.app.suspendJobs();
  await newTokens.storePending();
  if (newTokens.unstored.length === 0) return;
  const waitEnded = new AbortController();
  const shownInstances: string[] = [];
  const show = (): void => {
    void newTokens.handOver((tokens) => {
      for (const { instance, name, token } of tokens) {
        shownInstances.push(instance);
        terminal.showSecret(
          `The new token "${name}" of "${instance}", shown only once:\n\n  ${token.reveal()}\n\nStore it later with "packhorse instance set-token ${instance} --token-stdin".`,
        );
      }
    });
  };
  const canShow = terminal.hasTTY && listenForEnter(waitEnded.signal, show);
  const [first] = newTokens.unstored;
  terminal.noteAlways(
    [
      `The keychain did not store the new token of "${first?.instance ?? ''}". Only this process has the token, so it would be lost if the process ended now.`,
      'Unlock or repair the keychain. Packhorse tries again every 15 seconds, and this command ends when the token is stored.',
      `${canShow ? 'Press Enter to show the token here once; then save it. ' : ''}Press Ctrl-C to end this command anyway.`,
    ].join('\n'),
  );
  for (let triedAt = clock.monotonic(); newTokens.unstored.length > 0;) {
    await clock.sleep(pollIntervalMs);
    if (clock.monotonic() - triedAt < retryIntervalMs) continue;
    await newTokens.storePending();
    triedAt = clock.monotonic();
  }
  waitEnded.abort();
  if (shownInstances.length === 0) terminal.noteAlways('The keychain has the new token.');
}
