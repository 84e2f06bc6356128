/**
 * @file Refuses calls before they are sent: writes to a read-only instance, calls that need an account if there is
 * none, and calls that the server is too old for.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { isReadableVersion, requireCapability } from '../instances/capabilities.ts';
import type { CallOptions, Method } from './exchange.ts';

export interface Gate {
  host: string;
  anonymous: boolean;
  mayWrite: () => boolean;
  version: () => string | null;
}

/**
 * Returns the call without its `needs` if the version is a release, because this function has then checked them all.
 * @throws AppError `sign-in-needed`, `instance-read-only` or `server-too-old`, before anything is sent.
 */
export function checkCall<T extends CallOptions>(gate: Gate, method: Method, call: T): T {
  const { host } = gate;
  const isWrite = method !== 'GET';
  const details = { ...call.details, host, ...(isWrite && { left: false }) };
  if (gate.anonymous && (isWrite || call.requiresAccount === true)) {
    throw new AppError('sign-in-needed', 'This request requires an account.', { details });
  }
  if (isWrite && !gate.mayWrite()) {
    throw new AppError('instance-read-only', 'The instance is set to read-only.', { details });
  }
  const version = gate.version();
  for (const capability of call.needs ?? [])
    requireCapability(version, capability, isWrite ? { left: false } : {});
  return isReadableVersion(version) ? { ...call, needs: [] } : call;
}
