/**
 * @file The root folders of archives, by number. Archive rows refer to that number. An absent root may be on an
 * unplugged disk, so nothing is created in its place. If several paths lead to one folder, only the first path's
 * number is used; otherwise its archives would be counted twice and pruned.
 */
import { access, constants, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
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
import { freeBytesAt, holdsArchives, marker, markRoot } from './root-folder.ts';
import type { SharedDeps } from '../../shared-deps.ts';

export interface ArchiveRoot {
  number: number;
  path: string;
  store: ArchiveStore;
}

export class ArchiveRoots implements RootLocations {
  readonly #settings: SettingsStore;
  /** Absolute path of the root that is used until a user chooses another. */
  readonly defaultPath: string;
  readonly #dataFolder: string;
  readonly #clock: Clock;
  readonly #diskAccess: TimedDiskAccess;
  readonly #limits: DiskLimits;
  readonly #disk: Disk | undefined;
  readonly #hasArchives: (root: number) => boolean;
  readonly #onPresenceChecked: (absent: ReadonlySet<number>) => void;
  readonly #roots: ArchiveRoot[] = [];
  readonly #absent = new Set<number>();
  /**
   * Maps the number of each duplicate root to the number of the earlier root with the same folder, as of the last
   * check. Duplicate roots are not used.
   */
  readonly #duplicateOf = new Map<number, number>();

  get recordIndexPath(): string {
    return join(this.#dataFolder, recordIndexFolder);
  }

  /**
   * @param deps.hasArchives returns whether the catalogue knows archives in the root of that number.
   * @param deps.onPresenceChecked receives the absent roots with archives after each check.
   */
  constructor(
    deps: Pick<SharedDeps, 'clock' | 'settings'> & {
      defaultPath: string;
      dataFolder: string;
      disk: Disk | undefined;
      diskLimits?: Partial<DiskLimits> | undefined;
      hasArchives: (root: number) => boolean;
      onPresenceChecked: (absent: ReadonlySet<number>) => void;
    },
  ) {
    this.#settings = deps.settings;
    this.defaultPath = deps.defaultPath;
    this.#dataFolder = deps.dataFolder;
    this.#clock = deps.clock;
    this.#diskAccess = new TimedDiskAccess(deps.clock);
    this.#limits = { ...defaultDiskLimits, ...deps.diskLimits };
    this.#disk = deps.disk;
    this.#hasArchives = deps.hasArchives;
    this.#onPresenceChecked = deps.onPresenceChecked;
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
    for (const [number, chosenPath] of paths.entries()) {
      const path = chosenPath ?? this.defaultPath;
      // A number keeps its path, because no path is ever removed from the settings.
      this.#roots[number] ??= {
        number,
        path,
        store: openArchiveStore({
          root: path,
          indexFolder: this.recordIndexPath,
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
    return this.#canonicalRoot(numberedRoots(settings).indexOf(settings.archiveRoot));
  }

  /**
   * Returns the root at this path; null means the root for new archives. Throws `disk-failed` for a path that is no
   * root.
   */
  byPath(path: string | null): ArchiveRoot {
    if (path === null) return this.current();
    const root = this.all().find((one) => one.path === path);
    if (root === undefined) throw absentRootError(path);
    return this.#canonicalRoot(root.number);
  }

  /** Like `byPath`, for a new archive. Rejects with `disk-failed` while the root is absent. */
  async requirePresent(path: string | null = null): Promise<ArchiveRoot> {
    await this.refreshPresence();
    const root = this.byPath(path);
    if (await this.#isPresent(root, this.#limits.newArchiveTimeoutMs)) return root;
    if (await this.canCreate(root)) await this.createDefault();
    // Another job may have created it since the check.
    else if (!(await this.#isPresent(root, this.#limits.newArchiveTimeoutMs)))
      throw absentRootError(root.path);
    // The new root must not count as absent, because this process soon reads the first archive in it.
    this.#absent.delete(root.number);
    return root;
  }

  /**
   * Returns whether the root is the default root and was never created. Only a person may recreate a folder that had
   * archives.
   */
  async canCreate(root: ArchiveRoot): Promise<boolean> {
    if (
      root.path !== this.defaultPath ||
      this.#settings.read().defaultRootMarked ||
      this.#hasArchives(root.number)
    )
      return false;
    return !(await this.pathExists(root));
  }

  /** Creates the default folder if it is missing, and its marker file. Throws the errors of the disk. */
  async createDefault(): Promise<void> {
    await withDiskErrors(this.defaultPath, () => ensureFolder(this.#disk ?? realDisk, this.defaultPath));
    await this.#markDefault();
  }

  async #markDefault(): Promise<void> {
    markRoot(this.defaultPath);
    if (this.#settings.read().defaultRootMarked) return;
    await this.#settings.change((current) => ({ ...current, defaultRootMarked: true }));
  }

  /**
   * Returns the path of the default folder if it is missing although it was created, or if something else is in its
   * place; else null.
   */
  async missingDefaultPath(): Promise<string | null> {
    const root = this.all().find(({ path }) => path === this.defaultPath);
    if (root === undefined || (await this.#isPresent(root))) return null;
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
    const checkedRoots = await Promise.all(
      this.all().map(async (root) => ({ root, folder: await this.#folderOf(root) })),
    );
    const numbers = new Map<string, number>();
    const presentRoots: ArchiveRoot[] = [];
    for (const { root, folder } of checkedRoots) {
      const { number } = root;
      const earlierNumber = folder === null ? undefined : numbers.get(folder);
      if (earlierNumber === undefined) this.#duplicateOf.delete(number);
      else this.#duplicateOf.set(number, earlierNumber);
      if (folder === null || earlierNumber !== undefined) {
        this.#absent.add(number);
        continue;
      }
      this.#absent.delete(number);
      numbers.set(folder, number);
      presentRoots.push(root);
    }
    const absentNumbers = [...this.#absent].filter(
      (number) => !this.#duplicateOf.has(number) && this.#hasArchives(number),
    );
    this.#onPresenceChecked(new Set(absentNumbers));
    return presentRoots;
  }

  isDuplicate(number: number): boolean {
    return this.#duplicateOf.has(number);
  }

  /** Returns the root that contains a file, and the file's path in it with `/`; null for a file outside all roots. */
  locationOf(absolutePath: string): { root: ArchiveRoot; path: string } | null {
    for (const root of this.all()) {
      const relativePath = relative(root.path, absolutePath);
      if (relativePath !== '' && !relativePath.startsWith('..') && !isAbsolute(relativePath)) {
        return { root: this.#canonicalRoot(root.number), path: relativePath.split(sep).join('/') };
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
    if (!(await this.#isPresent(root)) && !(await this.canCreate(root))) return null;
    return this.#diskAccess.run(root.path, () => freeBytesAt(root.path), null, this.#limits.timeoutMs);
  }

  #canonicalRoot(number: number): ArchiveRoot {
    return this.byNumber(this.#duplicateOf.get(number) ?? number);
  }

  async #folderOf(root: ArchiveRoot): Promise<string | null> {
    if (!(await this.#isPresent(root))) return null;
    return this.#diskAccess.run(
      root.path,
      () => realpath(root.path).catch(() => null),
      null,
      this.#limits.timeoutMs,
    );
  }

  async #isPresent(root: ArchiveRoot, timeoutMs = this.#limits.timeoutMs): Promise<boolean> {
    const isMarked = this.#mayAccess(join(root.path, marker), constants.R_OK, timeoutMs);
    if (root.path === this.defaultPath) return (await isMarked) || (await this.#isUnmarkedDefault(root));
    const isChosen = this.#settings.read().archiveRoots.includes(root.path);
    return isChosen ? isMarked : this.#mayAccess(root.path, constants.R_OK, timeoutMs);
  }

  /**
   * Returns true if an older version created this unmarked default folder, and marks it. The folder counts as such if
   * it contains archives, or if the catalogue knows no archives in it. If the default folder was marked before, an
   * unmarked folder at its path is a different one, even if a running backup stored an archive in it.
   */
  async #isUnmarkedDefault({ path, number }: ArchiveRoot): Promise<boolean> {
    if (!(await this.#mayAccess(path, constants.R_OK))) return false;
    // A long search of a big folder must not delay access to its marker file.
    const searchKey = `${path}${sep}`;
    const hasArchiveFiles = () =>
      this.#diskAccess.run(searchKey, () => holdsArchives(path), false, this.#limits.timeoutMs);
    const isOtherFolder =
      this.#settings.read().defaultRootMarked || (this.#hasArchives(number) && !(await hasArchiveFiles()));
    // Another job may have created the folder and its marker file after the check.
    if (isOtherFolder) return this.#mayAccess(join(path, marker), constants.R_OK);
    try {
      await this.#markDefault();
    } catch {
      // A folder on a read-only disk counts as present without a marker file.
    }
    return true;
  }

  async #mayAccess(path: string, mode: number, timeoutMs = this.#limits.timeoutMs): Promise<boolean> {
    const folder = basename(path) === marker ? dirname(path) : path;
    const checkAccess = (): Promise<boolean> =>
      access(path, mode).then(
        () => true,
        () => false,
      );
    return this.#diskAccess.run(folder, checkAccess, false, timeoutMs);
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
