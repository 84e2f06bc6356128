/**
 * @file The one error class of the product: a code from a closed list, a message, and whether a retry can help. The
 * texts for users are in `error-messages.ts`. Runs in every process; imports only the schema types.
 */
import type { z } from './schema.ts';
import type * as schemas from './errors-schema.ts';

export type ErrorData = z.output<typeof schemas.errorDataSchema>;

/** Every situation that has its own code. A code names the situation, never the layer that detected it. */
export const errorCodes = [
  // the request
  'invalid-input',
  'not-found',
  'already-exists',
  // instances and tokens
  'instance-unknown',
  'instance-exists',
  'token-missing',
  'token-unsafe-file',
  'token-invalid',
  'token-expired',
  'token-revoked',
  'token-scope',
  'account-blocked',
  'account-changed',
  'forbidden',
  'keychain-missing',
  'keychain-unreachable',
  'keychain-locked',
  'keychain-timeout',
  'keychain-failed',
  // the network and the server
  'address-unknown',
  'connection-refused',
  'connection-lost',
  'certificate-untrusted',
  'ca-file-unusable',
  'timeout',
  'not-gitlab',
  'redirect-refused',
  'response-too-large',
  'unexpected-response',
  'unknown-state',
  'server-error',
  'rate-limited',
  'request-refused',
  'server-too-old',
  'feature-off',
  'instance-read-only',
  'sign-in-needed',
  'rotation-refused',
  'rotation-ambiguous',
  'rotation-lost',
  'token-changing',
  'secret-lost',
  'jobs-elsewhere',
  'storage-missing',
  // projects, exports, imports
  'project-missing',
  'project-moved',
  'namespace-missing',
  'role-too-low',
  'export-refused',
  'export-failed',
  'export-gone',
  'import-disabled',
  'import-refused',
  'import-failed',
  'layout-refused',
  'import-ambiguous',
  'change-ambiguous',
  'fork-failed',
  'relation-import-failed',
  'members-at-risk',
  'path-taken',
  'name-taken',
  'upload-too-large',
  'deadline-passed',
  // archives and the store
  'archive-missing',
  'archive-ambiguous',
  'archive-corrupt',
  'archive-unsafe',
  'archive-damaged',
  'archive-changed',
  'archive-limit',
  'record-missing',
  'manifest-unreadable',
  // disk
  'disk-full',
  'disk-denied',
  'disk-failed',
  // catalogue and settings
  'catalogue-newer',
  'catalogue-damaged',
  'catalogue-foreign',
  'catalogue-busy',
  'rescan-needed',
  'settings-unreadable',
  // hosts and windows
  'host-cannot',
  'link-refused',
  'path-refused',
  'confirmation-missing',
  'calls-too-many',
  'page-not-built',
  'page-disconnected',
  // plans and jobs
  'plan-missing',
  'hook-failed',
  'migration-missing',
  'migration-started',
  'migration-blocked',
  'migration-differs',
  'failure-missing',
  'attention-missing',
  'job-missing',
  'job-ended',
  'job-busy',
  'interrupted',
  'cancelled',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** When the same request may succeed: never, at an unknown later time, or after this many milliseconds. */
export type Retry = 'never' | 'later' | { afterMs: number };

/** Values that are safe to show, log and store. They must never contain a secret. */
export type ErrorDetails = Record<string, string | number | boolean | null>;

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retry: Retry;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retry?: Retry; details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? 'never';
    this.details = options.details ?? {};
  }

  toData(): ErrorData {
    return { code: this.code, message: this.message, retry: this.retry, details: this.details };
  }

  /** Returns the same error with more details. */
  withDetails(more: ErrorDetails): AppError {
    const { code, message, retry, details } = this;
    return new AppError(code, message, { retry, details: { ...details, ...more }, cause: this });
  }

  static fromData(data: ErrorData): AppError {
    return new AppError(data.code, data.message, { retry: data.retry, details: data.details });
  }

  /** Returns any thrown value as an `AppError`; other errors become `internal` with the original as its cause. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new AppError('internal', message, { cause: thrown });
  }
}

/** Codes for a list that is switched off, that the role may not read, or that the server's version lacks. */
const readDeniedCodes: readonly ErrorCode[] = ['forbidden', 'not-found', 'role-too-low', 'server-too-old'];

/** Returns whether the instance refused to return a list. False if the instance could not be reached. */
export const isReadDenied = (thrown: unknown): boolean =>
  thrown instanceof AppError && readDeniedCodes.includes(thrown.code);

/** Codes of errors that may concern a single project, although its instance responds to other requests. */
const singleProjectCodes: readonly ErrorCode[] = [
  'server-error',
  'unexpected-response',
  'response-too-large',
  'timeout',
  'connection-lost',
  'not-gitlab',
  'forbidden',
  'role-too-low',
  'request-refused',
];

/** Returns whether the error may concern a single project. Another request shows whether the instance responds. */
export const mayConcernOneProject = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && singleProjectCodes.includes(thrown.code);
