/** @file The address of the view that finds projects determines the query to the instance and the equivalent command. */
import { describe, expect, test } from 'vitest';
import { validateQuery } from '../../../src-main/gitlab/projects/project-queries.ts';
import { projectCommand } from '../../../src-main/hosts/cli/projects/project.ts';
import { projectListKinds } from '../../../src-contract/projects/project-details.ts';
import { projectQuerySchema } from '../../../src-contract/projects/project-details-schema.ts';
import { projectFindCommand } from '../../../src-renderer/data/commands/find-commands.ts';
import {
  filtersOf,
  queryFromAddress,
  ordersOf,
  subjectKindOf,
  type Filter,
} from '../../../src-renderer/views/projects/find/find-query.ts';
import { expectParsed } from '../../support/understood.ts';

const account = { anonymous: false, administrator: false };
const administrator = { anonymous: false, administrator: true };
const anonymousUser = { anonymous: true, administrator: false };

const queryOf = (parameters: Record<string, string>, user = account) =>
  queryFromAddress((name) => parameters[name] ?? null, user);

/** A value for each kind of filter, as it appears in the address. */
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
    ['an anonymous user', anonymousUser],
  ])('offers %s only filters and orders that the instance accepts', (_, user) => {
    const filters = filtersOf(list, user);
    const typed = Object.fromEntries(filters.map(({ name, kind }) => [name, values[kind]]));
    const orders = ordersOf(list, user, { search: 'maps', membership: !user.anonymous });
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
      const { query, subject } = queryOf(parameters, user);
      expect(subject).toBe(list === 'all' ? null : 'ada');
      expect(query.order_by).toBe(order);
      expect(projectQuerySchema.parse(query)).toEqual(query);
      const use = { operation: operations[list], anonymous: user.anonymous, keyset: false };
      expect(() => validateQuery(query, use)).not.toThrow();
      // Every chosen filter is kept, except those that need the order by last change.
      const lost = filters.filter(
        ({ name, needsUpdatedAtOrder }) => !needsUpdatedAtOrder && !(name in query),
      );
      expect(lost).toEqual([]);
    }
  });

  test('has an equivalent command', () => {
    const typed = Object.fromEntries(
      filtersOf(list, administrator).map(({ name, kind }) => [name, values[kind]]),
    );
    const found = queryOf({ ...typed, list, whose: 'ada', search: "it's $HOME" }, administrator);
    expectParsed(
      [projectFindCommand('work', found), { command: 'project find', options: { instance: 'work' } }],
      [projectCommand],
    );
  });
});

test('every parameter that selects projects is offered as a filter', () => {
  const offered = filtersOf('all', administrator).map(({ name }) => name);
  const otherParameters = ['order_by', 'search', 'simple', 'sort', 'statistics', 'with_custom_attributes'];
  expect([...offered, ...otherParameters].sort()).toEqual(Object.keys(projectQuerySchema.shape).sort());
});

test('administrators are offered more filters and orders, and anonymous users fewer filters', () => {
  const names = (user: typeof account) => filtersOf('all', user).map(({ name }) => name);
  expect(names(administrator)).toContain('include_pending_delete');
  expect(names(account)).not.toContain('include_pending_delete');
  expect(names(account)).toContain('owned');
  expect(names(anonymousUser)).not.toContain('owned');
  expect(ordersOf('all', account, {})).not.toContain('repository_size');
  expect(ordersOf('all', administrator, {})).toContain('repository_size');
});

test('the order by similarity is offered only for a search among own projects', () => {
  expect(ordersOf('all', account, { search: 'maps' })).not.toContain('similarity');
  expect(ordersOf('all', account, { search: 'maps', membership: true })).toContain('similarity');
  expect(queryOf({ order_by: 'similarity', search: 'maps' }).query).toEqual({ search: 'maps' });
});

test('filters that the list does not have, and invalid values, are left out', () => {
  expect(
    queryOf({ list: 'contributed', whose: ' ada ', search: 'maps', archived: 'true', order_by: 'name' }),
  ).toEqual({ list: 'contributed', subject: 'ada', query: { order_by: 'name' } });
  expect(
    queryOf({ list: 'nonsense', archived: 'maybe', id_after: '-1', visibility: 'secret', topic: ' ' }),
  ).toEqual({ list: 'all', subject: null, query: {} });
  expect(queryOf({ whose: 'ada' }).subject).toBeNull();
  expect(queryOf({ list: 'user', whose: ' ' }).subject).toBeNull();
});

test('the value "No" is sent only for filters for which the instance supports it', () => {
  expect(queryOf({ archived: 'false', membership: 'false' }).query).toEqual({ archived: false });
});

test.each([
  [
    'a day is in the time zone of this machine, and the last day is included completely',
    '2024-01-31',
    '2024-01-31',
  ],
  ['a time of day is in the time zone of this machine', '2024-01-31T14:30', '2024-01-31T14:30'],
  ['the daylight saving time of that day applies', '2024-07-01', '2024-07-01T09:05'],
])('in a time filter, %s', (_, from, until) => {
  const { query } = queryOf({ last_activity_after: from, last_activity_before: until });
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
  'the invalid time %s is left out',
  (typed) => {
    expect(queryOf({ last_activity_after: typed }).query).toEqual({});
  },
);

test('a filter by the time of the last change is sent only with the order by that time', () => {
  const from = { updated_after: '2026-11-20' };
  expect(queryOf(from).query).toEqual({});
  expect(queryOf({ ...from, order_by: 'updated_at' }).query).toEqual({
    updated_after: '2026-11-19T23:00:00Z',
    order_by: 'updated_at',
  });
});

test('each kind of list has its kind of subject: none, a user, a project or a group', () => {
  expect(projectListKinds.map((list) => subjectKindOf(list))).toEqual([
    null,
    'user',
    'user',
    'user',
    'project',
    'group',
  ]);
});

test('the command contains the list, the negated filters and the custom attributes', () => {
  const understood = (found: Parameters<typeof projectFindCommand>[1], options: Record<string, unknown>) => {
    expectParsed(
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
