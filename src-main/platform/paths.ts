/**
 * @file Where things are: the data folder of the platform and what stands in it, the build output, and files named on a
 * command line. Pure but for `dataPaths`, which makes the folder.
 */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import { makePrivateFolder } from './private-folder.ts';

/** All absolute. `archives` is the default root; settings may name another. */
export interface DataPaths {
  dataFolder: string;
  catalogue: string;
  settings: string;
  logFolder: string;
  archives: string;
  /** Files saved for a person who did not say where; made when the first one comes. */
  downloads: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The platform's usual place, unless `--data-dir` (`wanted`) or `PACKHORSE_DATA_DIR` says otherwise, in this order.
 * @returns an absolute path that need not exist.
 */
export function dataFolder(options: {
  wanted?: string | undefined;
  env?: Environment;
  platform?: NodeJS.Platform;
  home?: string;
}): string {
  const { wanted, env = process.env, platform = process.platform, home = homedir() } = options;
  const chosen = wanted ?? env['PACKHORSE_DATA_DIR'];
  if (chosen !== undefined && chosen !== '') return userPath(chosen, env);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Packhorse');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Packhorse');
  const shared = env['XDG_DATA_HOME'];
  // The XDG specification tells to ignore a relative path.
  return join(shared?.startsWith('/') === true ? shared : join(home, '.local', 'share'), 'packhorse');
}

/** Names what is in the data folder, and makes the folder (mode 0700) when it does not exist. Throws `disk-denied`. */
export function dataPaths(folder: string): DataPaths {
  try {
    makePrivateFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('a file stands in its place');
  } catch (error) {
    throw new AppError('disk-denied', 'the data folder cannot be made', {
      details: { path: folder },
      cause: error,
    });
  }
  return {
    dataFolder: folder,
    catalogue: join(folder, 'catalogue.sqlite'),
    settings: join(folder, 'settings.json'),
    logFolder: join(folder, 'logs'),
    archives: join(folder, 'archives'),
    downloads: join(folder, 'downloads'),
  };
}

/**
 * A path that a user typed. npm runs scripts in the project's folder and keeps the user's own in `INIT_CWD`, which
 * counts only there: the variable also leaks into whatever is started from an npm script. Throws `invalid-input` for an empty
 * text, as of a variable that is not set: nobody means the current folder by it.
 */
export function userPath(path: string, env: Environment = process.env, cwd = process.cwd()): string {
  if (path.trim() === '') throw new AppError('invalid-input', 'A path is empty.');
  const from = cwd === programFolder ? (env['INIT_CWD'] ?? cwd) : cwd;
  return resolve(from, path);
}

/** From source this file is `src-main/platform/paths.ts`, from the build `out/main/platform/paths.js`. */
const isBuilt = extname(import.meta.filename) === '.js';
/** Where `package.json` stands. */
export const programFolder = resolve(dirname(import.meta.filename), isBuilt ? '../../..' : '../..');

/** The folder of build output; `out/renderer` and `out/preload` stand in it once the project was built. */
export const outFolder = join(programFolder, 'out');

/** Pictures that the desktop host shows outside the page. */
export const resourcesFolder = join(programFolder, 'resources');

/** `package.json` of this program, which states its version. */
export const packageFile = join(programFolder, 'package.json');
