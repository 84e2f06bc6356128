/** @file Starts the desktop window, or returns the reason why it cannot start. */
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
  options: DesktopStartOptions,
): Promise<{ code: number } | { reason: string }> {
  const problem = startProblem(options);
  if (problem !== null) return { reason: problem };
  if (findElectron(options) === null) {
    const { installTimeoutMs: limitMs, onDownloadProgress: onProgress } = options;
    const reason = await installElectron(options, { ...options, limitMs, onProgress });
    options.onDownloadProgress(null);
    if (reason !== null) return { reason };
  }
  const program = findElectron(options);
  if (program === null) return { reason: 'Electron is not installed' };
  const outcome = await runElectron(program, [options.programFolder], options);
  return outcome.shown ? { code: outcome.code } : { reason: outcome.reason };
}
