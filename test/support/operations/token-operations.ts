/** @file The specification: personal access tokens. Users act on their own tokens only, administrators on all. */
import type { OperationId } from '../../../src-contract/operations.ts';
import type { Specified, Parameter } from './specified.ts';
import { badPage, badScope, badToken, pageLimit, pages, rateLimited } from './shared.ts';

const tokenId = {
  name: 'id',
  type: 'integer or string',
  in: 'path',
  required: true,
} as const satisfies Parameter;
const expiresAt = {
  name: 'expires_at',
  type: 'date',
  since: '16.6',
  note: 'YYYY-MM-DD; default: one week after the rotation',
} as const satisfies Parameter;

const missing = { status: 404, when: 'the caller is an administrator and the token does not exist' } as const;
const unsuccessful = {
  status: 400,
  when: 'the rotation is unsuccessful, as with a token that is revoked already',
} as const;
const reuse = {
  status: 401,
  when: 'the calling token is revoked; the active token of its family is then revoked, too, from 16.3',
} as const;
const rotationLimits = [
  'The new token expires after one week unless expires_at is given.',
  'expires_at is at most one year after the day of the rotation.',
] as const;

export const tokenOperations = {
  'list-tokens': {
    document: 3,
    title: 'List personal access tokens',
    parameters: [
      { name: 'created_after', type: 'datetime', since: '15.5' },
      { name: 'created_before', type: 'datetime', since: '15.5' },
      { name: 'last_used_after', type: 'datetime', since: '15.5' },
      { name: 'last_used_before', type: 'datetime', since: '15.5' },
      { name: 'revoked', type: 'boolean', since: '15.5' },
      { name: 'search', type: 'string', since: '15.5', note: 'the name contains it' },
      { name: 'state', type: 'string', values: ['active', 'inactive'], since: '15.5' },
      { name: 'user_id', type: 'integer or string', note: 'of another user for administrators only' },
      ...pages,
    ],
    successStatuses: [200],
    refusals: [
      badToken,
      badScope,
      badPage,
      { status: 400, when: 'a value is not valid (gitlab-facts 9)' },
      { status: 401, when: 'the caller is no administrator and user_id is that of another user' },
      { status: 404, when: 'the caller is an administrator and there is no such user (gitlab-facts 9)' },
      rateLimited,
    ],
    limits: ["An administrator sees all tokens, another user only the user's own.", pageLimit],
  },
  'get-token': {
    document: 3,
    title: 'Get a token by ID',
    parameters: [tokenId],
    successStatuses: [200],
    refusals: [
      badToken,
      badScope,
      { status: 401, when: 'the caller has no access to that token, or it does not exist' },
      missing,
      rateLimited,
    ],
    limits: [],
  },
  'get-own-token': {
    document: 3,
    title: 'Get the calling token',
    parameters: [],
    successStatuses: [200],
    refusals: [
      badToken,
      { status: 400, when: 'the token is no personal access token, from 17.8 (gitlab-facts 9)' },
      rateLimited,
    ],
    limits: ['Any scope is sufficient (gitlab-facts 9).'],
  },
  'rotate-token': {
    document: 3,
    title: 'Rotate by ID',
    parameters: [tokenId, expiresAt],
    body: ['json', 'form'],
    successStatuses: [200],
    refusals: [
      badToken,
      badScope,
      unsuccessful,
      { status: 400, when: 'expires_at is later than one year after the rotation (gitlab-facts 9)' },
      { status: 401, when: 'the caller has no access to the token, or it does not exist' },
      reuse,
      missing,
      rateLimited,
    ],
    limits: rotationLimits,
  },
  'rotate-own-token': {
    document: 3,
    title: 'Rotate the calling token',
    parameters: [expiresAt],
    body: ['json', 'form'],
    successStatuses: [200],
    refusals: [
      unsuccessful,
      { status: 400, when: 'expires_at is later than one year after the rotation (gitlab-facts 9)' },
      { status: 401, when: 'the token does not exist, has expired, or has been revoked' },
      reuse,
      { status: 403, when: 'the token is not allowed to rotate itself' },
      { status: 405, when: 'the token is not a personal access token' },
      rateLimited,
    ],
    limits: [...rotationLimits, 'Requires the scope api, or self_rotate from 17.9 (gitlab-facts 9).'],
  },
  'revoke-token': {
    document: 3,
    title: 'Revoke by ID',
    parameters: [tokenId],
    successStatuses: [204],
    refusals: [
      { status: 400, when: "the revocation is unsuccessful, as of another user's token (gitlab-facts 9)" },
      { status: 401, when: 'the access token is invalid' },
      { status: 403, when: 'the access token lacks the required permissions' },
      { status: 404, when: 'the token does not exist (gitlab-facts 9)' },
      rateLimited,
    ],
    limits: [],
  },
  'revoke-own-token': {
    document: 3,
    title: 'Revoke the calling token',
    parameters: [],
    successStatuses: [204],
    refusals: [
      { status: 400, when: 'the revocation is unsuccessful' },
      { status: 401, when: 'the access token is invalid' },
      rateLimited,
    ],
    limits: ['Any scope is sufficient; from 15.0 to 15.3 only api.'],
  },
} as const satisfies Partial<Record<OperationId, Specified>>;
