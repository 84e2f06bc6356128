/**
 * @file Electron's program: whether it is there, and fetching it. The package `electron` is never required, because that
 * starts a download without limit; its files say where the program is.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';

export interface ElectronPlace {
  /** The package's folder, usually `node_modules/electron`. */
  packageFolder: string;
  /** What `ELECTRON_OVERRIDE_DIST_PATH` says, as the package itself understands it. */
  overrideDist: string | undefined;
}

const packageSchema = z.object({ version: z.string() });
const progressEveryMs = 500;
const shownOfErrors = 20_000;

/** The absolute path of the program; null when it is not there, or is not whole, or belongs to another version. */
export function findElectron({ packageFolder, overrideDist }: ElectronPlace): string | null {
  try {
    const named = read(join(packageFolder, 'path.txt')) ?? '';
    if (isSet(overrideDist)) return existing(join(overrideDist, named === '' ? 'electron' : named));
    const { version } = packageSchema.parse(
      JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')),
    );
    const dist = join(packageFolder, 'dist');
    // The installer writes path.txt last.
    if (named === '' || read(join(dist, 'version'))?.trim().replace(/^v/, '') !== version) return null;
    return existing(join(dist, named));
  } catch {
    return null;
  }
}

/**
 * Runs the package's own installer, once. It is killed when the time is over or the signal is aborted, and what an unfinished
 * attempt left behind is removed. @returns null once the program is there, else why not: a sentence without its end.
 */
export async function installElectron(
  place: ElectronPlace,
  options: {
    clock: Clock;
    limitMs: number;
    signal: AbortSignal;
    env: NodeJS.ProcessEnv;
    /** Hears how many bytes have arrived. */
    onProgress: (bytes: number) => void;
  },
): Promise<string | null> {
  const { clock, limitMs, signal, env, onProgress } = options;
  const installer = join(place.packageFolder, 'install.js');
  if (!existsSync(installer)) return 'The package "electron" is not installed';
  // What an older version left there must not be taken for the program while the new one is put in its place.
  rmSync(join(place.packageFolder, 'path.txt'), { force: true });
  const downloads = mkdtempSync(join(tmpdir(), 'packhorse-electron-'));
  try {
    const child = spawn(process.execPath, [installer], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...env, ELECTRON_GET_NO_PROGRESS: '1', TMPDIR: downloads, TEMP: downloads, TMP: downloads },
      // A group of its own, so that everything it started ends with it.
      detached: process.platform !== 'win32',
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-shownOfErrors);
    });
    const ended = { byUs: false, tooSlow: false };
    const end = (): void => {
      ended.byUs = true;
      killGroup(child.pid);
    };
    const stopTimer = clock.timer(limitMs, () => {
      ended.tooSlow = true;
      end();
    });
    let stopWatch = (): void => undefined;
    const watch = (): void => {
      onProgress(bytesIn(downloads));
      stopWatch = clock.timer(progressEveryMs, watch);
    };
    watch();
    signal.addEventListener('abort', end, { once: true });
    const failed = await new Promise<Error | null>((resolve) => {
      child.once('error', resolve);
      child.once('exit', () => {
        if (ended.byUs) resolve(null);
      });
      // By then all that it said has been read.
      child.once('close', () => {
        resolve(null);
      });
    });
    stopTimer();
    stopWatch();
    signal.removeEventListener('abort', end);
    if (findElectron(place) !== null) return null;
    rmSync(join(place.packageFolder, 'path.txt'), { force: true });
    rmSync(join(place.packageFolder, 'dist'), { recursive: true, force: true });
    if (ended.tooSlow)
      return `Electron could not be fetched within ${limitMs / 1000} seconds ("npx install-electron" takes its time)`;
    return `Electron could not be fetched: ${reasonIn(failed === null ? said : failed.message)}`;
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

/** All that the installer says when the network fails; what lies behind it, it keeps to itself. */
const offline = /TypeError: (?:fetch failed|terminated)/;

function reasonIn(said: string): string {
  if (offline.test(said)) return 'there is no connection to where it is kept';
  const [line = 'its installer failed'] = /^.*Error: .*$/m.exec(said) ?? [];
  return line.trim().slice(0, 200);
}

/** Ends a process and everything in its group at once. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
    }
  } catch {
    // A file went away while it was looked at.
  }
  return bytes;
}

function existing(path: string): string | null {
  return existsSync(path) ? path : null;
}

function read(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
