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
    expect(row.successStatuses.every((status) => status >= 200 && status < 400)).toBe(true);
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

const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'];
const sizeOrders = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'];

test.each([
  ['list-projects', [...orders, 'similarity', ...sizeOrders], sizeOrders],
  ['list-user-projects', orders, []],
  ['list-contributed-projects', orders, []],
  ['list-starred-projects', orders, []],
  ['list-forks', orders, []],
] as const)('%s orders by the values of the specification', (id, values, administratorsOnlyValues) => {
  const found = specified[id].parameters.find(({ name }) => name === 'order_by');
  expect(found?.values).toEqual(values);
  expect(found?.administratorsOnlyValues ?? []).toEqual(administratorsOnlyValues);
});

test.each([
  [
    'list-projects',
    `archived id_after id_before imported include_hidden include_pending_delete last_activity_after
    last_activity_before membership min_access_level order_by owned repository_checksum_failed
    wiki_checksum_failed repository_storage search_namespaces search simple sort starred statistics topic_id
    topic updated_after updated_before visibility with_custom_attributes with_issues_enabled
    with_merge_requests_enabled with_programming_language marked_for_deletion_on custom_attributes[<key>]`,
  ],
  [
    'list-user-projects',
    `user_id archived id_after id_before membership min_access_level owned search simple sort starred
    statistics updated_after updated_before visibility with_custom_attributes with_issues_enabled
    with_merge_requests_enabled with_programming_language order_by`,
  ],
  ['list-contributed-projects', 'user_id order_by simple sort'],
  [
    'list-starred-projects',
    `user_id archived membership min_access_level order_by owned search simple sort starred statistics
    updated_after updated_before visibility with_custom_attributes with_issues_enabled
    with_merge_requests_enabled`,
  ],
  ['get-project', 'id license statistics with_custom_attributes'],
  ['list-project-users', 'id search skip_users'],
  ['list-project-groups', 'id search shared_min_access_level shared_visible_only skip_groups with_shared'],
  ['list-share-locations', 'id search'],
  [
    'fork-project',
    `id branches description name path mr_default_target_self namespace_id namespace_path namespace
    visibility`,
  ],
  [
    'list-forks',
    `id archived membership min_access_level order_by owned search simple sort starred statistics
    updated_after updated_before visibility with_custom_attributes with_issues_enabled
    with_merge_requests_enabled`,
  ],
  ['list-starrers', 'id search'],
  ['delete-project', 'id full_path permanently_remove'],
  ['start-export', 'id description upload upload[url] upload[http_method]'],
  ['import-file', 'file path name namespace override_params overwrite'],
  ['import-remote-file', 'url path name namespace overwrite override_params'],
  ['import-relation', 'file path relation'],
  [
    'import-from-s3',
    `access_key_id secret_access_key bucket_name file_key region path name namespace override_params`,
  ],
  [
    'list-tokens',
    `created_after created_before last_used_after last_used_before revoked search state user_id`,
  ],
  ['rotate-token', 'id expires_at'],
] as const)('%s has exactly the parameters of the specification, besides those about pages', (id, names) => {
  const aboutPages = ['page', 'per_page', 'pagination'];
  const found = specified[id].parameters.map(({ name }) => name).filter((name) => !aboutPages.includes(name));
  expect(found.toSorted()).toEqual(names.split(/\s+/).toSorted());
});
