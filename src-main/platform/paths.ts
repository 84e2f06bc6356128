/** @file Paths: the data folder, the build output, and files named on a command line. Pure, except for `createDataPaths`. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import { makePrivateFolder } from './private-folder.ts';

/** All paths are absolute. `archives` is the default root; the settings may name another root. */
export interface DataPaths {
  dataFolder: string;
  catalogue: string;
  settings: string;
  logFolder: string;
  archives: string;
  /** Folder for files that the user saves without choosing a place. Created with the first file. */
  downloads: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns an absolute path: `--data-dir` (`requested`), `PACKHORSE_DATA_DIR`, or the platform's usual folder. */
export function dataFolder(options: {
  requested?: string | undefined;
  env?: Environment;
  platform?: NodeJS.Platform;
  home?: string;
}): string {
  const { requested, env = process.env, platform = process.platform, home = homedir() } = options;
  const chosen = requested ?? env['PACKHORSE_DATA_DIR'];
  if (chosen !== undefined && chosen !== '') return resolveUserPath(chosen, env);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Packhorse');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Packhorse');
  const dataHome = env['XDG_DATA_HOME'];
  // The XDG specification requires relative paths to be ignored.
  return join(dataHome?.startsWith('/') === true ? dataHome : join(home, '.local', 'share'), 'packhorse');
}

/** Creates the folder (mode 0700) if it does not exist. Throws `disk-denied`. */
export function createDataPaths(folder: string): DataPaths {
  try {
    makePrivateFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('a file has this name');
  } catch (error) {
    throw new AppError('disk-denied', 'The data folder cannot be created.', {
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
 * Resolves a path that a user typed. npm runs scripts in the project's folder and puts the user's folder in `INIT_CWD`.
 * The variable is ignored elsewhere, because child processes inherit it. Throws `invalid-input` for an empty text.
 */
export function resolveUserPath(path: string, env: Environment = process.env, cwd = process.cwd()): string {
  if (path.trim() === '') throw new AppError('invalid-input', 'The path is empty.');
  const from = cwd === programFolder ? (env['INIT_CWD'] ?? cwd) : cwd;
  return resolve(from, path);
}

/** This file is `src-main/platform/paths.ts` in the sources and `out/main/platform/paths.js` in the build. */
const isBuilt = extname(import.meta.filename) === '.js';
/** The folder of `package.json`. */
export const programFolder = resolve(dirname(import.meta.filename), isBuilt ? '../../..' : '../..');

/** The folder of the build output. Contains `renderer` and `preload` once the project was built. */
export const buildFolder = join(programFolder, 'out');

/** Pictures that the desktop host shows outside the page. */
export const resourcesFolder = join(programFolder, 'resources');

/** `package.json` of this program, which states its version. */
export const packageFile = join(programFolder, 'package.json');
