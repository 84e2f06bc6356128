/**
 * @file Deletes a project, and restores a project marked for deletion. If the instance delays deletions, a project is
 * marked first.
 */
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ProjectDetails } from '../../../src-contract/projects/project-details.ts';
import type { StepContext } from '../running/step.ts';
import {
  createPreparedChange,
  changeEffect,
  projectIdOf,
  stateChange,
  type ChangeSteps,
} from './change-work.ts';

export async function detailsOf(context: StepContext, projectId: number): Promise<ProjectDetails | null> {
  try {
    return await context.ports.instance.changes.details(projectId, context.signal);
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return null;
    throw thrown;
  }
}

export const deleteChange = ({ permanently }: Extract<Change, { kind: 'delete' }>): ChangeSteps => ({
  requestName: permanently ? 'request to delete it permanently' : 'request to delete it',
  async prepare(context) {
    const { changes } = context.ports.instance;
    const { project, markedForDeletionOn } = await changes.details(projectIdOf(context), context.signal);
    if (permanently && markedForDeletionOn === null) {
      throw new AppError(
        'invalid-input',
        `${project.fullPath} is not marked for deletion. Only a marked project can be deleted permanently.`,
        { details: { wrong: 'state' } },
      );
    }
    const already = !permanently && markedForDeletionOn !== null;
    return { ...(await createPreparedChange(context, project.fullPath)), already };
  },
  async send(context, { fullPath }) {
    const { changes } = context.ports.instance;
    await changes.delete(projectIdOf(context), permanently ? fullPath : null, context.signal);
    return changeEffect(projectIdOf(context));
  },
  async findEffect(context) {
    const found = await detailsOf(context, projectIdOf(context));
    if (found === null) return changeEffect(null);
    return !permanently && found.markedForDeletionOn !== null ? changeEffect(found.project.id) : null;
  },
});

export const restoreChange = (): ChangeSteps =>
  stateChange({
    request: 'request to restore it',
    async isReached(context) {
      const { changes } = context.ports.instance;
      return (await changes.details(projectIdOf(context), context.signal)).markedForDeletionOn === null;
    },
    send: (context) => context.ports.instance.changes.restore(projectIdOf(context), context.signal),
  });
