/** @file What `npm run build` writes, and that both hosts start from it: workers and migrations are found there, too. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../src-main/hosts/desktop/bundle.ts';
import { callNames } from '../../src-preload/contract/call-names.ts';

const repository = join(import.meta.dirname, '../..');
/** A folder that looks like an installed product: `package.json`, `node_modules`, `out`. */
const product = realpathSync(mkdtempSync(join(tmpdir(), 'packhorse-build-')));
const out = join(product, 'out');
const dataFolder = join(product, 'data');

async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, PACKHORSE_DATA_DIR: dataFolder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

const read = (path: string): string => readFileSync(join(out, path), 'utf8');

beforeAll(async () => {
  cpSync(join(repository, 'package.json'), join(product, 'package.json'));
  symlinkSync(join(repository, 'node_modules'), join(product, 'node_modules'));
  mkdirSync(dataFolder);
  const builder = join(repository, 'node_modules/electron-vite/bin/electron-vite.js');
  const built = await node([builder, 'build', '--outDir', out, '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });
  expect(built, built.stderr).toMatchObject({ code: 0 });
});

afterAll(() => {
  rmSync(product, { recursive: true, force: true });
});

test('the preload is one CommonJS file that requires nothing but Electron', () => {
  expect(readdirSync(join(out, 'preload'))).toEqual(['preload.cjs']);
  const preload = read('preload/preload.cjs');
  expect([...preload.matchAll(/\brequire\(([^)]*)\)/g)].map((match) => match[1])).toEqual(['"electron"']);
  expect(preload).not.toMatch(/^\s*(import|export)\b|\bimport\(/m);
});

test('the page has no inline code or style and names no other place', () => {
  const page = read('renderer/index.html');
  expect(page).toMatch(/<script type="module"[^>]* src="\.\/assets\/[^"]+\.js"><\/script>/);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:/);
});

test('main has both hosts, every worker and one file per source file', () => {
  for (const file of [
    'hosts/desktop.js',
    'hosts/cli.js',
    'app/compose.js',
    'archive/reader/inspect-worker.js',
    'platform/credentials-keytar-worker.js',
  ]) {
    expect(read(`main/${file}`).length, file).toBeGreaterThan(0);
  }
  expect(readdirSync(join(out, 'main'))).not.toContain('node_modules');
});

describe('the built command line', () => {
  const cli = (...args: string[]) => node([join(out, 'main/hosts/cli.js'), ...args]);

  test('says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await cli('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('finds its worker: an archive is inspected', async () => {
    const file = join(product, 'not-an-export.tar.gz');
    writeFileSync(file, gzipSync(Buffer.alloc(1024)));
    const { stdout, stderr } = await cli('archive', 'inspect', file, '--json');
    expect(JSON.parse(stdout), stderr).toMatchObject({ verdict: 'unusable' });
  });

  test.skipIf(process.platform !== 'linux')(
    "finds the keychain's process: it tells what is wrong with the keychain",
    async () => {
      const { stdout, stderr } = await node([join(out, 'main/hosts/cli.js'), '--json', 'doctor'], {
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; value: string }[] };
      const keychain = checks.find(({ name }) => name === 'keychain');
      expect(keychain?.value, stderr).toMatch(/cannot be reached|library/);
    },
  );

  test('finds its migrations: a new catalogue is made', async () => {
    const { code, stdout, stderr } = await cli('--json', 'job', 'list');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [] });
  });
});

describe('the built desktop host', () => {
  const standIn = pathToFileURL(join(repository, 'test/support/electron-stand-in.ts')).href;
  const hook =
    `import { registerHooks } from 'node:module';` +
    `registerHooks({ resolve: (name, context, next) =>` +
    `  name === 'electron' ? { url: '${standIn}', shortCircuit: true } : next(name, context) });`;
  const desktop = (env: NodeJS.ProcessEnv = {}) =>
    node(
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, join(out, 'main/hosts/desktop.js')],
      env,
    );

  test('opens one sandboxed window on its own page, denies everything else, and ends in order', async () => {
    const { code, stdout, stderr } = await desktop();
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      sandbox: true,
      schemes: [{ scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } }],
      spellChecker: false,
      shown: true,
      quitWaits: true,
      channels: [...callNames],
      window: expect.objectContaining({
        webPreferences: expect.objectContaining({
          preload: join(out, 'preload/preload.cjs'),
          sandbox: true,
          devTools: false,
        }) as unknown,
      }) as unknown,
      page: {
        url: 'app://bundle/',
        status: 200,
        policy: contentSecurityPolicy,
        text: read('renderer/index.html'),
      },
      decisions: {
        permissionRequest: false,
        permissionCheck: false,
        device: false,
        foreignRequest: { cancel: true },
        ownRequest: { cancel: false },
        windowOpen: { action: 'deny' },
        navigate: true,
        frameNavigate: true,
        redirect: true,
        webview: true,
        download: true,
      },
    });
  });

  test('a second one ends at once and opens nothing', async () => {
    const { code, stdout } = await desktop({ PACKHORSE_TEST_SECOND: '1' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ channels: [] });
  });

  test('says in a window why it cannot start', async () => {
    const { code, stdout } = await desktop({ PACKHORSE_DATA_DIR: join(product, 'package.json') });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      errorBox: expect.stringContaining('Packhorse could not start') as unknown,
    });
  });
});
