/** @file Changes the list of archive folders: adds one, removes one, and chooses the folder for new archives. */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import { numberedRoots, type SettingsStore } from '../../../platform/settings.ts';
import { Service } from '../../service.ts';
import type { ArchiveRoots } from './archive-roots.ts';
import { isWithin, markRoot } from './root-folder.ts';

interface Deps {
  settings: SettingsStore;
  roots: ArchiveRoots;
  dataFolder: string;
}

export class RootChanges extends Service<Deps> {
  /**
   * Makes a folder the root for new archives. Creates the folder if it is the default one. Throws `invalid-input` for
   * a folder that cannot be a root, and `disk-denied` or `disk-failed` for a folder that cannot be written.
   */
  async setCurrent(wanted: string): Promise<void> {
    const { roots, settings } = this.deps;
    const path = isAbsolute(wanted) ? resolve(wanted) : wanted;
    if (path === roots.defaultPath) await roots.createDefault();
    if (path === roots.current().path) {
      await roots.refreshPresence();
      return;
    }
    await this.#markCurrent();
    const chosen = await this.#register(path);
    await settings.change((before) => ({ ...before, archiveRoot: chosen }));
    await roots.refreshPresence();
  }

  /** Makes a folder a root, but not the root for new archives. Throws like `setCurrent`. @returns the path of the root. */
  async add(wanted: string): Promise<string> {
    const { roots } = this.deps;
    const chosen = await this.#register(isAbsolute(wanted) ? resolve(wanted) : wanted);
    await roots.refreshPresence();
    return chosen ?? roots.defaultPath;
  }

  /**
   * Removes a root from the list. Its files stay, and its number is not reused. Throws `invalid-input` for a path that
   * is no root, for the root for new archives, and for a root that a plan uses. @returns the number of the root.
   */
  async forget(wanted: string): Promise<number> {
    const { roots, settings } = this.deps;
    const path = isAbsolute(wanted) ? resolve(wanted) : wanted;
    const bad = (why: string): AppError => new AppError('invalid-input', `${path} ${why}.`);
    const root = roots.all().find((one) => one.path === path);
    if (root === undefined) throw bad('is not an archive folder');
    await settings.change((before) => {
      const chosen = numberedRoots(before)[root.number] ?? null;
      if (before.archiveRoot === chosen) throw bad('is the folder for new archives');
      const plans = before.plans.filter(({ archiveRoot }) => archiveRoot === path);
      if (plans.length > 0) {
        const names = plans.map(({ name }) => `"${name}"`).join(', ');
        throw bad(`is the archive folder of the plan${plans.length === 1 ? '' : 's'} ${names}`);
      }
      return { ...before, forgottenRoots: [...before.forgottenRoots, chosen] };
    });
    await roots.refreshPresence();
    return root.number;
  }

  /** Gives the folder a number if it has none. Returns the path of the root; null for the default folder. */
  async #register(path: string): Promise<string | null> {
    const { roots, settings } = this.deps;
    const place = path === roots.defaultPath ? path : await this.#usableFolder(path);
    const storedPath = place === roots.defaultPath ? null : place;
    await settings.change((before) => {
      const archiveRoots = numberedRoots(before);
      return {
        ...before,
        archiveRoots: archiveRoots.includes(storedPath) ? archiveRoots : [...archiveRoots, storedPath],
        forgottenRoots: before.forgottenRoots.filter((root) => root !== storedPath),
      };
    });
    return storedPath;
  }

  /**
   * Returns the path of an existing root that is the same folder, even under another name; otherwise the given path.
   */
  async #usableFolder(path: string): Promise<string> {
    const { roots } = this.deps;
    const bad = (why: string): AppError =>
      new AppError('invalid-input', `Archives cannot be stored in ${path}: ${why}.`);
    if (!isAbsolute(path) || path.includes('\0')) throw bad('it is not a full path');
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await lstat(real)).isDirectory()) throw bad('there is no such folder');
    const dataFolder = await realpath(this.deps.dataFolder);
    if (isWithin(dataFolder, real)) throw bad('it contains the settings and the catalogue');
    for (const other of roots.all()) {
      const known = await realpath(other.path).catch(() => other.path);
      if (known === real) {
        markRoot(real);
        return other.path;
      }
      if (isWithin(real, known)) throw bad(`it is inside the archive folder ${other.path}`);
      if (isWithin(known, real)) throw bad(`it contains the archive folder ${other.path}`);
    }
    if (isWithin(real, dataFolder)) throw bad('it is inside the data folder, which is for other files');
    markRoot(real);
    return path;
  }

  /** Marks the current root. Its path may have been written into the settings by hand, before roots were marked. */
  async #markCurrent(): Promise<void> {
    const { roots } = this.deps;
    const { path } = roots.current();
    const real = await realpath(path).catch(() => null);
    if (path !== roots.defaultPath && real !== null) markRoot(path);
  }
}
