/** @file Starts the program at login on Linux, by a file in the folder that every desktop reads. Needs no Electron. */
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';

/** Starts without a visible window, if a tray icon can show it later. */
export const hiddenArgument = '--hidden';

export function autostartPath(env: Readonly<Record<string, string | undefined>>, home = homedir()): string {
  const config = env['XDG_CONFIG_HOME'];
  // The XDG specification requires relative paths to be ignored.
  return join(
    config?.startsWith('/') === true ? config : join(home, '.config'),
    'autostart',
    'packhorse.desktop',
  );
}

/** Quotes an argument of `Exec` for the command line, then for the file. Throws for control characters. */
function quote(argument: string): string {
  // eslint-disable-next-line no-control-regex -- they would end the line and start another key
  if (/[\u0000-\u001f\u007f]/.test(argument)) {
    throw new AppError('invalid-input', 'The path of the program contains control characters.');
  }
  const quotedArgument = `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quotedArgument.replaceAll('\\', '\\\\');
}

export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Packhorse',
    'Comment=Keeps the schedules of Packhorse running',
    `Exec=${[...command, hiddenArgument].map(quote).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

export function setAutostart(enabled: boolean, command: readonly string[], path: string): void {
  if (!enabled) {
    rmSync(path, { force: true });
    return;
  }
  const entry = autostartEntry(command);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFileSync(path, entry);
}
