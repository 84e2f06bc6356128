/** @file The backup status of projects, which triggers update after any change of an archive, a job or the list. */
import { beforeEach, expect, test } from 'vitest';
import { ArchiveFolders } from '../../../../src-main/catalogue/archives/archive-folders.ts';
import type { NewArchive } from '../../../../src-main/catalogue/archives/archive-rows.ts';
import { ArchiveIndex } from '../../../../src-main/catalogue/archives/archive-index.ts';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { ProjectListStore } from '../../../../src-main/catalogue/projects/projects.ts';
import type { JobState } from '../../../../src-contract/runs/job.ts';
import { backupStatuses, type ProjectRow } from '../../../../src-contract/projects/project.ts';
import { projectBackupSummarySchema } from '../../../../src-contract/projects/project-schema.ts';
import { manifestFor, newArchive, newProject } from '../../../support/catalogue/catalogue-rows.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';

const source = { name: 'source', url: 'https://gitlab.example' };
/** The current address of the instance. */
let server: typeof source;
const path = 'group/project';
let catalogue: Catalogue;
let list: ProjectListStore;
let index: ArchiveIndex;
let folders: ArchiveFolders;
let jobs: JobStore;
beforeEach(() => {
  server = source;
  catalogue = catalogueForTest();
  list = new ProjectListStore(catalogue);
  index = new ArchiveIndex(catalogue, { pathOf: () => '/archives', isAbsent: () => false });
  folders = new ArchiveFolders(catalogue);
  jobs = new JobStore(catalogue);
});

const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
let refreshes = 0;
const refresh = (...projects: Parameters<typeof newProject>[]) =>
  list.replace(source, [projects.map((project) => newProject(...project))], (refreshes += 1));

/** Returns the rows of the whole list. `backupSummariesOf` must report the same status for the same projects. */
function rows(): ProjectRow[] {
  const { projects } = list.page({
    instance: null,
    search: null,
    backupStatus: null,
    importedSince: 0,
    archived: null,
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 50,
  });
  const summaries = projects.map((row) => projectBackupSummarySchema.parse(row));
  expect(list.backupSummariesOf(server, projects)).toEqual(summaries);
  return projects;
}
const status = () => rows()[0]?.backupStatus;

function store(hour: number, changes: Partial<NewArchive> = {}, activity: string | null = null) {
  const archive = newArchive(hour, { storedAt: at(hour), ...changes });
  return index.insert(archive, manifestFor(archive, activity));
}

/** Stores a job of the project that ended at that hour. */
function ended(hour: number, state: JobState, project = path): void {
  const job = queuedJob(jobs, project);
  const event = { type: 'end', message: '' };
  jobs.change(job.id, job.revision, { state, event, at: Date.parse(at(hour)) });
}
const failure: JobState = {
  status: 'failed',
  error: { code: 'export-failed', message: '', retry: 'never', details: {} },
};
const success: JobState = { status: 'succeeded', warnings: [] };

test('a project without an archive has the status never, or not-allowed if the role is too low', async () => {
  await refresh([7, path], [8, 'group/z', { accessLevel: 30 }], [9, 'group/zz', { accessLevel: null }]);
  expect(rows().map((row) => row.backupStatus)).toEqual(['never', 'not-allowed', 'never']);
});

test('an archive makes a project current, and newer activity makes it changed', async () => {
  await refresh([7, path, { lastActivityAt: at(9) }]);
  const stored = store(10);
  expect(rows()).toMatchObject([
    {
      backupStatus: 'current',
      archives: 1,
      newestArchive: {
        id: stored.id,
        storedAt: at(10),
        sizeBytes: stored.sizeBytes,
        condition: 'complete',
        absent: false,
        proof: 'L2',
      },
    },
  ]);
  await refresh([7, path, { lastActivityAt: at(11) }]);
  expect(status()).toBe('changed');
  store(12);
  expect(rows()).toMatchObject([
    { backupStatus: 'current', archives: 2, newestArchive: { storedAt: at(12) } },
  ]);
});

test('activity is compared with the activity that the source reported when it was counted, so that clocks do not matter', async () => {
  await refresh([7, path, { lastActivityAt: at(10) }]);
  store(11, {}, at(9));
  expect(status()).toBe('changed');
  store(12, {}, '2026-11-20T11:00:00.000+01:00');
  expect(status()).toBe('current');
});

test('an archive that was stored before its project was listed counts for the project', async () => {
  store(10);
  await refresh([7, path]);
  expect(rows()).toMatchObject([{ backupStatus: 'current', archives: 1 }]);
});

test('the newest archive determines the status: a damaged or unusable one is damaged, and a repaired one is current', async () => {
  await refresh([7, path]);
  store(10);
  const newest = store(11);
  index.markDamaged(newest.id, { at: at(12), reason: 'bits flipped' });
  expect(rows()).toMatchObject([{ backupStatus: 'damaged', newestArchive: { condition: 'damaged' } }]);
  index.markDamaged(newest.id, null);
  expect(status()).toBe('current');
  store(13, { verdict: 'unusable' });
  expect(status()).toBe('damaged');
});

test('a project whose newest archive is incomplete is incomplete until a complete archive is newer', async () => {
  await refresh([7, path]);
  store(10);
  store(11, { incomplete: true });
  expect(rows()).toMatchObject([{ backupStatus: 'incomplete', newestArchive: { condition: 'incomplete' } }]);
  // Later events do not repair it: neither activity, nor a run that skipped it, nor one that failed.
  await refresh([7, path, { lastActivityAt: at(12) }]);
  expect(status()).toBe('incomplete');
  ended(13, { status: 'skipped', why: 'nothing has changed' });
  expect(status()).toBe('incomplete');
  ended(14, failure);
  expect(status()).toBe('incomplete');
  store(15);
  expect(status()).toBe('current');
});

test('a project whose newest archive is suspicious is suspicious until a sound archive is newer', async () => {
  await refresh([7, path]);
  store(10);
  store(11, { verdict: 'suspicious' });
  expect(rows()).toMatchObject([{ backupStatus: 'suspicious', newestArchive: { condition: 'suspicious' } }]);
  await refresh([7, path, { lastActivityAt: at(12) }]);
  expect(status()).toBe('suspicious');
  store(15);
  expect(status()).toBe('current');
});

test('a project whose newest archive is in an absent folder is absent until the folder is present again', async () => {
  await refresh([7, path], [8, 'group/z']);
  store(10);
  store(11, { root: 1 });
  store(11, { root: 0, projectId: 8, fullPath: 'group/z' });
  expect(folders.storeAbsentRoots(new Set([1]))).toBe(true);
  expect(rows()).toMatchObject([
    { backupStatus: 'absent', newestArchive: { absent: true, condition: 'complete' } },
    { backupStatus: 'current', newestArchive: { absent: false } },
  ]);
  expect(folders.storeAbsentRoots(new Set([1]))).toBe(false);
  store(12, { root: 1 });
  expect(status()).toBe('absent');
  expect(folders.archivesInAbsentRoots()).toEqual([
    { root: 1, archives: 2, bytes: 2 * 1000 + 11 + 12, projects: 1 },
  ]);
  expect(folders.totals()).toMatchObject({ count: 2, bytes: 2 * 1000 + 10 + 11 });
  expect(folders.storeAbsentRoots(new Set([2]))).toBe(true);
  expect(status()).toBe('current');
  expect(folders.archivesInAbsentRoots()).toEqual([]);
});

test('an archive that was pruned no longer counts', async () => {
  await refresh([7, path]);
  const only = store(10);
  index.remove(only.id);
  expect(rows()).toMatchObject([{ backupStatus: 'never', archives: 0, newestArchive: null }]);
});

test('a project has the status failed after a failed backup until a backup succeeds or an archive is newer', async () => {
  await refresh([7, path]);
  ended(9, failure, 'GROUP/Project');
  expect(status()).toBe('failed');
  store(10);
  expect(status()).toBe('current');
  ended(11, failure);
  expect(status()).toBe('failed');
  ended(12, { status: 'cancelled', by: 'me' });
  expect(status()).toBe('failed');
  ended(13, success);
  expect(status()).toBe('current');
});

test('a backup that was skipped because nothing has changed clears a failed one', async () => {
  await refresh([7, path]);
  store(1);
  ended(2, failure);
  expect(status()).toBe('failed');
  ended(3, { status: 'skipped', why: 'Nothing has changed.' });
  expect(status()).toBe('current');
});

test('a failed backup does not change not-allowed to failed if the role is too low, unless the project has an archive', async () => {
  await refresh([7, path, { accessLevel: 30 }]);
  ended(9, failure);
  expect(status()).toBe('not-allowed');
  store(8);
  expect(status()).toBe('failed');
});

/** Enqueues an import of the archive to the path, and ends it. */
function imported(state: JobState, archiveId: string | null, project = path): void {
  const runId = jobs.newId(1);
  jobs.createRun({ id: runId, kind: 'import', request: {}, at: 1 });
  const { job } = jobs.enqueue({
    id: jobs.newId(1),
    runId,
    kind: 'import',
    instance: 'source',
    project,
    input: { archiveId },
    firstStep: 'upload',
    at: 1,
  });
  jobs.change(job.id, job.revision, { state, event: { type: 'end', message: '' }, at: 2 });
}

test('a failed import does not change the backup status', async () => {
  await refresh([7, path]);
  imported(failure, null);
  expect(status()).toBe('never');
});

test.each<[string, Partial<NewArchive>, boolean]>([
  ['complete', {}, true],
  ['complete, in an absent folder', { root: 1 }, false],
  ['incomplete', { incomplete: true, findings: 1 }, false],
  ['suspicious', { verdict: 'suspicious', findings: 1 }, false],
  ['unusable', { verdict: 'unusable', findings: 1 }, false],
  ['damaged', { damaged: { at: at(1), reason: 'bits flipped' } }, false],
])('a copy counts as new only if its archive is complete and present: %s', async (_, changes, isNew) => {
  await refresh([7, path], [8, 'group/copy']);
  const archive = store(8, changes);
  folders.storeAbsentRoots(new Set([1]));
  imported(success, archive.id, 'group/copy');
  expect(list.newCopies(0)).toEqual(isNew ? [{ instance: 'source', id: 8 }] : []);
  expect(list.newCopies(Date.now())).toEqual([]);
});

test('the open backup of a project is reported in any case of the path, and only while it is open', async () => {
  await refresh([7, path]);
  const job = queuedJob(jobs, 'Group/Project');
  expect(rows()).toMatchObject([{ openJob: job.id }]);
  jobs.change(job.id, job.revision, { state: success, event: { type: 'succeed', message: '' }, at: 2 });
  expect(rows()).toMatchObject([{ openJob: null }]);
});

test('the reason for which the open backup waits is reported only while it waits', async () => {
  await refresh([7, path]);
  const job = queuedJob(jobs, path);
  expect(rows()).toMatchObject([{ waitsFor: null }]);
  const event = { type: 'wait', message: '' };
  const state = { status: 'waiting', until: 5, reason: 'token-missing', text: '' } as const;
  const waiting = jobs.change(job.id, job.revision, { state, event, at: 2 });
  expect(rows()).toMatchObject([{ openJob: job.id, waitsFor: 'token-missing' }]);
  jobs.change(job.id, waiting.revision, { state: { status: 'running', since: 3 }, event, at: 3 });
  expect(rows()).toMatchObject([{ openJob: job.id, waitsFor: null }]);
});

test('unlisted projects have the same status, in the order of the request', async () => {
  await refresh([1, 'group/listed']);
  store(10, {}, at(9));
  const wanted = [
    newProject(9, 'group/other', { accessLevel: 30 }),
    newProject(7, path, { lastActivityAt: '2026-11-20T11:30:00.000+01:00' }),
    newProject(1, 'group/listed'),
  ];
  expect(list.backupSummariesOf(source, wanted)).toMatchObject([
    { backupStatus: 'not-allowed', archives: 0, newestArchive: null },
    { backupStatus: 'changed', archives: 1, newestArchive: { storedAt: at(10) } },
    { backupStatus: 'never' },
  ]);
  expect(list.backupSummariesOf({ ...source, url: 'https://another.example' }, wanted)[1]).toMatchObject({
    archives: 0,
  });
  expect(rows()).toHaveLength(1);
});

test('an archive belongs to the project with its id, even if that project was moved and another took its path', async () => {
  store(10);
  await refresh([7, 'elsewhere/project'], [8, path]);
  expect(rows()).toMatchObject([
    { id: 7, backupStatus: 'current', archives: 1 },
    { id: 8, backupStatus: 'never', archives: 0 },
  ]);
});

test('archives of a deleted project do not count for the project that took its path, but archives with an unknown project id do', async () => {
  store(10);
  await refresh([7, path, { lastActivityAt: at(9) }]);
  await refresh([8, path, { lastActivityAt: at(9) }]);
  expect(rows()).toMatchObject([{ id: 8, backupStatus: 'never', archives: 0 }]);
  store(12, { projectId: -1 });
  expect(rows()).toMatchObject([{ id: 8, backupStatus: 'current', archives: 1 }]);
  await refresh([8, path, { lastActivityAt: at(13) }]);
  expect(rows()).toMatchObject([{ id: 8, backupStatus: 'changed', archives: 1 }]);
});

test('a moved project keeps its archives, and the project that took its path has none', async () => {
  store(10);
  await refresh([8, path, { lastActivityAt: at(11) }], [7, 'elsewhere/project']);
  expect(rows()).toMatchObject([
    { id: 7, backupStatus: 'current', archives: 1 },
    { id: 8, backupStatus: 'never', archives: 0 },
  ]);
});

test('archives of another server do not count, even if its name and ids are the same', async () => {
  store(10, { instanceUrl: 'https://another.example' });
  await refresh([7, path]);
  expect(rows()).toMatchObject([{ backupStatus: 'never', archives: 0 }]);
  server = { ...source, url: 'https://another.example' };
  list.setUrl('source', server.url);
  expect(rows()).toMatchObject([{ backupStatus: 'current', archives: 1 }]);
});

test('the status of a new row follows only from the archives of its own id or path and the backups of its own path', () => {
  const archive = store(10, { projectId: -1, fullPath: 'x/a' });
  ended(11, failure, 'g/p');
  const add = (id: number, place: string): void => {
    catalogue.run(
      `INSERT INTO project_rows (instance, id, standing, url, path, path_key, name_key, archived, size, activity, may_export)
         VALUES ('source', ?, ?, ?, ?, '', '', 0, NULL, NULL, 1)`,
      id,
      backupStatuses.indexOf('never'),
      source.url,
      place,
    );
    catalogue.run("INSERT INTO projects VALUES ('source', ?, ?, '', '{}', 1)", id, place);
  };
  add(1, 'x/nothing');
  add(2, 'X/A');
  add(3, 'G/P');
  const stored = (): unknown => catalogue.all('SELECT id, newest, standing FROM project_rows ORDER BY id');
  const nothing = { id: 1, newest: null, standing: backupStatuses.indexOf('never') };
  const failed = { id: 3, newest: null, standing: backupStatuses.indexOf('failed') };
  expect(stored()).toEqual([
    nothing,
    { id: 2, newest: archive.id, standing: backupStatuses.indexOf('current') },
    failed,
  ]);
  catalogue.run('UPDATE archives SET project_id = 7');
  add(7, 'x/elsewhere');
  expect(stored()).toEqual([
    nothing,
    { id: 2, newest: null, standing: backupStatuses.indexOf('never') },
    failed,
    { id: 7, newest: archive.id, standing: backupStatuses.indexOf('current') },
  ]);
});
