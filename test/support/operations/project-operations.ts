/** @file The specification: operations that change projects. */
import type { OperationId } from '../../../src-contract/operations.ts';
import type { Specified } from './specified.ts';
import { badScope, badToken, onProject, rateLimited, writeRefusals } from './shared.ts';

const creating = [
  badToken,
  badScope,
  {
    status: 400,
    when: 'a name, path, visibility or namespace is not valid or taken (gitlab-facts 1.2, 1.3)',
  },
  {
    status: 400,
    when: 'initialize_with_readme together with a non-empty import_url, with the error "not a git repository"',
  },
  { status: 403, when: "the user's limit of projects is reached (gitlab-facts 1.3)" },
  { status: 403, when: 'the import source of import_url is disabled (gitlab-facts 1.3)' },
  { status: 422, when: 'the repository of import_url cannot be reached (gitlab-facts 1.3)' },
  rateLimited,
] as const;

export const projectOperations = {
  'create-project': {
    document: 1,
    title: 'Create project',
    parameters: [],
    attributes: 'create',
    body: ['json', 'form', 'multipart'],
    successStatuses: [201],
    refusals: creating,
    limits: ['Names and paths have at most 255 characters, descriptions 2,000 (gitlab-facts 7.1).'],
  },
  'create-project-for-user': {
    document: 1,
    title: 'Create project for user',
    parameters: [{ name: 'user_id', type: 'integer', in: 'path', required: true }],
    attributes: 'createFor',
    body: ['json', 'form', 'multipart'],
    successStatuses: [201],
    refusals: [
      ...creating,
      { status: 403, when: 'the caller is no administrator (gitlab-facts 1.3)' },
      { status: 404, when: 'there is no such user (gitlab-facts 1.3)' },
    ],
    limits: ['Names and paths have at most 255 characters, descriptions 2,000 (gitlab-facts 7.1).'],
  },
  'edit-project': {
    document: 1,
    title: 'Edit project',
    parameters: [onProject],
    attributes: 'edit',
    body: ['json', 'form', 'multipart'],
    successStatuses: [200],
    refusals: [
      ...writeRefusals,
      { status: 400, when: 'nothing to change is sent, or a value is not valid or taken (gitlab-facts 1.2)' },
    ],
    limits: [
      'An attribute of a tier that the instance lacks is accepted and left as it was (gitlab-facts 2.1).',
      'Names and paths have at most 255 characters, descriptions 2,000 (gitlab-facts 7.1).',
    ],
  },
  'fork-project': {
    document: 1,
    title: 'Fork project',
    parameters: [
      onProject,
      { name: 'branches', type: 'string', note: 'empty: all branches' },
      { name: 'description', type: 'string' },
      { name: 'name', type: 'string' },
      { name: 'path', type: 'string' },
      { name: 'mr_default_target_self', type: 'boolean' },
      { name: 'namespace_id', type: 'integer', note: "default: the caller's namespace" },
      { name: 'namespace_path', type: 'string' },
      { name: 'namespace', type: 'integer or string', replacedBy: 'namespace_id or namespace_path' },
      { name: 'visibility', type: 'string', values: ['private', 'internal', 'public'] },
    ],
    body: ['json', 'form'],
    successStatuses: [201],
    refusals: [
      ...writeRefusals,
      {
        status: 400,
        when: 'more than one of namespace, namespace_id and namespace_path is sent (gitlab-facts 1.2)',
      },
      {
        status: 404,
        when: 'the project may not be forked, or the target namespace or the branch does not exist (gitlab-facts 1.3)',
      },
      {
        status: 409,
        when: 'the name or path is taken, or a limit or the visibility forbids it (gitlab-facts 1.3)',
      },
    ],
    limits: ['Replies at once; import_status of the new project shows the end.'],
  },
  'star-project': {
    document: 1,
    title: 'Star, unstar, starrers',
    parameters: [onProject],
    successStatuses: [201],
    refusals: [...writeRefusals, { status: 304, when: 'the caller has starred it already' }],
    limits: [],
  },
  'unstar-project': {
    document: 1,
    title: 'Star, unstar, starrers',
    parameters: [onProject],
    successStatuses: [201],
    refusals: [...writeRefusals, { status: 304, when: 'the caller has not starred it' }],
    limits: [],
  },
  'archive-project': {
    document: 1,
    title: 'Archive, unarchive',
    parameters: [onProject],
    successStatuses: [201],
    refusals: [
      ...writeRefusals,
      {
        status: 400,
        when: 'it is archived already, from 18.9; before that nothing changes (gitlab-facts 1.3, 2)',
      },
      { status: 400, when: 'it is marked for deletion, from 18.9 (gitlab-facts 1.3)' },
    ],
    limits: [],
  },
  'unarchive-project': {
    document: 1,
    title: 'Archive, unarchive',
    parameters: [onProject],
    successStatuses: [201],
    refusals: writeRefusals,
    limits: [],
  },
  'delete-project': {
    document: 1,
    title: 'Delete project',
    parameters: [
      onProject,
      {
        name: 'full_path',
        type: 'string',
        tier: 'higher',
        note: "the project's path_with_namespace; used with permanently_remove",
      },
      {
        name: 'permanently_remove',
        type: 'boolean or string',
        tier: 'higher',
        note: 'deletes a project that is marked for deletion at once; requires full_path',
      },
    ],
    successStatuses: [202],
    refusals: [
      ...writeRefusals,
      {
        status: 400,
        when: 'it is marked for deletion already, without permanently_remove (gitlab-facts 1.3)',
      },
      {
        status: 400,
        when: 'permanently_remove of a project that is not marked for deletion (gitlab-facts 1.3)',
      },
      {
        status: 400,
        when: 'full_path is not its current path, which has a suffix while it is marked (gitlab-facts 1.3, 2.2)',
      },
      {
        status: 400,
        when: 'the instance does not permit permanently_remove, from 18.5 (gitlab-facts 1.3, 2.2)',
      },
      { status: 412, when: 'it changed since the time of If-Unmodified-Since (gitlab-facts 1.2)' },
    ],
    limits: [
      'Delayed on higher tiers, by default from 16.0, and on all from 18.0 (gitlab-facts 2.2); final after the configured delay, 30 days by default.',
    ],
  },
  'restore-project': {
    document: 1,
    title: 'Restore project marked for deletion',
    parameters: [onProject],
    successStatuses: [201],
    refusals: [
      ...writeRefusals,
      {
        status: 400,
        when: 'it is not marked for deletion, or its deletion is in progress (gitlab-facts 1.3)',
      },
    ],
    limits: ['Until the delay of deletion has passed; on all tiers from 18.0 (gitlab-facts 2.2).'],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
