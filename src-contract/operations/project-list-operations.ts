/** @file Specification: the lists of projects. */
import type { Operation, Parameter } from './operation.ts';
import {
  badPageOfProjects,
  badScope,
  badToken,
  noUser,
  onProject,
  projectPageLimits,
  projectPages,
  readRefusals,
  tooOften,
} from './shared.ts';

const ofUser = {
  name: 'user_id',
  type: 'string',
  in: 'path',
  required: true,
  note: 'ID or username',
} as const satisfies Parameter;

const simple = {
  name: 'simple',
  type: 'boolean',
  note: 'limited fields; no-op when unauthenticated',
} as const satisfies Parameter;
const sort = {
  name: 'sort',
  type: 'string',
  values: ['asc', 'desc'],
  standard: 'desc',
} as const satisfies Parameter;
const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const;
const sizeOrders = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const;
const orderBy = {
  name: 'order_by',
  type: 'string',
  values: orders,
  standard: 'created_at',
} as const satisfies Parameter;

/** What every list but that of contributions is filtered by. */
const filters = [
  { name: 'archived', type: 'boolean', contrary: true, note: 'by archived status' },
  { name: 'membership', type: 'boolean', note: 'the caller is a member' },
  { name: 'min_access_level', type: 'integer', note: 'minimal role of the caller (access_level)' },
  { name: 'owned', type: 'boolean', note: 'explicitly owned by the caller' },
  { name: 'search', type: 'string' },
  simple,
  sort,
  { name: 'starred', type: 'boolean', note: 'starred by the caller' },
  { name: 'statistics', type: 'boolean', minRole: 'reporter' },
  { name: 'updated_after', type: 'datetime', note: 'only effective with order_by=updated_at' },
  { name: 'updated_before', type: 'datetime', note: 'only effective with order_by=updated_at' },
  { name: 'visibility', type: 'string', values: ['public', 'internal', 'private'] },
  { name: 'with_custom_attributes', type: 'boolean', administratorsOnly: true },
  { name: 'with_issues_enabled', type: 'boolean' },
  { name: 'with_merge_requests_enabled', type: 'boolean' },
] as const satisfies readonly Parameter[];

const ids = [
  { name: 'id_after', type: 'integer', note: 'IDs greater than' },
  { name: 'id_before', type: 'integer', note: 'IDs less than' },
] as const satisfies readonly Parameter[];
const language = { name: 'with_programming_language', type: 'string' } as const satisfies Parameter;

const badFilter = [
  ...badPageOfProjects,
  { status: 400, when: 'a value is not valid (gitlab-facts 1.2)' },
  {
    status: 400,
    when: 'updated_after or updated_before without order_by=updated_at, since 15.x (gitlab-facts 1.3, 10)',
  },
] as const;
const refusals = [badToken, badScope, tooOften, ...badFilter] as const;

export const projectListOperations = [
  {
    id: 'list-projects',
    document: 1,
    title: 'List all projects',
    method: 'GET',
    path: '/projects',
    parameters: [
      ...filters,
      ...ids,
      { name: 'imported', type: 'boolean', note: 'imported from external systems by the caller' },
      { name: 'include_hidden', type: 'boolean', administratorsOnly: true, tier: 'higher' },
      { name: 'include_pending_delete', type: 'boolean', administratorsOnly: true },
      { name: 'last_activity_after', type: 'datetime' },
      { name: 'last_activity_before', type: 'datetime' },
      {
        name: 'order_by',
        type: 'string',
        values: [...orders, 'similarity', ...sizeOrders],
        administratorsOnlyValues: sizeOrders,
        standard: 'created_at',
        note: 'similarity only with search, and then among projects the caller is a member of',
      },
      { name: 'repository_checksum_failed', type: 'boolean', tier: 'higher' },
      { name: 'wiki_checksum_failed', type: 'boolean', tier: 'higher' },
      { name: 'repository_storage', type: 'string', administratorsOnly: true },
      {
        name: 'search_namespaces',
        type: 'boolean',
        standard: false,
        note: 'search matches ancestor namespaces, too',
      },
      { name: 'topic', type: 'string', note: 'comma-separated names; projects must match all' },
      { name: 'topic_id', type: 'integer' },
      language,
      { name: 'marked_for_deletion_on', type: 'date', tier: 'higher' },
      { name: 'custom_attributes[<key>]', type: 'string', note: 'by custom attribute' },
      ...projectPages,
    ],
    answers: [200],
    refusals,
    who: 'anyone',
    limits: [
      ...projectPageLimits,
      'updated_after and updated_before are effective only with order_by=updated_at.',
      'Without a token only public projects with simple fields.',
      '2,000 requests in 10 minutes for a user, 400 for an address without a token (gitlab-facts 4).',
    ],
  },
  {
    id: 'list-user-projects',
    document: 1,
    title: 'List user projects',
    method: 'GET',
    path: '/users/:user_id/projects',
    parameters: [ofUser, ...filters, ...ids, orderBy, language, ...projectPages],
    answers: [200],
    refusals: [...refusals, noUser],
    who: 'anyone',
    limits: [
      ...projectPageLimits,
      "Only projects in the user's own namespace; none of a user whose profile is private.",
      'Without a token only public projects.',
      '300 requests in a minute (gitlab-facts 4).',
    ],
  },
  {
    id: 'list-contributed-projects',
    document: 1,
    title: 'List projects a user has contributed to',
    method: 'GET',
    path: '/users/:user_id/contributed_projects',
    parameters: [ofUser, orderBy, simple, sort, ...projectPages],
    answers: [200],
    refusals: [...refusals, noUser],
    who: 'anyone',
    limits: [...projectPageLimits, '100 requests in a minute (gitlab-facts 4).'],
  },
  {
    id: 'list-starred-projects',
    document: 1,
    title: 'List projects starred by a user',
    method: 'GET',
    path: '/users/:user_id/starred_projects',
    parameters: [ofUser, ...filters, orderBy, ...projectPages],
    answers: [200],
    refusals: [...refusals, noUser],
    who: 'anyone',
    limits: [
      ...projectPageLimits,
      'Without a token only public projects.',
      '100 requests in a minute (gitlab-facts 4).',
    ],
  },
  {
    id: 'list-forks',
    document: 1,
    title: 'List forks of a project',
    method: 'GET',
    path: '/projects/:id/forks',
    parameters: [onProject, ...filters, orderBy, ...projectPages],
    answers: [200],
    refusals: [...readRefusals, ...badFilter],
    who: 'reader',
    limits: [...projectPageLimits, 'Only forks that the caller may see.'],
  },
] as const satisfies readonly Operation[];
