/**
 * @file The projects that each scope has contained, so that a run can say which are new and which left. A scope is a
 * plan, or "back up all" of an instance (`allScope`). Lost with the catalogue.
 */
import type { RunNote } from '../../../src-contract/runs/run.ts';
import { departureReasons, type DepartureReason, type Scope } from '../../../src-contract/projects/scope.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { readRow } from '../rows.ts';

const metRow = z.object({ id: z.number().int() });
const inScopeRow = metRow.extend({ fullPath: z.string() });
const leftRow = inScopeRow.extend({
  planId: z.string(),
  reason: z.enum(departureReasons),
  detail: z.string().nullable(),
  leftAt: z.number(),
});

/** Maximum number of skipped or new projects of a run that are stored by name. */
export const maxStoredNames = 20;

/** Returns the name of "back up all" of an instance, used in place of a plan's id. */
export const allScope = (instance: string, scope: Scope): string => `all:${instance}:${scope}`;

/** Returns the instance of `allScope`; null for the id of a plan. */
export const instanceOfScope = (scope: string): string | null => /^all:(.*):[a-z]+$/.exec(scope)?.[1] ?? null;

/** A project that left a scope. */
export interface ScopeDeparture {
  id: number;
  fullPath: string;
  reason: DepartureReason;
  detail: string | null;
}

/**
 * Stores that a scope has these projects now.
 * @returns the new ones; none if they are the first of the scope.
 */
export function recordProjects<Project extends { id: number; fullPath: string }>(
  catalogue: Catalogue,
  planId: string,
  projects: readonly Project[],
): Project[] {
  return catalogue.transaction(() => {
    const seen = new Set(projectsSeen(catalogue, planId));
    const added = projects.filter(({ id }) => !seen.has(id));
    for (const { id, fullPath } of projects) {
      catalogue.run(
        `INSERT INTO plan_projects (plan_id, project_id, full_path) VALUES (?, ?, ?)
           ON CONFLICT (plan_id, project_id) DO UPDATE
             SET full_path = excluded.full_path, left_at = NULL, left_reason = NULL, left_detail = NULL
             WHERE full_path IS NOT excluded.full_path OR left_at IS NOT NULL`,
        planId,
        id,
        fullPath,
      );
    }
    return seen.size === 0 ? [] : added;
  });
}

/** Stores that these projects left a scope. */
export function recordDepartures(
  catalogue: Catalogue,
  planId: string,
  departures: readonly ScopeDeparture[],
  at: number,
): void {
  catalogue.transaction(() => {
    for (const { id, fullPath, reason, detail } of departures) {
      catalogue.run(
        `INSERT INTO plan_projects (plan_id, project_id, full_path, left_at, left_reason, left_detail)
           VALUES (@planId, @id, @fullPath, @at, @reason, @detail)
           ON CONFLICT (plan_id, project_id) DO UPDATE
             SET left_at = excluded.left_at, left_reason = excluded.left_reason, left_detail = excluded.left_detail`,
        { planId, id, fullPath, reason, detail, at },
      );
    }
  });
}

/** Returns the projects that were in a scope at its last run. */
export function projectsInScope(catalogue: Catalogue, planId: string): { id: number; fullPath: string }[] {
  const rows = catalogue.all(
    `SELECT project_id AS id, coalesce(full_path, 'project ' || project_id) AS fullPath FROM plan_projects
       WHERE plan_id = ? AND left_at IS NULL`,
    planId,
  );
  return rows.map((row) => readRow(inScopeRow, row, 'plan_projects'));
}

/** Returns the projects that left a scope since then, newest first. */
export function readDepartures(
  catalogue: Catalogue,
  since: number,
): (ScopeDeparture & { planId: string; leftAt: number })[] {
  const rows = catalogue.all(
    `SELECT plan_id AS planId, project_id AS id, coalesce(full_path, 'project ' || project_id) AS fullPath,
         left_reason AS reason, left_detail AS detail, left_at AS leftAt
       FROM plan_projects WHERE left_at >= ? ORDER BY left_at DESC, full_path`,
    since,
  );
  return rows.map((row) => readRow(leftRow, row, 'plan_projects'));
}

/** Returns the ids of the projects that a plan has ever contained. */
export function projectsSeen(catalogue: Catalogue, planId: string): number[] {
  const rows = catalogue.all('SELECT project_id AS id FROM plan_projects WHERE plan_id = ?', planId);
  return rows.map((row) => readRow(metRow, row, 'plan_projects').id);
}

export function forgetProjects(catalogue: Catalogue, planId: string): void {
  catalogue.run('DELETE FROM plan_projects WHERE plan_id = ?', planId);
}

/** Returns the notes of a run about its new projects. */
export function describeNew(projects: ReadonlyArray<{ fullPath: string }>): RunNote[] {
  if (projects.length === 0) return [];
  const names = projects.map(({ fullPath }) => fullPath).sort();
  const shown = names.slice(0, maxStoredNames).join(', ');
  const more = names.length > maxStoredNames ? ` and ${names.length - maxStoredNames} more` : '';
  const message = `${names.length} new ${names.length === 1 ? 'project' : 'projects'}: ${shown}${more}.`;
  return [{ severity: 'info', message }];
}
