import { expect, it } from 'vitest';
import { redact } from '../../../src-main/platform/redact.ts';
import { Secrets } from '../../../src-main/platform/secrets.ts';

const address = 'https://storage.example/a?X-Amz-Signature=kept-by-nobody-else';

it('a secret is returned for its key, and the key is no part of the secret', () => {
  const secrets = new Secrets();
  const key = secrets.store(address, []);
  expect(secrets.reveal(key)).toBe(address);
  expect(address).not.toContain(key);
});

it('a secret that another store has is reported as lost', () => {
  const key = new Secrets().store(address, []);
  expect(() => new Secrets().reveal(key)).toThrow(expect.objectContaining({ code: 'secret-lost' }));
});

it('a secret stored under an existing key replaces the earlier one', () => {
  const secrets = new Secrets();
  const key = secrets.store('one-of-many-secrets', []);
  expect(secrets.store(address, [], key)).toBe(key);
  expect(secrets.reveal(key)).toBe(address);
});

it('no log line contains a stored secret, or a part of it that is a secret itself', () => {
  new Secrets().store(address, ['kept-by-nobody-else']);
  expect(redact(`fetching ${address}`)).not.toContain('storage.example');
  expect(redact('signed with kept-by-nobody-else')).not.toContain('nobody');
});

it('at most 200 secrets are stored, and the oldest is deleted first', () => {
  const secrets = new Secrets();
  const keys = Array.from({ length: 201 }, (_, at) => secrets.store(`a secret number ${at}`, []));
  expect(() => secrets.reveal(keys[0] ?? '')).toThrow();
  expect(secrets.reveal(keys[1] ?? '')).toBe('a secret number 1');
  expect(secrets.reveal(keys[200] ?? '')).toBe('a secret number 200');
});
