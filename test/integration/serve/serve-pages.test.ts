/** @file A serving process serves the built pages, with their security headers, and nothing else. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBrowserHost } from '../../../src-main/hosts/browser.ts';
import { openServing, pages, pagesFolder, upgrade } from '../../support/browser/serving.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "frame-src 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

const guards = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

test('the page, its script and its style are served with their types', async () => {
  const serving = await openServing();
  const headers = { cookie: await serving.signIn() };
  for (const [path, type, text] of [
    ['/', 'text/html; charset=utf-8', pages['/index.html']],
    ['/index.html', 'text/html; charset=utf-8', pages['/index.html']],
    ['/assets/index-1a2b.js', 'text/javascript; charset=utf-8', pages['/assets/index-1a2b.js']],
    ['/assets/index-1a2b.css', 'text/css; charset=utf-8', pages['/assets/index-1a2b.css']],
  ] as const) {
    expect(await serving.send(path, { headers })).toMatchObject({
      status: 200,
      text,
      headers: { 'content-type': type },
    });
  }
});

test('every reply has the content security policy and the other security headers', async () => {
  const serving = await openServing();
  const cookie = await serving.signIn();
  const own = { cookie, Origin: `http://${serving.hostHeader}` };
  const answers = {
    page: await serving.send('/', { headers: own }),
    script: await serving.send('/assets/index-1a2b.js', { headers: own }),
    'not found': await serving.send('/nothing', { headers: own }),
    'malformed address': await serving.send('/%zz', { headers: own }),
    'wrong method': await serving.send('/', { method: 'POST', headers: own }),
    link: await serving.send(serving.link()),
    'forged host': await serving.send('/', { headers: { Host: 'evil.com' } }),
    upload: await serving.send('/upload?name=a', { method: 'POST', headers: own, body: 'x' }),
  };
  for (const [which, { headers }] of Object.entries(answers)) expect(headers, which).toMatchObject(guards);
  for (const path of ['/', '/open?link=x', '/upload', '/nothing']) {
    const { headers } = await serving.send(path);
    const policy = expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    ) as string;
    expect(headers, path).toMatchObject({ ...guards, 'content-security-policy': policy });
  }
});

const unlisted = [
  '/nothing',
  '/assets',
  '/assets/',
  '/assets/index-1a2b.js.map',
  '/../secret.html',
  '/..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/%2e%2e%2fsecret.html',
  '/%252e%252e%252fsecret.html',
  '/..%5csecret.html',
  '/..\\secret.html',
  '/assets/../../secret.html',
  '/assets/../index.html',
  '/assets/..;/index.html',
  '//index.html',
  '//etc/passwd',
  '/etc/passwd',
  '/index.html%00.js',
  '/index.html.',
  '/index.html/',
  '/index.html?x',
  '/?x',
  '/INDEX.HTML',
  '/%69ndex.html',
  '/constructor',
  '/__proto__',
  '/open/',
  '/OPEN?link=x',
  '/favicon.ico',
  '/bridge',
  '/upload',
];

describe('a request', () => {
  test('for a path that is not in the list of built files gets 404', async () => {
    const serving = await openServing();
    const headers = { cookie: await serving.signIn() };
    for (const path of unlisted) {
      expect(await serving.send(path, { headers }), path).toMatchObject({ status: 404, text: '' });
    }
  });

  test('for an address that names a host or is too long gets 404, and for a malformed one 400', async () => {
    const serving = await openServing();
    const cookie = await serving.signIn();
    for (const [target, status] of [
      ['http://evil.com/', 404],
      [`http://${serving.hostHeader}/`, 404],
      ['/%zz', 400],
      ['*', 404],
      [`/${'a'.repeat(30_000)}`, 404],
    ] as const) {
      const answer = await serving.sendRaw(
        [
          `GET ${target} HTTP/1.1`,
          `Host: ${serving.hostHeader}`,
          `Cookie: ${cookie}`,
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
      expect(answer, target).toMatchObject({ status, text: '' });
    }
  });

  test('with very long headers gets 431', async () => {
    const serving = await openServing();
    const answer = await serving.send('/', { headers: { cookie: 'x'.repeat(100_000) } });
    expect(answer.status).toBe(431);
  });
});

test('only GET gets a page, and every other method gets 405', async () => {
  const serving = await openServing();
  const headers = { cookie: await serving.signIn(), Origin: `http://${serving.hostHeader}` };
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']) {
    for (const path of ['/', '/index.html', '/nothing', '/open', '/bridge']) {
      const answer = await serving.send(path, { method, headers });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 405, text: '' });
    }
  }
});

test('a WebSocket can be opened only at /bridge', async () => {
  const serving = await openServing();
  const headers = { ...upgrade, cookie: await serving.signIn(), Origin: `http://${serving.hostHeader}` };
  for (const path of ['/', '/index.html', '/nothing', '/upload', '/bridge/', '/BRIDGE']) {
    expect(await serving.send(path, { headers }), path).toMatchObject({ status: 404 });
  }
  expect(await serving.send('/bridge', { headers })).toMatchObject({ status: 101 });
});

test('a build that runs during serving changes no page', async () => {
  const folder = pagesFolder();
  const serving = await openServing({ pagesFolder: folder });
  const headers = { cookie: await serving.signIn() };
  writeFileSync(join(folder, 'index.html'), 'half');
  rmSync(join(folder, 'assets'), { recursive: true });
  expect((await serving.send('/', { headers })).text).toBe(pages['/index.html']);
  expect((await serving.send('/assets/index-1a2b.js', { headers })).text).toBe(
    pages['/assets/index-1a2b.js'],
  );
});

test('a missing build is reported before the data folder is opened', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const folder = temporaryFolder();
  for (const pagesFolder of [folder, join(folder, 'missing')]) {
    await expect(openBrowserHost({ dataDir, env: {}, port: 0, pagesFolder })).rejects.toMatchObject({
      code: 'page-not-built',
    });
  }
  expect(() => readFileSync(dataDir)).toThrow('ENOENT');
});

test('a port in use is reported, and the data folder is released', async () => {
  const serving = await openServing();
  const dataDir = temporaryFolder();
  const opening = openBrowserHost({ dataDir, env: {}, port: serving.host.port, pagesFolder: pagesFolder() });
  await expect(opening).rejects.toMatchObject({
    code: 'invalid-input',
    message: `The port ${serving.host.port} is in use.`,
  });
  await openServing({ dataDir });
});
