import { expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { selectionSchema, type Selection } from '../../../../src-contract/plans/plan.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import type { ProjectFilter } from '../../../../src-main/jobs/ports.ts';
import { selectProjects } from '../../../../src-main/jobs/plans/selection.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';

const now = Date.UTC(2026, 10, 20);
const signal = new AbortController().signal;
const starred = new Set([2]);

const projects: Project[] = [
  { id: 1, fullPath: 'Team/api', visibility: 'public' },
  { id: 2, fullPath: 'team/sub/web-service', lastActivityAt: '2026-11-01T00:00:00Z' },
  { id: 3, fullPath: 'team-two/web-service', archived: true },
  { id: 4, fullPath: 'other/tool', accessLevel: 50 },
  { id: 5, fullPath: 'other/low', accessLevel: 30 },
].map(projectOf);

/** A list that ignores every filter except the stars, as an old server might, and one project that no list contains. */
class Source {
  readonly administrator = false;
  readonly assertAccount = (): Promise<void> => Promise.resolve();
  readonly projectCount = (): Promise<null> => Promise.resolve(null);
  readonly asked: ProjectFilter[] = [];
  readonly single: number[] = [];

  async *projects(filter: ProjectFilter): AsyncGenerator<Project, void> {
    this.asked.push(filter);
    await Promise.resolve();
    yield* projects.filter(({ id }) => filter.starred !== true || starred.has(id));
  }

  project(id: number): Promise<Project> {
    this.single.push(id);
    const found = [...projects, projectOf({ id: 99, fullPath: 'seen/alone' })].find((one) => one.id === id);
    return found === undefined
      ? Promise.reject(new AppError('project-missing', 'gone'))
      : Promise.resolve(found);
  }
}

const select = async (selection: unknown, source = new Source()) => {
  const { chosen, skipped } = await selectProjects(source, selectionSchema.parse(selection), now, signal);
  return { ids: chosen.map(({ id }) => id), skipped, source };
};

it('all is every project whose role allows an export, and says which are left out', async () => {
  const { ids, skipped } = await select({ kind: 'all' });
  expect(ids).toEqual([1, 2, 3, 4]);
  expect(skipped).toEqual([{ id: 5, project: 'other/low', why: 'an export needs the role Maintainer' }]);
});

it.each<[string, Partial<Extract<Selection, { kind: 'rule' }>>, number[]]>([
  ['nothing keeps all', {}, [1, 2, 3, 4]],
  [
    'a group keeps it and its subgroups, in whatever case, and no group that begins alike',
    { group: 'TEAM' },
    [1, 2],
  ],
  ['a subgroup keeps only that', { group: 'team/sub/' }, [2]],
  ['a visibility is looked at again', { visibility: 'public' }, [1]],
  ['a mark as archived is looked at again', { markedArchived: true }, [3]],
  ['the last activity is looked at again', { activeWithinDays: 7 }, [1, 3, 4]],
  ['stars are asked for', { starred: true }, [2]],
  ['no stars are what is left of all', { starred: false }, [1, 3, 4]],
  ['what is owned', { owned: true }, [4]],
  ['what is not owned', { owned: false }, [1, 2, 3]],
  ['a pattern is of the whole path', { name: '*/web-service' }, [2, 3]],
  ['a pattern without a star is a path', { name: 'team/API' }, [1]],
  ['no part of a pattern is found twice', { name: 'team/*/*/web-service' }, []],
  ['exceptions win', { name: '*e*', except: ['team/*', 'OTHER/tool'] }, [3]],
  ['several conditions must all hold', { group: 'team', name: '*service' }, [2]],
])('of a rule, %s', async (_rule, rule, ids) => {
  expect((await select({ kind: 'rule', ...rule })).ids).toEqual(ids);
});

it('a rule asks the server for whatever its list can tell apart', async () => {
  const rule = {
    visibility: 'private',
    markedArchived: false,
    owned: true,
    topic: 'ops',
    activeWithinDays: 1,
  };
  const { source } = await select({ kind: 'rule', ...rule });
  expect(source.asked).toEqual([
    {
      membership: true,
      visibility: 'private',
      archived: false,
      owned: true,
      starred: undefined,
      topic: 'ops',
      activeAfter: '2026-11-19T00:00:00.000Z',
    },
  ]);
});

it('chosen projects are asked for by id, and one that is gone is left out with the reason', async () => {
  const chosen = [4, 99, 5, 77].map((id) => ({ id, fullPath: `then/${id}` }));
  const { ids, skipped, source } = await select({ kind: 'projects', projects: chosen });
  expect(ids).toEqual([4, 99]);
  expect(skipped.map(({ project }) => project)).toEqual(['other/low', 'then/77']);
  expect(source.asked).toEqual([]);
});

it('many chosen projects are searched in the list, and only missing ones are read singly', async () => {
  const chosen = [1, 2, 99, ...Array.from({ length: 20 }, (_, at) => 200 + at)].map((id) => ({
    id,
    fullPath: `p/${id}`,
  }));
  const { ids, source } = await select({ kind: 'projects', projects: chosen });
  expect(ids).toEqual([1, 2, 99]);
  expect(source.asked).toHaveLength(1);
  expect(source.single).not.toContain(1);
});

it('a failure that is no missing project ends the choice', async () => {
  const source = new Source();
  source.project = () => Promise.reject(new AppError('token-expired', 'expired'));
  await expect(
    select({ kind: 'projects', projects: [{ id: 1, fullPath: 'a/b' }] }, source),
  ).rejects.toMatchObject({
    code: 'token-expired',
  });
});
