/** @file The specification: the lists of projects. */
import type { OperationId } from '../../../src-contract/operations.ts';
import { listFilters } from '../../../src-contract/projects/list-filters.ts';
import type { Specified, Parameter } from './specified.ts';
import {
  badPageOfProjects,
  badScope,
  badToken,
  noUser,
  onProject,
  projectPageLimits,
  projectPages,
  readRefusals,
  rateLimited,
} from './shared.ts';

const ofUser = {
  name: 'user_id',
  type: 'string',
  in: 'path',
  required: true,
  note: 'ID or username',
} as const satisfies Parameter;

const badFilter = [
  ...badPageOfProjects,
  { status: 400, when: 'a value is not valid (gitlab-facts 1.2)' },
  {
    status: 400,
    when: 'updated_after or updated_before without order_by=updated_at, since 15.x (gitlab-facts 1.3, 10)',
  },
] as const;
const refusals = [badToken, badScope, rateLimited, ...badFilter] as const;

export const projectListOperations = {
  'list-projects': {
    document: 1,
    title: 'List all projects',
    parameters: [...listFilters['list-projects'], ...projectPages],
    successStatuses: [200],
    refusals,
    limits: [
      ...projectPageLimits,
      'updated_after and updated_before are effective only with order_by=updated_at.',
      'Without a token only public projects with simple fields.',
      '2,000 requests in 10 minutes for a user, 400 for an address without a token (gitlab-facts 4).',
    ],
  },
  'list-user-projects': {
    document: 1,
    title: 'List user projects',
    parameters: [ofUser, ...listFilters['list-user-projects'], ...projectPages],
    successStatuses: [200],
    refusals: [...refusals, noUser],
    limits: [
      ...projectPageLimits,
      "Only projects in the user's own namespace; none of a user whose profile is private.",
      'Without a token only public projects.',
      '300 requests in a minute (gitlab-facts 4).',
    ],
  },
  'list-contributed-projects': {
    document: 1,
    title: 'List projects a user has contributed to',
    parameters: [ofUser, ...listFilters['list-contributed-projects'], ...projectPages],
    successStatuses: [200],
    refusals: [...refusals, noUser],
    limits: [...projectPageLimits, '100 requests in a minute (gitlab-facts 4).'],
  },
  'list-starred-projects': {
    document: 1,
    title: 'List projects starred by a user',
    parameters: [ofUser, ...listFilters['list-starred-projects'], ...projectPages],
    successStatuses: [200],
    refusals: [...refusals, noUser],
    limits: [
      ...projectPageLimits,
      'Without a token only public projects.',
      '100 requests in a minute (gitlab-facts 4).',
    ],
  },
  'list-forks': {
    document: 1,
    title: 'List forks of a project',
    parameters: [onProject, ...listFilters['list-forks'], ...projectPages],
    successStatuses: [200],
    refusals: [...readRefusals, ...badFilter],
    limits: [...projectPageLimits, 'Only forks that the caller may see.'],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
