import { beforeEach, expect, test } from 'vitest';
import {
  createTokenPresence,
  type TokenPresence,
} from '../../../../src-main/services/tokens/token-presence.ts';
import { createCredentials, type Credentials } from '../../../../src-main/platform/credentials.ts';
import { Token } from '../../../../src-main/platform/token.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { MemoryKeychain } from '../../../support/keychain/memory-keychain.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let keychain: MemoryKeychain;
let credentials: Credentials;
let presence: TokenPresence;
let changed: string[];
beforeEach(() => {
  clock = new SteppedClock();
  keychain = new MemoryKeychain();
  credentials = createCredentials({ env: { PACKHORSE_TOKEN_ENV: 'glpat-0123456789' }, clock, keychain });
  changed = [];
  presence = createTokenPresence({ credentials, clock, onChange: (name) => changed.push(name) });
});

test('a token in memory or in the environment is known at once, without the keychain', () => {
  credentials.remember('session', new Token('glpat-0123456789'));
  expect([presence.hasToken('session'), presence.hasToken('env')]).toEqual([true, true]);
  expect(keychain.calls).toEqual([]);
});

test('the keychain is queried once, in the background, and a missing token is reported', async () => {
  await credentials.store('kept', new Token('glpat-0123456789'));
  const before = keychain.calls.length;
  expect([presence.hasToken('kept'), presence.hasToken('none')]).toEqual([null, null]);
  await clock.advance(0);
  expect([presence.hasToken('kept'), presence.hasToken('none')]).toEqual([true, false]);
  expect(changed).toEqual(['none']);
  expect(keychain.calls.length - before).toBe(2);
});

test('the result for a token is forgotten when the token may have changed', async () => {
  presence.hasToken('work');
  await clock.advance(0);
  await credentials.store('work', new Token('glpat-0123456789'));
  presence.forget('work');
  expect(presence.hasToken('work')).toBeNull();
  await clock.advance(0);
  expect(presence.hasToken('work')).toBe(true);
});

test('a locked keychain does not count as a missing token, and is queried again after a minute', async () => {
  await credentials.store('work', new Token('glpat-0123456789'));
  const getPassword = keychain.getPassword.bind(keychain);
  keychain.getPassword = () => Promise.reject(new AppError('keychain-locked', 'locked'));
  presence.hasToken('work');
  await clock.advance(0);
  expect(presence.hasToken('work')).toBeNull();
  expect(changed).toEqual([]);
  keychain.getPassword = getPassword;
  await clock.advance(60_001);
  presence.hasToken('work');
  await clock.advance(0);
  expect(presence.hasToken('work')).toBe(true);
});

test('an unreachable keychain is queried again after a minute, and a token that it then has is reported', async () => {
  await credentials.store('work', new Token('glpat-0123456789'));
  keychain.failure = 'The name org.freedesktop.secrets was not provided by any .service files';
  presence.hasToken('work');
  await clock.advance(0);
  expect(presence.hasToken('work')).toBe(false);
  expect(changed).toEqual(['work']);
  keychain.failure = null;
  await clock.advance(60_001);
  expect(presence.hasToken('work')).toBe(false);
  await clock.advance(0);
  expect(presence.hasToken('work')).toBe(true);
  expect(changed).toEqual(['work', 'work']);
});

test('a token that stays missing is reported once', async () => {
  presence.hasToken('work');
  await clock.advance(0);
  await clock.advance(60_001);
  expect(presence.hasToken('work')).toBe(false);
  await clock.advance(0);
  expect(presence.hasToken('work')).toBe(false);
  expect(changed).toEqual(['work']);
});
