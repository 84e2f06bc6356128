/** @file Why an instance cannot be an import target, as far as known before anything is sent. Pure. */
import type { Instance, InstanceCheck } from '../../../../src-contract/instances/instance.ts';
import { importText as text } from './import.text.ts';

/** Returns a sentence, or null if there is no obstacle. `check` is null while the rights of the token are unknown. */
export function refusalOfTarget(
  instance: Pick<Instance, 'anonymous' | 'readOnly'> | undefined,
  check: Pick<InstanceCheck, 'canWrite'> | null,
): string | null {
  if (instance?.anonymous === true) return text.anonymous;
  if (instance?.readOnly === true) return text.readOnly;
  return check?.canWrite === false ? text.tokenReadOnly : null;
}
