/** @file Running Electron, or reporting why there is no window, with real child processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runElectron } from '../../../src-main/hosts/start/electron-run.ts';
import { startDesktop, type DesktopStartOptions } from '../../../src-main/hosts/start/start-desktop.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { programFolder } from '../../../src-main/platform/paths.ts';
import { compileCache } from '../../support/processes/compile-cache.ts';
import {
  addProgram,
  electronPackage,
  installerScript,
  type Package,
} from '../../support/processes/electron-package.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['--help', 0, /Shows the window/],
  ['--port', 2, /unknown option/],
  ['serve', 2, /too many arguments/],
])(
  'with the argument %s the program prints a message and starts nothing',
  async (argument, code, expected) => {
    const home = temporaryFolder();
    const child = spawn(process.execPath, [join(programFolder, 'src-main/hosts/start.ts'), argument], {
      env: { HOME: home, PATH: '/nowhere', NODE_COMPILE_CACHE: compileCache },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (printed += String(data)));
    const [ended] = (await once(child, 'close')) as [number | null];
    expect(ended).toBe(code);
    expect(printed).toMatch(expected);
    expect(readdirSync(home)).toEqual([]);
  },
);

describe('the run of Electron', () => {
  const run = (script: string, options: Partial<Parameters<typeof runElectron>[2]> = {}) => {
    const electron = electronPackage();
    const program = addProgram(electron, script);
    const stderr = new PassThrough();
    let printed = '';
    stderr.on('data', (data: Buffer) => (printed += data.toString()));
    const ended = runElectron(program, ['/the/app'], {
      clock: systemClock,
      signal: new AbortController().signal,
      env: { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1', KEPT: 'yes' },
      stderr,
      ...options,
    });
    return { electron, ended, printed: () => printed };
  };

  test('starts the app as a window and not as Node, and returns its exit code', async () => {
    const { electron, ended } = run(
      'echo "$1 $ELECTRON_RUN_AS_NODE $KEPT" > "$(dirname "$0")/../started"; exit 0',
    );
    expect(await ended).toEqual({ shown: true, code: 0 });
    expect(electron.readRecord('started')).toBe('/the/app  yes\n');
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
      'it runs as root',
      'echo "FATAL: Running as root without --no-sandbox is not supported." >&2; kill -TRAP $$',
      /root/,
    ],
    [
      'the display cannot be reached',
      'echo "ERROR:ozone_platform_x11.cc Missing X server or \\$DISPLAY" >&2; exit 1',
      /display/,
    ],
    ['it crashes', 'kill -SEGV $$', /ended at once \(SIGSEGV\)/],
    ['it exits at once', 'exit 9', /ended at once \(exit code 9\)/],
  ])('reports that no window was shown, and the reason, if %s', async (_what, script, why) => {
    const { ended, printed } = run(script);
    expect(await ended).toEqual({ shown: false, reason: expect.stringMatching(why) as string });
    if (script.includes('>&2')) expect(printed()).not.toBe('');
  });

  test('reports that no window was shown if the program cannot be run at all', async () => {
    const ended = runElectron(join(temporaryFolder(), 'missing'), [], {
      clock: systemClock,
      signal: new AbortController().signal,
      env: {},
      stderr: new PassThrough(),
    });
    expect(await ended).toEqual({
      shown: false,
      reason: expect.stringMatching(/cannot be run.*ENOENT/) as string,
    });
  });

  test('reports that the window was shown if the program fails later, and returns its exit code', async () => {
    const clock = new SteppedClock();
    const { electron, ended } = run(
      'd="$(dirname "$0")/.."; echo > "$d/started"; while [ ! -e "$d/go" ]; do sleep 0.05; done; exit 7',
      { clock },
    );
    await expect.poll(() => electron.readRecord('started'), { timeout: 10_000 }).not.toBeNull();
    await clock.advance(15_000);
    writeFileSync(join(electron.folder, 'go'), '');
    expect(await ended).toEqual({ shown: true, code: 7 });
  });

  test('passes an abort on to the program, and does not count it as a failure', async () => {
    const controller = new AbortController();
    const { electron, ended } = run(
      'd="$(dirname "$0")/.."; trap "echo asked > $d/asked; exit 3" TERM; echo > "$d/started"; while true; do sleep 0.05; done',
      { signal: controller.signal },
    );
    await expect.poll(() => electron.readRecord('started'), { timeout: 10_000 }).not.toBeNull();
    controller.abort();
    expect(await ended).toEqual({ shown: true, code: 3 });
    expect(electron.readRecord('asked')).toBe('asked\n');
  });
});

describe('the start of the desktop app', () => {
  const start = (electron: Package, changes: Partial<DesktopStartOptions> = {}) => {
    const fetching: (number | null)[] = [];
    const outcome = startDesktop({
      ...electron.place,
      programFolder: '/the/app',
      platform: 'linux',
      env: { PATH: '/usr/bin:/bin', DISPLAY: ':0' },
      uid: 1000,
      clock: systemClock,
      signal: new AbortController().signal,
      installTimeoutMs: 20_000,
      stderr: new PassThrough(),
      onDownloadProgress: (bytes) => fetching.push(bytes),
      ...changes,
    });
    return { outcome, fetching };
  };

  test.each([
    ['without a display', { env: { PATH: '/usr/bin:/bin' } }, /display/],
    ['as root', { uid: 0 }, /root/],
  ])('%s fetches nothing and runs nothing', async (_what, changes, why) => {
    for (const present of [false, true]) {
      const electron = electronPackage(installerScript);
      if (present) addProgram(electron, 'echo > "$(dirname "$0")/../started"');
      const { outcome, fetching } = start(electron, changes);
      expect(await outcome).toEqual({ reason: expect.stringMatching(why) as string });
      expect([electron.readRecord('installer-ran'), electron.readRecord('started'), fetching]).toEqual([
        null,
        null,
        [],
      ]);
    }
  });

  test('runs an installed program, and fetches nothing', async () => {
    const electron = electronPackage(installerScript);
    addProgram(electron, 'exit 5');
    const clock = new SteppedClock();
    const { outcome, fetching } = start(electron, { clock });
    expect(await outcome).toEqual({ reason: expect.stringContaining('exit code 5') as string });
    expect([electron.readRecord('installer-ran'), fetching]).toEqual([null, []]);
  });

  test('fetches a missing program once, and then runs it', async () => {
    const electron = electronPackage(
      `fs.appendFileSync(__dirname + "/runs", "x"); ${installerScript.replace('exit 0', 'echo > "$(dirname "$0")/../started"')}`,
    );
    const { outcome, fetching } = start(electron);
    expect(await outcome).toEqual({ code: 0 });
    expect(fetching.at(-1)).toBeNull();
    expect([electron.readRecord('runs'), electron.readRecord('started')]).toEqual(['x', '\n']);
  });

  test('does not try a failed download again', async () => {
    const electron = electronPackage('fs.appendFileSync(__dirname + "/runs", "x"); process.exit(1)');
    expect(await start(electron).outcome).toEqual({
      reason: expect.stringContaining('could not be downloaded') as string,
    });
    expect(electron.readRecord('runs')).toBe('x');
  });
});
