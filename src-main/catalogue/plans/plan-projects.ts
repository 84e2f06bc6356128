/** @file Which projects each plan has met, so that a firing can say which are new. Numbers only; lost with the catalogue. */
import type { RunNote } from '../../../src-preload/contract/plans/run.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { readRow } from '../rows.ts';

const metRow = z.object({ id: z.number().int() });

/** How many of the projects that a run left out, or met for the first time, are kept by name. */
export const keptNames = 20;

/** Keeps that a plan has met these projects; those that it had not met before, none where it meets its first ones. */
export function meetProjects<Project extends { id: number }>(
  catalogue: Catalogue,
  planId: string,
  projects: readonly Project[],
): Project[] {
  return catalogue.transaction(() => {
    const rows = catalogue.all('SELECT project_id AS id FROM plan_projects WHERE plan_id = ?', planId);
    const met = new Set(rows.map((row) => readRow(metRow, row, 'plan_projects').id));
    const unmet = projects.filter(({ id }) => !met.has(id));
    for (const { id } of unmet) {
      catalogue.run('INSERT INTO plan_projects (plan_id, project_id) VALUES (?, ?)', planId, id);
    }
    return met.size === 0 ? [] : unmet;
  });
}

/** Ids of the projects that a plan has met. */
export function projectsMet(catalogue: Catalogue, planId: string): number[] {
  const rows = catalogue.all('SELECT project_id AS id FROM plan_projects WHERE plan_id = ?', planId);
  return rows.map((row) => readRow(metRow, row, 'plan_projects').id);
}

export function forgetProjects(catalogue: Catalogue, planId: string): void {
  catalogue.run('DELETE FROM plan_projects WHERE plan_id = ?', planId);
}

/** What a run says of the projects that it met for the first time. */
export function aboutNew(projects: ReadonlyArray<{ fullPath: string }>): RunNote[] {
  if (projects.length === 0) return [];
  const names = projects.map(({ fullPath }) => fullPath).sort();
  const shown = names.slice(0, keptNames).join(', ');
  const more = names.length > keptNames ? ` and ${names.length - keptNames} more` : '';
  const message = `${names.length} new ${names.length === 1 ? 'project' : 'projects'}: ${shown}${more}.`;
  return [{ severity: 'info', message }];
}
