import { expect, test } from 'vitest';
import { createAccess } from '../../../../src-main/hosts/browser/access.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minute = 60_000;

/** Returns the part of a `Set-Cookie` header that a browser sends back. */
const pair = (setCookie: string | null): string => setCookie?.split(';')[0] ?? 'no cookie';

test('a link is at least 128 random bits and good once', () => {
  const access = createAccess(new SteppedClock());
  const secrets = Array.from({ length: 5 }, () => access.newLinkSecret());
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url').length).toBeGreaterThanOrEqual(16);
  const [secret = ''] = secrets;
  expect(access.redeem(secret)).not.toBeNull();
  expect(access.redeem(secret)).toBeNull();
});

test('the cookie is kept from scripts and from other sites, holds for every path, and lasts as long as the browser', () => {
  const access = createAccess(new SteppedClock());
  expect(access.redeem(access.newLinkSecret())).toMatch(
    /^packhorse-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('the secret of a link is not that of the session', () => {
  const access = createAccess(new SteppedClock());
  const secret = access.newLinkSecret();
  expect(access.redeem(secret)).not.toContain(secret);
});

test('a link is good until it is used, or for the time that was given', async () => {
  const clock = new SteppedClock();
  const access = createAccess(clock);
  const first = access.newLinkSecret();
  const short = access.newLinkSecret(10 * minute);
  const expired = access.newLinkSecret(10 * minute);
  await clock.advance(10 * minute);
  expect(access.redeem(short)).not.toBeNull();
  await clock.advance(1);
  expect(access.redeem(expired)).toBeNull();
  await clock.advance(100 * 24 * 60 * minute);
  expect(access.redeem(first)).not.toBeNull();
});

test('the ten latest links are valid at the same time', () => {
  const access = createAccess(new SteppedClock());
  const secrets = Array.from({ length: 11 }, () => access.newLinkSecret());
  expect(access.redeem(secrets[0] ?? '')).toBeNull();
  for (const secret of secrets.slice(1)) expect(access.redeem(secret)).not.toBeNull();
});

test.each(['', 'x', 'A'.repeat(43), 'é'.repeat(43), 'x'.repeat(100_000)])('%.20s is no link', (secret) => {
  const access = createAccess(new SteppedClock());
  access.newLinkSecret();
  expect(access.redeem(secret)).toBeNull();
});

test('a browser with a session is let in, whatever other cookies it sends', () => {
  const access = createAccess(new SteppedClock());
  const one = pair(access.redeem(access.newLinkSecret()));
  const two = pair(access.redeem(access.newLinkSecret()));
  for (const header of [one, two, `a=b; ${one}`, `${two};c=d`, `${one}; ${two}`, `packhorse-0=x; ${one}`]) {
    expect(access.sessionOf(header), header).not.toBeNull();
  }
});

test('each session holds the paths that it was given, and no other session does', () => {
  const access = createAccess(new SteppedClock());
  const [one, two] = [
    pair(access.redeem(access.newLinkSecret())),
    pair(access.redeem(access.newLinkSecret())),
  ];
  access.sessionOf(one)?.paths.grant('/data/uploads/1/app.tar.gz', 'file');
  expect(access.sessionOf(`a=b; ${one}`)?.paths.isGranted('/data/uploads/1/app.tar.gz', 'file')).toBe(true);
  expect(access.sessionOf(two)?.paths.isGranted('/data/uploads/1/app.tar.gz', 'file')).toBe(false);
});

test('nobody else is', () => {
  const access = createAccess(new SteppedClock());
  const elsewhere = createAccess(new SteppedClock());
  const own = pair(access.redeem(access.newLinkSecret()));
  const other = pair(elsewhere.redeem(elsewhere.newLinkSecret()));
  const [name = '', secret = ''] = own.split('=');
  for (const header of [
    undefined,
    '',
    ';;;',
    other,
    secret,
    `${name}=`,
    `${name}=${secret}x`,
    `${name}=${secret.slice(1)}`,
    `x${own}`,
    `${name}x=${secret}`,
    `${other.split('=')[0] ?? ''}=${secret}`,
    `${name.toUpperCase()}=${secret}`,
  ]) {
    expect(access.sessionOf(header), header).toBeNull();
  }
});

test('after a hundred sessions the oldest is over', () => {
  const access = createAccess(new SteppedClock());
  const cookies = Array.from({ length: 101 }, () => pair(access.redeem(access.newLinkSecret())));
  const admitted = cookies.map((cookie) => access.sessionOf(cookie) !== null);
  expect(admitted).toEqual([false, ...Array<boolean>(100).fill(true)]);
});
