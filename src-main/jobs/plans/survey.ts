/**
 * @file Reads the scope of a plan or of "back up all": selected projects, skipped ones, those that left the scope,
 * and the number of visible projects outside it.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Selection } from '../../../src-contract/plans/plan.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { RunNote } from '../../../src-contract/runs/run.ts';
import {
  excludedProjectsText,
  scopeText,
  type OutOfScopeProject,
} from '../../../src-contract/projects/scope.ts';
import type { ProjectSource } from '../ports.ts';
import { outOfScopeNotes, findOutOfScopeProjects } from './out-of-scope-projects.ts';
import { scopeFilter, selectProjects, type SelectedProjects } from './selection.ts';

export interface Survey extends SelectedProjects {
  departures: OutOfScopeProject[];
  notes: RunNote[];
}

export interface SurveyOptions {
  previousProjects: ReadonlyArray<{ id: number; fullPath: string }>;
  /** See `selectProjects`. */
  isCurrent: (project: Project) => boolean;
  username: string | null;
  now: number;
  signal: AbortSignal;
}

export async function surveyScope(
  source: ProjectSource,
  selection: Selection,
  { previousProjects, isCurrent, username, now, signal }: SurveyOptions,
): Promise<Survey> {
  const choice = await selectProjects(source, selection, now, signal, isCurrent);
  const departures = await findOutOfScopeProjects(source, selection, previousProjects, choice, signal);
  const outsideCount = await countOutsideScope(source, selection, signal);
  const scopeNotes =
    outsideCount !== null && outsideCount > 0 && selection.kind !== 'projects'
      ? [
          {
            severity: 'info' as const,
            message: excludedProjectsText(selection.scope, username, outsideCount),
          },
        ]
      : [];
  return { ...choice, departures, notes: [...scopeNotes, ...outOfScopeNotes(departures)] };
}

/** Counts the projects that the account sees outside the scope of the selection. */
export async function countOutsideScope(
  source: ProjectSource,
  selection: Selection,
  signal: AbortSignal,
): Promise<number | null> {
  if (selection.kind === 'projects' || selection.scope === 'visible') return null;
  try {
    const coveredCount = await source.projectCount(scopeFilter(selection.scope), signal);
    const visibleCount =
      coveredCount === null ? null : await source.projectCount({ membership: false }, signal);
    return coveredCount === null || visibleCount === null ? null : Math.max(0, visibleCount - coveredCount);
  } catch (thrown) {
    // The backup matters more than this count. The next request throws an error that affects both.
    signal.throwIfAborted();
    AppError.from(thrown);
    return null;
  }
}

export const selectionScopeText = (selection: Selection, username: string | null): string | null =>
  selection.kind === 'projects' ? null : scopeText(selection.scope, username);
