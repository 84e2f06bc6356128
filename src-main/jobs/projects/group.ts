/** @file The change that creates a group. The change succeeds if the group exists. */
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { StepContext } from '../running/step.ts';
import { createPreparedChange, changeEffect, type ChangeSteps } from './change-work.ts';

export function groupChange({
  parent,
  path,
  visibility,
}: Extract<Change, { kind: 'create-group' }>): ChangeSteps {
  const fullPath = parent === null ? path : `${parent}/${path}`;
  const exists = ({ ports, signal }: StepContext): Promise<boolean> =>
    ports.instance.namespaceExists(fullPath, signal);
  return {
    requestName: 'request for a group',
    async prepare(context) {
      return { ...(await createPreparedChange(context, fullPath)), already: await exists(context) };
    },
    async send(context) {
      try {
        await context.ports.instance.changes.createGroup({ parent, path, visibility }, context.signal);
        return changeEffect(null);
      } catch (thrown) {
        const error = AppError.from(thrown);
        const serverMessage = String(error.details['serverMessage'] ?? '');
        // Another user created the group first.
        if (/already been taken/i.test(serverMessage) && (await exists(context)))
          return changeEffect(null, false);
        throw error;
      }
    },
    findEffect: async (context) => ((await exists(context)) ? changeEffect(null) : null),
  };
}
