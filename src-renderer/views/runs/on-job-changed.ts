/** @file Subscribes a component to the changes of the jobs that concern it. */
import { onDestroy } from 'svelte';
import { on } from '../../client.ts';
import { throttle } from '../../kit/throttle.ts';

type ChangedJob = Record<'jobId' | 'runId', string>;

/**
 * Calls `refresh` when a job for which `concerns` returns true may have changed, at most once in `minMs`. Use it during
 * component setup.
 */
export function onJobChanged(
  concerns: (job: ChangedJob) => boolean,
  refresh: () => void,
  minMs: number,
): void {
  const throttled = throttle(refresh, minMs);
  const unsubscribe = on('job.changed', (job) => {
    if (job === null || concerns(job)) throttled.trigger();
  });
  onDestroy(() => {
    unsubscribe();
    throttled.cancel();
  });
}
