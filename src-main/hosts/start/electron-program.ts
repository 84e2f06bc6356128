/**
 * @file Finds and downloads Electron's program. The package `electron` is never required, because that starts a
 * download without a time limit. The path of the program is read from the package's files.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';

export interface ElectronInstallation {
  packageFolder: string;
  /** The value of `ELECTRON_OVERRIDE_DIST_PATH`. */
  overrideDist: string | undefined;
}

const packageSchema = z.object({ version: z.string() });
const progressIntervalMs = 500;
const maxErrorChars = 20_000;

/** Returns the absolute path of the program; null if it is missing, incomplete, or of another version. */
export function findElectron({ packageFolder, overrideDist }: ElectronInstallation): string | null {
  try {
    const programPath = read(join(packageFolder, 'path.txt')) ?? '';
    if (overrideDist !== undefined && overrideDist !== '')
      return pathIfExists(join(overrideDist, programPath === '' ? 'electron' : programPath));
    const { version } = packageSchema.parse(
      JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')),
    );
    const dist = join(packageFolder, 'dist');
    // The installer writes path.txt last.
    if (programPath === '' || read(join(dist, 'version'))?.trim().replace(/^v/, '') !== version) return null;
    return pathIfExists(join(dist, programPath));
  } catch {
    return null;
  }
}

/**
 * Runs the package's own installer, once. Kills it after the time limit or when the signal is aborted, and removes what
 * an unfinished attempt left behind.
 * @returns null once the program is installed, else the reason: a sentence without a full stop.
 */
export async function installElectron(
  installation: ElectronInstallation,
  options: {
    clock: Clock;
    limitMs: number;
    signal: AbortSignal;
    env: NodeJS.ProcessEnv;
    onProgress: (bytes: number) => void;
  },
): Promise<string | null> {
  const { clock, limitMs, signal, env, onProgress } = options;
  const installer = join(installation.packageFolder, 'install.js');
  if (!existsSync(installer)) return 'The package "electron" is not installed';
  // Without this removal, the file of an older version could be mistaken for the new program during the installation.
  rmSync(join(installation.packageFolder, 'path.txt'), { force: true });
  const downloads = mkdtempSync(join(tmpdir(), 'packhorse-electron-'));
  try {
    const child = spawn(process.execPath, [installer], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...env, ELECTRON_GET_NO_PROGRESS: '1', TMPDIR: downloads, TEMP: downloads, TMP: downloads },
      // A separate process group, so that all processes it starts end with it.
      detached: process.platform !== 'win32',
    });
    let errorOutput = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-maxErrorChars);
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
    let stopProgress = (): void => undefined;
    const reportProgress = (): void => {
      onProgress(bytesIn(downloads));
      stopProgress = clock.timer(progressIntervalMs, reportProgress);
    };
    reportProgress();
    signal.addEventListener('abort', end, { once: true });
    const spawnError = await new Promise<Error | null>((resolve) => {
      child.once('error', resolve);
      child.once('exit', () => {
        if (ended.byUs) resolve(null);
      });
      // All output has been read by then.
      child.once('close', () => {
        resolve(null);
      });
    });
    stopTimer();
    stopProgress();
    signal.removeEventListener('abort', end);
    if (findElectron(installation) !== null) return null;
    rmSync(join(installation.packageFolder, 'path.txt'), { force: true });
    rmSync(join(installation.packageFolder, 'dist'), { recursive: true, force: true });
    if (ended.tooSlow)
      return `Electron could not be downloaded within ${limitMs / 1000} seconds ("npx install-electron" has no time limit)`;
    return `Electron could not be downloaded: ${reasonIn(spawnError === null ? errorOutput : spawnError.message)}`;
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

/** The installer's only message when the network fails; it hides the cause. */
const offline = /TypeError: (?:fetch failed|terminated)/;

function reasonIn(errorOutput: string): string {
  if (offline.test(errorOutput)) return 'there is no connection to its download server';
  const [line = 'its installer failed'] = /^.*Error: .*$/m.exec(errorOutput) ?? [];
  return line.trim().slice(0, 200);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
    }
  } catch {
    // A file was removed during the walk.
  }
  return bytes;
}

const pathIfExists = (path: string): string | null => (existsSync(path) ? path : null);

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
