/** @file The address of the view that finds projects gives the query to the instance, and the equivalent command. */
import { describe, expect, test } from 'vitest';
import { checkedQuery } from '../../../src-main/gitlab/projects/project-queries.ts';
import { projectCommand } from '../../../src-main/hosts/cli/projects/project.ts';
import { projectListKinds } from '../../../src-contract/projects/project-details.ts';
import { projectQuerySchema } from '../../../src-contract/projects/project-details-schema.ts';
import { projectFindCommand } from '../../../src-renderer/data/commands/find-commands.ts';
import {
  filtersOf,
  queryFromAddress,
  ordersOf,
  subjectOf,
  type Filter,
} from '../../../src-renderer/views/projects/find/find-query.ts';
import { expectUnderstood } from '../../support/understood.ts';

const account = { anonymous: false, administrator: false };
const administrator = { anonymous: false, administrator: true };
const nobody = { anonymous: true, administrator: false };

const asked = (parameters: Record<string, string>, who = account) =>
  queryFromAddress((name) => parameters[name] ?? null, who);

/** A value for each kind of filter, as the address has it. */
const values: Record<Filter['kind'], string> = {
  choice: 'private',
  'yes-no': 'true',
  role: '40',
  number: '7',
  day: '2026-11-20',
  moment: '2026-11-20T14:30',
  pairs: 'team=maps, region=north',
  text: 'typescript',
};
const operations = {
  all: 'list-projects',
  user: 'list-user-projects',
  contributed: 'list-contributed-projects',
  starred: 'list-starred-projects',
  forks: 'list-forks',
  group: null,
} as const;

describe.each(projectListKinds)('the list %s', (list) => {
  test.each([
    ['an account', account],
    ['an administrator', administrator],
    ['nobody', nobody],
  ])('is filtered by nothing that it would refuse to %s', (_, who) => {
    const filters = filtersOf(list, who);
    const typed = Object.fromEntries(filters.map(({ name, kind }) => [name, values[kind]]));
    const orders = ordersOf(list, who, { search: 'maps', membership: !who.anonymous });
    for (const order of [undefined, ...orders]) {
      const parameters = {
        ...typed,
        ...(order === 'similarity' ? { membership: 'true' } : {}),
        ...(order === undefined ? {} : { order_by: order, sort: 'asc' }),
        list,
        whose: 'ada',
        search: 'maps',
        statistics: 'true',
      };
      const { query, subject } = asked(parameters, who);
      expect(subject).toBe(list === 'all' ? null : 'ada');
      expect(query.order_by).toBe(order);
      expect(projectQuerySchema.parse(query)).toEqual(query);
      const use = { of: operations[list], anonymous: who.anonymous, keyset: false };
      expect(() => checkedQuery(query, use)).not.toThrow();
      // Every chosen filter is kept, except those that need the order by last change.
      const lost = filters.filter(
        ({ name, needsUpdatedAtOrder }) => !needsUpdatedAtOrder && !(name in query),
      );
      expect(lost).toEqual([]);
    }
  });

  test('is asked for by a command of the same meaning', () => {
    const typed = Object.fromEntries(
      filtersOf(list, administrator).map(({ name, kind }) => [name, values[kind]]),
    );
    const found = asked({ ...typed, list, whose: 'ada', search: "it's $HOME" }, administrator);
    expectUnderstood(
      [projectFindCommand('work', found), { command: 'project find', options: { instance: 'work' } }],
      [projectCommand],
    );
  });
});

test('all that chooses among projects can be chosen by', () => {
  const offered = filtersOf('all', administrator).map(({ name }) => name);
  const apart = ['order_by', 'search', 'simple', 'sort', 'statistics', 'with_custom_attributes'];
  expect([...offered, ...apart].sort()).toEqual(Object.keys(projectQuerySchema.shape).sort());
});

test('administrators are offered more, and nobody less', () => {
  const names = (who: typeof account) => filtersOf('all', who).map(({ name }) => name);
  expect(names(administrator)).toContain('include_pending_delete');
  expect(names(account)).not.toContain('include_pending_delete');
  expect(names(account)).toContain('owned');
  expect(names(nobody)).not.toContain('owned');
  expect(ordersOf('all', account, {})).not.toContain('repository_size');
  expect(ordersOf('all', administrator, {})).toContain('repository_size');
});

test('an order by likeness is for own projects that are searched', () => {
  expect(ordersOf('all', account, { search: 'maps' })).not.toContain('similarity');
  expect(ordersOf('all', account, { search: 'maps', membership: true })).toContain('similarity');
  expect(asked({ order_by: 'similarity', search: 'maps' }).query).toEqual({ search: 'maps' });
});

test('what no list knows, and what is no value, is left out', () => {
  expect(
    asked({ list: 'contributed', whose: ' ada ', search: 'maps', archived: 'true', order_by: 'name' }),
  ).toEqual({ list: 'contributed', subject: 'ada', query: { order_by: 'name' } });
  expect(
    asked({ list: 'nonsense', archived: 'maybe', id_after: '-1', visibility: 'secret', topic: ' ' }),
  ).toEqual({ list: 'all', subject: null, query: {} });
  expect(asked({ whose: 'ada' }).subject).toBeNull();
  expect(asked({ list: 'user', whose: ' ' }).subject).toBeNull();
});

test('a No is asked for only where the instance heeds it', () => {
  expect(asked({ archived: 'false', membership: 'false' }).query).toEqual({ archived: false });
});

test.each([
  ['a day is that of this machine, and the last one is meant whole', '2024-01-31', '2024-01-31'],
  ['a time of day is in the time zone of this machine', '2024-01-31T14:30', '2024-01-31T14:30'],
  ['the clock is that of the day', '2024-07-01', '2024-07-01T09:05'],
])('of a time, %s', (_, from, until) => {
  const { query } = asked({ last_activity_after: from, last_activity_before: until });
  expect(query).toEqual(
    {
      '2024-01-31': {
        last_activity_after: '2024-01-30T23:00:00Z',
        last_activity_before: '2024-01-31T22:59:59.999Z',
      },
      '2024-01-31T14:30': {
        last_activity_after: '2024-01-31T13:30:00Z',
        last_activity_before: '2024-01-31T13:30:59.999Z',
      },
      '2024-07-01': {
        last_activity_after: '2024-06-30T22:00:00Z',
        last_activity_before: '2024-07-01T07:05:59.999Z',
      },
    }[from],
  );
});

test.each(['2024-02-30', '2024-01-31T25:00', '2024-01-31T14', '2024-01-31T14:30Z', 'yesterday'])(
  '%s is no time',
  (typed) => {
    expect(asked({ last_activity_after: typed }).query).toEqual({});
  },
);

test('a time of change is asked for only in the order by the last change', () => {
  const from = { updated_after: '2026-11-20' };
  expect(asked(from).query).toEqual({});
  expect(asked({ ...from, order_by: 'updated_at' }).query).toEqual({
    updated_after: '2026-11-19T23:00:00Z',
    order_by: 'updated_at',
  });
});

test('whose list it is', () => {
  expect(projectListKinds.map((list) => subjectOf(list))).toEqual([
    null,
    'user',
    'user',
    'user',
    'project',
    'group',
  ]);
});

test('the command names the list, its contrary filters and custom attributes', () => {
  const understood = (found: Parameters<typeof projectFindCommand>[1], options: Record<string, unknown>) => {
    expectUnderstood(
      [
        projectFindCommand('work', found),
        { command: 'project find', options: { instance: 'work', ...options } },
      ],
      [projectCommand],
    );
  };
  understood(
    { list: 'starred', subject: 'ada', query: { starred: true, archived: false, min_access_level: 40 } },
    { user: 'ada', starred: true, starredByMe: true, archived: false, minAccessLevel: 40 },
  );
  understood({ list: 'contributed', subject: '7', query: {} }, { user: '7', contributed: true });
  understood({ list: 'user', subject: 'ada', query: { search: "it's" } }, { user: 'ada', search: "it's" });
  understood({ list: 'group', subject: 'a/b', query: {} }, { group: 'a/b' });
  understood({ list: 'forks', subject: 'a/b', query: {} }, { forksOf: 'a/b' });
  understood(
    { list: 'all', subject: null, query: { custom_attributes: { team: 'maps', region: 'far north' } } },
    { customAttribute: ['team=maps', 'region=far north'] },
  );
});
