/**
 * @file Waits before a download request: after an interruption, and for a rate-limit slot. Resumes also need a slot,
 * because they count as downloads (gitlab-facts 4).
 */
import type { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import { maxDownloadPauseMs } from '../../../src-contract/retry-after.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DownloadInterruption } from '../../gitlab/transfers/transfers.ts';

export interface DownloadSlots {
  /** Reserves a slot and returns 0, or returns the milliseconds to wait first. */
  reserve(): number;
  /** Resolves when the request for this slot may be sent. */
  waitToSend(): Promise<void>;
}

export interface PauseDeps {
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  signal: AbortSignal;
  pace: Pick<Pace, 'firstPollMs' | 'maxPollMs'>;
  slots: DownloadSlots | null;
}

/**
 * Resolves when the rest of the file may be requested. Rejects with the error of the interruption if the wait would be
 * too long.
 */
export async function waitBeforeResume(
  { error, emptyResumes, contactsInstance }: DownloadInterruption,
  { pace: { firstPollMs, maxPollMs }, ...deps }: PauseDeps,
): Promise<void> {
  const sleep = createBoundedSleep(error, deps);
  if (typeof error.retry === 'object') await sleep(error.retry.afterMs);
  else if (emptyResumes > 0) await sleep(Math.min(firstPollMs * 2 ** emptyResumes, maxPollMs));
  if (contactsInstance && deps.slots !== null) await waitForSlot(deps.slots, sleep);
}

/** Resolves when the first request may be sent. Rejects with `timeoutError` if no slot is free in time. */
export async function waitForFirstSlot(
  timeoutError: AppError,
  deps: Pick<PauseDeps, 'clock' | 'signal'> & { slots: DownloadSlots },
): Promise<void> {
  await waitForSlot(deps.slots, createBoundedSleep(timeoutError, deps));
}

async function waitForSlot(slots: DownloadSlots, sleep: (ms: number) => Promise<void>): Promise<void> {
  for (let wait = slots.reserve(); wait > 0; wait = slots.reserve()) await sleep(wait);
  await slots.waitToSend();
}

function createBoundedSleep(error: AppError, { clock, signal }: Pick<PauseDeps, 'clock' | 'signal'>) {
  const deadline = clock.monotonic() + maxDownloadPauseMs;
  return async (ms: number): Promise<void> => {
    if (clock.monotonic() + ms > deadline) throw error;
    await clock.sleep(ms, signal);
  };
}
