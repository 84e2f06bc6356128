import { expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Selection } from '../../../../src-contract/plans/plan.ts';
import { selectionSchema } from '../../../../src-contract/plans/plan-schema.ts';
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

/** Lists projects and ignores every filter except stars, as an old server might. No list contains project 99. */
class Source {
  readonly administrator = false;
  readonly assertAccount = (): Promise<void> => Promise.resolve();
  readonly projectCount = (): Promise<null> => Promise.resolve(null);
  readonly filters: ProjectFilter[] = [];
  readonly requestedIds: number[] = [];

  async *projects(filter: ProjectFilter): AsyncGenerator<Project, void> {
    this.filters.push(filter);
    await Promise.resolve();
    yield* projects.filter(({ id }) => filter.starred !== true || starred.has(id));
  }

  project(id: number): Promise<Project> {
    this.requestedIds.push(id);
    const found = [...projects, projectOf({ id: 99, fullPath: 'seen/alone' })].find(
      (candidate) => candidate.id === id,
    );
    return found === undefined
      ? Promise.reject(new AppError('project-missing', 'gone'))
      : Promise.resolve(found);
  }
}

const select = async (selection: unknown, source = new Source()) => {
  const { chosen, skipped } = await selectProjects(source, selectionSchema.parse(selection), now, signal);
  return { ids: chosen.map(({ id }) => id), skipped, source };
};

it('the selection of all contains every project whose role allows an export, and reports the skipped ones', async () => {
  const { ids, skipped } = await select({ kind: 'all' });
  expect(ids).toEqual([1, 2, 3, 4]);
  expect(skipped).toEqual([{ id: 5, project: 'other/low', why: 'an export needs the role Maintainer' }]);
});

it.each<[string, Partial<Extract<Selection, { kind: 'rule' }>>, number[]]>([
  ['without conditions selects all projects', {}, [1, 2, 3, 4]],
  [
    'with a group selects it and its subgroups, ignoring case, but no group that begins alike',
    { group: 'TEAM' },
    [1, 2],
  ],
  ['with a subgroup selects only that subgroup', { group: 'team/sub/' }, [2]],
  ['with a visibility checks it for each listed project', { visibility: 'public' }, [1]],
  ['with an archived state checks it for each listed project', { markedArchived: true }, [3]],
  ['with a last activity checks it for each listed project', { activeWithinDays: 7 }, [1, 3, 4]],
  ['for starred projects requests only those', { starred: true }, [2]],
  ['for projects without a star selects all except the starred ones', { starred: false }, [1, 3, 4]],
  ['for owned projects selects only those', { owned: true }, [4]],
  ['for projects that are not owned selects only those', { owned: false }, [1, 2, 3]],
  ['with a pattern matches the complete path', { name: '*/web-service' }, [2, 3]],
  ['with a pattern without a star matches that path', { name: 'team/API' }, [1]],
  ['with a pattern matches no part of a path twice', { name: 'team/*/*/web-service' }, []],
  ['with exceptions selects none of them', { name: '*e*', except: ['team/*', 'OTHER/tool'] }, [3]],
  ['with several conditions requires all of them', { group: 'team', name: '*service' }, [2]],
])('a rule %s', async (_rule, rule, ids) => {
  expect((await select({ kind: 'rule', ...rule })).ids).toEqual(ids);
});

it('a rule sends every condition that the list of the server can filter by', async () => {
  const rule = {
    visibility: 'private',
    markedArchived: false,
    owned: true,
    topic: 'ops',
    activeWithinDays: 1,
  };
  const { source } = await select({ kind: 'rule', ...rule });
  expect(source.filters).toEqual([
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

it('chosen projects are requested by id, and a missing one is skipped with the reason', async () => {
  const chosen = [4, 99, 5, 77].map((id) => ({ id, fullPath: `then/${id}` }));
  const { ids, skipped, source } = await select({ kind: 'projects', projects: chosen });
  expect(ids).toEqual([4, 99]);
  expect(skipped).toEqual([
    { id: 5, project: 'other/low', why: 'an export needs the role Maintainer' },
    { id: 77, project: 'then/77', why: 'it was deleted, or this account can no longer see it' },
  ]);
  expect(source.filters).toEqual([]);
});

it('many chosen projects are searched in the list, and only the missing ones are requested one by one', async () => {
  const chosen = [1, 2, 99, ...Array.from({ length: 20 }, (_, at) => 200 + at)].map((id) => ({
    id,
    fullPath: `p/${id}`,
  }));
  const { ids, source } = await select({ kind: 'projects', projects: chosen });
  expect(ids).toEqual([1, 2, 99]);
  expect(source.filters).toHaveLength(1);
  expect(source.requestedIds).not.toContain(1);
});

it('a chosen project that the instance cannot show is selected, unless the instance fails for other requests, too', async () => {
  const source = new Source();
  const read = source.project.bind(source);
  source.project = (id) => (id === 2 ? Promise.reject(new AppError('server-error', 'HTTP 500')) : read(id));
  const chosen = [
    { id: 1, fullPath: 'a/b' },
    { id: 2, fullPath: 'a/broken' },
  ];
  expect((await select({ kind: 'projects', projects: chosen }, source)).ids).toEqual([1, 2]);
  const failing = Object.assign(source, {
    assertAccount: () => Promise.reject(new AppError('server-error', 'HTTP 503')),
  });
  await expect(select({ kind: 'projects', projects: chosen }, failing)).rejects.toMatchObject({
    message: 'HTTP 503',
  });
});

it('an error other than a missing project ends the selection', async () => {
  const source = new Source();
  source.project = () => Promise.reject(new AppError('token-expired', 'expired'));
  await expect(
    select({ kind: 'projects', projects: [{ id: 1, fullPath: 'a/b' }] }, source),
  ).rejects.toMatchObject({
    code: 'token-expired',
  });
});

it('a project marked for deletion is skipped only if it is current', async () => {
  const marked = projectOf({ id: 6, fullPath: 'team/old', markedForDeletionOn: '2026-11-19' });
  class Marked extends Source {
    override project = (): Promise<Project> => Promise.resolve(marked);
  }
  const selection = selectionSchema.parse({ kind: 'projects', projects: [{ id: 6, fullPath: 'team/old' }] });
  const selectIf = async (isCurrent: boolean) => {
    const asked: Project[] = [];
    const { chosen, skipped } = await selectProjects(new Marked(), selection, now, signal, (project) => {
      asked.push(project);
      return isCurrent;
    });
    expect(asked).toEqual([marked]);
    return [chosen.map(({ id }) => id), skipped.map(({ why }) => why)];
  };
  expect(await selectIf(false)).toEqual([[6], []]);
  const why =
    'it is marked for deletion on 2026-11-19, and nothing has changed since its newest archive, which is complete';
  expect(await selectIf(true)).toEqual([[], [why]]);
});
