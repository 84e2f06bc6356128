/**
 * @file Adopts export files from elsewhere into the store: copied and read to the end in one pass, committed
 * as a download is. The file itself is only read. The caller knows its project; nothing is derived from its
 * name.
 */
import { lstat, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import type { Manifest, StateFile } from '../../../src-contract/archives/archive.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { digestFile, inPieces, openArchive, readToEnd } from '../../archive/archive-file.ts';
import { datedExport } from '../../archive/dated.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { archivePath, isExportName, type ArchiveIdentity } from '../../archive/names.ts';
import type { PendingArchive } from '../../archive/pending.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import type { IndexedArchive } from '../../catalogue/archives/archive-rows.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { ArchiveRoot } from './folders/archive-roots.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Shelf } from './shelf.ts';

/** Files to adopt, each with its project as far as that is known. */
export interface Adoption {
  instance: Instance;
  files: { file: string; project: AdoptedProject }[];
  prove: boolean;
}

export interface AdoptedProject {
  projectId: number | null;
  fullPath: string;
  name: string;
}

/** A project that is known. */
export type Identity = AdoptedProject & { projectId: number };

type Outcome = CallReply<'archive.adopt'>['files'][number];

/** Times in archives are whole seconds, so several of one project may carry the same. */
const namesTried = 1000;

interface Parts extends Shelf {
  clock: Clock;
  appVersion: string;
  /** Writes the first proof and the row. */
  register(root: ArchiveRoot, path: string, manifest: Manifest): Promise<{ id: string }>;
  /** Gives a row to every archive in a folder of the roots that has none. */
  indexForgotten(below: string): Promise<unknown>;
}

/**
 * Adopts one file after the other; a file that is refused does not stop the others. Rejects when it was
 * cancelled: adopted files stay.
 */
export async function adoptFiles(
  parts: Parts,
  { instance, files, prove }: Adoption,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Outcome[]> {
  const sizes = await Promise.all(
    files.map(({ file }) =>
      lstat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const outcomes: Outcome[] = [];
  let before = 0;
  for (const [at, { file, project }] of files.entries()) {
    signal.throwIfAborted();
    const start = before;
    const one = new OneAdoption(parts, instance, project, file, {
      signal,
      onProgress: (done) => {
        onProgress(Math.min(total, start + done), total);
      },
    });
    outcomes.push(
      await one.adopt(prove).catch((thrown: unknown) => {
        signal.throwIfAborted();
        return outcome(file, { outcome: 'refused', error: AppError.from(thrown).toData() });
      }),
    );
    before += sizes[at] ?? 0;
  }
  return outcomes;
}

/** Returns absolute paths of the files directly in a folder whose names are those of exports, by name. */
export async function exportsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    throw diskError(thrown, folder);
  });
  const files = entries.filter((entry) => entry.isFile() && isExportName(entry.name));
  return files.map(({ name }) => join(folder, name)).sort();
}

/**
 * Records the project of an adopted archive in its state file; the archive stays in its place, under any
 * name. Throws `invalid-input` where the manifest knows the project: the result of a backup or an adoption is
 * not overwritten.
 */
export async function identifyArchive(
  store: ArchiveStore,
  path: string,
  { at, instance, project }: { at: string; instance: Adoption['instance']; project: Identity },
): Promise<{ manifest: Manifest; state: StateFile }> {
  const manifest = await store.readManifest(path);
  const { id, fullPath } = manifest.project;
  if (id !== null) {
    throw new AppError(
      'invalid-input',
      `The project of the archive is known: ${fullPath} with the id ${id}.`,
      {
        details: { wrong: 'state' },
      },
    );
  }
  const state = await store.updateState(path, (known) => ({
    ...known,
    identified: {
      at,
      instance: { name: instance.name, url: instance.url },
      project: { id: project.projectId, fullPath: project.fullPath, name: project.name },
    },
  }));
  return { manifest, state };
}

const outcome = (file: string, known: Pick<Outcome, 'outcome'> & Partial<Outcome>): Outcome => ({
  file,
  archive: null,
  datedBy: null,
  proven: false,
  findings: [],
  error: null,
  ...known,
});

class OneAdoption {
  readonly #parts: Parts;
  readonly #instance: Adoption['instance'];
  readonly #project: Adoption['files'][number]['project'];
  readonly #file: string;
  readonly #reading: { signal: AbortSignal; onProgress: (done: number) => void };

  constructor(
    parts: Parts,
    instance: Adoption['instance'],
    project: Adoption['files'][number]['project'],
    file: string,
    reading: { signal: AbortSignal; onProgress: (done: number) => void },
  ) {
    this.#parts = parts;
    this.#instance = instance;
    this.#project = project;
    this.#file = file;
    this.#reading = reading;
  }

  async adopt(prove: boolean): Promise<Outcome> {
    const source = await openArchive(this.#file);
    try {
      await this.#parts.roots.look();
      await this.#refuseStored();
      await this.#finishInterrupted();
      const known = await this.#known((await source.stat()).size);
      if (known !== null) {
        const proven = prove && (await this.#isProven(known));
        return outcome(this.#file, { outcome: 'present', archive: known, proven });
      }
      const { id, datedBy, manifest } = await this.#copy(source);
      // The first archive of all creates its root folder.
      await this.#parts.roots.look();
      const proven = prove && (await this.#isProven(this.#parts.index.get(id)));
      return outcome(this.#file, {
        outcome: 'adopted',
        archive: this.#parts.index.get(id),
        datedBy,
        proven,
        findings: manifest.inspection.findings,
      });
    } finally {
      await source.close();
    }
  }

  /** A move into the store must not move a file out of the store. */
  async #refuseStored(): Promise<void> {
    const place = this.#parts.roots.placeOf(await realpath(this.#file));
    if (place === null) return;
    const manifest = await place.root.store.readManifest(place.path).catch((thrown: unknown) => {
      if (AppError.from(thrown).code === 'archive-missing') return null;
      throw thrown;
    });
    if (manifest === null) return;
    throw new AppError('already-exists', `${this.#file} is an archive of the store.`);
  }

  /** A process that ended right after it placed an archive wrote no row; without one the same file would be stored twice. */
  async #finishInterrupted(): Promise<void> {
    const { fullPath, projectId } = this.#project;
    const path = archivePath({ instanceUrl: this.#instance.url, fullPath, projectId, at: 0 });
    await this.#parts.indexForgotten(posix.dirname(path));
  }

  /**
   * Finds the archive of the project with the same bytes; the file is read for it only where one has its
   * size.
   */
  async #known(sizeBytes: number): Promise<IndexedArchive | null> {
    const identity = { ...this.#project, instanceUrl: this.#instance.url };
    const candidates: IndexedArchive[] = [];
    for (const archive of this.#parts.index.ofSize(identity, sizeBytes)) {
      const found =
        archive.absent || archive.damaged !== null
          ? null
          : await lstat(archive.absolutePath).catch(() => null);
      if (found?.isFile() === true && found.size === sizeBytes) candidates.push(archive);
    }
    if (candidates.length === 0) return null;
    const { sha256 } = await digestFile(this.#file, this.#reading);
    return candidates.find((archive) => archive.sha256 === sha256) ?? null;
  }

  async #copy(source: FileHandle) {
    const { clock, appVersion } = this.#parts;
    const dated = await datedExport(source, clock.now());
    const at = dated?.at ?? clock.now();
    const root = await this.#parts.roots.forNew();
    const expectedBytes = (await source.stat()).size;
    const pending = await this.#begin(root, at, expectedBytes);
    try {
      await readToEnd(
        source,
        this.#reading,
        inPieces((piece) => pending.write(piece)),
      );
      const inspection = await pending.finish();
      if (inspection.verdict === 'unusable') {
        const found =
          inspection.findings.find(({ severity }) => severity === 'error') ?? inspection.findings[0];
        throw new AppError('archive-corrupt', found?.message ?? 'It is not a usable export archive.', {
          details: { file: this.#file, finding: found?.code ?? 'none' },
        });
      }
      const datedBy = dated?.by ?? 'adoption';
      const { name, url } = this.#instance;
      const { projectId, fullPath } = this.#project;
      const manifest = await pending.commit({
        instance: { name, url, username: null },
        project: { id: projectId, fullPath, name: this.#project.name },
        serverVersion: null,
        storedAt: isoTime(at),
        jobId: null,
        adopted: { at: isoTime(clock.now()), fileName: basename(this.#file), datedBy },
        appVersion,
        sourceCounts: null,
        findings: [],
      });
      const { id } = await this.#parts.register(root, pending.path, manifest);
      return { id, datedBy, manifest } as const;
    } finally {
      await pending.discard();
    }
  }

  /** The milliseconds of the time make names unique. */
  async #begin(root: ArchiveRoot, at: number, expectedBytes: number): Promise<PendingArchive> {
    const { fullPath, projectId } = this.#project;
    const identity: ArchiveIdentity = { instanceUrl: this.#instance.url, fullPath, projectId, at };
    for (let later = 0; ; later += 1) {
      try {
        return await root.store.createPending({ ...identity, at: at + later, expectedBytes });
      } catch (thrown) {
        if (AppError.from(thrown).code !== 'already-exists' || later === namesTried) throw thrown;
      }
    }
  }

  /**
   * Reads the copy from the disk again. Throws `archive-damaged`, which is also stored in the row and the
   * state file.
   */
  async #isProven(archive: IndexedArchive): Promise<boolean> {
    const { store } = this.#parts.roots.of(archive.root);
    const { damaged } = await store.verify(archive.path, 'L1', { signal: this.#reading.signal });
    this.#parts.index.markDamaged(archive.id, damaged);
    if (damaged === null) return true;
    throw new AppError(
      'archive-damaged',
      `The copy in the store is not what was written: ${damaged.reason}`,
      {
        details: { path: archive.path },
      },
    );
  }
}
