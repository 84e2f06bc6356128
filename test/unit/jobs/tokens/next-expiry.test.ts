import { expect, test } from 'vitest';
import { nextExpiry } from '../../../../src-main/jobs/tokens/next-expiry.ts';
import type { PersonalAccessToken } from '../../../../src-contract/tokens/token.ts';

const token = (createdAt: string, expiresOn: string | null): PersonalAccessToken => ({
  id: 1,
  name: 'work',
  description: null,
  scopes: ['api'],
  userId: 1,
  active: true,
  revoked: false,
  createdAt,
  lastUsedAt: null,
  expiresOn,
});

test.for([
  ['as long as the old one lasted', '2026-09-01T10:00:00Z', '2026-12-01', '2027-02-19'],
  ['a year at the most, less a day', '2026-01-01T00:00:00Z', '2027-01-01', '2027-11-19'],
  ['so too where it never expired', '2020-01-01T00:00:00Z', null, '2027-11-19'],
  ['a week at the least', '2026-11-19T23:00:00Z', '2026-11-21', '2026-11-27'],
  [
    'a token that lasted longer than is allowed now: a year',
    '2020-01-01T00:00:00Z',
    '2026-12-01',
    '2027-11-19',
  ],
] as const)('the next one lasts %s', ([, createdAt, expiresOn, next]) => {
  expect(nextExpiry(token(createdAt, expiresOn), Date.parse('2026-11-20T12:00:00Z'))).toBe(next);
});

test('a token that is replaced again and again, at any hour, keeps its life', () => {
  let expiresOn = '2027-11-19';
  for (const createdAt of ['2026-11-20T23:10:00Z', '2026-11-20T23:20:00Z', '2026-11-20T23:30:00Z']) {
    expiresOn = nextExpiry(token(createdAt, expiresOn), Date.parse(createdAt) + 60_000);
  }
  expect(expiresOn).toBe('2027-11-19');
});

// The tests run in Berlin, where it is one o'clock then.
test.for([
  ['2026-11-20T23:59:59.999Z', '2027-11-19'],
  ['2026-11-21T00:00:00.000Z', '2027-11-20'],
] as const)('the day begins at midnight UTC, wherever we are: %s', ([now, next]) => {
  expect(nextExpiry(token('2026-01-01T00:00:00Z', null), Date.parse(now))).toBe(next);
});
