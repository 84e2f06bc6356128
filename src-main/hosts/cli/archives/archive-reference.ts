/** @file Resolves and reads the archive that was typed on the command line. */
import { existsSync } from 'node:fs';
import { resolveUserPath } from '../../../platform/paths.ts';
import { type Session, runWithApp, run, showProgress } from '../running/session.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';
import { systemClock } from '../../../platform/clock.ts';

/** Returns the absolute path of an existing file, or null for a reference that only the catalogue can resolve. */
export function existingFile(reference: string): string | null {
  const path = resolveUserPath(reference);
  return existsSync(path) ? path : null;
}

/** Returns the reference for a call: an existing file by its absolute path, anything else as typed. */
export const archiveReference = (reference: string): string => existingFile(reference) ?? reference;

interface FileOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

interface ArchiveReader<Result> {
  readFile: (path: string, options: FileOptions) => Promise<Result>;
  readStored: (session: Session) => Promise<Result>;
  /** True if an existing file must also be read with `readStored`. */
  needsApp?: boolean;
  text: (result: Result) => string;
  exitOf?: (result: Result) => ExitCode;
}

/** Reads the archive that was typed. A file is read without opening or creating a data folder. */
export async function readArchive<Result>(
  command: AppCommand,
  reference: string,
  reader: ArchiveReader<Result>,
): Promise<void> {
  const { readFile, readStored, needsApp = false, text, exitOf = () => exitCodes.done } = reader;
  const show = (terminal: Terminal, result: Result): ExitCode => {
    terminal.result(result, () => text(result));
    return exitOf(result);
  };
  const path = existingFile(reference);
  if (path === null || needsApp) {
    await runWithApp(command, async (session) => show(session.terminal, await readStored(session)));
    return;
  }
  await run(command, async (terminal, signal) => {
    const redraw = showProgress({ terminal, clock: systemClock }, 'Reading');
    const onProgress = (done: number, total: number): void => {
      redraw({ step: 'read', unit: 'bytes', done, total });
    };
    return show(terminal, await readFile(path, { signal, onProgress }));
  });
}
