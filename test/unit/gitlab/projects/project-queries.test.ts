import { expect, test } from 'vitest';
import type { ProjectQuery } from '../../../../src-contract/projects/project-details.ts';
import { validateQuery } from '../../../../src-main/gitlab/projects/project-queries.ts';

const all = { operation: 'list-projects', anonymous: false, keyset: false } as const;

test.each<[string, ProjectQuery, Partial<Parameters<typeof validateQuery>[1]>, RegExp]>([
  [
    'a time of the last change without the order by that time',
    { updated_after: '2026-01-01' },
    {},
    /order_by=updated_at/,
  ],
  ['the order by similarity without a search', { order_by: 'similarity', membership: true }, {}, /search/],
  ['the order by similarity among all projects', { order_by: 'similarity', search: 'x' }, {}, /membership/],
  ['keyset pagination with another order', { order_by: 'name' }, { keyset: true }, /order_by=id/],
  ['keyset pagination without an order', {}, { keyset: true }, /order_by=id/],
  ['statistics without an account', { statistics: true }, { anonymous: true }, /account/],
  ['membership without an account', { membership: true }, { anonymous: true }, /account/],
  [
    'a filter of another list',
    { topic: 'x' },
    { operation: 'list-user-projects' },
    /cannot be filtered by "topic"/,
  ],
  [
    'a search in the list of contributed projects',
    { search: 'x' },
    { operation: 'list-contributed-projects' },
    /"search"/,
  ],
  ['an order of another list', { order_by: 'storage_size' }, { operation: 'list-forks' }, /one of id, name/],
  [
    'custom attributes of another list',
    { custom_attributes: { a: 'b' } },
    { operation: 'list-forks' },
    /custom/,
  ],
  ['a time that is not valid', { last_activity_after: 'soon' }, {}, /must be a time/],
])('%s is rejected with the reason', (_, query, use, reason) => {
  expect(() => validateQuery(query, { ...all, ...use })).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      message: expect.stringMatching(reason) as string,
    }) as Error,
  );
});

test('custom attributes are sent by key', () => {
  expect(validateQuery({ search: 's', custom_attributes: { a: 'b' } }, all)).toEqual({
    search: 's',
    'custom_attributes[a]': 'b',
  });
});

test('parameters that may be combined are returned unchanged', () => {
  const query: ProjectQuery = {
    updated_after: '2026-01-01T00:00:00Z',
    order_by: 'updated_at',
    membership: false,
  };
  expect(validateQuery(query, { ...all, anonymous: true })).toEqual(query);
  expect(validateQuery({ order_by: 'id' }, { ...all, keyset: true })).toEqual({ order_by: 'id' });
});
