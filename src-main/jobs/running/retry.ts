/** @file When a failed step is tried again: a pure policy over the error, the failures so far, and the pace. */
import type { AppError, ErrorCode } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instance.ts';
import type { WaitReason } from '../../../src-contract/wait-reasons.ts';

/** Failures in a row of a request that the instance answers, after which its step fails. */
const maxFailures = 6;
const maxMs = 15 * 60_000;
/**
 * How long an instance may not answer, or answer with 5xx, before its jobs fail. Upgrades and short outages take minutes; half an
 * hour must pass without harm, whatever the waits between the tries are.
 */
export const maxOutageMs = 60 * 60_000;

export type RetryDecision = { retry: false } | { retry: true; waitMs: number; reason: WaitReason };

/** What came before a failure, this one included. */
export interface Failures {
  /** Failures in a row. */
  count: number;
  /** For how long the instance has not answered this step; 0 where it answers. */
  outageMs: number;
  /** After which an outage ends the job. */
  maxOutageMs: number;
}

const networkCodes: ErrorCode[] = ['address-unknown', 'connection-refused', 'connection-lost', 'timeout'];

const reasonOf = (error: AppError): WaitReason => {
  if (error.code === 'rate-limited') return 'rate-limited';
  return networkCodes.includes(error.code) ? 'network' : 'server-unavailable';
};

/**
 * Whether a failure says that the instance is away: nothing answered, or with 5xx. A file that breaks off after it has begun to
 * arrive (`details.begun`) is no outage: each try costs a download.
 */
export function isOutage(error: AppError): boolean {
  if (error.retry === 'never') return false;
  if (networkCodes.includes(error.code)) return error.details['begun'] !== true;
  const { status } = error.details;
  return error.code === 'server-error' && (typeof status !== 'number' || status >= 500);
}

/** What a job says that waits for an instance to answer again. `since` is epoch milliseconds. */
export function outageText(since: number, error: AppError): string {
  const at = new Date(since);
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  const { status } = error.details;
  const reason =
    error.code === 'server-error' && typeof status === 'number'
      ? `HTTP ${status}`
      : error.message.replace(/\.$/, '');
  return `The instance does not answer since ${time} (${reason}).`;
}

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

/** Time to the next try of what failed so often in a row. `random` in [0, 1) spreads it (full jitter). */
export function backoffMs(
  pace: Pick<Pace, 'firstPollMs' | 'maxPollMs'>,
  failures: number,
  random: number,
): number {
  const ceiling = Math.min(pace.firstPollMs * 2 ** failures, pace.maxPollMs);
  return pace.firstPollMs + random * ceiling;
}

/**
 * Rate limits are waited out as often as the server asks. An outage is limited by its time, however often it is met; any other
 * temporary failure by its number.
 */
export function decideRetry(error: AppError, failures: Failures, pace: Pace, random: number): RetryDecision {
  if (needsToken(error)) {
    return { retry: true, waitMs: pace.maxPollMs, reason: 'token-missing' };
  }
  // However long it takes: another job finds out what became of the token, and ends when it knows.
  if (error.code === 'token-changing')
    return { retry: true, waitMs: pace.lookAgainMs, reason: 'answer-lost' };
  if (error.retry === 'never' || needsRoom(error)) return { retry: false };
  const reason = reasonOf(error);
  const isOver = isOutage(error)
    ? failures.outageMs >= failures.maxOutageMs
    : error.code !== 'rate-limited' && failures.count >= maxFailures;
  if (isOver) return { retry: false };
  if (error.retry !== 'later') {
    return {
      retry: true,
      waitMs: Math.min(error.retry.afterMs, maxMs) + random * pace.firstPollMs,
      reason,
    };
  }
  return { retry: true, waitMs: backoffMs(pace, failures.count, random), reason };
}
