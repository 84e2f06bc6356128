import { describe, expect, test } from 'vitest';
import { untrustedHeader } from '../../../../src-main/hosts/browser/request-guard.ts';

const headers = (fields: Record<string, string | string[]>): string[] =>
  Object.entries(fields).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));

const check = (method: string, fields: Record<string, string | string[]>) =>
  untrustedHeader({ method, rawHeaders: headers(fields) });

const own = '127.0.0.1:8080';

describe('the Host header must be one of three names of this machine, with any port', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '127.0.0.1:1', 'localhost:65535', '[::1]:8080'])(
    '%s is accepted',
    (host) => {
      expect(check('GET', { Host: host })).toBeNull();
      expect(check('POST', { host, ORIGIN: `http://${host}` })).toBeNull();
    },
  );

  test.each([
    'evil.com',
    'evil.com:8080',
    '127.0.0.1.evil.com',
    '127.0.0.1.evil.com:8080',
    'localhost.evil.com',
    'evil.localhost',
    'localhost.',
    '127.0.0.1.',
    '0.0.0.0',
    '0.0.0.0:8080',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '192.168.0.1',
    '::1',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::1%25lo]',
    'user@127.0.0.1',
    '127.0.0.1@evil.com',
    'evil.com@127.0.0.1:8080',
    '127.0.0.1:8080@evil.com',
    '127.0.0.1:',
    '127.0.0.1:-1',
    '127.0.0.1:80x',
    '127.0.0.1:123456',
    '127.0.0.1:8080:8080',
    '127.0.0.1/evil',
    '127.0.0.1, evil.com',
    '127.0.0.1\n',
    ' 127.0.0.1',
    'LOCALHOST',
    'http://127.0.0.1',
    '',
  ])('%j is rejected', (host) => {
    expect(check('GET', { Host: host })).toBe('host');
    expect(check('GET', { Host: host, Origin: `http://${host}` })).toBe('host');
  });

  test('a missing Host header and two of them are rejected', () => {
    expect(check('GET', {})).toBe('host');
    expect(check('GET', { Host: [own, own] })).toBe('host');
    expect(check('GET', { Host: [own, 'evil.com'] })).toBe('host');
    expect(check('GET', { 'X-Forwarded-Host': own })).toBe('host');
  });
});

describe('an Origin header must be http:// and the host', () => {
  const otherOrigins = [
    'null',
    '',
    'https://127.0.0.1:8080',
    'http://127.0.0.1',
    'http://127.0.0.1:8081',
    'http://localhost:8080',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:8080.evil.com',
    'http://user@127.0.0.1:8080',
    'HTTP://127.0.0.1:8080',
    'http://evil.com',
    'file://',
    'app://bundle',
    'chrome-extension://abcdef',
  ];
  test.each(otherOrigins)('%j is rejected', (origin) => {
    for (const method of ['GET', 'POST']) {
      expect(check(method, { Host: own, Origin: origin })).toBe('origin');
      expect(check(method, { Host: own, Origin: [`http://${own}`, origin] })).toBe('origin');
    }
    expect(check('GET', { Host: own, Origin: origin, Upgrade: 'websocket' })).toBe('origin');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'get', undefined])(
    'a request with the method %s must send it',
    (method) => {
      expect(untrustedHeader({ method, rawHeaders: ['Host', own] })).toBe('origin');
      expect(untrustedHeader({ method, rawHeaders: ['Host', own, 'Origin', `http://${own}`] })).toBeNull();
    },
  );

  test('a WebSocket must send it', () => {
    expect(check('GET', { Host: own, Upgrade: 'websocket' })).toBe('origin');
    expect(check('GET', { Host: own, upgrade: 'WebSocket', origin: `http://${own}` })).toBeNull();
  });
});
