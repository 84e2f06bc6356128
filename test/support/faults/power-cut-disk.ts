/**
 * @file The real disk with a model of the medium, for the state after a power cut. Only a flush of a file makes its
 * bytes durable. Names (created, renamed and removed entries, new folders) are durable once their folder is flushed. A
 * real system may keep all unflushed data, none, or a part.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Disk, DiskFile } from '../../../src-main/platform/disk/disk.ts';
import { realDisk } from '../../../src-main/platform/disk/real-disk.ts';
import { callName } from './archive-disk.ts';

/** The bytes of one file, under any name. */
interface Content {
  written: Buffer;
  flushed: number;
}
type Entry = Content | 'folder';
/** Entries by absolute path. */
type Names = Map<string, Entry>;

/** One change of a folder's names: the new entry; null if the name was removed. */
interface Change {
  folder: string;
  names: [path: string, entry: Entry | null][];
}

/**
 * The unflushed data that is kept: nothing; all names and no bytes; only the last change of each folder, in any order,
 * and the first bytes of each file.
 */
export const cuts = ['nothing', 'names', 'latest'] as const;
export type Cut = (typeof cuts)[number];

export class PowerCutDisk implements Disk {
  readonly #root: string;
  readonly #reached: (call: string, when: 'before' | 'after') => void;
  readonly #now: Names;
  readonly #medium: Names;
  #changes: Change[] = [];

  /** The present content of `root` is on the medium. `reached` is called around every call. */
  constructor(root: string, reached: (call: string, when: 'before' | 'after') => void) {
    this.#root = root;
    this.#reached = reached;
    this.#medium = namesBelow(root);
    this.#now = new Map(this.#medium);
  }

  /** Whether a power cut would lose anything now. */
  get isAtRisk(): boolean {
    const torn = (entry: Entry): boolean => entry !== 'folder' && entry.flushed < entry.written.length;
    return this.#changes.length > 0 || [...this.#medium.values()].some(torn);
  }

  /** Writes the state after a power cut to an empty folder. `pick` returns a whole number below the given one. */
  writeStateAfterCut(target: string, cut: Cut, pick: (below: number) => number): void {
    const names = new Map(this.#medium);
    for (const folder of new Set(this.#changes.map((change) => change.folder))) {
      const changes = this.#changes.filter((change) => change.folder === folder);
      const kept = { nothing: [], names: changes, latest: changes.slice(-1) }[cut];
      for (const change of kept) apply(names, change);
    }
    mkdirSync(target, { recursive: true, mode: 0o700 });
    // A folder sorts before its content; without the folder there is no content.
    for (const [path, entry] of [...names].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const parent = dirname(path);
      if (parent !== this.#root && names.get(parent) !== 'folder') {
        names.delete(path);
        continue;
      }
      const place = join(target, relative(this.#root, path));
      if (entry === 'folder') mkdirSync(place, { mode: 0o700 });
      else {
        const { written, flushed } = entry;
        const more = cut === 'latest' ? pick(written.length - flushed + 1) : 0;
        writeFileSync(place, written.subarray(0, flushed + more), { mode: 0o600 });
      }
    }
  }

  async create(path: string): Promise<DiskFile> {
    const content: Content = { written: Buffer.alloc(0), flushed: 0 };
    const file = await this.#call(
      'create',
      path,
      () => realDisk.create(path),
      () => {
        this.#change(dirname(path), [[path, content]]);
      },
    );
    return {
      write: (bytes) =>
        this.#call(
          'write',
          path,
          () => file.write(bytes),
          (taken) => {
            content.written = Buffer.concat([content.written, bytes.subarray(0, taken)]);
          },
        ),
      flush: () =>
        this.#call(
          'flush',
          path,
          () => file.flush(),
          () => {
            content.flushed = content.written.length;
          },
        ),
      close: () => this.#call('close', path, () => file.close()),
    };
  }

  makeFolder(path: string): Promise<boolean> {
    return this.#call(
      'makeFolder',
      path,
      () => realDisk.makeFolder(path),
      (isNew) => {
        if (isNew) this.#change(dirname(path), [[path, 'folder']]);
      },
    );
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call(
      'rename',
      to,
      () => realDisk.rename(from, to),
      () => {
        const entry = this.#now.get(from) ?? null;
        if (dirname(from) === dirname(to)) {
          this.#change(dirname(to), [
            [from, null],
            [to, entry],
          ]);
        } else {
          this.#change(dirname(to), [[to, entry]]);
          this.#change(dirname(from), [[from, null]]);
        }
      },
    );
  }

  remove(path: string): Promise<void> {
    return this.#call(
      'remove',
      path,
      () => realDisk.remove(path),
      () => {
        this.#change(dirname(path), [[path, null]]);
      },
    );
  }

  flushFolder(path: string): Promise<void> {
    return this.#call(
      'flushFolder',
      path,
      () => realDisk.flushFolder(path),
      () => {
        for (const change of this.#changes) if (change.folder === path) apply(this.#medium, change);
        this.#changes = this.#changes.filter((change) => change.folder !== path);
      },
    );
  }

  freeBytes(path: string): Promise<number> {
    return this.#call('freeBytes', path, () => realDisk.freeBytes(path));
  }

  #change(folder: string, names: Change['names']): void {
    const change = { folder, names };
    apply(this.#now, change);
    this.#changes.push(change);
  }

  async #call<T>(
    name: string,
    path: string,
    work: () => Promise<T>,
    done: (result: T) => void = () => undefined,
  ): Promise<T> {
    const call = callName(name, path);
    this.#reached(call, 'before');
    const result = await work();
    done(result);
    this.#reached(call, 'after');
    return result;
  }
}

function apply(names: Names, change: Change): void {
  for (const [path, entry] of change.names) {
    if (entry === null) names.delete(path);
    else names.set(path, entry);
  }
}

function namesBelow(root: string): Names {
  const names: Names = new Map();
  for (const found of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(found.parentPath, found.name);
    if (found.isDirectory()) names.set(path, 'folder');
    // A lock is not written through the disk.
    else if (basename(path) !== '.lock') {
      const written = readFileSync(path);
      names.set(path, { written, flushed: written.length });
    }
  }
  return names;
}
