/**
 * @file Starting at login on Linux, which is a file in the folder that every desktop reads; elsewhere Electron does it.
 * Needs no Electron.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';

/** With this argument the window stays away until it is asked for, where there is a tray to ask from. */
export const hiddenArgument = '--hidden';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the entry stands. */
export function autostartPath(env: Environment, home = homedir()): string {
  const config = env['XDG_CONFIG_HOME'];
  // The XDG specification tells to ignore a relative path.
  return join(
    config?.startsWith('/') === true ? config : join(home, '.config'),
    'autostart',
    'packhorse.desktop',
  );
}

/** One argument of `Exec`: quoted for the command line, then escaped as a string of the file. Throws for control characters. */
function quoted(argument: string): string {
  // eslint-disable-next-line no-control-regex -- they would end the line and begin another key
  if (/[\u0000-\u001f\u007f]/.test(argument)) {
    throw new AppError('invalid-input', 'The path of the program holds control characters.');
  }
  const forCommandLine = `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return forCommandLine.replaceAll('\\', '\\\\');
}

/** The text of an autostart entry that runs `command` hidden. */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Packhorse',
    'Comment=Keeps the schedules of Packhorse running',
    `Exec=${[...command, hiddenArgument].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Writes the entry or takes it away; both may be repeated. */
export function setAutostart(on: boolean, command: readonly string[], path: string): void {
  if (!on) {
    rmSync(path, { force: true });
    return;
  }
  const entry = autostartEntry(command);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFileSync(path, entry);
}
