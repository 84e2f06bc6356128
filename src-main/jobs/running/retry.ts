/** @file When a failed step is tried again: a pure policy over the error, the number of failures, and the pace. */
import type { AppError, ErrorCode } from '../../../src-preload/contract/errors.ts';
import type { Pace } from '../../../src-preload/contract/instance.ts';
import type { WaitReason } from '../../../src-preload/contract/job.ts';

const mostFailures = 6;
const longestMs = 15 * 60_000;

export type RetryDecision = { retry: false } | { retry: true; waitMs: number; reason: WaitReason };

const networkCodes: ErrorCode[] = ['address-unknown', 'connection-refused', 'connection-lost', 'timeout'];

const reasonOf = (error: AppError): WaitReason => {
  if (error.code === 'rate-limited') return 'rate-limited';
  return networkCodes.includes(error.code) ? 'network' : 'server-unavailable';
};

/** Somebody has to unlock or supply something; the job stays and says so. */
export function needsToken(error: AppError): boolean {
  // Of a job that lost a token itself it is the end; any other waits until somebody gives a new one.
  const isFrozen = error.code === 'rotation-lost' && error.retry !== 'never';
  return isFrozen || error.code === 'token-missing' || error.code.startsWith('keychain-');
}

/** No source has one, and none but a person can change that. */
const absences: ErrorCode[] = ['token-missing', 'keychain-missing', 'keychain-unreachable'];

/** What a job says that waits for a token: that there is none, or what keeps it back. */
export function tokenWaitText(error: AppError, instance: string): string {
  return absences.includes(error.code) ? `No token is at hand for "${instance}".` : error.message;
}

/** A disk is not mended by fetching the same bytes again; whoever owns it is told at once. */
const needsRoom = (error: AppError): boolean => error.code.startsWith('disk-');

/**
 * `failures` counts failures in a row, this one included. `random` in [0, 1) spreads the waits (full jitter).
 * Rate limits are waited out as often as the server asks; other temporary failures six times.
 */
export function decideRetry(error: AppError, failures: number, pace: Pace, random: number): RetryDecision {
  if (needsToken(error)) {
    return { retry: true, waitMs: pace.longestPollMs, reason: 'token-missing' };
  }
  // However long it takes: another job finds out what became of the token, and ends when it knows.
  if (error.code === 'token-changing')
    return { retry: true, waitMs: pace.lookAgainMs, reason: 'answer-lost' };
  if (error.retry === 'never' || needsRoom(error)) return { retry: false };
  const reason = reasonOf(error);
  if (error.code !== 'rate-limited' && failures >= mostFailures) return { retry: false };
  if (error.retry !== 'later') {
    return {
      retry: true,
      waitMs: Math.min(error.retry.afterMs, longestMs) + random * pace.firstPollMs,
      reason,
    };
  }
  const ceiling = Math.min(pace.firstPollMs * 2 ** failures, pace.longestPollMs);
  return { retry: true, waitMs: pace.firstPollMs + random * ceiling, reason };
}
