/** @file How a project that a job of ours made is told from one that somebody else made meanwhile at the same path. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { parseTime } from '../../platform/clock.ts';
import type { StepContext } from '../running/step.ts';

/** What was known before the request left. */
export interface Before {
  /** Newest project id that the account could see. */
  watermark: number;
  /** Id of the user who is named as the maker. */
  userId: number;
  /** The server's clock minus ours. */
  clockSkewMs: number;
}

/** Clocks are told in whole seconds. */
const slackMs = 5_000;

/** The project at a full path, or null. One that moved away answers under its old path too, which is then free. */
export async function projectAt(context: StepContext, fullPath: string): Promise<Project | null> {
  try {
    const project = await context.ports.instance.project(fullPath, context.signal);
    return project.fullPath.toLowerCase() === fullPath.toLowerCase() ? project : null;
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return null;
    throw thrown;
  }
}

/** What an import is told apart by beside the marks of its project. */
export interface ImportedTo {
  namespace: string;
  path: string;
  /** GitLab imports what replaces a project under `<path>-<32 hex digits>`, and renames it at the end (gitlab-facts 7). */
  overwrite: boolean;
}

/** GitLab searches for nothing shorter. */
const minSearchLength = 3;

/**
 * The project that an import request of that time made, finished or not; null where there is none. Throws `import-ambiguous`
 * where a project appeared that may be it, and `replaces` is the id of the one that stood there before.
 */
export async function projectOfImport(
  context: StepContext,
  { namespace, path, overwrite }: ImportedTo,
  before: Before & { replaces: number | null },
  intentAt: number,
): Promise<Project | null> {
  const target = `${namespace}/${path}`;
  const isImport = (project: Project): boolean =>
    project.importType === 'gitlab_project' && isOurs(project, before, intentAt);
  const found = await projectAt(context, target);
  if (found !== null && found.id !== before.replaces) {
    if (isImport(found)) return found;
    throw mayBeAnother(found);
  }
  if (!overwrite) return null;
  const ours: Project[] = [];
  const search = path.length < minSearchLength ? null : path;
  for await (const project of context.ports.instance.projectsAfter(
    before.watermark,
    search,
    context.signal,
  )) {
    // Also at the path itself, where it may have come to since that was asked for.
    if (isPlaceOf(project.fullPath, target) && isImport(project)) ours.push(project);
  }
  const [only = null, another] = ours;
  if (another === undefined) return only;
  throw mayBeAnother(another);
}

function isPlaceOf(fullPath: string, target: string): boolean {
  const [place, wanted] = [fullPath.toLowerCase(), target.toLowerCase()];
  return place.startsWith(wanted) && /^(?:-[0-9a-f]{32})?$/.test(place.slice(wanted.length));
}

function mayBeAnother({ fullPath, id }: Project): AppError {
  return new AppError('import-ambiguous', `A project appeared at ${fullPath} that may not be this import.`, {
    details: { project: fullPath, projectId: id },
  });
}

/** Whether all its marks say that a request of that time made it. */
export function isOurs(project: Project, before: Before, intentAt: number): boolean {
  const createdAt = parseTime(project.createdAt);
  return (
    project.id > before.watermark &&
    project.creatorId === before.userId &&
    createdAt !== null &&
    createdAt >= intentAt + before.clockSkewMs - slackMs
  );
}
