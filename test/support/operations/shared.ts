/** @file The shared facts of many operations: the address of a project, pages, and the common refusals. */
import type { Parameter, Refusal } from './specified.ts';

/** The project in the address. */
export const onProject = {
  name: 'id',
  type: 'integer or string',
  in: 'path',
  required: true,
  note: 'ID or URL-encoded full path',
} as const satisfies Parameter;

/** Pages by number (gitlab-facts 3). */
export const pages = [
  { name: 'page', type: 'integer', defaultValue: 1 },
  { name: 'per_page', type: 'integer', defaultValue: 20, note: 'at most 100; more counts as 100' },
] as const satisfies readonly Parameter[];

/** Pages of projects; beyond 50,000, GitLab returns only pages by keyset. */
export const projectPages = [
  ...pages,
  { name: 'pagination', type: 'string', values: ['keyset'], note: 'only together with order_by=id' },
] as const satisfies readonly Parameter[];

export const pageLimit = 'Above 10,000 rows the reply omits the total (gitlab-facts 3).' as const;
export const projectPageLimits = [
  'Pages by number reach at most 50,000 records; beyond that keyset pagination is required.',
  'Keyset pagination supports only order_by=id.',
  pageLimit,
] as const;

export const badPage = {
  status: 400,
  when: 'page or per_page is 0 or negative (gitlab-facts 3)',
} as const satisfies Refusal;
export const badPageOfProjects = [
  badPage,
  { status: 405, when: 'a page by number ends beyond 50,000 records (gitlab-facts 3)' },
  { status: 405, when: 'keyset pagination is requested with another order than id (gitlab-facts 3)' },
] as const satisfies readonly Refusal[];

export const badToken = {
  status: 401,
  when: 'the token is missing, unknown, expired or revoked (gitlab-facts 1.2)',
} as const satisfies Refusal;
export const badScope = {
  status: 403,
  when: "the token's scopes do not allow it (gitlab-facts 1.2)",
} as const satisfies Refusal;
export const badValue = {
  status: 400,
  when: 'a required parameter is missing or a value is not valid (gitlab-facts 1.2)',
} as const satisfies Refusal;
export const rateLimited = {
  status: 429,
  when: 'a rate limit is exceeded (gitlab-facts 4)',
} as const satisfies Refusal;
export const noUser = {
  status: 404,
  when: 'there is no such user (gitlab-facts 1.2)',
} as const satisfies Refusal;

const noProject = {
  status: 404,
  when: 'there is no such project, or the caller may not see it (gitlab-facts 1.2)',
} as const satisfies Refusal;

/** Refusals of requests that read a project. */
export const readRefusals = [
  { status: 301, when: 'the project was moved (gitlab-facts 1.2)' },
  badToken,
  badScope,
  noProject,
  rateLimited,
] as const satisfies readonly Refusal[];

/** Refusals of requests that change a project. */
export const writeRefusals = [
  badToken,
  badScope,
  { status: 403, when: "the caller's role is too low (gitlab-facts 1.2)" },
  noProject,
  { status: 405, when: 'the project was moved (gitlab-facts 1.2)' },
  rateLimited,
] as const satisfies readonly Refusal[];
