import { expect, test } from 'vitest';
import { createAccess } from '../../../../src-main/hosts/browser/access.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minute = 60_000;

/** Returns the part of a `Set-Cookie` header that a browser sends back. */
const pair = (setCookie: string | null): string => setCookie?.split(';')[0] ?? 'no cookie';

test('a link has at least 128 random bits and is valid once', () => {
  const access = createAccess(new SteppedClock());
  const secrets = Array.from({ length: 5 }, () => access.newLinkSecret());
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url').length).toBeGreaterThanOrEqual(16);
  const [secret = ''] = secrets;
  expect(access.redeem(secret)).not.toBeNull();
  expect(access.redeem(secret)).toBeNull();
});

test('the cookie is hidden from scripts and other sites, applies to every path, and lasts until the browser closes', () => {
  const access = createAccess(new SteppedClock());
  expect(access.redeem(access.newLinkSecret())).toMatch(
    /^packhorse-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('the secret of a link is not the secret of its session', () => {
  const access = createAccess(new SteppedClock());
  const secret = access.newLinkSecret();
  expect(access.redeem(secret)).not.toContain(secret);
});

test('a link is valid until it is used, and at most for its time limit if it has one', async () => {
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

test('only the ten latest links are valid at the same time', () => {
  const access = createAccess(new SteppedClock());
  const secrets = Array.from({ length: 11 }, () => access.newLinkSecret());
  expect(access.redeem(secrets[0] ?? '')).toBeNull();
  for (const secret of secrets.slice(1)) expect(access.redeem(secret)).not.toBeNull();
});

test.each(['', 'x', 'A'.repeat(43), 'é'.repeat(43), 'x'.repeat(100_000)])(
  'the text "%.20s" is not a valid link',
  (secret) => {
    const access = createAccess(new SteppedClock());
    access.newLinkSecret();
    expect(access.redeem(secret)).toBeNull();
  },
);

test('a browser with a session is admitted, whatever other cookies it sends', () => {
  const access = createAccess(new SteppedClock());
  const firstCookie = pair(access.redeem(access.newLinkSecret()));
  const secondCookie = pair(access.redeem(access.newLinkSecret()));
  for (const header of [
    firstCookie,
    secondCookie,
    `a=b; ${firstCookie}`,
    `${secondCookie};c=d`,
    `${firstCookie}; ${secondCookie}`,
    `packhorse-0=x; ${firstCookie}`,
  ]) {
    expect(access.sessionOf(header), header).not.toBeNull();
  }
});

test('a path granted to a session is available to that session and to no other', () => {
  const access = createAccess(new SteppedClock());
  const [firstCookie, secondCookie] = [
    pair(access.redeem(access.newLinkSecret())),
    pair(access.redeem(access.newLinkSecret())),
  ];
  access.sessionOf(firstCookie)?.grantedPaths.grant('/data/uploads/1/app.tar.gz', 'file');
  expect(
    access.sessionOf(`a=b; ${firstCookie}`)?.grantedPaths.isGranted('/data/uploads/1/app.tar.gz', 'file'),
  ).toBe(true);
  expect(access.sessionOf(secondCookie)?.grantedPaths.isGranted('/data/uploads/1/app.tar.gz', 'file')).toBe(
    false,
  );
});

test('a browser without the exact cookie of a session is not admitted', () => {
  const access = createAccess(new SteppedClock());
  const otherServer = createAccess(new SteppedClock());
  const own = pair(access.redeem(access.newLinkSecret()));
  const other = pair(otherServer.redeem(otherServer.newLinkSecret()));
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

test('the oldest session ends when there are more than a hundred sessions', () => {
  const access = createAccess(new SteppedClock());
  const cookies = Array.from({ length: 101 }, () => pair(access.redeem(access.newLinkSecret())));
  const admitted = cookies.map((cookie) => access.sessionOf(cookie) !== null);
  expect(admitted).toEqual([false, ...Array<boolean>(100).fill(true)]);
});
