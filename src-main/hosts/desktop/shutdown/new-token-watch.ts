/** @file Reports each new token that the keychain does not store, once, soon after its creation. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';

/** A working keychain stores a new token within this time. */
const pollIntervalMs = 2_000;

export interface NewTokenWatchParts {
  newTokens: Pick<App['newTokens'], 'unstored'>;
  clock: Clock;
  onUnstored: () => void;
}

export interface NewTokenWatch {
  /** Call this for every event of the app. */
  handleEvent(name: EventName): void;
  stop(): void;
}

export function watchNewTokens({ newTokens, clock, onUnstored }: NewTokenWatchParts): NewTokenWatch {
  /** Unstored tokens that the user was notified of, by instance and name. */
  let reported: string[] = [];
  let cancelTimer: (() => void) | null = null;
  const unkeptNames = (): string[] =>
    newTokens.unstored.map(({ instance, name }) => JSON.stringify([instance, name]));
  const isNews = (unstored: string[]): boolean => unstored.some((token) => !reported.includes(token));
  const poll = (): void => {
    cancelTimer = null;
    const unstored = unkeptNames();
    const news = isNews(unstored);
    reported = unstored;
    if (news) onUnstored();
  };
  return {
    handleEvent(name) {
      if (name !== 'job.changed' || cancelTimer !== null) return;
      const unstored = unkeptNames();
      reported = reported.filter((token) => unstored.includes(token));
      if (isNews(unstored)) cancelTimer = clock.timer(pollIntervalMs, poll);
    },
    stop() {
      cancelTimer?.();
    },
  };
}
