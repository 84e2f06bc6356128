/** @file Checks the output of `npm run build`: both hosts start from it and find their workers and migrations. */
import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../src-main/hosts/desktop/bundle.ts';
import { callNames, cancelChannel, fileChannel } from '../../src-contract/call-names.ts';
import { DesktopProcess } from '../support/electron/desktop-process.ts';
import { builtProduct } from '../support/processes/product-build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = join(import.meta.dirname, '../..');
let product: string;
let out: string;
const read = (path: string): string => readFileSync(join(out, path), 'utf8');

beforeAll(async () => {
  product = await builtProduct();
  out = join(product, 'out');
});

test('the preload script is one CommonJS file that requires only Electron', () => {
  expect(readdirSync(join(out, 'preload'))).toEqual(['preload.cjs']);
  const preload = read('preload/preload.cjs');
  expect([...preload.matchAll(/\brequire\(([^)]*)\)/g)].map((match) => match[1])).toEqual(['"electron"']);
  expect(preload).not.toMatch(/^\s*(import|export)\b|\bimport\(/m);
});

test('the page has no inline code or style and refers to no other host', () => {
  const page = read('renderer/index.html');
  expect(page).toMatch(/<script type="module"[^>]* src="\.\/assets\/[^"]+\.js"><\/script>/);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:/);
});

test('the page contains no zod, because the bridge validates the data', () => {
  const scripts = readdirSync(join(out, 'renderer/assets')).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);
  // Every schema of zod has a property with this name.
  expect(scripts.filter((name) => read(`renderer/assets/${name}`).includes('~standard'))).toEqual([]);
});

test('page, scripts and styles meet the goal for their size: at most 300 kB with gzip', () => {
  const sizes = readdirSync(join(out, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|css|html)$/.test(name))
    .map((name) => gzipSync(read(join('renderer', name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300_000);
});

test('the main build contains both hosts and every worker, one file per source file, and no node_modules', () => {
  const outputsOf = (folder: string, pattern: string): string[] =>
    globSync(pattern, { cwd: folder }).map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, '.js'));
  const sourceFolder = join(repository, 'src-main');
  const workers = outputsOf(sourceFolder, '**/*-worker.ts');
  expect(workers.length).toBeGreaterThan(2);
  for (const file of ['hosts/desktop.js', 'hosts/cli.js', 'compose/compose.js', ...workers]) {
    expect(read(`main/${file}`).length, file).toBeGreaterThan(0);
  }
  const files = outputsOf(join(out, 'main'), '**/*.js');
  const sources = [...outputsOf(sourceFolder, '**/*.ts'), ...outputsOf(repository, 'src-contract/**/*.ts')];
  expect(files.filter((file) => !sources.includes(file))).toEqual([]);
  expect(readdirSync(join(out, 'main'))).not.toContain('node_modules');
});

describe('the built command line', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  const cli = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(out, 'main/hosts/cli.js'), ...args],
        { cwd: repository, env: { ...process.env, PACKHORSE_DATA_DIR: dataDir, ...env } },
        (_error, stdout, stderr) => {
          resolve({ code: child.exitCode ?? -1, stdout, stderr });
        },
      );
    });

  test('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('finds its worker and inspects an archive', async () => {
    const file = join(dataDir, 'not-an-export.tar.gz');
    writeFileSync(file, gzipSync(Buffer.alloc(1024)));
    const { stdout, stderr } = await cli(['archive', 'inspect', file, '--json']);
    expect(JSON.parse(stdout), stderr).toMatchObject({ verdict: 'unusable' });
  });

  test.skipIf(process.platform !== 'linux')(
    "finds the keychain's process, which reports what is wrong with the keychain",
    async () => {
      const { stdout, stderr } = await cli(['--json', 'doctor'], {
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; value: string }[] };
      const keychain = checks.find(({ name }) => name === 'keychain');
      expect(keychain?.value, stderr).toMatch(/cannot be reached|library/);
    },
  );

  test('finds its migrations and creates a new catalogue', async () => {
    const { code, stdout, stderr } = await cli(['--json', 'job', 'list']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [] });
  });
});

describe('the built desktop host', () => {
  test('opens one sandboxed window with its own page, denies everything else, and exits cleanly', async () => {
    const desktop = new DesktopProcess({ product });
    const { windowOptions, ...state } = await desktop.until(({ visible, tray }) => visible && tray !== null);
    expect(state).toMatchObject({
      sandbox: true,
      schemes: [{ scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } }],
      paths: { userData: join(desktop.dataDir, 'desktop'), logs: join(desktop.dataDir, 'desktop/logs') },
      spellChecker: false,
      windows: 1,
      errorBox: null,
      channels: [...callNames, fileChannel, cancelChannel],
    });
    expect(windowOptions).toMatchObject({
      webPreferences: { preload: join(out, 'preload/preload.cjs'), sandbox: true, devTools: false },
      icon: join(product, 'resources/icon.png'),
    });
    expect(await desktop.request('decisions', null)).toEqual({
      permissionRequest: false,
      permissionCheck: false,
      device: false,
      bluetoothPairing: { confirmed: false },
      bluetoothDevice: '',
      usbDevice: null,
      hidDevice: null,
      serialPort: '',
      certificateError: false,
      clientCertificate: null,
      login: true,
      foreignRequest: { cancel: true },
      ownRequest: { cancel: false },
      windowOpen: { action: 'deny' },
      navigate: true,
      frameNavigate: true,
      redirect: true,
      webview: true,
      download: true,
      ntlm: '',
    });

    const ask = (method: string, url: string) => desktop.request('fetch', { method, url, navigation: false });
    const page = await ask('GET', 'app://bundle/');
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff' },
    });
    expect(page === 'cancelled' ? '' : page.body.toString()).toBe(read('renderer/index.html'));
    expect(await ask('GET', 'app://bundle/../package.json')).toMatchObject({ status: 404 });
    expect(await ask('POST', 'app://bundle/')).toMatchObject({ status: 405 });

    expect(await desktop.request('emit', { of: 'app', event: 'before-quit' })).toBe(true);
    expect(await desktop.exited).toEqual({ code: 0, stderr: '' });
  });

  test('shows in an error box why it cannot start', async () => {
    const file = join(temporaryFolder(), 'not-a-folder');
    writeFileSync(file, '');
    const desktop = new DesktopProcess({ product, dataDir: file });
    expect(await desktop.exited).toMatchObject({ code: 1 });
    expect(desktop.state).toMatchObject({
      errorBox: expect.stringContaining('Packhorse could not start') as unknown,
      windows: 0,
    });
  });
});
