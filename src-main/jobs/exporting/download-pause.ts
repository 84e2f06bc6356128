/**
 * @file Waits before a download request, after an interruption and for a turn. Resumes also need a turn, because they
 * count as downloads (gitlab-facts 4).
 */
import type { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import { maxDownloadPauseMs } from '../../../src-contract/retry-after.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DownloadInterruption } from '../../gitlab/transfers/transfers.ts';

export interface DownloadTurns {
  /** Takes a turn and returns 0, or returns the milliseconds to wait first. */
  reserve(): number;
  /** Resolves when the request for this turn may be sent. */
  waitToSend(): Promise<void>;
}

export interface PauseParts {
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  signal: AbortSignal;
  pace: Pick<Pace, 'firstPollMs' | 'maxPollMs'>;
  turns: DownloadTurns | null;
}

/**
 * Resolves when the rest of the file may be requested. Rejects with the error of the interruption if the wait would be
 * too long.
 */
export async function pauseDownload(
  { error, emptyResumes, contactsInstance }: DownloadInterruption,
  { pace: { firstPollMs, maxPollMs }, ...parts }: PauseParts,
): Promise<void> {
  const rest = patience(error, parts);
  if (typeof error.retry === 'object') await rest(error.retry.afterMs);
  else if (emptyResumes > 0) await rest(Math.min(firstPollMs * 2 ** emptyResumes, maxPollMs));
  if (contactsInstance && parts.turns !== null) await awaitTurn(parts.turns, rest);
}

/** Resolves when the first request may be sent. Rejects with `otherwise` if no turn is free in time. */
export async function waitForFirstTurn(
  otherwise: AppError,
  parts: Pick<PauseParts, 'clock' | 'signal'> & { turns: DownloadTurns },
): Promise<void> {
  await awaitTurn(parts.turns, patience(otherwise, parts));
}

async function awaitTurn(turns: DownloadTurns, rest: (ms: number) => Promise<void>): Promise<void> {
  for (let wait = turns.reserve(); wait > 0; wait = turns.reserve()) await rest(wait);
  await turns.waitToSend();
}

function patience(error: AppError, { clock, signal }: Pick<PauseParts, 'clock' | 'signal'>) {
  const until = clock.monotonic() + maxDownloadPauseMs;
  return async (ms: number): Promise<void> => {
    if (clock.monotonic() + ms > until) throw error;
    await clock.sleep(ms, signal);
  };
}
