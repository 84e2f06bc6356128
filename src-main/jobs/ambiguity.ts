/** @file Which failures of a sent request leave open whether the server did the work. */
import type { AppError, ErrorCode } from '../../src-preload/contract/errors.ts';

const openCodes: ErrorCode[] = [
  'connection-lost',
  'timeout',
  'server-error',
  'not-gitlab',
  'unexpected-response',
  'response-too-large',
  'redirect-refused',
  'unknown-state',
  'interrupted',
  'internal',
];

/** A clear refusal (4xx with a reason, nothing listening, an untrusted certificate) is not ambiguous. */
export function isAmbiguous(error: AppError): boolean {
  return openCodes.includes(error.code);
}
