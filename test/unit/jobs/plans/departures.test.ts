import { expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { selectionSchema } from '../../../../src-contract/plans/plan-schema.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { leftOutCount, outOfScopeNotes } from '../../../../src-main/jobs/plans/out-of-scope-projects.ts';
import { surveyScope } from '../../../../src-main/jobs/plans/survey.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';

const signal = new AbortController().signal;

interface Situation {
  /** The response of GitLab for project 1; `null` if it is not found. */
  now: Partial<Project> | null;
  selection?: unknown;
  administrator?: boolean;
  isListed?: boolean;
}

async function departureOf({
  now,
  selection = { kind: 'all' },
  administrator = false,
  isListed = false,
}: Situation) {
  const project = now === null ? null : projectOf({ id: 1, fullPath: 'team/app', ...now });
  const source = {
    administrator,
    assertAccount: () => Promise.resolve(),
    projectCount: () => Promise.resolve(null),
    async *projects() {
      await Promise.resolve();
      yield projectOf({ id: 2, fullPath: 'team/other' });
      if (isListed && project !== null) yield project;
    },
    project: () =>
      project === null ? Promise.reject(new AppError('project-missing', 'gone')) : Promise.resolve(project),
  };
  const { departures, notes } = await surveyScope(source, selectionSchema.parse(selection), {
    previousProjects: [
      { id: 1, fullPath: 'team/app' },
      { id: 2, fullPath: 'team/other' },
    ],
    isCurrent: () => true,
    username: 'ada',
    now: 0,
    signal,
  });
  const warnings = notes.filter(({ severity }) => severity === 'warning');
  expect(warnings).toHaveLength(departures.length);
  for (const [at, { reason }] of departures.entries()) {
    const isExcluded = reason === 'archived' || reason === 'outside-rule';
    expect(warnings[at]?.notBackedUp).toBe(isExcluded ? undefined : 1);
  }
  return departures.map(({ id, reason, detail }) => [id, reason, detail]);
}

const group = { kind: 'rule', group: 'team' };
it.each<[string, Situation, unknown]>([
  ['that GitLab does not find may be deleted or hidden', { now: null }, [1, 'deleted-or-hidden', null]],
  [
    'that an administrator does not find is deleted',
    { now: null, administrator: true },
    [1, 'deleted', null],
  ],
  [
    'that is marked for deletion is reported with the date',
    { now: { markedForDeletionOn: '2026-11-22' }, isListed: true },
    [1, 'marked', '2026-11-22'],
  ],
  [
    'with the name of a project that is marked for deletion is marked',
    { now: { fullPath: 'team/app-deletion_scheduled-1' }, isListed: true },
    [1, 'marked', null],
  ],
  ['without a role lost its membership', { now: { accessLevel: null } }, [1, 'membership-lost', null]],
  ['with too low a role lost its role', { now: { accessLevel: 30 }, isListed: true }, [1, 'role-lost', null]],
  [
    'that another user owns now lost its ownership',
    { now: { accessLevel: 40 }, selection: { kind: 'all', scope: 'owned' } },
    [1, 'ownership-lost', null],
  ],
  [
    'that moved out of the rule is reported with its new path',
    { now: { fullPath: 'elsewhere/app' }, selection: group, isListed: true },
    [1, 'moved', 'elsewhere/app'],
  ],
  [
    'that is archived now is reported as archived',
    { now: { archived: true }, selection: { ...group, markedArchived: false } },
    [1, 'archived', null],
  ],
  [
    'that the rule no longer matches is reported as outside the rule',
    { now: {}, selection: { ...group, except: ['*/app'] } },
    [1, 'outside-rule', null],
  ],
])('a project %s', async (_rule, situation, departure) => {
  expect(await departureOf(situation)).toEqual([departure]);
});

it('a project that is still backed up is not a departure', async () => {
  expect(await departureOf({ now: {}, isListed: true })).toEqual([]);
});

it('counts as not backed up every project that left the scope although the plan did not exclude it', () => {
  const departures = Array.from({ length: 25 }, (_, id) => ({
    ...{ id, fullPath: `team/${id}`, detail: null },
    reason: id === 3 || id === 24 ? ('archived' as const) : ('role-lost' as const),
  }));
  const notes = outOfScopeNotes(departures);
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toEqual({
    severity: 'warning',
    message: 'No longer backed up: 5 more.',
    notBackedUp: 4,
  });
  expect(leftOutCount({ notes, leftOut: { count: 0, projects: [] } })).toBe(23);
});
