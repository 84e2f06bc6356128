/** @file Repeats work whenever events arrive. */
import type { EventName } from '../../../src-contract/call-names.ts';
import { on } from '../../client.ts';
import { throttle } from '../../kit/throttle.ts';

/** Calls `work` on these events, at most once in `minMs`. Returns a function that stops it. */
export function onEvents(events: readonly EventName[], work: () => void, minMs: number): () => void {
  const throttled = throttle(work, minMs);
  const ends = events.map((event) => on(event, throttled.trigger));
  return () => {
    for (const end of ends) end();
    throttled.cancel();
  };
}
