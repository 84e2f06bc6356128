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

test('a list that was never refreshed is empty and has no time of a refresh', () => {
  expect(page()).toEqual({ projects: [], total: 0 });
  expect(list.refreshTimes()).toEqual(new Map());
});

test('a refresh of an instance without projects is recorded', async () => {
  expect(await list.replace(source, [], 100)).toBe(0);
  expect(list.refreshTimes()).toEqual(new Map([['source', 100]]));
});

test('a project is read back as the instance reported it, with its backup status', async () => {
  const reported = project(3, 'a/x', { lastActivityAt: '2026-11-20T12:00:00.000+01:00', archived: true });
  await list.replace(source, [[reported]], 1);
  expect(page().projects).toEqual([
    {
      ...reported,
      instance: 'source',
      backupStatus: 'never',
      archives: 0,
      newestArchive: null,
      openJob: null,
      waitsFor: null,
    },
  ]);
});

test('projects of all instances or of one are paged by path, ignoring case', async () => {
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

test('a search finds parts of path and name, ignores case in any alphabet, and has no wildcards', async () => {
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

test('a complete refresh drops projects that it did not read, and a moved project keeps one row', async () => {
  await list.replace(source, [[project(1, 'gone'), project(2, 'old/path')]], 1);
  expect(await list.replace(source, [[project(2, 'new/path')]], 2)).toBe(1);
  expect(page()).toMatchObject({ projects: [project(2, 'new/path')], total: 1 });
});

test('a project may take over the path of another', async () => {
  await list.replace(source, [[project(1, 'swap/a'), project(2, 'swap/b')]], 1);
  await list.replace(source, [[project(1, 'swap/b'), project(2, 'swap/a')]], 2);
  expect(page().projects).toMatchObject([project(2, 'swap/a'), project(1, 'swap/b')]);
});

test('the last entry counts if a page repeats an id or a path in another case', async () => {
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

test('an interrupted refresh loses nothing and is not recorded', async () => {
  await list.replace(source, [[project(1, 'a'), project(2, 'b')]], 1);
  await expect(list.replace(source, failingAfter([project(3, 'c')]), 2)).rejects.toThrow('the network broke');
  expect(ids()).toEqual([1, 2, 3]);
  expect(list.refreshTimes()).toEqual(new Map([['source', 1]]));
});

test('a changed project is listed with its new state, at its new path', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  const moved = project(1, 'c/x', { name: 'New', archived: true, markedForDeletionOn: '2026-11-20' });
  list.put(source, moved, { addIfMissing: false, at: 2 });
  expect(page().projects).toMatchObject([project(2, 'b/x'), moved]);
  expect(ids({ search: 'a/x' })).toEqual([]);
  expect(ids({ archived: true })).toEqual([1]);
  expect(list.refreshTimes()).toEqual(new Map([['source', 1]]));
});

test('an unlisted project is added to the list only on request', async () => {
  await list.replace(source, [[project(1, 'a/x')]], 1);
  list.put(source, project(2, 'b/x'), { addIfMissing: false, at: 2 });
  expect(ids()).toEqual([1]);
  list.put(source, project(3, 'c/x'), { addIfMissing: true, at: 2 });
  expect(ids()).toEqual([1, 3]);
  list.put(target, project(1, 'a/x'), { addIfMissing: false, at: 2 });
  expect(ids({ instance: 'target' })).toEqual([]);
});

test('a dropped project leaves only the list of its own instance', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  await list.replace(target, [[project(1, 'a/x')]], 1);
  list.drop('source', 1);
  expect(ids({ instance: 'source' })).toEqual([2]);
  expect(ids({ instance: 'target' })).toEqual([1]);
});

test('a refresh in progress does not drop a project that was added meanwhile; the next refresh does', async () => {
  await list.replace(source, [[project(1, 'a/x')]], 1);
  const [pageRead, continued] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pageRead.resolve(undefined);
    await continued.promise;
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pageRead.promise;
  // The project stays even if the clock was set back.
  list.put(source, project(2, 'b/x'), { addIfMissing: true, at: 2 });
  continued.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1, 2]);
  await list.replace(source, [[project(1, 'a/x')]], 6);
  expect(ids()).toEqual([1]);
});

test('a project that changed during a refresh is listed with the change, not as the refresh read it', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 1);
  const [pagesRead, continued] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    yield [project(2, 'b/x')];
    pagesRead.resolve(undefined);
    await continued.promise;
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pagesRead.promise;
  list.put(source, project(2, 'c/x', { archived: true }), { addIfMissing: false, at: 6 });
  continued.resolve(undefined);
  await refreshing;
  expect(page().projects).toMatchObject([project(1, 'a/x'), project(2, 'c/x', { archived: true })]);
  await list.replace(source, [[project(1, 'a/x'), project(2, 'b/x')]], 7);
  expect(page().projects).toMatchObject([project(1, 'a/x'), project(2, 'b/x')]);
});

test('a project that was dropped during a refresh is not added again by that refresh', async () => {
  await list.replace(source, [[project(1, 'a/x'), project(5, 'b/x')]], 1);
  const [pagesRead, continued] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pagesRead.resolve(undefined);
    await continued.promise;
    yield [project(5, 'b/x')];
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pagesRead.promise;
  list.drop('source', 5);
  continued.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1]);
  await list.replace(source, [[project(1, 'a/x'), project(5, 'b/x')]], 7);
  expect(ids()).toEqual([1, 5]);
});

test('a project whose path another project took during a refresh does not take it back', async () => {
  const [pageRead, continued] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  async function* slowly(): AsyncGenerator<Project[]> {
    yield [project(1, 'a/x')];
    pageRead.resolve(undefined);
    await continued.promise;
    yield [project(5, 'b/x')];
  }
  const refreshing = list.replace(source, slowly(), 5);
  await pageRead.promise;
  list.put(source, project(9, 'b/x'), { addIfMissing: true, at: 6 });
  continued.resolve(undefined);
  await refreshing;
  expect(ids()).toEqual([1, 9]);
});

test('an interrupted refresh keeps every page that it read, however many', async () => {
  const numbers = Array.from({ length: 1_150 }, (_, at) => project(at + 1, `many/${at}`));
  function* pages(): Generator<Project[]> {
    for (let at = 0; at < numbers.length; at += 100) yield numbers.slice(at, at + 100);
    throw new Error('the network broke');
  }
  await expect(list.replace(source, pages(), 1)).rejects.toThrow('the network broke');
  expect(list.count('source')).toBe(1_150);
  expect(await list.replace(source, [numbers], 2)).toBe(1_150);
});

test('a refresh after the clock was set back still drops missing projects', async () => {
  await list.replace(source, [[project(1, 'gone')]], 1_000);
  await list.replace(source, [[project(2, 'new')]], 500);
  expect(ids()).toEqual([2]);
});

test('two concurrent refreshes do not drop projects that the other one read', async () => {
  const [olderContinued, newerContinued] = [
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<undefined>(),
  ];
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
  const older = list.replace(source, paged([a], olderContinued.promise, [b, c]), 1);
  const newer = list.replace(source, paged([a, c], newerContinued.promise, []), 2);
  olderContinued.resolve(undefined);
  await older;
  newerContinued.resolve(undefined);
  await newer;
  expect(ids()).toEqual(expect.arrayContaining([1, 3]));
});

test('a forgotten instance leaves no projects and no refresh time, and other instances keep theirs', async () => {
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

/** Computes the expected list in the slow way. */
function expected(projects: Project[], sort: ProjectSort, descending: boolean): number[] {
  const path = ({ fullPath }: Project): string => fullPath.toLowerCase();
  const keys: Record<ProjectSort, (project: Project) => string | number | null> = {
    path,
    instance: path,
    backupStatus: (row) => ((row.accessLevel ?? 40) >= 40 ? 2 : 5),
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
  'by $sort, descending $descending: all pages are pieces of one order, with unknown values last',
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
        async (drafts, limit) => {
          list.forget('source');
          const projects = drafts.map((draft, id) => project(id, draft.fullPath, draft));
          await list.replace(source, [projects], 1);
          const expectedOrder = expected(projects, sort, descending);
          const paged = Array.from({ length: Math.ceil(projects.length / limit) }, (_, at) =>
            ids({ sort, descending, limit, offset: at * limit }),
          );
          expect(paged.flat()).toEqual(expectedOrder);
          const matching = projects.filter(({ fullPath, name }) =>
            `${fullPath} ${name}`.toLowerCase().includes('a'),
          );
          expect(ids({ sort, descending, search: 'A' })).toEqual(expected(matching, sort, descending));
        },
      ),
      { numRuns: 25 },
    );
  },
);

test('a search that finds very many projects is paged in the same order as one that finds few', async () => {
  const many = Array.from({ length: 2_500 }, (_, id) =>
    project(id, `group-${(id * 7919) % 2_500}/x`, { repositorySizeBytes: id % 3 === 0 ? null : id % 100 }),
  );
  await list.replace(source, [many], 1);
  for (const sort of ['path', 'size'] as const) {
    const expectedOrder = expected(many, sort, false);
    for (const offset of [0, 1_600, 2_490]) {
      expect(page({ search: 'group', sort, offset, limit: 100 })).toMatchObject({ total: 2_500 });
      expect(ids({ search: 'group', sort, offset, limit: 100 })).toEqual(
        expectedOrder.slice(offset, offset + 100),
      );
    }
  }
});
