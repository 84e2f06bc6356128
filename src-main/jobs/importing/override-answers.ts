/**
 * @file Checks whether the new project has the overrides of its import: GitLab silently ignores overrides that a tier
 * or a role does not allow.
 */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import type { ImportInput, ImportResult } from '../../../src-contract/runs/job.ts';
import { ignoredAttributeSentence } from '../../../src-contract/projects/ignored-attribute.ts';
import { validOverrides } from '../../../src-contract/transfers/override-params.ts';
import { ignoredAttributes } from '../../../src-contract/projects/project-attribute-answers.ts';
import { inputOf } from './import-outputs.ts';
import { warning, type StepContext } from '../running/step.ts';

type IgnoredOverrides = ImportResult['notTaken'];

export const hasOverrides = ({ overrideParams }: ImportInput): boolean =>
  Object.keys(overrideParams).length > 0;

export async function ignoredOverrides(context: StepContext, projectId: number): Promise<IgnoredOverrides> {
  const input = inputOf(context);
  if (!hasOverrides(input)) return [];
  const { attributes } = await context.ports.instance.changes.details(projectId, context.signal);
  return ignoredAttributes(validOverrides(input.overrideParams), attributes);
}

export function overrideWarnings(ignored: IgnoredOverrides): Finding[] {
  if (ignored === null) {
    const message = 'The new project could not be read, so it is not known whether it has the overrides.';
    return [warning('override-not-read', message, null)];
  }
  return ignored.map((each) => warning('override-not-taken', ignoredAttributeSentence(each), each.attribute));
}
