/** @file The specification: operations that read one project. */
import type { OperationId } from '../../../src-contract/operations.ts';
import type { Specified, Parameter } from './specified.ts';
import { badPage, onProject, pageLimit, pages, readRefusals } from './shared.ts';

const search = { name: 'search', type: 'string' } as const satisfies Parameter;
const listRefusals = [...readRefusals, badPage] as const;

export const projectDetailOperations = {
  'get-project': {
    document: 1,
    title: 'Get single project',
    parameters: [
      onProject,
      { name: 'license', type: 'boolean' },
      { name: 'statistics', type: 'boolean', minRole: 'reporter' },
      { name: 'with_custom_attributes', type: 'boolean', administratorsOnly: true },
    ],
    successStatuses: [200],
    refusals: readRefusals,
    limits: ['400 requests in a minute for a user (gitlab-facts 4).'],
  },
  'list-project-users': {
    document: 1,
    title: 'Get project users',
    parameters: [
      onProject,
      search,
      { name: 'skip_users', type: 'list of integers', note: 'IDs of users to leave out' },
      ...pages,
    ],
    successStatuses: [200],
    refusals: listRefusals,
    limits: [pageLimit],
  },
  'list-project-groups': {
    document: 1,
    title: "List a project's groups",
    parameters: [
      onProject,
      search,
      { name: 'shared_min_access_level', type: 'integer' },
      { name: 'shared_visible_only', type: 'boolean' },
      { name: 'skip_groups', type: 'list of integers', note: 'IDs of groups to leave out' },
      { name: 'with_shared', type: 'boolean', defaultValue: false },
      ...pages,
    ],
    successStatuses: [200],
    refusals: listRefusals,
    limits: [pageLimit],
  },
  'list-share-locations': {
    document: 1,
    title: "List a project's shareable groups",
    parameters: [onProject, search, ...pages],
    successStatuses: [200],
    refusals: listRefusals,
    limits: [pageLimit],
  },
  'list-starrers': {
    document: 1,
    title: 'Star, unstar, starrers',
    parameters: [onProject, search, ...pages],
    successStatuses: [200],
    refusals: listRefusals,
    limits: [pageLimit],
  },
  'get-languages': {
    document: 1,
    title: 'Languages',
    parameters: [onProject],
    successStatuses: [200],
    refusals: readRefusals,
    limits: [],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
