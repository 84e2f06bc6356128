/** @file Decides when a failed step is retried. A pure policy over the error, the earlier failures, and the pace. */
import type { AppError, ErrorCode } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import type { WaitReason } from '../../../src-contract/runs/wait-reasons.ts';

/** Maximum number of consecutive failures of a request while the instance responds. After that its step fails. */
const maxFailures = 6;
const maxRetryAfterMs = 15 * 60_000;
/** How long an instance may be unavailable before its jobs fail. Jobs must survive an outage of half an hour. */
export const maxOutageMs = 60 * 60_000;

export type RetryDecision = { retry: false } | { retry: true; waitMs: number; reason: WaitReason };

export interface Failures {
  count: number;
  /** How long the instance has not responded to this step, in milliseconds; 0 if it responds. */
  outageMs: number;
  /** An outage of this length ends the job. */
  maxOutageMs: number;
}

const networkCodes: ErrorCode[] = ['address-unknown', 'connection-refused', 'connection-lost', 'timeout'];

const reasonOf = (error: AppError): WaitReason => {
  if (error.code === 'rate-limited') return 'rate-limited';
  return networkCodes.includes(error.code) ? 'network' : 'server-unavailable';
};

/**
 * Returns whether the instance is unavailable: it does not respond, or returns a 5xx. An interrupted file
 * (`details.begun`) is no outage.
 */
export function isOutage(error: AppError): boolean {
  if (error.retry === 'never') return false;
  if (networkCodes.includes(error.code)) return error.details['begun'] !== true;
  const { status } = error.details;
  return error.code === 'server-error' && (typeof status !== 'number' || status >= 500);
}

const timeText = (ms: number): string => {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
};

const outageReason = (error: AppError): string => {
  const { status } = error.details;
  return error.code === 'server-error' && typeof status === 'number'
    ? `HTTP ${status}`
    : error.message.replace(/\.$/, '');
};

/** Returns the text of a job that waits for an instance to respond again. `since` is epoch milliseconds. */
export const outageText = (since: number, error: AppError): string =>
  `The instance has not answered since ${timeText(since)} (${outageReason(error)}).`;

/** Returns the text of a job whose requests fail although the instance responds. `since` is epoch milliseconds. */
export const failingText = (since: number, error: AppError): string =>
  `The instance responds, but has failed for this project since ${timeText(since)} (${outageReason(error)}).`;

/** Returns whether a user must unlock or supply a token. The job waits and reports that. */
export function needsToken(error: AppError): boolean {
  // A job that lost a token itself ends with this error. Any other job waits until a user supplies a new token.
  const isBlocked = error.code === 'rotation-lost' && error.retry !== 'never';
  return isBlocked || error.code === 'token-missing' || error.code.startsWith('keychain-');
}

/** Errors which mean that no source has a token, and that only a user can supply one. */
const noTokenCodes: ErrorCode[] = ['token-missing', 'keychain-missing', 'keychain-unreachable'];

/** Returns the text of a job that waits for a token. The text says that the token is missing, or why reading failed. */
export function tokenWaitText(error: AppError, instance: string): string {
  return noTokenCodes.includes(error.code) ? `No token is available for "${instance}".` : error.message;
}

/** Downloading the same bytes again does not repair a disk; the job fails at once. */
const isDiskError = (error: AppError): boolean => error.code.startsWith('disk-');

/** Returns the time until the next try. `random` in [0, 1) spreads it (full jitter). */
export function backoffMs(
  pace: Pick<Pace, 'firstPollMs' | 'maxPollMs'>,
  failures: number,
  random: number,
): number {
  const ceiling = Math.min(pace.firstPollMs * 2 ** failures, pace.maxPollMs);
  return pace.firstPollMs + random * ceiling;
}

/** Retries rate limits without end, outages up to a maximum duration, and other failures up to a maximum number. */
export function decideRetry(error: AppError, failures: Failures, pace: Pace, random: number): RetryDecision {
  if (needsToken(error)) {
    return { retry: true, waitMs: pace.maxPollMs, reason: 'token-missing' };
  }
  // The wait has no limit. Another job finds out what happened to the token, and ends when it knows.
  if (error.code === 'token-changing')
    return { retry: true, waitMs: pace.lookAgainMs, reason: 'answer-lost' };
  if (error.retry === 'never' || isDiskError(error)) return { retry: false };
  const reason = reasonOf(error);
  const isOver = isOutage(error)
    ? failures.outageMs >= failures.maxOutageMs
    : error.code !== 'rate-limited' && failures.count >= maxFailures;
  if (isOver) return { retry: false };
  if (error.retry !== 'later') {
    return {
      retry: true,
      waitMs: Math.min(error.retry.afterMs, maxRetryAfterMs) + random * pace.firstPollMs,
      reason,
    };
  }
  return { retry: true, waitMs: backoffMs(pace, failures.count, random), reason };
}
