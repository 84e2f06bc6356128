/** @file Exports of a project that an instance is running. */
import type { ExportState } from '../ports.ts';
import { waitForServer, type StepContext, type WaitOutcome } from '../running/step.ts';

export const isRunning = (state: ExportState): boolean =>
  state === 'queued' || state === 'started' || state === 'regeneration_in_progress';

/**
 * Waits for an export that this job did not request. `waitingSince` is when the wait began, in epoch milliseconds; null if
 * it begins now.
 */
export function waitForOtherExport(
  context: StepContext,
  state: ExportState,
  waitingSince: number | null,
): WaitOutcome {
  const since = waitingSince ?? context.clock.now();
  return waitForServer(context, {
    since,
    ms: context.ports.instance.pace.maxPollMs,
    text: 'Another export of this project is running; waiting for it to end.',
    tooLate: `Another export of this project is still ${state}.`,
    memo: { since },
  });
}
