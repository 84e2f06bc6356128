/**
 * @file The projects of each scope, so that a run can report new ones and those that left. A scope is a plan or "back
 * up all" (`backUpAllKey`).
 */
import type { RunNote } from '../../../src-contract/runs/run.ts';
import {
  outOfScopeReasons,
  type OutOfScopeProject,
  type Scope,
} from '../../../src-contract/projects/scope.ts';
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';

const inScopeRow = z.object({ id: z.number().int(), fullPath: z.string() });
const leftRow = inScopeRow.extend({
  planId: z.string(),
  reason: z.enum(outOfScopeReasons),
  detail: z.string().nullable(),
  leftAt: z.number(),
});
/** Rows that an older version stored have no path. */
const pathOrId = `coalesce(full_path, 'project ' || project_id)`;

/** Maximum number of skipped or new projects of a run that are stored by name. */
export const maxStoredNames = 20;

/** Returns the name of "back up all" of an instance, used in place of a plan's id. */
export const backUpAllKey = (instance: string, scope: Scope): string => `all:${instance}:${scope}`;

/** Returns the instance of `backUpAllKey`; null for the id of a plan. */
export const instanceOfScope = (scopeKey: string): string | null =>
  /^all:(.*):[a-z]+$/.exec(scopeKey)?.[1] ?? null;

export class ScopeProjects extends CatalogueTable {
  /** Stores the projects of a survey: those in the scope, and those that left it. */
  record(
    scopeKey: string,
    projects: ReadonlyArray<{ id: number; fullPath: string }>,
    departures: readonly OutOfScopeProject[],
    at: number,
  ): void {
    this.catalogue.transaction(() => {
      this.recordProjects(scopeKey, projects);
      this.recordDepartures(scopeKey, departures, at);
    });
  }

  /** Stores the present projects of a scope. Returns the new ones; none if the scope had no projects before. */
  recordProjects<Project extends { id: number; fullPath: string }>(
    scopeKey: string,
    projects: readonly Project[],
  ): Project[] {
    return this.catalogue.transaction(() => {
      const seen = new Set(this.knownProjectIds(scopeKey));
      const added = projects.filter(({ id }) => !seen.has(id));
      for (const { id, fullPath } of projects) {
        this.catalogue.run(
          `INSERT INTO plan_projects (plan_id, project_id, full_path) VALUES (?, ?, ?)
             ON CONFLICT (plan_id, project_id) DO UPDATE
               SET full_path = excluded.full_path, left_at = NULL, left_reason = NULL, left_detail = NULL
               WHERE full_path IS NOT excluded.full_path OR left_at IS NOT NULL`,
          scopeKey,
          id,
          fullPath,
        );
      }
      return seen.size === 0 ? [] : added;
    });
  }

  recordDepartures(scopeKey: string, departures: readonly OutOfScopeProject[], at: number): void {
    this.catalogue.transaction(() => {
      for (const { id, fullPath, reason, detail } of departures) {
        this.catalogue.run(
          `INSERT INTO plan_projects (plan_id, project_id, full_path, left_at, left_reason, left_detail)
             VALUES (@scope, @id, @fullPath, @at, @reason, @detail)
             ON CONFLICT (plan_id, project_id) DO UPDATE
               SET left_at = excluded.left_at, left_reason = excluded.left_reason, left_detail = excluded.left_detail`,
          { scope: scopeKey, id, fullPath, reason, detail, at },
        );
      }
    });
  }

  projectsInScope(scopeKey: string): { id: number; fullPath: string }[] {
    const sql = `SELECT project_id AS id, ${pathOrId} AS fullPath FROM plan_projects WHERE plan_id = ? AND left_at IS NULL`;
    return this.catalogue.rows('plan_projects', inScopeRow, sql, scopeKey);
  }

  departuresSince(since: number): z.output<typeof leftRow>[] {
    return this.catalogue.rows(
      'plan_projects',
      leftRow,
      `SELECT plan_id AS planId, project_id AS id, ${pathOrId} AS fullPath, left_reason AS reason, left_detail AS detail, left_at AS leftAt
         FROM plan_projects WHERE left_at >= ? ORDER BY left_at DESC, full_path`,
      since,
    );
  }

  /** Returns the ids of all projects that were ever in the scope. */
  knownProjectIds(scopeKey: string): number[] {
    const sql = 'SELECT project_id FROM plan_projects WHERE plan_id = ?';
    return this.catalogue.column(sql, scopeKey) as number[];
  }

  /** Deletes the projects of a plan whose selection a user changed, so that none is reported as having left. */
  forget(scopeKey: string): void {
    this.catalogue.run('DELETE FROM plan_projects WHERE plan_id = ?', scopeKey);
  }

  forgetBackUpAll(instance: string): void {
    this.catalogue.run('DELETE FROM plan_projects WHERE plan_id GLOB ?', `all:${instance}:*`);
  }
}

export function newProjectNotes(projects: ReadonlyArray<{ fullPath: string }>): RunNote[] {
  if (projects.length === 0) return [];
  const names = projects.map(({ fullPath }) => fullPath).sort();
  const shown = names.slice(0, maxStoredNames).join(', ');
  const more = names.length > maxStoredNames ? ` and ${names.length - maxStoredNames} more` : '';
  const message = `${names.length} new ${names.length === 1 ? 'project' : 'projects'}: ${shown}${more}.`;
  return [{ severity: 'info', message }];
}
