import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { ArchiveFolders } from '../../../../src-main/catalogue/archives/archive-folders.ts';
import { ProjectsWithArchives } from '../../../../src-main/catalogue/archives/projects-with-archives.ts';
import { ArchiveIndex } from '../../../../src-main/catalogue/archives/archive-index.ts';
import type { NewArchive, RootLocations } from '../../../../src-main/catalogue/archives/archive-rows.ts';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import type { ArchiveCondition } from '../../../../src-contract/archives/archive-quality.ts';
import { backupSummariesOf } from '../../../../src-main/catalogue/projects/project-holdings.ts';
import { ProjectListStore } from '../../../../src-main/catalogue/projects/projects.ts';
import {
  manifestFor as manifestOf,
  newArchive as archive,
  newProject,
} from '../../../support/catalogue/catalogue-rows.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';

const root = join('/archives', 'root');
const otherRoot = join('/other', 'root');
const absent = new Set<number>();
const at = '2026-11-20T12:00:00.000Z';
let catalogue: Catalogue;
let index: ArchiveIndex;
let projects: ProjectsWithArchives;
beforeEach(() => {
  catalogue = catalogueForTest();
  const roots: RootLocations = {
    pathOf: (number) => (number === 0 ? root : otherRoot),
    isAbsent: (number) => absent.has(number),
  };
  index = new ArchiveIndex(catalogue, roots);
  projects = new ProjectsWithArchives(catalogue, roots);
  absent.clear();
});

const insert = (...stored: NewArchive[]) =>
  stored.map((newArchive) => index.insert(newArchive, manifestOf(newArchive)));

test('an archive is read back as it was indexed, with its path on the disk', () => {
  const input = archive(1, { pinned: true, damaged: { at, reason: 'bits flipped' } });
  const [stored] = insert(input);
  const place = { id: stored?.id, absolutePath: join(root, input.path), absent: false };
  expect(stored).toEqual({ ...input, ...place, condition: 'damaged' });
  expect(index.get(stored?.id ?? '')).toEqual(stored);
  expect(index.findByPath(input.path)).toEqual(stored);
  expect(index.manifest(stored?.id ?? '')).toEqual(manifestOf(input));
});

test('a rescan yields the same id and replaces the row', () => {
  const [first] = insert(archive(1));
  const [again] = insert(archive(1, { sizeBytes: 5 }));
  expect(again).toEqual({ ...first, sizeBytes: 5 });
  expect(index.list({ limit: 10 })).toEqual([again]);
});

test('archives are listed newest first, page by page, by instance and by project', () => {
  const [a, b, c, d] = insert(
    archive(1),
    archive(2),
    archive(3, { projectId: 8, fullPath: 'group/other', storedAt: archive(2).storedAt }),
    archive(4, { instanceName: 'target' }),
  );
  const all = index.list({ limit: 10 });
  expect(all[0]).toEqual(d);
  expect(all[3]).toEqual(a);
  const pages = [index.list({ limit: 2 }), index.list({ limit: 2, before: all[1]?.id })];
  expect(pages.flat()).toEqual(all);
  expect(index.list({ limit: 10, instance: 'target' })).toEqual([d]);
  expect(index.list({ limit: 10, instance: 'source', fullPath: 'GROUP/project' })).toEqual([b, a]);
  expect(index.list({ limit: 10, fullPath: 'group/other', before: null })).toEqual([c]);
});

test('the archives of a project of an instance are found through indexes, without a scan of a table', () => {
  insert(archive(1), archive(2, { fullPath: 'group/moved' }));
  const queries = vi.spyOn(catalogue, 'all');
  expect(index.list({ limit: 10, instance: 'source', fullPath: 'group/project' })).toHaveLength(2);
  const calls = [...queries.mock.calls];
  expect(calls).toHaveLength(2);
  const steps = calls.flatMap(([sql, parameters]) => catalogue.all(`EXPLAIN QUERY PLAN ${sql}`, parameters));
  const scans = steps
    .map((step) => (step as { detail: string }).detail)
    .filter((detail) => detail.startsWith('SCAN'));
  expect(scans).toEqual(['SCAN owner VIRTUAL TABLE INDEX 1:']);
});

test('the archives of one project are those that match its instance, address, id and path together, newest first', () => {
  const [older, newer] = insert(
    archive(1),
    archive(2, { fullPath: 'Group/Project' }),
    archive(3, { instanceName: 'target' }),
    archive(4, { instanceUrl: 'https://elsewhere.example' }),
    archive(5, { projectId: 900 }),
    archive(6, { fullPath: 'group/moved' }),
  );
  const { instanceName, instanceUrl, projectId, fullPath } = archive(1);
  const counted = (input: NewArchive): unknown => {
    const { inspection, sourceCounts } = manifestOf(input);
    const { relations, notes, bundles, uploads, lfsObjects } = inspection;
    return { inspection: { relations, notes, bundles, uploads, lfsObjects }, sourceCounts };
  };
  expect(index.listForProject({ instanceName, instanceUrl, projectId, fullPath })).toEqual([
    { ...newer, takenInAt: null, ...(counted(archive(2)) as object) },
    { ...older, takenInAt: null, ...(counted(archive(1)) as object) },
  ]);
  expect(projects.projectsOf({ name: instanceName, url: instanceUrl })).toEqual([
    { projectId: 7, fullPath: 'group/moved' },
    { projectId: 7, fullPath: 'group/project' },
    { projectId: 900, fullPath: 'group/project' },
  ]);
});

test('a page after an archive that is not indexed is an error, not an empty page', () => {
  expect(() => index.list({ limit: 2, before: 'gone' })).toThrow(
    expect.objectContaining({ code: 'archive-missing' }),
  );
});

test('eight digits of a SHA-256 find all archives of that file, newest first', () => {
  const [original] = insert(archive(1), archive(2));
  expect(index.findBySha('00000001')).toEqual([original]);
  expect(index.findBySha(archive(1).sha256.toUpperCase())).toEqual([original]);
  const [twin] = insert(archive(3, { sha256: archive(1).sha256 }));
  expect(index.findBySha('00000001aaaa')).toEqual([twin, original]);
  expect(index.findBySha('00000009')).toEqual([]);
});

test.for([
  ['0000000', 'invalid-input'],
  ['0000000g', 'invalid-input'],
])('the SHA-256 prefix %s is refused as %s', ([prefix, code]) => {
  expect(() => index.findBySha(prefix ?? '')).toThrow(expect.objectContaining({ code }));
});

test('proof and damage are stored independently', () => {
  const [stored] = insert(archive(1));
  const id = stored?.id ?? '';
  index.updateProof(id, { level: 'L3', at, detail: 'imported', contentsCompared: true });
  index.markDamaged(id, { at, reason: 'size differs' });
  expect(index.get(id)).toEqual({
    ...stored,
    proof: { level: 'L3', at, detail: 'imported', contentsCompared: true },
    damaged: { at, reason: 'size differs' },
    condition: 'damaged',
  });
  index.markDamaged(id, null);
  expect(index.get(id)).toMatchObject({ damaged: null, condition: 'complete' });
});

test.for<[ArchiveCondition, Partial<NewArchive>]>([
  ['complete', {}],
  ['suspicious', { verdict: 'suspicious' }],
  ['incomplete', { incomplete: true }],
  ['incomplete', { incomplete: true, verdict: 'suspicious' }],
  ['unusable', { incomplete: true, verdict: 'unusable' }],
  ['damaged', { incomplete: true, damaged: { at, reason: 'bits flipped' } }],
])('an archive is %s, the worst condition that is known of it: %o', ([condition, changes]) => {
  expect(insert(archive(1, changes))).toMatchObject([{ condition }]);
});

test('a renamed project is found by its new path with its earlier archives, too, whether backed up since or not', async () => {
  const list = new ProjectListStore(catalogue);
  insert(
    archive(1, { fullPath: 'group/before' }),
    archive(2, { fullPath: 'group/before', projectId: 8 }),
    archive(3, { fullPath: 'group/before', projectId: null }),
  );
  const found = (fullPath: string, instance: string | null = null): string[] =>
    index.list({ fullPath, instance, limit: 9 }).map(({ path }) => /\d(?=_export)/.exec(path)?.[0] ?? '');
  expect(found('group/after')).toEqual([]);
  await list.replace({ name: 'source', url: 'https://gitlab.example' }, [[newProject(7, 'group/after')]], 1);
  expect(found('group/after')).toEqual(['1']);
  expect(found('group/after', 'another')).toEqual([]);
  insert(archive(4, { fullPath: 'group/after' }));
  expect(found('group/after')).toEqual(['4', '1']);
  expect(found('group/before')).toEqual(['4', '3', '2', '1']);
});

test('a removed archive is no longer found, and removing it again has no effect', () => {
  const [stored] = insert(archive(1));
  const id = stored?.id ?? '';
  index.remove(id);
  index.remove(id);
  expect(index.findByPath(archive(1).path)).toBeNull();
  for (const ask of [() => index.get(id), () => index.manifest(id)]) {
    expect(ask).toThrow(expect.objectContaining({ code: 'archive-missing' }));
  }
  expect(() => {
    index.markDamaged(id, null);
  }).toThrow(expect.objectContaining({ code: 'archive-missing' }));
});

test.for([
  ['archives', `proof = '{"level":"L9","at":"","detail":null}'`],
  ['archive_manifests', `manifest = '{"schemaVersion":2}'`],
])('a row of %s with %s is refused as damaged', ([table, change]) => {
  const [stored] = insert(archive(1));
  catalogue.run(`UPDATE ${table ?? ''} SET ${change ?? ''}`);
  expect(() => [index.get(stored?.id ?? ''), index.manifest(stored?.id ?? '')]).toThrow(
    expect.objectContaining({ code: 'catalogue-damaged' }),
  );
});

test('a manifest is replaced and removed with the row of its archive', () => {
  const [stored] = insert(archive(1));
  const id = stored?.id ?? '';
  const again = { ...manifestOf(archive(1)), serverVersion: '18.0.0' };
  index.insert(archive(1), again);
  expect(index.manifest(id)).toEqual(again);
  index.remove(id);
  expect(catalogue.all('SELECT * FROM archive_manifests')).toEqual([]);
});

test('an archive is not indexed without its manifest', () => {
  const unwritable = { ...manifestOf(archive(1)), sizeBytes: 1n as never };
  expect(() => index.insert(archive(1), unwritable)).toThrow(TypeError);
  expect(index.list({ limit: 9 })).toEqual([]);
});

test('an archive of another root has its own id and location, even if its path is the same', () => {
  const [first, second] = insert(archive(1), archive(1, { root: 1 }));
  expect(second?.id).not.toBe(first?.id);
  expect(second?.absolutePath).toBe(join(otherRoot, archive(1).path));
  expect(index.list({ limit: 9 })).toHaveLength(2);
  expect(index.findByPath(archive(1).path, 0)).toEqual(first);
  expect(index.findByPath(archive(1).path)).toEqual(second);
});

test('archives of an absent root are absent, and a present copy is preferred', () => {
  const [first, second] = insert(archive(1), archive(1, { root: 1 }));
  absent.add(1);
  expect(index.get(second?.id ?? '')).toMatchObject({ absent: true });
  expect(index.findByPath(archive(1).path)).toEqual(first);
  absent.add(0);
  expect(index.findByPath(archive(1).path)).toMatchObject({ id: second?.id, absent: true });
});

test('projects with archives are paged by path, each with its newest archive', () => {
  const [, newest, renamed, foreign] = insert(
    archive(1),
    archive(2, { fullPath: 'group/renamed' }),
    archive(3, { projectId: 8, fullPath: 'Group/Żaba' }),
    archive(4, { instanceName: 'target', instanceUrl: 'https://target.example' }),
  );
  const all = projects.page({ search: null, offset: 0, limit: 9 });
  expect(all).toEqual({
    projects: [
      { archives: 1, bytes: 1004, newest: foreign },
      { archives: 2, bytes: 2003, newest },
      { archives: 1, bytes: 1003, newest: renamed },
    ],
    total: 3,
  });
  expect(projects.page({ search: null, offset: 1, limit: 1 })).toEqual({
    projects: all.projects.slice(1, 2),
    total: 3,
  });
  expect(projects.page({ search: 'żABA', offset: 0, limit: 9 })).toMatchObject({
    projects: [{ newest: renamed }],
    total: 1,
  });
  expect(projects.page({ search: null, offset: 9, limit: 9 })).toEqual({ projects: [], total: 3 });
  expect(projects.page({ search: 'none', offset: 0, limit: 9 })).toEqual({ projects: [], total: 0 });
  expect(new ArchiveFolders(catalogue).totals()).toEqual({ count: 4, bytes: 4010 });
});

test('every bad archive is reported, and those with a newer readable archive are listed last', () => {
  const damaged = { at, reason: 'bits flipped' };
  const [old, unusable] = insert(
    archive(1, { damaged }),
    archive(2, { projectId: 8, verdict: 'unusable' }),
    archive(3, { projectId: 9 }),
  );
  const badArchives = (limit: number) => {
    const { archives, total } = index.listBad(limit);
    return { archives: archives.map(({ id, superseded }) => [id, superseded]), total };
  };
  expect(index.listBad(1)).toEqual({ archives: [{ ...unusable, superseded: false }], total: 2 });
  expect(badArchives(9)).toEqual({
    archives: [
      [unusable?.id, false],
      [old?.id, false],
    ],
    total: 2,
  });
  const [later] = insert(archive(4, { damaged }));
  expect(badArchives(9).total).toBe(3);
  insert(archive(5));
  const after = [
    [unusable?.id, false],
    [later?.id, true],
    [old?.id, true],
  ];
  expect(badArchives(9)).toEqual({ archives: after, total: 3 });
});

test('the newest archive of a project represents it, whatever archives are added or removed', () => {
  const [first, last] = insert(archive(1), archive(3));
  insert(archive(2));
  const newest = () =>
    projects.page({ search: null, offset: 0, limit: 9 }).projects.map((project) => project.newest.id);
  expect(newest()).toEqual([last?.id]);
  insert(archive(3));
  expect(newest()).toEqual([last?.id]);
  index.remove(last?.id ?? '');
  index.remove(insert(archive(2))[0]?.id ?? '');
  expect(newest()).toEqual([first?.id]);
  index.remove(first?.id ?? '');
  expect(newest()).toEqual([]);
});

test('archives of one project are found by its id, too', () => {
  const [a, b] = insert(archive(1), archive(2, { fullPath: 'group/renamed' }), archive(3, { projectId: 8 }));
  expect(index.list({ instance: 'source', projectId: 7, limit: 9 })).toEqual([b, a]);
  expect(index.list({ instance: 'source', projectId: 7, limit: 9, before: b?.id })).toEqual([a]);
});

/** Returns whether the project of the archives is current after GitLab renamed it. */
function isCurrent(lastActivityAt: string | null = null): boolean {
  const instance = { name: 'source', url: 'https://gitlab.example' };
  const renamed = { id: 7, fullPath: 'group/project-deletion_scheduled-7', lastActivityAt, accessLevel: 40 };
  return backupSummariesOf(catalogue, instance, [renamed])[0]?.backupStatus === 'current';
}

test.each<[ArchiveCondition, Partial<NewArchive>]>([
  ['complete', {}],
  ['incomplete', { incomplete: true, findings: 1 }],
  ['suspicious', { verdict: 'suspicious', findings: 3 }],
  ['unusable', { verdict: 'unusable', findings: 1 }],
  ['damaged', { damaged: { at, reason: 'bits flipped' } }],
])(
  'another export of a project marked for deletion is unnecessary only if its newest archive is complete: %s',
  (condition, changes) => {
    expect(isCurrent()).toBe(false);
    insert(archive(1));
    expect(isCurrent()).toBe(true);
    const [stored] = insert(archive(2, changes));
    expect([stored?.condition, isCurrent()]).toEqual([condition, condition === 'complete']);
    insert(archive(3));
    expect(isCurrent()).toBe(true);
  },
);

test('another export of a project marked for deletion is necessary after activity, or if the folder of its newest archive is absent', () => {
  const folders = new ArchiveFolders(catalogue);
  const { storedAt } = archive(2, { root: 1 });
  insert(archive(1), archive(2, { root: 1 }));
  expect(isCurrent(storedAt)).toBe(true);
  expect(isCurrent(new Date(Date.parse(storedAt) + 1).toISOString())).toBe(false);
  folders.storeAbsentRoots(new Set([1]));
  expect(isCurrent(storedAt)).toBe(false);
  folders.storeAbsentRoots(new Set());
  expect(isCurrent(storedAt)).toBe(true);
});
