/** @file Starts the desktop window, or returns the obstacle as a sentence. */
import type { Clock } from '../../platform/clock.ts';
import { findElectron, installElectron, type ElectronInstallation } from './electron-program.ts';
import { runElectron } from './electron-run.ts';
import { startProblem } from './obstacles.ts';

export interface DesktopStartOptions extends ElectronInstallation {
  programFolder: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  uid: number | null;
  clock: Clock;
  signal: AbortSignal;
  installTimeoutMs: number;
  stderr: NodeJS.WritableStream;
  onDownloadProgress: (bytes: number | null) => void;
}

/**
 * Returns the exit code of the window that was shown. If no window was shown, returns the reason as a sentence without
 * its full stop.
 */
export async function startDesktop(
  start: DesktopStartOptions,
): Promise<{ code: number } | { reason: string }> {
  const obstacle = startProblem(start);
  if (obstacle !== null) return { reason: obstacle };
  if (findElectron(start) === null) {
    const { installTimeoutMs: limitMs, onDownloadProgress: onProgress } = start;
    const reason = await installElectron(start, { ...start, limitMs, onProgress });
    start.onDownloadProgress(null);
    if (reason !== null) return { reason };
  }
  const program = findElectron(start);
  if (program === null) return { reason: 'Electron is not installed' };
  const end = await runElectron(program, [start.programFolder], start);
  return end.shown ? { code: end.code } : { reason: end.reason };
}
