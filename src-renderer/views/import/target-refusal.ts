/** @file Why nothing can be imported into an instance, as far as it is known before anything is sent. Pure. */
import type { Instance, InstanceCheck } from '../../../src-contract/instance.ts';
import { importText as text } from './import.text.ts';

/** A sentence; null: nothing speaks against it. `check` is null while it is not known what the token can do. */
export function refusalOfTarget(
  instance: Pick<Instance, 'anonymous' | 'readOnly'> | undefined,
  check: Pick<InstanceCheck, 'canWrite'> | null,
): string | null {
  if (instance?.anonymous === true) return text.anonymous;
  if (instance?.readOnly === true) return text.readOnly;
  return check?.canWrite === false ? text.tokenReadOnly : null;
}
