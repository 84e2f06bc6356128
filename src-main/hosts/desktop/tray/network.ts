/** @file Notices when the network is back, by polling: Electron's main process has no event for it. */
import type { Clock } from '../../../platform/clock.ts';

const pollIntervalMs = 5_000;

/** Calls `back` each time the network returns, until the returned function is called. */
export function watchNetwork(clock: Clock, isOnline: () => boolean, back: () => void): () => void {
  let online = isOnline();
  let stop = (): void => undefined;
  const poll = (): void => {
    const now = isOnline();
    if (now && !online) back();
    online = now;
    stop = clock.timer(pollIntervalMs, poll);
  };
  stop = clock.timer(pollIntervalMs, poll);
  return () => {
    stop();
  };
}
