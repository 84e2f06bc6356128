/**
 * @file The root folders of archives, by the number in each row. An absent root may be on an unplugged disk, so nothing
 * is created in its place. A folder that several paths reach has one number. Otherwise its archives would be counted
 * twice and pruned.
 */
import { access, constants, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Disk } from '../../../platform/disk/disk.ts';
import { withDiskErrors } from '../../../platform/disk/disk-errors.ts';
import { realDisk } from '../../../platform/disk/real-disk.ts';
import { ensureFolder } from '../../../archive/folders.ts';
import { recordIndexFolder } from '../../../archive/records/index-files.ts';
import { openArchiveStore, type ArchiveStore } from '../../../archive/store.ts';
import type { RootLocations } from '../../../catalogue/archives/archive-rows.ts';
import type { Clock } from '../../../platform/clock.ts';
import { numberedRoots, type SettingsStore } from '../../../platform/settings.ts';
import { defaultDiskLimits, TimedDiskAccess, type DiskLimits } from './timed-disk-access.ts';
import { freeBytesAt, holdsArchives, isWithin, marker, markRoot } from './root-folder.ts';
import type { SharedParts } from '../../shared-parts.ts';

export interface ArchiveRoot {
  number: number;
  path: string;
  store: ArchiveStore;
}

export class ArchiveRoots implements RootLocations {
  readonly #settings: SettingsStore;
  readonly #standard: string;
  readonly #dataFolder: string;
  readonly #clock: Clock;
  readonly #questions: TimedDiskAccess;
  readonly #limits: DiskLimits;
  readonly #disk: Disk | undefined;
  readonly #holds: (root: number) => boolean;
  readonly #onLook: (absent: ReadonlySet<number>) => void;
  readonly #roots: ArchiveRoot[] = [];
  readonly #absent = new Set<number>();
  /**
   * Maps the number of each duplicate root to the number of the earlier root with the same folder, as of the last
   * check. Duplicate roots are not used.
   */
  readonly #sameAs = new Map<number, number>();

  get recordIndexPath(): string {
    return join(this.#dataFolder, recordIndexFolder);
  }

  /**
   * @param parts.defaultPath absolute path of the root that is used until a person chooses another.
   * @param parts.hasArchives returns whether the catalogue knows archives in the root of that number.
   * @param parts.onPresenceChecked receives the absent roots with archives after each check.
   */
  constructor(
    parts: Pick<SharedParts, 'clock' | 'settings'> & {
      defaultPath: string;
      dataFolder: string;
      disk: Disk | undefined;
      diskLimits?: Partial<DiskLimits> | undefined;
      hasArchives: (root: number) => boolean;
      onPresenceChecked: (absent: ReadonlySet<number>) => void;
    },
  ) {
    this.#settings = parts.settings;
    this.#standard = parts.defaultPath;
    this.#dataFolder = parts.dataFolder;
    this.#clock = parts.clock;
    this.#questions = new TimedDiskAccess(parts.clock);
    this.#limits = { ...defaultDiskLimits, ...parts.diskLimits };
    this.#disk = parts.disk;
    this.#holds = parts.hasArchives;
    this.#onLook = parts.onPresenceChecked;
  }

  /** All roots but the forgotten ones, in the order of their numbers. */
  all(): readonly ArchiveRoot[] {
    const forgottenNumbers = this.forgottenNumbers();
    return this.#numbered().filter(({ number }) => !forgottenNumbers.has(number));
  }

  /** Numbers of the roots that a person no longer wants listed. */
  forgottenNumbers(): Set<number> {
    const settings = this.#settings.read();
    const paths = numberedRoots(settings);
    return new Set(settings.forgottenRoots.map((path) => paths.indexOf(path)));
  }

  #numbered(): readonly ArchiveRoot[] {
    const paths = numberedRoots(this.#settings.read());
    for (const [number, chosen] of paths.entries()) {
      const path = chosen ?? this.#standard;
      // A number keeps its path, because no path is ever removed from the settings.
      this.#roots[number] ??= {
        number,
        path,
        store: openArchiveStore({
          root: path,
          indexes: this.recordIndexPath,
          disk: this.#disk,
          clock: this.#clock,
        }),
      };
    }
    return this.#roots;
  }

  /** Returns the root for new archives, whether present or absent. */
  current(): ArchiveRoot {
    const settings = this.#settings.read();
    return this.#first(numberedRoots(settings).indexOf(settings.archiveRoot));
  }

  /**
   * Returns the root at this path; null means the root for new archives. Throws `disk-failed` for a path that is no
   * root.
   */
  byPath(path: string | null): ArchiveRoot {
    if (path === null) return this.current();
    const root = this.all().find((one) => one.path === path);
    if (root === undefined) throw absentRootError(path);
    return this.#first(root.number);
  }

  /** Like `byPath`, for a new archive. Rejects with `disk-failed` while the root is absent. */
  async requirePresent(path: string | null = null): Promise<ArchiveRoot> {
    await this.refreshPresence();
    const root = this.byPath(path);
    if (await this.#isThere(root, this.#limits.newArchiveTimeoutMs)) return root;
    if (await this.canCreate(root)) await this.#makeStandard();
    // Another job may have created it since the check.
    else if (!(await this.#isThere(root, this.#limits.newArchiveTimeoutMs))) throw absentRootError(root.path);
    // The new root must not count as absent, because this process soon reads the first archive in it.
    this.#absent.delete(root.number);
    return root;
  }

  /**
   * Returns whether the root is the standard root and was never created. Only a person may recreate a folder that had
   * archives.
   */
  async canCreate(root: ArchiveRoot): Promise<boolean> {
    if (root.path !== this.#standard || this.#settings.read().defaultRootMarked || this.#holds(root.number))
      return false;
    return !(await this.pathExists(root));
  }

  async #makeStandard(): Promise<void> {
    await withDiskErrors(this.#standard, () => ensureFolder(this.#disk ?? realDisk, this.#standard));
    await this.#markStandard();
  }

  async #markStandard(): Promise<void> {
    markRoot(this.#standard);
    if (this.#settings.read().defaultRootMarked) return;
    await this.#settings.change((before) => ({ ...before, defaultRootMarked: true }));
  }

  /**
   * Returns the path of the standard folder if it is missing although it was created, or if something else is in its
   * place; else null.
   */
  async missingDefaultPath(): Promise<string | null> {
    const root = this.all().find(({ path }) => path === this.#standard);
    if (root === undefined || (await this.#isThere(root))) return null;
    const isExpected = this.#settings.read().defaultRootMarked || (await this.pathExists(root));
    return isExpected ? root.path : null;
  }

  /** Throws `archive-missing` for a number that is not in the settings. */
  byNumber(number: number): ArchiveRoot {
    const root = this.#roots[number] ?? this.#numbered()[number];
    if (root === undefined) {
      throw new AppError('archive-missing', `The settings have no archive folder with the number ${number}.`);
    }
    return root;
  }

  pathOf(number: number): string {
    const root = this.#roots[number] ?? this.#numbered()[number];
    return root?.path ?? join(this.#dataFolder, `unknown-archive-folder-${number}`);
  }

  isAbsent(number: number): boolean {
    return this.#absent.has(number) || (this.#roots[number] ?? this.#numbered()[number]) === undefined;
  }

  /** Checks which roots are present now; `isAbsent` uses the last check. @returns the present roots. */
  async refreshPresence(): Promise<readonly ArchiveRoot[]> {
    const looked = await Promise.all(
      this.all().map(async (root) => ({ root, folder: await this.#folderOf(root) })),
    );
    const numbers = new Map<string, number>();
    const there: ArchiveRoot[] = [];
    for (const { root, folder } of looked) {
      const { number } = root;
      const same = folder === null ? undefined : numbers.get(folder);
      if (same === undefined) this.#sameAs.delete(number);
      else this.#sameAs.set(number, same);
      if (folder === null || same !== undefined) {
        this.#absent.add(number);
        continue;
      }
      this.#absent.delete(number);
      numbers.set(folder, number);
      there.push(root);
    }
    const gone = [...this.#absent].filter((number) => !this.#sameAs.has(number) && this.#holds(number));
    this.#onLook(new Set(gone));
    return there;
  }

  isDuplicate(number: number): boolean {
    return this.#sameAs.has(number);
  }

  /** Returns the root that contains a file, and the file's path in it with `/`; null for a file outside all roots. */
  locationOf(absolutePath: string): { root: ArchiveRoot; path: string } | null {
    for (const root of this.all()) {
      const inside = relative(root.path, absolutePath);
      if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) {
        return { root: this.#first(root.number), path: inside.split(sep).join('/') };
      }
    }
    return null;
  }

  /** Returns whether anything exists at the path of the root, with or without the marker file. */
  pathExists({ path }: ArchiveRoot): Promise<boolean> {
    return this.#mayAccess(path, constants.F_OK);
  }

  /**
   * Returns whether files can be created in the root. If the root does not exist, returns whether it can be created.
   * Creates nothing.
   */
  async canWrite(root: ArchiveRoot): Promise<boolean> {
    const folder = (await this.pathExists(root)) ? root.path : dirname(root.path);
    return this.#mayAccess(folder, constants.W_OK | constants.X_OK);
  }

  /** Returns the free space of a root, by default the root for new archives; null while unknown. Creates nothing. */
  async freeBytes(root = this.current()): Promise<number | null> {
    if (!(await this.#isThere(root)) && !(await this.canCreate(root))) return null;
    return this.#questions.run(root.path, () => freeBytesAt(root.path), null, this.#limits.timeoutMs);
  }

  /**
   * Makes a folder the root for new archives. Creates the folder if it is the standard one. Throws `invalid-input` for
   * a folder that cannot be a root, and `disk-denied` or `disk-failed` for a folder that cannot be written.
   */
  async setCurrent(wanted: string): Promise<void> {
    const path = isAbsolute(wanted) ? resolve(wanted) : wanted;
    if (path === this.#standard) await this.#makeStandard();
    if (path === this.current().path) {
      await this.refreshPresence();
      return;
    }
    await this.#markLast();
    const chosen = await this.#known(path);
    await this.#settings.change((before) => ({ ...before, archiveRoot: chosen }));
    await this.refreshPresence();
  }

  /** Makes a folder a root, but not the root for new archives. Throws like `setCurrent`. @returns the path of the root. */
  async add(wanted: string): Promise<string> {
    const chosen = await this.#known(isAbsolute(wanted) ? resolve(wanted) : wanted);
    await this.refreshPresence();
    return chosen ?? this.#standard;
  }

  /**
   * Removes a root from the list. Its files stay, and its number is not reused. Throws `invalid-input` for a path that
   * is no root, for the root for new archives, and for a root that a plan uses. @returns the number of the root.
   */
  async forget(wanted: string): Promise<number> {
    const path = isAbsolute(wanted) ? resolve(wanted) : wanted;
    const bad = (why: string): AppError => new AppError('invalid-input', `${path} ${why}.`);
    const root = this.all().find((one) => one.path === path);
    if (root === undefined) throw bad('is not an archive folder');
    await this.#settings.change((before) => {
      const chosen = numberedRoots(before)[root.number] ?? null;
      if (before.archiveRoot === chosen) throw bad('is the folder for new archives');
      const users = before.plans.filter(({ archiveRoot }) => archiveRoot === path);
      if (users.length > 0) {
        const names = users.map(({ name }) => `"${name}"`).join(', ');
        throw bad(`is the archive folder of the plan${users.length === 1 ? '' : 's'} ${names}`);
      }
      return { ...before, forgottenRoots: [...before.forgottenRoots, chosen] };
    });
    await this.refreshPresence();
    return root.number;
  }

  /** Gives the folder a number if it has none. Returns the path of the root; null for the standard folder. */
  async #known(path: string): Promise<string | null> {
    const place = path === this.#standard ? path : await this.#usable(path);
    const known = place === this.#standard ? null : place;
    await this.#settings.change((before) => {
      const archiveRoots = numberedRoots(before);
      return {
        ...before,
        archiveRoots: archiveRoots.includes(known) ? archiveRoots : [...archiveRoots, known],
        forgottenRoots: before.forgottenRoots.filter((root) => root !== known),
      };
    });
    return known;
  }

  /**
   * Returns the path of an existing root that is the same folder, even under another name; otherwise the given path.
   */
  async #usable(path: string): Promise<string> {
    const bad = (why: string): AppError =>
      new AppError('invalid-input', `Archives cannot be stored in ${path}: ${why}.`);
    if (!isAbsolute(path) || path.includes('\0')) throw bad('it is not a full path');
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await lstat(real)).isDirectory()) throw bad('there is no such folder');
    const dataFolder = await realpath(this.#dataFolder);
    if (isWithin(dataFolder, real)) throw bad('it contains the settings and the catalogue');
    for (const other of this.all()) {
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
  async #markLast(): Promise<void> {
    const { path } = this.current();
    const isThere = await realpath(path).catch(() => null);
    if (path !== this.#standard && isThere !== null) markRoot(path);
  }

  #first(number: number): ArchiveRoot {
    return this.byNumber(this.#sameAs.get(number) ?? number);
  }

  async #folderOf(root: ArchiveRoot): Promise<string | null> {
    if (!(await this.#isThere(root))) return null;
    return this.#questions.run(
      root.path,
      () => realpath(root.path).catch(() => null),
      null,
      this.#limits.timeoutMs,
    );
  }

  async #isThere(root: ArchiveRoot, withinMs = this.#limits.timeoutMs): Promise<boolean> {
    const isMarked = this.#mayAccess(join(root.path, marker), constants.R_OK, withinMs);
    if (root.path === this.#standard) return (await isMarked) || (await this.#isUnmarkedStandard(root));
    const chosen = this.#settings.read().archiveRoots.includes(root.path);
    return chosen ? isMarked : this.#mayAccess(root.path, constants.R_OK, withinMs);
  }

  /**
   * Returns true if an older version created this unmarked standard folder, and marks it. The folder counts as such if
   * it contains archives, or if the catalogue knows no archives in it. If the folder was marked before, an unmarked one
   * in its place is another folder, even if a running backup stored an archive in it.
   */
  async #isUnmarkedStandard({ path, number }: ArchiveRoot): Promise<boolean> {
    if (!(await this.#mayAccess(path, constants.R_OK))) return false;
    // A long search of a big folder must not delay access to its marker file.
    const looked = `${path}${sep}`;
    const holdsThem = () =>
      this.#questions.run(looked, () => holdsArchives(path), false, this.#limits.timeoutMs);
    const isOther = this.#settings.read().defaultRootMarked || (this.#holds(number) && !(await holdsThem()));
    // Another job may have created the folder and its marker file after the check.
    if (isOther) return this.#mayAccess(join(path, marker), constants.R_OK);
    try {
      await this.#markStandard();
    } catch {
      // A folder on a read-only disk counts as present without a marker file.
    }
    return true;
  }

  async #mayAccess(path: string, mode: number, withinMs = this.#limits.timeoutMs): Promise<boolean> {
    const folder = basename(path) === marker ? dirname(path) : path;
    const ask = (): Promise<boolean> =>
      access(path, mode).then(
        () => true,
        () => false,
      );
    return this.#questions.run(folder, ask, false, withinMs);
  }
}

export function absentRootError(path: string): AppError {
  return new AppError(
    'disk-failed',
    `The archive folder ${path} is not available; its disk may be unplugged.`,
    {
      retry: 'later',
      details: { path },
    },
  );
}
