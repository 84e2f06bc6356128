/**
 * @file Finds the projects that left the scope of a plan since its last run, each with the reason, so that no loss of
 * coverage is silent.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import type { RunNote } from '../../../src-contract/runs/run.ts';
import { isMarkedForDeletion, mayExport, type Project } from '../../../src-contract/projects/project.ts';
import { outOfScopeText, type OutOfScopeProject } from '../../../src-contract/projects/scope.ts';
import type { ProjectSource } from '../ports.ts';
import type { SelectedProjects } from './selection.ts';

const owner = 50;
/** Maximum number of projects that are read for their reason. Others are reported without a reason. */
const maxAsked = 100;
const maxNamed = 20;

/**
 * Returns the projects of `before` that left the scope. `before` has the projects in scope in the last run. Throws
 * `account-changed`.
 */
export async function findOutOfScopeProjects(
  source: ProjectSource,
  selection: Selection,
  before: ReadonlyArray<{ id: number; fullPath: string }>,
  { chosen, listed }: SelectedProjects,
  signal: AbortSignal,
): Promise<OutOfScopeProject[]> {
  const stays = new Set(chosen.map(({ id }) => id));
  const seen = new Map(listed.map((project) => [project.id, project]));
  const gone = before.filter(({ id }) => !stays.has(id));
  // A project that another account cannot see is neither deleted nor out of scope.
  if (gone.length > 0) await source.assertAccount(signal);
  const departures: OutOfScopeProject[] = [];
  let asked = 0;
  for (const { id, fullPath } of gone) {
    signal.throwIfAborted();
    let project = seen.get(id) ?? null;
    if (project === null && asked === maxAsked) {
      departures.push({ id, fullPath, reason: 'unknown', detail: null });
      continue;
    }
    if (project === null) {
      asked += 1;
      project = await askFor(source, id, signal);
    }
    departures.push({ id, fullPath, ...reasonOf(source, selection, fullPath, project) });
  }
  return departures;
}

async function askFor(source: ProjectSource, id: number, signal: AbortSignal): Promise<Project | null> {
  try {
    return await source.project(id, signal);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.code === 'project-missing' || error.code === 'project-moved') return null;
    throw error;
  }
}

function reasonOf(
  { administrator }: ProjectSource,
  selection: Selection,
  knownAs: string,
  project: Project | null,
): Pick<OutOfScopeProject, 'reason' | 'detail'> {
  if (project === null) {
    return { reason: administrator ? 'deleted' : 'deleted-or-hidden', detail: null };
  }
  const { fullPath, accessLevel, archived, markedForDeletionOn } = project;
  if (isMarkedForDeletion(project)) return { reason: 'marked', detail: markedForDeletionOn };
  const scope = selection.kind === 'projects' ? 'visible' : selection.scope;
  if (scope === 'member' && accessLevel === null) return { reason: 'membership-lost', detail: null };
  if (scope === 'owned' && (accessLevel ?? 0) < owner) return { reason: 'ownership-lost', detail: null };
  if (!administrator && !mayExport(accessLevel)) return { reason: 'role-lost', detail: null };
  if (fullPath.toLowerCase() !== knownAs.toLowerCase()) return { reason: 'moved', detail: fullPath };
  if (archived && selection.kind === 'rule' && selection.markedArchived === false) {
    return { reason: 'archived', detail: null };
  }
  return { reason: 'outside-rule', detail: null };
}

/** Returns warnings, so that the run does not end as if every project were backed up. */
export const outOfScopeNotes = (departures: readonly OutOfScopeProject[]): RunNote[] =>
  projectWarnings(
    'No longer backed up',
    departures.map(({ fullPath, reason, detail }) => ({
      project: fullPath,
      why: outOfScopeText(reason, detail),
    })),
  );

/** Returns a warning for each of the first projects, and one with the number of the others. */
export function projectWarnings(
  what: string,
  projects: ReadonlyArray<{ project: string; why: string }>,
): RunNote[] {
  const named = projects.slice(0, maxNamed).map(({ project, why }) => `${what}: ${project}: ${why}.`);
  const more = projects.length - named.length;
  return [...named, ...(more > 0 ? [`${what}: ${more} more.`] : [])].map((message) => ({
    severity: 'warning',
    message,
  }));
}
