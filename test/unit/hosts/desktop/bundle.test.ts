import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  respondFromBundle,
  contentSecurityPolicy,
  listBundle,
  pageUrl,
} from '../../../../src-main/hosts/desktop/bundle.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const files = {
  'renderer/index.html': '<!doctype html>',
  'renderer/assets/index-1a2b.js': 'export {};',
  'renderer/assets/index-1a2b.css': 'p {}',
  'renderer/assets/index-1a2b.js.map': '{}',
  'renderer/notes.txt': 'not a type we serve',
  'renderer-evil/index.html': 'beside',
  'secret.html': 'above',
};

function builtFolder(): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync(join(root, 'secret.html'), join(root, 'renderer/linked.html'));
  return join(root, 'renderer');
}

const get = (folder: string, url: string): Promise<Response> =>
  respondFromBundle(listBundle(folder), { method: 'GET', url });

test('the page and its files are served with their content types and the security policy', async () => {
  const folder = builtFolder();
  for (const [url, type, text] of [
    [pageUrl, 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/#/projects?a=..%2f', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['app://bundle/assets/index-1a2b.css', 'text/css; charset=utf-8', 'p {}'],
  ] as const) {
    const response = await get(folder, url);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy);
  }
});

test("the policy allows only the program's own files and data: images", () => {
  expect(contentSecurityPolicy).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "frame-src 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
  );
});

describe('an address outside the list of files gets the status 404', () => {
  test.each([
    'app://bundle/notes.txt',
    'app://bundle/assets/index-1a2b.js.map',
    'app://bundle/linked.html',
    'app://bundle/assets',
    'app://bundle/assets/',
    'app://bundle/../secret.html',
    'app://bundle/..%2fsecret.html',
    'app://bundle/%2e%2e/secret.html',
    'app://bundle/%2e%2e%2fsecret.html',
    'app://bundle/%252e%252e%252fsecret.html',
    'app://bundle/..%5csecret.html',
    'app://bundle/..\\secret.html',
    'app://bundle/assets/../../secret.html',
    'app://bundle/assets/..;/index.html',
    'app://bundle/../renderer-evil/index.html',
    'app://bundle-evil/index.html',
    'app://bundle.evil/index.html',
    'app://bundle@evil/index.html',
    'app://evil/index.html',
    'app:///index.html',
    'app:index.html',
    'APP://bundle/index.html',
    'app://bundle//index.html',
    'app://bundle//etc/passwd',
    'app://bundle/C:/Windows/win.ini',
    'app://bundle/index.html%00.js',
    'app://bundle/index.html\0',
    'app://bundle/index.html.',
    'app://bundle/index.html/',
    'app://bundle/index.html?x',
    'app://bundle/../secret.html#/index.html',
    'app://bundle/nothing\n#/../index.html',
    'app://bundle/INDEX.HTML',
    'app://bundle/constructor',
    'file:///etc/passwd',
    `app://bundle/${'a/'.repeat(50_000)}`,
  ])('%.60s', async (url) => {
    const response = await get(builtFolder(), url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });
});

test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'get'])(
  'a request with the method %s gets the status 405',
  async (method) => {
    const response = await respondFromBundle(listBundle(builtFolder()), { method, url: pageUrl });
    expect(response.status).toBe(405);
  },
);
