/** @file Creates and forks projects. After a lost response, checks whether the request created the project there. */
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { wasCreatedByRequest, projectAt } from '../importing/new-project.ts';
import type { StepContext } from '../running/step.ts';
import {
  createPreparedChange,
  changeEffect,
  projectIdOf,
  type ChangeSteps,
  type PreparedChange,
  type ChangeEffect,
} from './change-work.ts';
import { withImportUrl } from './settings.ts';

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

/** The namespace is always explicit in a job, so that the target can be looked up afterwards. */
function requireNamespace(namespace: string | null): string {
  if (namespace === null) throw new AppError('internal', 'The change names no namespace.');
  return namespace;
}

async function prepareTarget(
  context: StepContext,
  namespace: string,
  fullPath: string,
): Promise<PreparedChange> {
  const { instance } = context.ports;
  if (!(await instance.namespaceExists(namespace, context.signal))) {
    throw new AppError('namespace-missing', `There is no namespace ${namespace}.`, {
      details: { namespace },
    });
  }
  if ((await projectAt(context, fullPath)) !== null) {
    throw new AppError('path-taken', `There is already a project at ${fullPath}.`, {
      details: { project: fullPath },
    });
  }
  const watermark = await instance.highestProjectId(context.signal);
  return { ...(await createPreparedChange(context, fullPath)), watermark };
}

/**
 * Returns the project at the target if its id, creator and time match the request; null if there is no project.
 * Throws if they do not match.
 */
async function findCreatedProject(
  context: StepContext,
  { fullPath, watermark, clockSkewMs }: PreparedChange,
  userId: number,
  intentAt: number,
): Promise<ChangeEffect | null> {
  const found = await projectAt(context, fullPath);
  if (found === null) return null;
  if (!wasCreatedByRequest(found, { watermark: watermark ?? 0, clockSkewMs, userId }, intentAt)) {
    throw new AppError(
      'change-ambiguous',
      `A project appeared at ${fullPath} that this job may not have created.`,
      {
        details: { project: fullPath, projectId: found.id },
      },
    );
  }
  return changeEffect(found.id);
}

export const creationWork = (change: ChangeOf<'create'>): ChangeSteps => ({
  requestName: 'request for a project',
  copiesRepository: true,
  prepare: (context) => prepareTarget(context, requireNamespace(change.namespace), context.job.project),
  async send(context) {
    const { namespace, forUser } = change;
    const attributes = withImportUrl(context, change.attributes);
    const request = { namespace: requireNamespace(namespace), forUser, attributes };
    const { project, notTaken } = await context.ports.instance.changes.create(request, context.signal);
    return { ...changeEffect(project.id), notTaken };
  },
  // GitLab names the user who will own the project as creator, not the administrator.
  findEffect: (context, prepared, { intentAt }) =>
    findCreatedProject(context, prepared, change.forUser ?? prepared.userId, intentAt),
});

export const forkWork = (change: ChangeOf<'fork'>): ChangeSteps => ({
  requestName: 'request for a fork',
  copiesRepository: true,
  async prepare(context) {
    const namespace = requireNamespace(change.namespace);
    const source = await context.ports.instance.project(projectIdOf(context), context.signal);
    const path = change.path ?? source.fullPath.slice(source.fullPath.lastIndexOf('/') + 1);
    return prepareTarget(context, namespace, `${namespace}/${path}`);
  },
  async send(context) {
    const { kind: _, ...request } = change;
    const project = await context.ports.instance.changes.fork(
      projectIdOf(context),
      { ...request, namespace: requireNamespace(change.namespace) },
      context.signal,
    );
    return changeEffect(project.id);
  },
  findEffect: (context, prepared, { intentAt }) =>
    findCreatedProject(context, prepared, prepared.userId, intentAt),
});
