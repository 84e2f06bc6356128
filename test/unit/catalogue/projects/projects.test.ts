import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import type { ProjectFilter } from '../../../../src-main/catalogue/projects/project-pages.ts';
import { ProjectListStore } from '../../../../src-main/catalogue/projects/projects.ts';
import { projectSorts, type Project, type ProjectSort } from '../../../../src-contract/projects/project.ts';
import { newProject as project } from '../../../support/catalogue/catalogue-rows.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';

const source = { name: 'source', url: 'https://gitlab.example' };
const target = { name: 'target', url: 'https://target.example' };
let catalogue: Catalogue;
let list: ProjectListStore;
beforeEach(() => {
  catalogue = catalogueForTest();
  list = new ProjectListStore(catalogue);
});

const page = (filter: Partial<ProjectFilter> = {}) =>
  list.page({
    instance: null,
    search: null,
    backupStatus: null,
    importedSince: 0,
    archived: null,
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 100,
    ...filter,
  });
const ids = (filter: Partial<ProjectFilter> = {}) => page(filter).projects.map(({ id }) => id);

async function* failingAfter(...pages: Project[][]): AsyncGenerator<Project[]> {
  yield* pages;
  throw await Promise.resolve(new Error('the network broke'));
}

test('a list that was never refreshed is empty and says so', () => {
  expect(page()).toEqual({ projects: [], total: 0 });
  expect(list.refreshTimes()).toEqual(new Map());
});

test('an instance without projects was refreshed nevertheless', async () => {
  expect(await list.replace(source, [], 100)).toBe(0);
  expect(list.refreshTimes()).toEqual(new Map([['source', 100]]));
});

test('a project is read back as the instance told it, with what is held of it', async () => {
  const told = project(3, 'a/x', { lastActivityAt: '2026-11-20T12:00:00.000+01:00', archived: true });
  await list.replace(source, [[told]], 1);
  expect(page().projects).toEqual([
    {
      ...told,
      instance: 'source',
      backupStatus: 'never',
      archives: 0,
      newestArchive: null,
      openJob: null,
      waitsFor: null,
    },
  ]);
});

test('projects of all instances or of one are paged by path without regard to case', async () => {
  expect(await list.replace(source, [[project(2, 'c/x'), project(3, 'a/x')], [project(1, 'B/x')]], 100)).toBe(
    3,
  );
  await list.replace(target, [[project(1, 'aa/x')]], 200);
  const paths = (filter: Partial<ProjectFilter>) => page(filter).projects.map(({ fullPath }) => fullPath);
  expect([paths({ limit: 2 }), paths({ limit: 2, offset: 2 }), paths({ limit: 2, offset: 4 })]).toEqual([
    ['a/x', 'aa/x'],
    ['B/x', 'c/x'],
    [],
  ]);
  expect(page({ limit: 2, offset: 4 }).total).toBe(4);
  expect(page({ instance: 'source', offset: 1, limit: 1 })).toMatchObject({
    projects: [{ fullPath: 'B/x' }],
    total: 3,
  });
  expect(list.refreshTimes()).toEqual(
    new Map([
      ['source', 100],
      ['target', 200],
    ]),
  );
});

test('a search finds parts of path and name without regard to case in any alphabet, and no wildcards', async () => {
  await list.replace(
    source,
    [
      [
        project(1, 'team/api', { name: 'Gateway' }),
        project(2, 'team/100%', { name: 'Żółw ΕΛΛΆΔΑ' }),
        project(3, 'team/z', { name: 'Cafe\u0301' }),
      ],
    ],
    1,
  );
  const found = (search: string) => ids({ search });
  expect([found('API'), found('gate'), found('%'), found('_'), found('ŻÓŁ'), found('ελλάδα')]).toEqual([
    [1],
    [1],
    [2],
    [],
    [2],
    [2],
  ]);
  expect(found('caf\u00e9')).toEqual([3]);
  expect(found('')).toEqual([2, 1, 3]);
  expect(page({ search: 'api', offset: 1 })).toEqual({ projects: [], total: 1 });
});

test('a complete refresh drops what it did not see; a project that moved keeps one row', async () => {
  await list.replace(source, [[project(1, 'gone'), project(2, 'old/path')]], 1);
  expect(await list.replace(source, [[project(2, 'new/path')]], 2)).toBe(1);
  expect(page()).toMatchObject({ projects: [project(2, 'new/path')], total: 1 });
});

test('a project may take over the path of another', async () => {
  await list.replace(source, [[project(1, 'swap/a'), project(2, 'swap/b')]], 1);
  await list.replace(source, [[project(1, 'swap/b'), project(2, 'swap/a')]], 2);
  expect(page().projects).toMatchObject([project(2, 'swap/a'), project(1, 'swap/b')]);
});

test('of what one page says twice, be it a number or a path in another case, the last counts', async () => {
  await list.replace(source, [[project(9, 'first')], [project(1, 'a/one'), project(2, 'A/One')]], 1);
  expect(page({}).projects.map(({ id, fullPath }) => [id, fullPath])).toEqual([
    [2, 'A/One'],
    [9, 'first'],
  ]);
  await list.replace(source, [[project(9, 'first')], [project(3, 'b/old'), project(3, 'b/new')]], 2);
  expect(page({}).projects.map(({ id, fullPath }) => [id, fullPath])).toEqual([
    [3, 'b/new'],
    [9, 'first'],
  ]);
});

test('a refresh that breaks off loses nothing and does not count as one', async () => {
  await list.replace(source, [[project(1, 'a'), project(2, 'b')]], 1);
  await expect(list.replace(source, failingAfter([project(3, 'c')]), 2)).rejects.toThrow('the network broke');
  expect(ids()).toEqual([1, 2, 3]);
  expect(list.refreshTimes()).toEqual(new Map([['source', 1]]));
});

test('a project that changed is listed as it is now, at its new path', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  const moved = project(1, 'c/x', { name: 'New', archived: true, markedForDeletionOn: '2026-11-20' });
  list.put(source, moved, { add: false, at: 2 });
  expect(page().projects).toMatchObject([project(2, 'b/x'), moved]);
  expect(ids({ search: 'a/x' })).toEqual([]);
  expect(ids({ archived: true })).toEqual([1]);
  expect(list.refreshTimes()).toEqual(new Map([['source', 1]]));
});

test('a project that is in no list comes into it only where that is wanted', async () => {
  await list.replace(source, [[project(1, 'a/x')]], 1);
  list.put(source, project(2, 'b/x'), { add: false, at: 2 });
  expect(ids()).toEqual([1]);
  list.put(source, project(3, 'c/x'), { add: true, at: 2 });
  expect(ids()).toEqual([1, 3]);
  list.put(target, project(1, 'a/x'), { add: false, at: 2 });
  expect(ids({ instance: 'target' })).toEqual([]);
});

test('a project that is gone leaves the list of its instance and no other', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  await list.replace(target, [[project(1, 'a/x')]], 1);
  list.drop('source', 1);
  expect(ids({ instance: 'source' })).toEqual([2]);
  expect(ids({ instance: 'target' })).toEqual([1]);
});

test('a refresh that is in progress does not drop a project that was made meanwhile; the next one does', async () => {
  await list.replace(source, [[project(1, 'a/x')]], 1);
  const [pageRead, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pageRead.resolve(undefined);
    await goesOn.promise;
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pageRead.promise;
  // Even if the clock was set back.
  list.put(source, project(2, 'b/x'), { add: true, at: 2 });
  goesOn.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1, 2]);
  await list.replace(source, [[project(1, 'a/x')]], 6);
  expect(ids()).toEqual([1]);
});

test('a project that changed while a refresh was reading is listed as it changed, not as it was read', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  const [pagesRead, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    yield [project(2, 'b/x')];
    pagesRead.resolve(undefined);
    await goesOn.promise;
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pagesRead.promise;
  list.put(source, project(2, 'c/x', { archived: true }), { add: false, at: 6 });
  goesOn.resolve(undefined);
  await refreshing;
  expect(page().projects).toMatchObject([project(1, 'a/x'), project(2, 'c/x', { archived: true })]);
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 7);
  expect(page().projects).toMatchObject([project(1, 'a/x'), project(2, 'b/x')]);
});

test('a project that is gone is not put back by what a refresh had read before', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(5, 'b/x')]], 1);
  const [pagesRead, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pagesRead.resolve(undefined);
    await goesOn.promise;
    yield [project(5, 'b/x')];
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pagesRead.promise;
  list.drop('source', 5);
  goesOn.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1]);
  await list.replace(source, [[project(1, 'a/x'), project(5, 'b/x')]], 7);
  expect(ids()).toEqual([1, 5]);
});

test('a project whose path was given to another meanwhile does not take it back', async () => {
  const [pageRead, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pageRead.resolve(undefined);
    await goesOn.promise;
    yield [project(5, 'b/x')];
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pageRead.promise;
  list.put(source, project(9, 'b/x'), { add: true, at: 6 });
  goesOn.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1, 9]);
});

test('every page is kept of a refresh that breaks off, however many came', async () => {
  const numbers = Array.from({ length: 1_150 }, (_, at) => project(at + 1, `many/${at}`));
  function* pages(): Generator<Project[]> {
    for (let at = 0; at < numbers.length; at += 100) yield numbers.slice(at, at + 100);
    throw new Error('the network broke');
  }
  await expect(list.replace(source, pages(), 1)).rejects.toThrow('the network broke');
  expect(list.count('source')).toBe(1_150);
  expect(await list.replace(source, [numbers], 2)).toBe(1_150);
});

test('a refresh after the clock was set back still drops what is gone', async () => {
  await list.replace(source, [[project(1, 'gone')]], 1_000);
  await list.replace(source, [[project(2, 'new')]], 500);
  expect(ids()).toEqual([2]);
});

test('of two refreshes side by side neither drops what the other saw', async () => {
  const [olderGoesOn, newerGoesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* paged(
    first: Project[],
    then: Promise<undefined>,
    second: Project[],
  ): AsyncGenerator<Project[]> {
    yield first;
    await then;
    yield second;
  }
  const [a, b, c] = [project(1, 'a'), project(2, 'b'), project(3, 'c')];
  const older = list.replace(source, paged([a], olderGoesOn.promise, [b, c]), 1);
  const newer = list.replace(source, paged([a, c], newerGoesOn.promise, []), 2);
  olderGoesOn.resolve(undefined);
  await older;
  newerGoesOn.resolve(undefined);
  await newer;
  expect(ids()).toEqual(expect.arrayContaining([1, 3]));
});

test('a forgotten instance leaves nothing, and the others stay', async () => {
  await list.replace(source, [[project(1, 'a')]], 1);
  await list.replace(target, [[project(1, 'b')]], 1);
  list.forget('source');
  expect(page().projects.map(({ instance }) => instance)).toEqual(['target']);
  expect(list.refreshTimes()).toEqual(new Map([['target', 1]]));
});

test('filters narrow the list and its total together', async () => {
  await list.replace(
    source,
    [[project(1, 'a', { archived: true }), project(2, 'b'), project(3, 'c', { accessLevel: 30 })]],
    1,
  );
  expect(ids({ archived: true })).toEqual([1]);
  expect(ids({ archived: false })).toEqual([2, 3]);
  expect(ids({ backupStatus: 'not-allowed' })).toEqual([3]);
  expect(page({ backupStatus: 'never', archived: false, limit: 1 })).toMatchObject({
    projects: [{ id: 2 }],
    total: 1,
  });
  expect(list.statusCounts()).toEqual([
    { instance: 'source', backupStatus: 'never', projects: 2 },
    { instance: 'source', backupStatus: 'not-allowed', projects: 1 },
  ]);
});

/** The expected list, computed the slow way. */
function expected(projects: Project[], sort: ProjectSort, descending: boolean): number[] {
  const path = ({ fullPath }: Project): string => fullPath.toLowerCase();
  const keys: Record<ProjectSort, (project: Project) => string | number | null> = {
    path,
    instance: path,
    backupStatus: (one) => ((one.accessLevel ?? 40) >= 40 ? 2 : 5),
    backup: () => null,
    name: ({ name }) => name.toLowerCase(),
    activity: ({ lastActivityAt }) => (lastActivityAt === null ? null : Date.parse(lastActivityAt)),
    size: ({ repositorySizeBytes }) => repositorySizeBytes,
  };
  const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
  return projects
    .toSorted((a, b) => {
      const [keyA, keyB] = [keys[sort](a), keys[sort](b)];
      if ((keyA === null) !== (keyB === null)) return keyA === null ? 1 : -1;
      const order = (keyA === null || keyB === null ? 0 : compare(keyA, keyB)) || compare(path(a), path(b));
      return descending ? -order : order;
    })
    .map(({ id }) => id);
}

test.each(projectSorts.flatMap((sort) => [false, true].map((descending) => ({ sort, descending }))))(
  'by $sort, descending $descending: every page is the same piece of one order, unknown values last',
  async ({ sort, descending }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            fullPath: fc.stringMatching(/^[a-cA-CäÄ]{1,4}$/),
            name: fc.stringMatching(/^[a-cA-CéÉ]{1,2}$/),
            lastActivityAt: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:30:00+01:00')),
            repositorySizeBytes: fc.option(fc.nat(3)),
            accessLevel: fc.constantFrom(30, 40, null),
          }),
          { selector: ({ fullPath }) => fullPath.toLowerCase(), maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 7 }),
        async (given, limit) => {
          list.forget('source');
          const projects = given.map((one, id) => project(id, one.fullPath, one));
          await list.replace(source, [projects], 1);
          const whole = expected(projects, sort, descending);
          const paged = Array.from({ length: Math.ceil(projects.length / limit) }, (_, at) =>
            ids({ sort, descending, limit, offset: at * limit }),
          );
          expect(paged.flat()).toEqual(whole);
          const matching = projects.filter((one) =>
            `${one.fullPath} ${one.name}`.toLowerCase().includes('a'),
          );
          expect(ids({ sort, descending, search: 'A' })).toEqual(expected(matching, sort, descending));
        },
      ),
      { numRuns: 25 },
    );
  },
);

test('a search that finds very many is paged in the same order as one that finds few', async () => {
  const many = Array.from({ length: 2_500 }, (_, id) =>
    project(id, `group-${(id * 7919) % 2_500}/x`, { repositorySizeBytes: id % 3 === 0 ? null : id % 100 }),
  );
  await list.replace(source, [many], 1);
  for (const sort of ['path', 'size'] as const) {
    const whole = expected(many, sort, false);
    for (const offset of [0, 1_600, 2_490]) {
      expect(page({ search: 'group', sort, offset, limit: 100 })).toMatchObject({ total: 2_500 });
      expect(ids({ search: 'group', sort, offset, limit: 100 })).toEqual(whole.slice(offset, offset + 100));
    }
  }
});
