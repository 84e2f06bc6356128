/** @file Distinguishes a project that our job created from another project that appeared at the same path. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { parseTime } from '../../platform/clock.ts';
import type { StepContext } from '../running/step.ts';

/** The facts from before the request was sent. */
export interface StateBeforeImport {
  /** Highest project id that the account could see. */
  watermark: number;
  userId: number;
  clockSkewMs: number;
}

/** Servers report times in whole seconds. */
const slackMs = 5_000;

/** Returns the project at a full path, or null. Also returns null for the old path of a moved project. */
export async function projectAt(context: StepContext, fullPath: string): Promise<Project | null> {
  try {
    const project = await context.ports.instance.project(fullPath, context.signal);
    return project.fullPath.toLowerCase() === fullPath.toLowerCase() ? project : null;
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return null;
    throw thrown;
  }
}

/** The requested target of an import. Together with the project's id, creator and time, it identifies the import. */
export interface ImportDestination {
  namespace: string;
  path: string;
  /** GitLab imports a replacement under `<path>-<32 hex digits>` and renames it at the end (gitlab-facts 7). */
  overwrite: boolean;
}

/** GitLab rejects shorter search terms. */
const minSearchLength = 3;

/**
 * Returns the project that the import request at `intentAt` created, even if the import has not finished.
 * `before.replaces` is the id of the project that was at the path before. Throws `import-ambiguous` if a project
 * appeared that may be the result.
 */
export async function findImportedProject(
  context: StepContext,
  { namespace, path, overwrite }: ImportDestination,
  before: StateBeforeImport & { replaces: number | null },
  intentAt: number,
): Promise<Project | null> {
  const target = `${namespace}/${path}`;
  const isImport = (project: Project): boolean =>
    project.importType === 'gitlab_project' && wasCreatedByRequest(project, before, intentAt);
  const found = await projectAt(context, target);
  if (found !== null && found.id !== before.replaces) {
    if (isImport(found)) return found;
    throw ambiguousImportError(found);
  }
  if (!overwrite) return null;
  const ours: Project[] = [];
  const search = path.length < minSearchLength ? null : path;
  for await (const project of context.ports.instance.projectsAfter(
    before.watermark,
    search,
    context.signal,
  )) {
    // The project may have been renamed to the target path since that path was read.
    if (isImportPath(project.fullPath, target) && isImport(project)) ours.push(project);
  }
  const [only = null, another] = ours;
  if (another === undefined) return only;
  throw ambiguousImportError(another);
}

function isImportPath(fullPath: string, target: string): boolean {
  const [actual, expected] = [fullPath.toLowerCase(), target.toLowerCase()];
  return actual.startsWith(expected) && /^(?:-[0-9a-f]{32})?$/.test(actual.slice(expected.length));
}

function ambiguousImportError({ fullPath, id }: Project): AppError {
  return new AppError('import-ambiguous', `A project appeared at ${fullPath} that may not be this import.`, {
    details: { project: fullPath, projectId: id },
  });
}

/** Returns whether all marks (id, creator, time) show that the request at `intentAt` created the project. */
export function wasCreatedByRequest(project: Project, before: StateBeforeImport, intentAt: number): boolean {
  const createdAt = parseTime(project.createdAt);
  return (
    project.id > before.watermark &&
    project.creatorId === before.userId &&
    createdAt !== null &&
    createdAt >= intentAt + before.clockSkewMs - slackMs
  );
}
