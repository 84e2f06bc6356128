/**
 * @file Finds the projects that left the scope of a plan since its last run, each with the reason, so that no loss of
 * coverage is silent.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import type { Run, RunNote } from '../../../src-contract/runs/run.ts';
import { isMarkedForDeletion, mayExport, type Project } from '../../../src-contract/projects/project.ts';
import {
  outOfScopeText,
  type OutOfScopeProject,
  type OutOfScopeReason,
} from '../../../src-contract/projects/scope.ts';
import type { ProjectSource } from '../ports.ts';
import type { SelectedProjects } from './selection.ts';

const ownerLevel = 50;
/** Maximum number of projects that are read to find the reason. Others are reported without a reason. */
const maxReads = 100;
const maxNamed = 20;

/**
 * Returns the projects of `previous`, the scope of the last run, that are no longer in the scope. Throws
 * `account-changed`.
 */
export async function findOutOfScopeProjects(
  source: ProjectSource,
  selection: Selection,
  previous: ReadonlyArray<{ id: number; fullPath: string }>,
  { chosen, listed }: SelectedProjects,
  signal: AbortSignal,
): Promise<OutOfScopeProject[]> {
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const listedById = new Map(listed.map((project) => [project.id, project]));
  const gone = previous.filter(({ id }) => !chosenIds.has(id));
  // If the token belonged to another account, projects that it cannot see would be reported as deleted.
  if (gone.length > 0) await source.assertAccount(signal);
  const departures: OutOfScopeProject[] = [];
  let readCount = 0;
  for (const { id, fullPath } of gone) {
    signal.throwIfAborted();
    let project = listedById.get(id) ?? null;
    if (project === null && readCount === maxReads) {
      departures.push({ id, fullPath, reason: 'unknown', detail: null });
      continue;
    }
    if (project === null) {
      readCount += 1;
      project = await readProject(source, id, signal);
    }
    departures.push({ id, fullPath, ...reasonOf(source, selection, fullPath, project) });
  }
  return departures;
}

async function readProject(source: ProjectSource, id: number, signal: AbortSignal): Promise<Project | null> {
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
  previousPath: string,
  project: Project | null,
): Pick<OutOfScopeProject, 'reason' | 'detail'> {
  if (project === null) {
    return { reason: administrator ? 'deleted' : 'deleted-or-hidden', detail: null };
  }
  const { fullPath, accessLevel, archived, markedForDeletionOn } = project;
  if (isMarkedForDeletion(project)) return { reason: 'marked', detail: markedForDeletionOn };
  const scope = selection.kind === 'projects' ? 'visible' : selection.scope;
  if (scope === 'member' && accessLevel === null) return { reason: 'membership-lost', detail: null };
  if (scope === 'owned' && (accessLevel ?? 0) < ownerLevel) return { reason: 'ownership-lost', detail: null };
  if (!administrator && !mayExport(accessLevel)) return { reason: 'role-lost', detail: null };
  if (fullPath.toLowerCase() !== previousPath.toLowerCase()) return { reason: 'moved', detail: fullPath };
  if (archived && selection.kind === 'rule' && selection.markedArchived === false) {
    return { reason: 'archived', detail: null };
  }
  return { reason: 'outside-rule', detail: null };
}

/** The plan itself excludes these projects. Projects that left for other reasons count as not backed up. */
const excludedReasons: readonly OutOfScopeReason[] = ['archived', 'outside-rule'];

/** Returns warnings, so that the run does not end as if every project were backed up. */
export const outOfScopeNotes = (departures: readonly OutOfScopeProject[]): RunNote[] =>
  projectWarnings(
    'No longer backed up',
    departures.map(({ fullPath, reason, detail }) => ({
      project: fullPath,
      why: outOfScopeText(reason, detail),
      isLeftOut: !excludedReasons.includes(reason),
    })),
  );

/** Returns warnings about projects that a plan names, and that its run does not back up. */
export const notBackedUpNotes = (projects: ReadonlyArray<{ project: string; why: string }>): RunNote[] =>
  projectWarnings(
    'Not backed up',
    projects.map(({ project, why }) => ({ project, why, isLeftOut: true })),
  );

/** Returns a warning for each of the first projects, and one with the number of the others. */
function projectWarnings(
  what: string,
  projects: ReadonlyArray<{ project: string; why: string; isLeftOut: boolean }>,
): RunNote[] {
  const groups = projects.slice(0, maxNamed).map((project) => [project]);
  const others = projects.slice(maxNamed);
  return [...groups, ...(others.length > 0 ? [others] : [])].map((group, at) => {
    const [first] = group;
    const subject =
      first === undefined || at === maxNamed ? `${group.length} more` : `${first.project}: ${first.why}`;
    const notBackedUp = group.filter(({ isLeftOut }) => isLeftOut).length;
    return {
      severity: 'warning',
      message: `${what}: ${subject}.`,
      ...(notBackedUp > 0 ? { notBackedUp } : {}),
    };
  });
}

/** Returns the number of projects that a run left out: because of an open job, or for the reasons in its notes. */
export const leftOutCount = ({ leftOut, notes }: Pick<Run, 'leftOut' | 'notes'>): number =>
  notes.reduce((count, { notBackedUp = 0 }) => count + notBackedUp, leftOut.count);
