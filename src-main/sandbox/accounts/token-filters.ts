/** @file Filters and sorts a list of tokens (gitlab-facts 16 and 9). */
import { parameterError } from '../requests/api-error.ts';
import { choiceOf, timeOf } from '../requests/query.ts';
import type { AccessToken, TokenRegistry } from './tokens.ts';
import type { User } from '../sandbox-database.ts';

export function filterTokens(
  tokens: TokenRegistry,
  owner: User | null,
  query: URLSearchParams,
): AccessToken[] {
  const created = parseRange(query, 'created', timeOf);
  const used = parseRange(query, 'last_used', timeOf);
  const expires = parseRange(query, 'expires', dateOf);
  const revoked = revokedOf(query);
  const state = choiceOf(query, 'state', ['active', 'inactive']);
  const search = (query.get('search') ?? '').toLowerCase();
  const order = orderOf(query);
  const isWanted = (token: AccessToken): boolean => {
    if (token.kind !== 'personal' || (owner !== null && token.user !== owner)) return false;
    if (revoked !== null && token.revoked !== revoked) return false;
    if (state !== null && tokens.isActive(token) !== (state === 'active')) return false;
    if (!token.name.toLowerCase().includes(search)) return false;
    return (
      isWithin(token.createdAt, created) &&
      isWithin(token.lastUsedAt, used) &&
      // GitLab includes the day itself in "after", not in "before".
      (expires.after === null || (token.expiresOn !== null && token.expiresOn >= expires.after)) &&
      (expires.before === null || (token.expiresOn !== null && token.expiresOn < expires.before))
    );
  };
  return tokens.rows.filter(isWanted).sort(order);
}

interface Range<Value> {
  after: Value | null;
  before: Value | null;
}

function isWithin(time: number | null, { after, before }: Range<number>): boolean {
  if (after === null && before === null) return true;
  return time !== null && time >= (after ?? -Infinity) && time <= (before ?? Infinity);
}

function parseRange<Value>(
  query: URLSearchParams,
  name: string,
  parse: (query: URLSearchParams, name: string) => Value | null,
): Range<Value> {
  return { after: parse(query, `${name}_after`), before: parse(query, `${name}_before`) };
}

function dateOf(query: URLSearchParams, name: string): string | null {
  const time = timeOf(query, name);
  return time === null ? null : new Date(time).toISOString().slice(0, 10);
}

function revokedOf(query: URLSearchParams): boolean | null {
  const text = query.get('revoked') ?? '';
  if (text === '') return null;
  if (!['true', 'false', '1', '0', 't', 'f'].includes(text)) throw parameterError(400, 'revoked is invalid');
  return ['true', '1', 't'].includes(text);
}

const sortKeys: Record<string, (token: AccessToken) => number | string> = {
  name: (token) => token.name.toLowerCase(),
  created: (token) => token.createdAt,
  // A token that never expires is sorted last.
  expires: (token) => token.expiresOn ?? '9999-12-31',
  last_used: (token) => token.lastUsedAt ?? 0,
};

function orderOf(query: URLSearchParams): (a: AccessToken, b: AccessToken) => number {
  const sort = query.get('sort') ?? '';
  if (sort === '') return (a, b) => a.id - b.id;
  const [, name = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
  const key = sortKeys[name];
  if (key === undefined) throw parameterError(400, 'sort does not have a valid value');
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => {
    const [left, right] = [key(a), key(b)];
    return (left < right ? -1 : left > right ? 1 : a.id - b.id) * sign;
  };
}
