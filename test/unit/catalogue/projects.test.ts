import { beforeEach, expect, test } from 'vitest';
import { ProjectList } from '../../../src-main/catalogue/projects.ts';
import type { Project } from '../../../src-preload/contract/project.ts';
import { catalogueForTest } from '../../support/catalogue.ts';

let list: ProjectList;
beforeEach(() => {
  list = new ProjectList(catalogueForTest());
});

const project = (id: number, fullPath: string, name = fullPath): Project => ({
  id,
  fullPath,
  name,
  description: 'with "quotes"',
  visibility: 'private',
  archived: false,
  defaultBranch: null,
  emptyRepository: false,
  webUrl: `https://gitlab.example/${fullPath}`,
  createdAt: null,
  lastActivityAt: null,
  creatorId: null,
  importStatus: 'none',
  importType: null,
  accessLevel: 40,
  repositorySizeBytes: 12,
});

async function* failingAfter(...pages: Project[][]): AsyncGenerator<Project[]> {
  yield* pages;
  throw await Promise.resolve(new Error('the network broke'));
}

test('a list that was never refreshed is empty and says so', () => {
  expect(list.list('source', { limit: 5 })).toEqual({
    projects: [],
    next: null,
    total: 0,
    refreshedAt: null,
  });
});

test('an instance without projects was refreshed nevertheless', async () => {
  await list.replace('source', [], 100);
  expect(list.list('source', { limit: 5 }).refreshedAt).toBe(100);
});

test('projects are read back by path, page by page, and each instance has its own', async () => {
  const [a, b, c] = [project(3, 'a/x'), project(1, 'B/x'), project(2, 'c/x')];
  await list.replace('source', [[c, a], [b]], 100);
  await list.replace('target', [[project(1, 'other')]], 200);
  const first = list.list('source', { limit: 2 });
  expect(first).toEqual({ projects: [a, b], next: 'B/x', total: 3, refreshedAt: 100 });
  expect(list.list('source', { limit: 2, after: first.next })).toMatchObject({
    projects: [c],
    next: null,
    total: 3,
  });
});

test('a search finds parts of path and name without regard to case, and no wildcards', async () => {
  await list.replace('source', [[project(1, 'team/api', 'Gateway'), project(2, 'team/100%', 'x')]], 1);
  const found = (search: string) => list.list('source', { search, limit: 9 }).projects.map(({ id }) => id);
  expect([found('API'), found('gate'), found('%'), found('_'), found('')]).toEqual([
    [1],
    [1],
    [2],
    [],
    [2, 1],
  ]);
  expect(list.list('source', { search: 'api', limit: 9 }).total).toBe(1);
});

test('a complete refresh drops what it did not see; a project that moved keeps one row', async () => {
  await list.replace('source', [[project(1, 'gone'), project(2, 'old/path')]], 1);
  await list.replace('source', [[project(2, 'new/path')]], 2);
  expect(list.list('source', { limit: 9 }).projects).toEqual([project(2, 'new/path')]);
});

test('a project may take over the path of another', async () => {
  await list.replace('source', [[project(1, 'swap/a'), project(2, 'swap/b')]], 1);
  await list.replace('source', [[project(1, 'swap/b'), project(2, 'swap/a')]], 2);
  expect(list.list('source', { limit: 9 }).projects).toEqual([project(2, 'swap/a'), project(1, 'swap/b')]);
});

test('a refresh that breaks off loses nothing and does not count as one', async () => {
  await list.replace('source', [[project(1, 'a'), project(2, 'b')]], 1);
  await expect(list.replace('source', failingAfter([project(3, 'c')]), 2)).rejects.toThrow(
    'the network broke',
  );
  expect(list.list('source', { limit: 9 })).toMatchObject({ total: 3, refreshedAt: 1 });
});

test('a forgotten instance leaves nothing', async () => {
  await list.replace('source', [[project(1, 'a')]], 1);
  list.forget('source');
  expect(list.list('source', { limit: 9 })).toMatchObject({ total: 0, refreshedAt: null });
});
