/** @file Delays the end of a command that alone knows a new token, until the keychain has it or a person took it. */
import type { App } from '../../../compose/app.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import { onEnter } from '../terminal/stdin-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';

const againMs = 15_000;
const pollIntervalMs = 250;

export interface Holding {
  app: Pick<App, 'newTokens' | 'rest'>;
  terminal: Terminal;
  clock?: Clock;
  /** Listens for the Enter key; returns whether it can. */
  listen?: typeof onEnter;
}

/** Stops jobs and plans; resolves when no token can be lost any more. Await it before closing the app. */
export async function holdNewTokens(holding: Holding): Promise<void> {
  const { terminal, clock = systemClock, listen = onEnter } = holding;
  const { newTokens } = holding.app;
  await holding.app.rest();
  await newTokens.settle();
  if (newTokens.unkept.length === 0) return;
  const over = new AbortController();
  const shown: string[] = [];
  const show = (): void => {
    void newTokens.handOver((handed) => {
      for (const { instance, name, token } of handed) {
        shown.push(instance);
        terminal.show(
          `The new token "${name}" of "${instance}", this once:\n\n  ${token.reveal()}\n\nNext time enter it with "packhorse instance set-token ${instance} --token-stdin".`,
        );
      }
    });
  };
  const canShow = terminal.isScreen && listen(over.signal, show);
  const [first] = newTokens.unkept;
  terminal.insist(
    [
      `The keychain does not take the new token of "${first?.instance ?? ''}", which this process alone knows: ending now would lose it.`,
      'Unlock the keychain or put it right; it is tried every 15 seconds, and this ends when it has the token.',
      `${canShow ? 'Enter shows the token here, once, for you to keep. ' : ''}Ctrl-C ends anyway.`,
    ].join('\n'),
  );
  for (let triedAt = clock.monotonic(); newTokens.unkept.length > 0;) {
    await clock.sleep(pollIntervalMs);
    if (clock.monotonic() - triedAt < againMs) continue;
    await newTokens.settle();
    triedAt = clock.monotonic();
  }
  over.abort();
  if (shown.length === 0) terminal.insist('The keychain has the new token.');
}
