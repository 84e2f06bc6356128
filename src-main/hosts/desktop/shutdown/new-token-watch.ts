/** @file Reports each new token that the keychain does not store, once, soon after its creation. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';

/** A working keychain stores a new token within this time. */
const pollIntervalMs = 2_000;

export interface NewTokenWatchDeps {
  newTokens: Pick<App['newTokens'], 'unstored'>;
  clock: Clock;
  onUnstored: () => void;
}

export interface NewTokenWatch {
  /** Call this for every event of the app. */
  handleEvent(name: EventName): void;
  stop(): void;
}

export function watchNewTokens({ newTokens, clock, onUnstored }: NewTokenWatchDeps): NewTokenWatch {
  /** Unstored tokens that the user was notified of, by instance and name. */
  let reported: string[] = [];
  let cancelTimer: (() => void) | null = null;
  const unstoredKeys = (): string[] =>
    newTokens.unstored.map(({ instance, name }) => JSON.stringify([instance, name]));
  const hasUnreported = (unstored: string[]): boolean => unstored.some((token) => !reported.includes(token));
  const poll = (): void => {
    cancelTimer = null;
    const unstored = unstoredKeys();
    const mustReport = hasUnreported(unstored);
    reported = unstored;
    if (mustReport) onUnstored();
  };
  return {
    handleEvent(name) {
      if (name !== 'job.changed' || cancelTimer !== null) return;
      const unstored = unstoredKeys();
      reported = reported.filter((token) => unstored.includes(token));
      if (hasUnreported(unstored)) cancelTimer = clock.timer(pollIntervalMs, poll);
    },
    stop() {
      cancelTimer?.();
    },
  };
}
