import { expect, test } from 'vitest';
import { parseProxyUrl } from '../../../../src-main/services/instances/typed-addresses.ts';

test.each([
  ['http://proxy.example.com:3128', 'http://proxy.example.com:3128'],
  [' https://Proxy.example.com/ ', 'https://proxy.example.com'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('%s is read as the proxy %s', (typed, address) => {
  expect(parseProxyUrl(typed)).toBe(address);
});

test.each([
  'proxy.example.com:3128',
  'socks5://proxy.example.com',
  'http://me:secret-word@proxy.example.com',
  'http://me@proxy.example.com',
  'http://proxy.example.com/path',
  'http://proxy.example.com/?a=secret-word',
  'http://',
  '',
])('%j is no proxy address, and the error does not repeat a secret in it', (typed) => {
  try {
    parseProxyUrl(typed);
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'invalid-input' });
    expect((thrown as Error).message).not.toContain('secret-word');
  }
});
