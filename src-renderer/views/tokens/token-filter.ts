/** @file The filter of the list of tokens as stored in the address. Pure. */
import type { TokenFilter } from '../../../src-contract/tokens/token.ts';
import { momentOf } from '../shared/moments.ts';

export const filterParameters = [
  'search',
  'state',
  'revoked',
  'createdAfter',
  'createdBefore',
  'lastUsedAfter',
  'lastUsedBefore',
  'user',
] as const;
export type FilterParameter = (typeof filterParameters)[number];

/** Ignores unknown values. */
export function filterOf(parameter: (name: FilterParameter) => string | null): TokenFilter {
  const state = parameter('state');
  const revoked = parameter('revoked');
  const user = parameter('user') ?? '';
  const moment = (name: FilterParameter): string | null =>
    momentOf(parameter(name) ?? '', name.endsWith('Before') ? 'until' : 'from') ?? null;
  return {
    state: state === 'active' || state === 'inactive' ? state : null,
    revoked: revoked === 'yes' ? true : revoked === 'no' ? false : null,
    search: parameter('search'),
    createdAfter: moment('createdAfter'),
    createdBefore: moment('createdBefore'),
    lastUsedAfter: moment('lastUsedAfter'),
    lastUsedBefore: moment('lastUsedBefore'),
    user: isUserIdOrName(user) ? user.trim() : null,
  };
}

export const isUserIdOrName = (typed: string): boolean => /^[\w.-]{1,255}$/.test(typed.trim());
