/** @file What a client lets through before anything is sent: no write where none is wanted, nothing that needs an account without one. */
import { AppError } from '../../../src-contract/errors.ts';
import { isRelease, requireCapability } from '../account/capabilities.ts';
import type { CallOptions, Method } from './exchange.ts';

export interface Gate {
  /** Host of the instance, for the sentence about it. */
  host: string;
  anonymous: boolean;
  mayWrite: () => boolean;
  /** The server's version as last seen; null where it is not known. */
  version: () => string | null;
}

/**
 * The call as it may be made: of what it `needs` only that stays which the server must still be asked about.
 * @throws AppError `sign-in-needed`, `instance-read-only` or `server-too-old`; nothing was sent then.
 */
export function admitted<T extends CallOptions>(gate: Gate, method: Method, call: T): T {
  const { host } = gate;
  const writes = method !== 'GET';
  const details = { ...call.details, host, ...(writes && { left: false }) };
  if (gate.anonymous && (writes || call.signedIn === true)) {
    throw new AppError('sign-in-needed', 'This cannot be asked without an account.', { details });
  }
  if (writes && !gate.mayWrite()) {
    throw new AppError('instance-read-only', 'The instance is set to read-only.', { details });
  }
  const version = gate.version();
  for (const what of call.needs ?? []) requireCapability(version, what, writes ? { left: false } : {});
  return isRelease(version) ? { ...call, needs: [] } : call;
}
