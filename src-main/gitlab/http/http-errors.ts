/**
 * @file Turns the refusal of a GitLab server into an `AppError` that names the situation (gitlab-facts 1 and 4). Pure,
 * and the only place that interprets status codes. The server's own text stays unchanged here; `scrub.ts` removes
 * secrets from it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorCode, type ErrorDetails, type Retry } from '../../../src-contract/errors.ts';
import { defaultRetryAfterMs } from '../../../src-contract/retry-after.ts';
import { parseTime } from '../../platform/clock.ts';
import { isObject } from '../../platform/objects.ts';
import { type Capability, serverTooOld } from '../instances/capabilities.ts';

/** The subject of a request. The same status has several meanings: a 403 on an import is a setting, not a role. */
export type RequestSubject =
  'other' | 'project' | 'fork' | 'namespace' | 'export' | 'export-download' | 'object-storage' | 'import';

export interface ErrorResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ErrorResponseContext {
  method: string;
  url: string;
  subject: RequestSubject;
  /** Capabilities that an old server of unknown version may lack. */
  requiredCapabilities: readonly Capability[];
  /** The feature flag of the call, or null. If the flag is off, the server responds with 404 to the whole call. */
  featureFlag: string | null;
  /** Epoch milliseconds; used if `Retry-After` is a date. */
  now: number;
  /** Facts of the caller (project, namespace), added to the details. */
  details: ErrorDetails;
}

const maxRetryAfterMs = 15 * 60_000;

interface ErrorBody {
  text: string;
  error: string;
  scope: string | null;
}

interface Meaning {
  code: ErrorCode;
  message: string;
  retry?: Retry;
  details?: ErrorDetails;
}

/** Returns the error for a refused request. The error never contains request headers. */
export function errorFromResponse(refusal: ErrorResponse, context: ErrorResponseContext): AppError {
  const body = readErrorBody(refusal.body);
  const meaning = meaningOf(refusal, body, context);
  return new AppError(meaning.code, meaning.message, {
    retry: meaning.retry ?? 'never',
    details: {
      ...context.details,
      ...meaning.details,
      method: context.method,
      url: context.url,
      status: refusal.status,
      ...requestId(refusal.headers),
      serverMessage: meaning.code === 'not-gitlab' ? '' : body.text,
    },
  });
}

/**
 * Returns `Retry-After` (seconds or a date), else `RateLimit-Reset` (epoch seconds), between one second and 15 minutes;
 * `defaultRetryAfterMs` if both are absent or unreadable.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number {
  const value = headers['retry-after']?.trim() ?? '';
  const reset = headers['ratelimit-reset'];
  let wait: number | null = null;
  // Using the server's own clock makes a wrong clock here harmless.
  const serverNow = parseTime(headers.date) ?? now;
  if (/^\d+$/.test(value)) {
    wait = Number(value) * 1000;
  } else if (/[a-z]{3}/i.test(value)) {
    const until = parseTime(value);
    if (until !== null) wait = until - serverNow;
  } else if (typeof reset === 'string' && /^\d{9,11}$/.test(reset)) {
    wait = Number(reset) * 1000 - serverNow;
  }
  if (wait === null || wait < 0) return defaultRetryAfterMs;
  return Math.min(Math.max(wait, 1000), maxRetryAfterMs);
}

/** Returns whether the body is a web page, such as a sign-in form or a proxy's error page. */
export function isHtml(headers: IncomingHttpHeaders, body: string): boolean {
  return /^text\/html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype html|html)/i.test(body);
}

function meaningOf(refusal: ErrorResponse, body: ErrorBody, context: ErrorResponseContext): Meaning {
  const { status, headers } = refusal;
  const isWebPage = isHtml(headers, refusal.body);
  if (status === 429) {
    return {
      code: 'rate-limited',
      message: 'The instance asks to slow down.',
      retry: { afterMs: retryAfterMs(headers, context.now) },
    };
  }
  if (status >= 500) {
    const retry: Retry =
      headers['retry-after'] === undefined ? 'later' : { afterMs: retryAfterMs(headers, context.now) };
    return { code: 'server-error', message: `The instance failed with HTTP ${status}.`, retry };
  }
  if (context.subject === 'object-storage') {
    // Signed addresses expire within minutes; GitLab returns a new one for a new request.
    return {
      code: 'server-error',
      message: `The object storage refused the download with HTTP ${status}.`,
      retry: 'later',
    };
  }
  if (status === 413) return { code: 'upload-too-large', message: 'The upload is larger than accepted.' };
  if (isWebPage)
    return { code: 'not-gitlab', message: 'The server returned a web page instead of an API response.' };
  switch (status) {
    case 400:
    case 409:
    case 422:
      return badRequestMeaning(status, body, context);
    case 401:
      return unauthorizedMeaning(body);
    case 403:
      return forbiddenMeaning(body, context);
    case 404:
      return notFoundMeaning(body, context);
    case 405:
      return /moved project/i.test(body.text)
        ? { code: 'project-moved', message: 'The project has moved.' }
        : { code: 'request-refused', message: 'The instance does not accept this kind of request here.' };
    case 408:
      return { code: 'timeout', message: 'The instance waited too long for the request.', retry: 'later' };
    default:
      if (status >= 400) {
        return { code: 'request-refused', message: `The instance refused the request with HTTP ${status}.` };
      }
      return { code: 'unexpected-response', message: `The instance responded with HTTP ${status}.` };
  }
}

function unauthorizedMeaning(body: ErrorBody): Meaning {
  if (body.error === 'invalid_token') {
    if (/expired/i.test(body.text)) return { code: 'token-expired', message: 'The token has expired.' };
    if (/revoked/i.test(body.text)) return { code: 'token-revoked', message: 'The token was revoked.' };
  }
  return { code: 'token-invalid', message: 'The instance does not know this token.' };
}

function forbiddenMeaning(body: ErrorBody, context: ErrorResponseContext): Meaning {
  if (body.error === 'insufficient_scope' || body.error === 'insufficient_granular_scope') {
    return {
      code: 'token-scope',
      message: 'The token lacks a scope.',
      details: { scopes: body.scope ?? 'api' },
    };
  }
  // Reasons from `user_access_denied_reason.rb`: blocked, deactivated, pending approval, terms, expired password.
  if (/account|deactivated|pending approval|terms of service|password/i.test(body.text)) {
    return { code: 'account-blocked', message: 'The account behind the token cannot be used.' };
  }
  if (context.subject === 'import') {
    return { code: 'import-disabled', message: 'The instance does not accept imports from files.' };
  }
  if (context.subject === 'export' || context.subject === 'export-download') {
    return { code: 'role-too-low', message: "The account's role does not allow an export." };
  }
  return { code: 'forbidden', message: 'The account is not allowed to do this on the instance.' };
}

function notFoundMeaning(body: ErrorBody, context: ErrorResponseContext): Meaning {
  const { subject, requiredCapabilities, featureFlag } = context;
  // GitLab returns this body for an unknown API path. For a missing object of a known path, the body has a `message`.
  if (
    requiredCapabilities[0] !== undefined &&
    body.text === body.error &&
    /^404 not found$/i.test(body.error)
  ) {
    const { code, message, details } = serverTooOld(requiredCapabilities[0], null);
    return { code, message, details };
  }
  // GitLab names a missing namespace or project ("404 Project Not Found"), but not a disabled feature.
  if (featureFlag !== null && /^404 not found$/i.test(body.text)) {
    return {
      code: 'feature-off',
      message: `The feature flag "${featureFlag}" is off on the instance.`,
      details: { flag: featureFlag },
    };
  }
  if (subject === 'namespace' || subject === 'import' || /namespace not found/i.test(body.text)) {
    return { code: 'namespace-missing', message: 'There is no such namespace, or it is not visible.' };
  }
  if (/user not found/i.test(body.text)) {
    return { code: 'not-found', message: 'There is no such user on the instance.' };
  }
  if (subject === 'project' || subject === 'fork' || /project not found/i.test(body.text)) {
    return { code: 'project-missing', message: 'There is no such project, or it is not visible.' };
  }
  if (subject === 'export') {
    return { code: 'export-refused', message: 'Project exports are switched off on this instance.' };
  }
  if (subject === 'export-download') {
    return /not available yet/i.test(body.text)
      ? { code: 'export-gone', message: 'The finished export is not available yet.', retry: 'later' }
      : { code: 'export-gone', message: 'The finished export is gone.' };
  }
  return { code: 'not-found', message: 'The instance has nothing at this address.' };
}

function badRequestMeaning(status: number, body: ErrorBody, context: ErrorResponseContext): Meaning {
  const { subject } = context;
  const createsPath = subject === 'import' || subject === 'project' || subject === 'fork';
  if (createsPath && /already been taken/i.test(body.text)) {
    if (isNameTaken(body.text)) return { code: 'name-taken', message: 'The name is already taken.' };
    const details = { replaceable: subject === 'import' };
    return { code: 'path-taken', message: 'The path is already taken.', details };
  }
  if (subject === 'import') return { code: 'import-refused', message: 'The instance refused the import.' };
  if (subject === 'export') {
    const busy = /already running or queued/i.test(body.text);
    return {
      code: 'export-refused',
      message: busy
        ? 'An export of this project is already in progress.'
        : 'The instance refused the export.',
      retry: busy ? 'later' : 'never',
    };
  }
  return {
    code: 'request-refused',
    message: 'The instance refused the request.',
    // A 409 means that another request holds a lock. For a fork it may have any reason (gitlab-facts 1.3).
    retry: status === 409 && subject !== 'fork' ? 'later' : 'never',
  };
}

/**
 * Returns whether only the name is taken. GitLab's "project namespace name" is the path and does not count as a name.
 */
const isNameTaken = (text: string): boolean =>
  /(^|, )name has already/i.test(text) && !/path has already/i.test(text);

/**
 * Uses the order of gitlab-facts 1.1: message, message.error, the flattened message, error_description, error, raw
 * text.
 */
function readErrorBody(raw: string): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    return { text: raw.trim(), error: '', scope: null };
  }
  if (!isObject(parsed)) return { text: raw.trim(), error: '', scope: null };
  const { message, error, error_description: description, scope } = parsed;
  const text = [message, description, error].map(flatten).find((candidate) => candidate !== '');
  return {
    text: text ?? raw.trim(),
    error: typeof error === 'string' ? error : '',
    scope: typeof scope === 'string' ? scope : null,
  };
}

/** `"x"` → `x`; `["x","y"]` → `x, y`; `{error: "x"}` → `x`; `{path: ["x"]}` → `path x`. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(flatten).join(', ');
  if (!isObject(value)) return '';
  return Object.entries(value)
    .map(([key, inner]) => (key === 'error' || key === 'base' ? flatten(inner) : `${key} ${flatten(inner)}`))
    .join(', ');
}

function requestId(headers: IncomingHttpHeaders): ErrorDetails {
  const id = headers['x-request-id'];
  return typeof id === 'string' ? { requestId: id } : {};
}
