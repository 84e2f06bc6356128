import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';

/** One project of a migration, planned and untouched, with what differs from that. */
export function exampleMigrating(change: Partial<MigratingProject> = {}): MigratingProject {
  return {
    sourceId: 1,
    sourcePath: 'group/app',
    wave: 1,
    placement: { namespace: 'moved', path: 'app', name: null, overwrite: false, overrideParams: {} },
    conflicts: [],
    state: 'planned',
    waitsFor: null,
    error: null,
    exportJob: null,
    importJob: null,
    retryJobs: [],
    archiveId: null,
    targetId: null,
    targetPath: null,
    targetUrl: null,
    failures: { open: 0, total: 0, truncated: false },
    missing: null,
    accepted: 0,
    changedSince: null,
    frozen: false,
    ...change,
  };
}
