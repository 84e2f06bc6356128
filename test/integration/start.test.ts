/**
 * @file `npm start` with real child processes: a made-up package `electron` whose program and installer are scripts. What
 * they do is written down; nothing is fetched from anywhere.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { build, isBuilt } from '../../src-main/hosts/start/build.ts';
import { findElectron, installElectron } from '../../src-main/hosts/start/electron-program.ts';
import { runElectron } from '../../src-main/hosts/start/electron-run.ts';
import { startDesktop, type DesktopStart } from '../../src-main/hosts/start/start-desktop.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { builtProduct } from '../support/product-build.ts';
import { SteppedClock } from '../support/stepped-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const version = '45.3.4';

interface Package {
  folder: string;
  place: { packageFolder: string; overrideDist: string | undefined };
  /** What the scripts wrote down. */
  noted: (name: string) => string | null;
}

/** As npm lays the package out: without the program. */
function electronPackage(installer = ''): Package {
  const folder = join(temporaryFolder(), 'electron');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron', version }));
  // The real one would start a download; here it is a mistake to load it.
  writeFileSync(
    join(folder, 'index.js'),
    "require('fs').writeFileSync(__dirname + '/required', ''); throw 1;",
  );
  writeFileSync(
    join(folder, 'install.js'),
    `const fs = require('node:fs'); const path = require('node:path');
     const note = (name, text) => fs.writeFileSync(path.join(__dirname, name), text);
     note('installer-ran', String(process.pid));
     ${installer}`,
  );
  return {
    folder,
    place: { packageFolder: folder, overrideDist: undefined },
    noted: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null),
  };
}

/** Puts a program there, as the installer does; `script` is a shell script. */
function addProgram({ folder }: Package, script: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/version'), version);
  writeFileSync(join(folder, 'path.txt'), 'electron');
  const program = join(folder, 'dist/electron');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

/** What an installer does that works. */
const installs = `
  fs.mkdirSync(path.join(__dirname, 'dist'));
  fs.writeFileSync(path.join(__dirname, 'dist/electron'), '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });
  fs.writeFileSync(path.join(__dirname, 'dist/version'), '${version}');
  fs.writeFileSync(path.join(__dirname, 'path.txt'), 'electron');`;

const halfInstalls = `
  fs.mkdirSync(path.join(__dirname, 'dist'));
  fs.writeFileSync(path.join(__dirname, 'dist/electron'), 'half', { mode: 0o755 });
  fs.writeFileSync(path.join(process.env.TMPDIR, 'electron.zip'), Buffer.alloc(5000));`;

let before: string[] = [];
beforeEach(() => {
  before = readdirSync(tmpdir());
});
/** What was left where files arrive. */
const downloads = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('packhorse-electron-') && !before.includes(name));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that has ended and that nobody asked about still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('whether the program is there is told by its files', () => {
  test('it is, with the version of the package', () => {
    const electron = electronPackage();
    expect(findElectron(electron.place)).toBeNull();
    const program = addProgram(electron, 'exit 0');
    expect(findElectron(electron.place)).toBe(program);
    writeFileSync(join(electron.folder, 'dist/version'), `v${version}\n`);
    expect(findElectron(electron.place)).toBe(program);
    expect(electron.noted('required')).toBeNull();
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
  ])('it is not when %s', (_what, spoil) => {
    const electron = electronPackage();
    addProgram(electron, 'exit 0');
    spoil(electron);
    expect(findElectron(electron.place)).toBeNull();
  });

  test('ELECTRON_OVERRIDE_DIST_PATH names another place, as the package itself understands it', () => {
    const electron = electronPackage();
    const elsewhere = temporaryFolder();
    const place = { ...electron.place, overrideDist: elsewhere };
    expect(findElectron(place)).toBeNull();
    writeFileSync(join(elsewhere, 'electron'), '');
    expect(findElectron(place)).toBe(join(elsewhere, 'electron'));
  });
});

describe('fetching it', () => {
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
    const electron = electronPackage(installs);
    expect(await install(electron).fetched).toBeNull();
    expect(findElectron(electron.place)).toBe(join(electron.folder, 'dist/electron'));
    expect(electron.noted('required')).toBeNull();
    expect(downloads()).toEqual([]);
  });

  test('tells how much has arrived', async () => {
    const electron = electronPackage(`
      fs.writeFileSync(path.join(process.env.TMPDIR, 'electron.zip'), Buffer.alloc(5000));
      note('downloading', '');
      const wait = setInterval(() => { if (fs.existsSync(__dirname + '/go')) { clearInterval(wait); ${installs} } }, 20);`);
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
      'it is refused',
      "console.error('HTTPError: Response code 404 (Not Found) for https://x/electron.zip'); process.exit(1)",
      /Response code 404/,
    ],
    ['nothing is said', 'process.exit(3)', /installer failed/],
    ['it claims to be done and is not', 'process.exit(0)', /installer failed/],
  ])(
    'when %s the reason is told, and nothing is left that looks like a program',
    async (_what, end, reason) => {
      const electron = electronPackage(`${halfInstalls}; ${end}`);
      expect(await install(electron).fetched).toMatch(reason);
      expect(findElectron(electron.place)).toBeNull();
      expect(electron.noted('path.txt')).toBeNull();
      expect(existsSync(join(electron.folder, 'dist'))).toBe(false);
      expect(downloads()).toEqual([]);
    },
  );

  test('takes 60 seconds at most: then it is killed with all that it started, and what it had is removed', async () => {
    const clock = new SteppedClock();
    const electron = electronPackage(`${halfInstalls};
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
      const child = require('node:child_process').spawn('/bin/sleep', ['600'], { stdio: 'inherit' });
      note('grandchild', String(child.pid));
      setInterval(() => undefined, 1000);`);
    const { fetched } = install(electron, { clock, limitMs: 60_000 });
    await expect.poll(() => electron.noted('grandchild'), { timeout: 10_000 }).not.toBeNull();
    const pids = ['installer-ran', 'grandchild'].map((name) => Number(electron.noted(name)));
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
    expect(await fetched).toMatch(/could not be fetched/);
    expect(existsSync(join(electron.folder, 'dist'))).toBe(false);
  });

  test('is not tried where the package is not installed', async () => {
    const electron = electronPackage();
    rmSync(electron.folder, { recursive: true });
    expect(await install(electron).fetched).toMatch(/not installed/);
  });

  test('an older program is not taken for the new one while that arrives', async () => {
    const electron = electronPackage(
      `note('seen', String(fs.existsSync(__dirname + '/path.txt'))); process.exit(1)`,
    );
    addProgram(electron, 'exit 0');
    writeFileSync(join(electron.folder, 'dist/version'), '44.0.0');
    await install(electron).fetched;
    expect(electron.noted('seen')).toBe('false');
  });
});

describe('running it', () => {
  const run = (script: string, options: Partial<Parameters<typeof runElectron>[2]> = {}) => {
    const electron = electronPackage();
    const program = addProgram(electron, script);
    const stderr = new PassThrough();
    let said = '';
    stderr.on('data', (data: Buffer) => (said += data.toString()));
    const ended = runElectron(program, ['/the/app'], {
      clock: systemClock,
      signal: new AbortController().signal,
      env: { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1', KEPT: 'yes' },
      stderr,
      ...options,
    });
    return { electron, ended, said: () => said };
  };

  test('it is started on the app, as a window and not as Node, and its exit code is ours', async () => {
    const { electron, ended } = run(
      'echo "$1 $ELECTRON_RUN_AS_NODE $KEPT" > "$(dirname "$0")/../started"; exit 0',
    );
    expect(await ended).toEqual({ shown: true, code: 0 });
    expect(electron.noted('started')).toBe('/the/app  yes\n');
  });

  test.each([
    [
      'a library is missing',
      'echo "$0: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127',
      /library.*libnss3\.so/,
    ],
    [
      'there is no sandbox',
      'echo "FATAL:setuid_sandbox_host.cc The SUID sandbox helper binary was found, but is not configured" >&2; kill -TRAP $$',
      /sandbox/,
    ],
    [
      'it runs for root',
      'echo "FATAL: Running as root without --no-sandbox is not supported." >&2; kill -TRAP $$',
      /root/,
    ],
    [
      'the display cannot be reached',
      'echo "ERROR:ozone_platform_x11.cc Missing X server or \\$DISPLAY" >&2; exit 1',
      /display/,
    ],
    ['it crashes', 'kill -SEGV $$', /ended at once \(SIGSEGV\)/],
    ['it just ends', 'exit 9', /ended at once \(exit code 9\)/],
  ])('when %s it has shown nothing, and why', async (_what, script, why) => {
    const { ended, said } = run(script);
    expect(await ended).toEqual({ shown: false, why: expect.stringMatching(why) as string });
    if (script.includes('>&2')) expect(said()).not.toBe('');
  });

  test('what cannot be run at all has shown nothing either', async () => {
    const ended = runElectron(join(temporaryFolder(), 'missing'), [], {
      clock: systemClock,
      signal: new AbortController().signal,
      env: {},
      stderr: new PassThrough(),
    });
    expect(await ended).toEqual({
      shown: false,
      why: expect.stringMatching(/cannot be run.*ENOENT/) as string,
    });
  });

  test('one that fails later has shown its window, and its exit code is ours', async () => {
    const clock = new SteppedClock();
    const { electron, ended } = run(
      'd="$(dirname "$0")/.."; echo > "$d/started"; while [ ! -e "$d/go" ]; do sleep 0.05; done; exit 7',
      { clock },
    );
    await expect.poll(() => electron.noted('started'), { timeout: 10_000 }).not.toBeNull();
    await clock.advance(15_000);
    writeFileSync(join(electron.folder, 'go'), '');
    expect(await ended).toEqual({ shown: true, code: 7 });
  });

  test('a polite kill of ours is passed on, and is no failure', async () => {
    const controller = new AbortController();
    const { electron, ended } = run(
      'd="$(dirname "$0")/.."; trap "echo asked > $d/asked; exit 3" TERM; echo > "$d/started"; while true; do sleep 0.05; done',
      { signal: controller.signal },
    );
    await expect.poll(() => electron.noted('started'), { timeout: 10_000 }).not.toBeNull();
    controller.abort();
    expect(await ended).toEqual({ shown: true, code: 3 });
    expect(electron.noted('asked')).toBe('asked\n');
  });
});

describe('altogether', () => {
  const start = (electron: Package, changes: Partial<DesktopStart> = {}) => {
    const fetching: (number | null)[] = [];
    const outcome = startDesktop({
      ...electron.place,
      programFolder: '/the/app',
      platform: 'linux',
      env: { PATH: '/usr/bin:/bin', DISPLAY: ':0' },
      uid: 1000,
      clock: systemClock,
      signal: new AbortController().signal,
      installLimitMs: 20_000,
      stderr: new PassThrough(),
      onFetching: (bytes) => fetching.push(bytes),
      ...changes,
    });
    return { outcome, fetching };
  };

  test.each([
    ['without a display', { env: { PATH: '/usr/bin:/bin' } }, /display/],
    ['as root', { uid: 0 }, /root/],
  ])('%s nothing is fetched and nothing is run', async (_what, changes, why) => {
    for (const present of [false, true]) {
      const electron = electronPackage(installs);
      if (present) addProgram(electron, 'echo > "$(dirname "$0")/../started"');
      const { outcome, fetching } = start(electron, changes);
      expect(await outcome).toEqual({ why: expect.stringMatching(why) as string });
      expect([electron.noted('installer-ran'), electron.noted('started'), fetching]).toEqual([
        null,
        null,
        [],
      ]);
    }
  });

  test('a program that is there is run, and nothing is fetched', async () => {
    const electron = electronPackage(installs);
    addProgram(electron, 'exit 5');
    const clock = new SteppedClock();
    const { outcome, fetching } = start(electron, { clock });
    expect(await outcome).toEqual({ why: expect.stringContaining('exit code 5') as string });
    expect([electron.noted('installer-ran'), fetching]).toEqual([null, []]);
  });

  test('one that is missing is fetched once, and then run', async () => {
    const electron = electronPackage(installs);
    const { outcome, fetching } = start(electron);
    expect(await outcome).toEqual({ code: 0 });
    expect(fetching.at(-1)).toBeNull();
  });

  test('one that cannot be fetched is not asked for again', async () => {
    const electron = electronPackage('fs.appendFileSync(__dirname + "/runs", "x"); process.exit(1)');
    expect(await start(electron).outcome).toEqual({
      why: expect.stringContaining('could not be fetched') as string,
    });
    expect(electron.noted('runs')).toBe('x');
  });
});

describe('the window is built', () => {
  /** A checkout whose builder is a script. */
  function checkout(builder: string | null): string {
    const folder = temporaryFolder();
    for (const [path, text] of Object.entries({
      'src-main/hosts/desktop.ts': '',
      'src-preload/preload.ts': '',
      'src-renderer/views/deep/view.svelte': '',
      'package.json': '{}',
      'electron.vite.config.ts': '',
      'svelte.config.js': '',
    })) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (builder !== null) {
      mkdirSync(join(folder, 'node_modules/electron-vite/bin'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/electron-vite/bin/electron-vite.js'), builder);
    }
    return folder;
  }

  const results = ['out/main/hosts/desktop.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];
  const builds = `
    const fs = require('node:fs'); const path = require('node:path');
    if (process.env.NODE_ENV !== 'production') process.exit(9);
    for (const file of ${JSON.stringify(results)}) {
      fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, '');
    }
    console.log(process.argv.slice(2).join(' '));`;

  test('when it never was, and not again while nothing changes', async () => {
    const folder = checkout(builds);
    expect(isBuilt(folder)).toBe(false);
    await build(folder, process.env);
    expect(isBuilt(folder)).toBe(true);
  });

  test.each([
    'src-main/hosts/desktop.ts',
    'src-renderer/views/deep/view.svelte',
    'package.json',
    'electron.vite.config.ts',
  ])('again when %s is newer', async (source) => {
    const folder = checkout(builds);
    await build(folder, process.env);
    const later = Date.now() / 1000 + 60;
    utimesSync(join(folder, source), later, later);
    expect(isBuilt(folder)).toBe(false);
  });

  test.each(results)('again when %s is missing or older than the sources', async (result) => {
    const folder = checkout(builds);
    await build(folder, process.env);
    const earlier = Date.now() / 1000 - 600;
    utimesSync(join(folder, result), earlier, earlier);
    expect(isBuilt(folder)).toBe(false);
    rmSync(join(folder, result));
    expect(isBuilt(folder)).toBe(false);
  });

  test('and when that fails the builder’s own words are told', async () => {
    const folder = checkout("console.error('view.svelte:3 unexpected token'); process.exit(1)");
    await expect(build(folder, process.env)).rejects.toMatchObject({
      code: 'page-not-built',
      message: expect.stringContaining('view.svelte:3 unexpected token') as string,
    });
  });

  test('where there is no builder it says so', async () => {
    await expect(build(checkout(null), process.env)).rejects.toMatchObject({ code: 'page-not-built' });
  });
});

describe.skipIf(process.platform !== 'linux')('npm start in a checkout', () => {
  /** The sources, the tools and what was built of them, as in a checkout after `npm run build`. */
  async function builtCheckout(): Promise<string> {
    const folder = temporaryFolder();
    const repository = join(import.meta.dirname, '../..');
    for (const name of [
      'src-main',
      'src-preload',
      'src-renderer',
      'package.json',
      'electron.vite.config.ts',
      'svelte.config.js',
    ]) {
      cpSync(join(repository, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(await builtProduct(), 'out'), join(folder, 'out'), { recursive: true });
    return folder;
  }

  test('where there is no display it says so and serves the window until it is stopped', async () => {
    const checkout = await builtCheckout();
    const home = temporaryFolder();
    const child = spawn(process.execPath, [join(checkout, 'src-main/hosts/start.ts')], {
      cwd: checkout,
      env: { PATH: '/nowhere', HOME: home, TMPDIR: tmpdir() },
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect.poll(() => said, { timeout: 20_000 }).toContain('Stop with Ctrl-C.');
    expect(said).toMatch(/^There is no display here.*, so the window opens in a browser instead\.$/m);
    expect(said).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 /);
    expect(said).not.toContain('Building');
    const [link = ''] = /http:\S+\/open\?link=\S+/.exec(said) ?? [];
    const answer = await fetch(link, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
