/** @file Compares the list of operations with the specification, and its rows with each other. */
import { describe, expect, test } from 'vitest';
import { endpointOf, operation, operations as known } from '../../../src-contract/operations.ts';
import { attributesFor } from '../../../src-contract/projects/project-attributes.ts';
import { operations, specified } from '../../support/operations/operations.ts';

const endpoints = {
  1: [
    'GET /projects',
    'GET /users/:user_id/projects',
    'GET /users/:user_id/contributed_projects',
    'GET /users/:user_id/starred_projects',
    'GET /projects/:id',
    'GET /projects/:id/users',
    'GET /projects/:id/groups',
    'GET /projects/:id/share_locations',
    'POST /projects',
    'POST /projects/user/:user_id',
    'PUT /projects/:id',
    'POST /projects/:id/fork',
    'GET /projects/:id/forks',
    'POST /projects/:id/star',
    'POST /projects/:id/unstar',
    'GET /projects/:id/starrers',
    'GET /projects/:id/languages',
    'POST /projects/:id/archive',
    'POST /projects/:id/unarchive',
    'DELETE /projects/:id',
    'POST /projects/:id/restore',
    'POST /projects/:id/uploads',
    'GET /projects/:id/uploads',
    'GET /projects/:id/uploads/:upload_id',
  ],
  2: [
    'POST /projects/:id/export',
    'GET /projects/:id/export',
    'GET /projects/:id/export/download',
    'POST /projects/import',
    'POST /projects/remote-import',
    'POST /projects/import-relation',
    'GET /projects/:id/relation-imports',
    'POST /projects/remote-import-s3',
    'GET /projects/:id/import',
  ],
  3: [
    'GET /personal_access_tokens',
    'GET /personal_access_tokens/:id',
    'GET /personal_access_tokens/self',
    'POST /personal_access_tokens/:id/rotate',
    'POST /personal_access_tokens/self/rotate',
    'DELETE /personal_access_tokens/:id',
    'DELETE /personal_access_tokens/self',
  ],
};

describe('the list of operations', () => {
  test.each([1, 2, 3] as const)('has exactly the endpoints of document %i', (document) => {
    const listed = operations.filter((row) => row.document === document).map(endpointOf);
    expect(listed.toSorted()).toEqual(endpoints[document].toSorted());
  });

  test('has 40 operations, each under one id', () => {
    expect(operations).toHaveLength(40);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(40);
    for (const row of known) expect(operation(row.id)).toBe(row);
  });
});

describe.each(operations)('$id', (row) => {
  test('names each parameter once, and marks those in its path as required', () => {
    const names = row.parameters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const inAddress = row.parameters.filter((parameter) => parameter.in === 'path');
    expect(inAddress.map(({ name }) => `:${name}`)).toEqual(row.path.match(/:\w+/g) ?? []);
    expect(inAddress.every(({ required }) => required === true)).toBe(true);
  });

  test('has defaults and values for administrators that are allowed values, if the values are limited', () => {
    for (const { values, defaultValue, administratorsOnlyValues = [] } of row.parameters) {
      if (values === undefined) continue;
      if (defaultValue !== undefined) expect(values).toContain(defaultValue);
      expect(values).toEqual(expect.arrayContaining([...administratorsOnlyValues]));
    }
  });

  test('states the format of its body if it has one, and refuses only with redirects or client errors', () => {
    const inBody = row.parameters.some((parameter) => parameter.in === undefined);
    const hasBody = row.method !== 'GET' && row.method !== 'DELETE' && (inBody || 'attributes' in row);
    expect(row.body !== undefined).toBe(hasBody);
    if (row.parameters.some(({ type }) => type === 'file')) expect(row.body).toEqual(['multipart']);
    expect(row.answers.every((status) => status >= 200 && status < 400)).toBe(true);
    for (const { status, when } of row.refusals) {
      expect(status === 301 || status === 304 || (status >= 400 && status < 500), when).toBe(true);
    }
  });

  test('lists each refusal once', () => {
    const whens = row.refusals.map(({ status, when }) => `${status} ${when}`);
    expect(whens.filter((when, at) => whens.indexOf(when) !== at)).toEqual([]);
  });
});

test('every use of the attributes belongs to one operation', () => {
  expect(operations.flatMap(({ attributes }) => attributes ?? [])).toEqual(['create', 'createFor', 'edit']);
  for (const use of ['create', 'createFor', 'edit'] as const) {
    expect(attributesFor(use).length).toBeGreaterThan(60);
  }
});

test.each([
  ['list-projects', 'order_by', { values: 11, administratorsOnlyValues: 4 }],
  ['list-user-projects', 'order_by', { values: 6, administratorsOnlyValues: 0 }],
] as const)('%s has as many values of %s as the specification', (id, name, counts) => {
  const found = specified[id].parameters.find((parameter) => parameter.name === name);
  expect(found?.values).toHaveLength(counts.values);
  expect(found?.administratorsOnlyValues ?? []).toHaveLength(counts.administratorsOnlyValues);
});

test.each([
  ['list-projects', 32],
  ['list-user-projects', 20],
  ['list-contributed-projects', 4],
  ['list-starred-projects', 17],
  ['get-project', 4],
  ['list-project-users', 3],
  ['list-project-groups', 6],
  ['list-share-locations', 2],
  ['fork-project', 10],
  ['list-forks', 17],
  ['list-starrers', 2],
  ['delete-project', 3],
  ['start-export', 5],
  ['import-file', 6],
  ['import-remote-file', 6],
  ['import-relation', 3],
  ['import-from-s3', 9],
  ['list-tokens', 8],
  ['rotate-token', 2],
] as const)('%s has the %i parameters of its table in the specification', (id, count) => {
  const aboutPages = ['page', 'per_page', 'pagination'];
  expect(specified[id].parameters.filter(({ name }) => !aboutPages.includes(name))).toHaveLength(count);
});
