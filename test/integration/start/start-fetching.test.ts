/** @file Finding and fetching Electron's program, with real child processes. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findElectron, installElectron } from '../../../src-main/hosts/start/electron-program.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import {
  addProgram,
  electronPackage,
  installerScript,
  version,
  type Package,
} from '../../support/processes/electron-package.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const halfInstalls = `
  fs.mkdirSync(path.join(__dirname, 'dist'));
  fs.writeFileSync(path.join(__dirname, 'dist/electron'), 'half', { mode: 0o755 });
  fs.writeFileSync(path.join(process.env.TMPDIR, 'electron.zip'), Buffer.alloc(5000));`;

let before: string[] = [];
beforeEach(() => {
  before = readdirSync(tmpdir());
});
/** Returns the files that remain in the download folder. */
const downloads = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('packhorse-electron-') && !before.includes(name));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie process keeps its id until its parent reads its exit status.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the files of the package show whether Electron is installed', () => {
  test('it is installed if its version is that of the package', () => {
    const electron = electronPackage();
    expect(findElectron(electron.place)).toBeNull();
    const program = addProgram(electron, 'exit 0');
    expect(findElectron(electron.place)).toBe(program);
    writeFileSync(join(electron.folder, 'dist/version'), `v${version}\n`);
    expect(findElectron(electron.place)).toBe(program);
    expect(electron.readRecord('required')).toBeNull();
  });

  test.each<[string, (electron: Package) => void]>([
    [
      'the package is missing',
      ({ folder }) => {
        rmSync(folder, { recursive: true });
      },
    ],
    [
      'path.txt, which is written last, is missing',
      ({ folder }) => {
        rmSync(join(folder, 'path.txt'));
      },
    ],
    [
      'path.txt is empty',
      ({ folder }) => {
        writeFileSync(join(folder, 'path.txt'), '');
      },
    ],
    [
      'the version is that of another release',
      ({ folder }) => {
        writeFileSync(join(folder, 'dist/version'), '44.0.0');
      },
    ],
    [
      'the version is missing',
      ({ folder }) => {
        rmSync(join(folder, 'dist/version'));
      },
    ],
    [
      'the program is missing',
      ({ folder }) => {
        rmSync(join(folder, 'dist/electron'));
      },
    ],
    [
      'package.json cannot be read',
      ({ folder }) => {
        writeFileSync(join(folder, 'package.json'), '{');
      },
    ],
  ])('it is not installed if %s', (_what, damage) => {
    const electron = electronPackage();
    addProgram(electron, 'exit 0');
    damage(electron);
    expect(findElectron(electron.place)).toBeNull();
  });

  test('ELECTRON_OVERRIDE_DIST_PATH names another folder, as for the package itself', () => {
    const electron = electronPackage();
    const otherFolder = temporaryFolder();
    const place = { ...electron.place, overrideDist: otherFolder };
    expect(findElectron(place)).toBeNull();
    writeFileSync(join(otherFolder, 'electron'), '');
    expect(findElectron(place)).toBe(join(otherFolder, 'electron'));
  });
});

describe('the download of Electron', () => {
  const install = (electron: Package, options: Partial<Parameters<typeof installElectron>[1]> = {}) => {
    const progress: number[] = [];
    const signal = new AbortController().signal;
    const fetched = installElectron(electron.place, {
      clock: systemClock,
      limitMs: 20_000,
      signal,
      env: { ...process.env },
      onProgress: (bytes) => progress.push(bytes),
      ...options,
    });
    return { fetched, progress };
  };

  test('is done by the installer of the package', async () => {
    const electron = electronPackage(installerScript);
    expect(await install(electron).fetched).toBeNull();
    expect(findElectron(electron.place)).toBe(join(electron.folder, 'dist/electron'));
    expect(electron.readRecord('required')).toBeNull();
    expect(downloads()).toEqual([]);
  });

  test('reports the received bytes', async () => {
    const electron = electronPackage(`
      fs.writeFileSync(path.join(process.env.TMPDIR, 'electron.zip'), Buffer.alloc(5000));
      note('downloading', '');
      const wait = setInterval(() => { if (fs.existsSync(__dirname + '/go')) { clearInterval(wait); ${installerScript} } }, 20);`);
    const { fetched, progress } = install(electron);
    await expect.poll(() => progress.at(-1), { timeout: 10_000 }).toBe(5000);
    writeFileSync(join(electron.folder, 'go'), '');
    expect(await fetched).toBeNull();
  });

  test.each([
    [
      'there is no network',
      "console.error('TypeError: fetch failed\\n    at node:internal/deps/undici/undici:14902:13'); process.exit(1)",
      /there is no connection/,
    ],
    [
      'the download is refused',
      "console.error('HTTPError: Response code 404 (Not Found) for https://x/electron.zip'); process.exit(1)",
      /Response code 404/,
    ],
    ['the installer prints nothing', 'process.exit(3)', /installer failed/],
    ['the installer reports success without a program', 'process.exit(0)', /installer failed/],
  ])('reports the reason if %s, and leaves nothing that looks like a program', async (_what, end, reason) => {
    const electron = electronPackage(`${halfInstalls}; ${end}`);
    expect(await install(electron).fetched).toMatch(reason);
    expect(findElectron(electron.place)).toBeNull();
    expect(electron.readRecord('path.txt')).toBeNull();
    expect(existsSync(join(electron.folder, 'dist'))).toBe(false);
    expect(downloads()).toEqual([]);
  });

  test('takes 60 seconds at most: then the installer and its child processes are killed and its files are deleted', async () => {
    const clock = new SteppedClock();
    const electron = electronPackage(`${halfInstalls};
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
      const child = require('node:child_process').spawn('/bin/sleep', ['600'], { stdio: 'inherit' });
      note('grandchild', String(child.pid));
      setInterval(() => undefined, 1000);`);
    const { fetched } = install(electron, { clock, limitMs: 60_000 });
    await expect.poll(() => electron.readRecord('grandchild'), { timeout: 10_000 }).not.toBeNull();
    const pids = ['installer-ran', 'grandchild'].map((name) => Number(electron.readRecord(name)));
    await clock.advance(59_999);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await clock.advance(1);
    expect(await fetched).toMatch(/60 seconds/);
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    expect(existsSync(join(electron.folder, 'dist'))).toBe(false);
    expect(downloads()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('ends with Ctrl-C', async () => {
    const electron = electronPackage(`${halfInstalls}; setInterval(() => undefined, 1000);`);
    const controller = new AbortController();
    const { fetched } = install(electron, { signal: controller.signal });
    await expect.poll(() => existsSync(join(electron.folder, 'dist')), { timeout: 10_000 }).toBe(true);
    controller.abort();
    expect(await fetched).toMatch(/could not be downloaded/);
    expect(existsSync(join(electron.folder, 'dist'))).toBe(false);
  });

  test('is not tried if the package is not installed', async () => {
    const electron = electronPackage();
    rmSync(electron.folder, { recursive: true });
    expect(await install(electron).fetched).toMatch(/not installed/);
  });

  test('hides an older program, so that it is not mistaken for the new one', async () => {
    const electron = electronPackage(
      `note('seen', String(fs.existsSync(__dirname + '/path.txt'))); process.exit(1)`,
    );
    addProgram(electron, 'exit 0');
    writeFileSync(join(electron.folder, 'dist/version'), '44.0.0');
    await install(electron).fetched;
    expect(electron.readRecord('seen')).toBe('false');
  });
});
