/** @file Opens the view of migrations for component tests. */
import {
  migratingStates,
  type MigratingProject,
  type MigratingState,
  type Migration,
} from '../../../../src-contract/migrations/migration.ts';
import type { RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import MigrationsView from '../../../../src-renderer/views/migrations/MigrationsView.svelte';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';
import { exampleProjectRow } from '../../support/examples.ts';
import { exampleInstance } from '../../support/overview-examples.ts';
import { scriptWindow, type Script, type ScriptedWindow } from '../../support/window.ts';
import { showView } from '../show-view.ts';

export function exampleCounts(
  change: Partial<Record<MigratingState, number>> = {},
): Record<MigratingState, number> {
  const none = Object.fromEntries(migratingStates.map((state) => [state, 0]));
  return { ...(none as Record<MigratingState, number>), ...change };
}

export function exampleMigration(change: Partial<Migration> = {}): Migration {
  return {
    name: 'autumn move',
    source: 'work',
    target: 'new-home',
    selection: { kind: 'all', scope: 'member' },
    rules: [{ from: 'group', to: 'moved' }],
    overrideParams: {},
    freeze: false,
    waveSize: null,
    compare: 'contents',
    id: 'm1',
    createdAt: new Date(Date.now() - 2 * 3_600_000 - 60_000).toISOString(),
    status: 'draft',
    wave: { current: 0, total: 1 },
    projects: exampleCounts({ planned: 3 }),
    comparedInPart: 0,
    arrivedWithUnlistedFailures: 0,
    accepted: 0,
    check: null,
    ...change,
  };
}

/** Returns pages of these projects, as the app does. */
export const pagesOf =
  (projects: readonly MigratingProject[]): NonNullable<Script['migration.projects']> =>
  ({ state, wave, search, inConflict, offset, limit }) => {
    const found = projects.filter(
      (project) =>
        (state === null || project.state === state) &&
        (wave === null || project.wave === wave) &&
        (!inConflict || project.conflicts.length > 0) &&
        project.sourcePath.includes(search ?? ''),
    );
    return { projects: found.slice(offset, offset + limit), total: found.length };
  };

const filled: Script = {
  'instance.list': {
    instances: [exampleInstance(), exampleInstance({ name: 'new-home', url: 'https://new.example.com' })],
  },
  'migration.list': { migrations: [exampleMigration()] },
  'migration.show': exampleMigration(),
  'migration.projects': pagesOf([exampleMigrationProject()]),
  'migration.waves': {
    waves: [
      { wave: 1, projects: exampleCounts({ planned: 3 }), comparedInPart: 0, arrivedWithUnlistedFailures: 0 },
    ],
    inConflict: 0,
  },
  'migration.lastCheck': { check: null },
  'project.page': { projects: [exampleProjectRow()], total: 1, lists: [] },
  'job.list': { jobs: [], next: null },
};

export async function openMigrations(
  script: Script = {},
  at: { parameters?: RouteParameters; width?: number; height?: number } = {},
): Promise<ScriptedWindow> {
  const bridge = scriptWindow({ ...filled, ...script });
  await showView(MigrationsView, 'migrations', at);
  return bridge;
}
