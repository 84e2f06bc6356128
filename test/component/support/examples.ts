/** @file Replies as the app would send them, with the fields that a test cares about changed. */
import type { Job, JobKind } from '../../../src-contract/runs/job.ts';
import type { ProjectRow } from '../../../src-contract/projects/project.ts';

/** Fields of a job of one kind. */
export type JobFields<Kind extends JobKind> = { kind?: Kind } & Partial<
  Omit<Extract<Job, { kind: Kind }>, 'kind'>
>;

export function exampleJob<Kind extends JobKind = 'export'>(change: JobFields<Kind> = {}): Job {
  return {
    id: '1',
    runId: '1',
    kind: 'export',
    instance: 'work',
    project: 'group/app',
    state: { status: 'running', since: Date.UTC(2026, 10, 20, 8) },
    step: 'download',
    attempt: 1,
    createdAt: Date.UTC(2026, 10, 20, 8),
    updatedAt: Date.UTC(2026, 10, 20, 8),
    revision: 1,
    input: null,
    result: null,
    progress: null,
    ...change,
  };
}

export function exampleProjectRow(change: Partial<ProjectRow> = {}): ProjectRow {
  return {
    id: 1,
    fullPath: 'group/app',
    name: 'app',
    description: null,
    visibility: 'private',
    archived: false,
    defaultBranch: 'main',
    emptyRepository: false,
    webUrl: 'https://gitlab.example.com/group/app',
    createdAt: '2026-01-01T00:00:00.000Z',
    lastActivityAt: '2026-11-19T00:00:00.000Z',
    creatorId: 1,
    importStatus: null,
    importType: null,
    accessLevel: 40,
    repositorySizeBytes: 1_000_000,
    markedForDeletionOn: null,
    instance: 'work',
    backupStatus: 'current',
    archives: 0,
    newestArchive: null,
    openJob: null,
    waitsFor: null,
    ...change,
  };
}
