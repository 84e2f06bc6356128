/** @file Reports when the network is back. Polls, because Electron's main process has no event for it. */
import type { Clock } from '../../../platform/clock.ts';

const pollIntervalMs = 5_000;

/** Calls `onBackOnline` each time the network returns, until the returned function is called. */
export function watchNetwork(clock: Clock, isOnline: () => boolean, onBackOnline: () => void): () => void {
  let wasOnline = isOnline();
  let stop = (): void => undefined;
  const poll = (): void => {
    const isOnlineNow = isOnline();
    if (isOnlineNow && !wasOnline) onBackOnline();
    wasOnline = isOnlineNow;
    stop = clock.timer(pollIntervalMs, poll);
  };
  stop = clock.timer(pollIntervalMs, poll);
  return () => {
    stop();
  };
}
