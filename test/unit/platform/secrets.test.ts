import { expect, it } from 'vitest';
import { redact } from '../../../src-main/platform/redact.ts';
import { Secrets } from '../../../src-main/platform/secrets.ts';

const address = 'https://storage.example/a?X-Amz-Signature=kept-by-nobody-else';

it('a secret is returned for its key, which reveals nothing of it', () => {
  const secrets = new Secrets();
  const key = secrets.store(address, []);
  expect(secrets.reveal(key)).toBe(address);
  expect(address).not.toContain(key);
});

it('what another process kept is lost, and so is what has no key', () => {
  const key = new Secrets().store(address, []);
  expect(() => new Secrets().reveal(key)).toThrow(expect.objectContaining({ code: 'secret-lost' }));
});

it('a key that is given takes the new secret', () => {
  const secrets = new Secrets();
  const key = secrets.store('one-of-many-secrets', []);
  expect(secrets.store(address, [], key)).toBe(key);
  expect(secrets.reveal(key)).toBe(address);
});

it('no log line shows what is kept, nor the parts of it that are secrets themselves', () => {
  new Secrets().store(address, ['kept-by-nobody-else']);
  expect(redact(`fetching ${address}`)).not.toContain('storage.example');
  expect(redact('signed with kept-by-nobody-else')).not.toContain('nobody');
});

it('only so many are kept; the oldest goes first', () => {
  const secrets = new Secrets();
  const keys = Array.from({ length: 201 }, (_, at) => secrets.store(`a secret number ${at}`, []));
  expect(() => secrets.reveal(keys[0] ?? '')).toThrow();
  expect(secrets.reveal(keys[1] ?? '')).toBe('a secret number 1');
  expect(secrets.reveal(keys[200] ?? '')).toBe('a secret number 200');
});
