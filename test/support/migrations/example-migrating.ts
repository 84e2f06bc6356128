import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';

/** Returns a planned, untouched project of a migration with the given changes. */
export function exampleMigrationProject(change: Partial<MigratingProject> = {}): MigratingProject {
  return {
    sourceId: 1,
    sourcePath: 'group/app',
    wave: 1,
    placement: { namespace: 'moved', path: 'app', name: null, overwrite: false, overrideParams: {} },
    conflicts: [],
    state: 'planned',
    waitsFor: null,
    comparing: null,
    error: null,
    exportJob: null,
    importJob: null,
    retryJobs: [],
    archiveId: null,
    targetId: null,
    targetPath: null,
    targetUrl: null,
    failures: { open: 0, total: 0, hasUnlisted: false },
    missing: null,
    depth: null,
    accepted: 0,
    changedSince: null,
    frozen: false,
    ...change,
  };
}
