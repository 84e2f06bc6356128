import { expect, onTestFinished, test, vi } from 'vitest';
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
  ['as long as the old one', '2026-09-01T10:00:00Z', '2026-12-01', '2027-02-19'],
  ['at most a year less a day', '2026-01-01T00:00:00Z', '2027-01-01', '2027-11-19'],
  ['a year less a day if the old one never expired', '2020-01-01T00:00:00Z', null, '2027-11-19'],
  ['at least a week', '2026-11-19T23:00:00Z', '2026-11-21', '2026-11-27'],
  [
    'a year less a day if the old one lasted longer than is allowed now',
    '2020-01-01T00:00:00Z',
    '2026-12-01',
    '2027-11-19',
  ],
] as const)('the next token lasts %s', ([, createdAt, expiresOn, next]) => {
  expect(nextExpiry(token(createdAt, expiresOn), Date.parse('2026-11-20T12:00:00Z'))).toBe(next);
});

test('a token that is replaced repeatedly, at any hour, keeps its lifetime', () => {
  let expiresOn = '2027-11-19';
  for (const createdAt of ['2026-11-20T23:10:00Z', '2026-11-20T23:20:00Z', '2026-11-20T23:30:00Z']) {
    expiresOn = nextExpiry(token(createdAt, expiresOn), Date.parse(createdAt) + 60_000);
  }
  expect(expiresOn).toBe('2027-11-19');
});

test.for([
  ['Pacific/Kiritimati', -14],
  ['Europe/Berlin', -1],
  ['America/Los_Angeles', 8],
] as const)('the day begins at midnight UTC, not at local midnight, in %s', ([timeZone, hoursBehind]) => {
  vi.stubEnv('TZ', timeZone);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(new Date('2026-11-20T12:00:00Z').getTimezoneOffset()).toBe(hoursBehind * 60);
  const nextAt = (now: string) => nextExpiry(token('2026-01-01T00:00:00Z', null), Date.parse(now));
  expect(nextAt('2026-11-20T23:59:59.999Z')).toBe('2027-11-19');
  expect(nextAt('2026-11-21T00:00:00.000Z')).toBe('2027-11-20');
});
