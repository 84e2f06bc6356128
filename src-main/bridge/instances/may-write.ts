/** @file Whether anything may be changed on an instance, found out before a job is made of it that could only fail. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import { checkAndKeep } from './instance-handlers.ts';
import type { Services } from '../../services/services.ts';

/** The `sign-in-needed` for what an instance without an account cannot do. */
export const withoutAccount = (name: string): AppError =>
  new AppError('sign-in-needed', 'There is no account.', { details: { host: name } });

/** Throws `sign-in-needed` and `instance-read-only`. Asks nobody. */
export function refuseUnchangeable({ name, anonymous, readOnly }: Instance): void {
  if (anonymous) throw withoutAccount(name);
  if (readOnly) throw new AppError('instance-read-only', 'It is read-only.', { details: { host: name } });
}

/**
 * Throws these and `token-scope`. A token that could only read is asked about anew, because it may be another one than at the
 * last check.
 */
export async function mustMayWrite(
  services: Services,
  instance: Instance,
  signal: AbortSignal,
): Promise<void> {
  refuseUnchangeable(instance);
  if (instance.tokenCanWrite !== false) return;
  const { canWrite } = await checkAndKeep(services, instance, signal);
  if (!canWrite) throw new AppError('token-scope', `The token of "${instance.name}" may only read.`);
}
