/**
 * @file Stores, reads and prunes archives for jobs.
 */
import type { Inspection, Manifest, Proof, StateFile } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { authoredRecords } from '../../archive/authored-records.ts';
import { inspectFile } from '../../archive/inspect.ts';
import { archivePath } from '../../archive/names.ts';
import { withProof } from '../../archive/verify.ts';
import type { ArchiveKey, ArchivePort, PendingArchivePort, StoredArchiveRef } from '../../jobs/ports.ts';
import { isUnwritable } from '../../platform/disk/disk-errors.ts';
import { manifestBeside } from './archive-file.ts';
import type { ArchiveRegister } from './archive-register.ts';
import { absentRoot } from './folders/archive-roots.ts';
import type { HeldArchives } from './keeping/pruning.ts';
import type { RecordAccess } from './record-access.ts';
import type { Shelf } from './shelf.ts';

export interface JobArchiveParts extends Shelf {
  register: ArchiveRegister;
  held: HeldArchives;
  records: Pick<RecordAccess, 'records'>;
  /** True while the catalogue may lack archives that the store has. */
  rescanIsDue(): boolean;
}

export class JobArchives implements ArchivePort {
  readonly #parts: JobArchiveParts;
  readonly archivesOf: HeldArchives['archivesOf'];
  readonly absentOf: HeldArchives['absentOf'];
  readonly records: ArchivePort['records'];

  constructor(parts: JobArchiveParts) {
    this.#parts = parts;
    this.archivesOf = (project) => parts.held.archivesOf(project);
    this.absentOf = (project) => parts.held.absentOf(project);
    this.records = (...wanted) => parts.records.records(...wanted);
  }

  async recover(key: ArchiveKey, jobId: string): Promise<StoredArchiveRef | null> {
    const path = archivePath(key);
    // The root may have been changed since the attempt that stored it.
    for (const root of await this.#parts.roots.look()) {
      try {
        const manifest = await root.store.readManifest(path);
        if (manifest.jobId === jobId) return await this.#parts.register.register(root, path, manifest);
      } catch (thrown) {
        if (AppError.from(thrown).code !== 'archive-missing') throw thrown;
      }
    }
    return null;
  }

  folder(root: string | null): string {
    return this.#parts.roots.at(root).path;
  }

  async begin(
    key: ArchiveKey,
    expectedBytes: number | null,
    wanted: string | null,
  ): Promise<PendingArchivePort> {
    const { roots, register } = this.#parts;
    const root = await roots.forNew(wanted);
    const expected = expectedBytes === null ? {} : { expectedBytes };
    const pending = await root.store.createPending({ ...key, ...expected });
    return {
      write: (chunk) => pending.write(chunk),
      finish: () => pending.finish(),
      async commit(fields) {
        const ref = await register.register(root, pending.path, await pending.commit(fields));
        // A folder that was removed or replaced meanwhile took the archive along.
        await roots.look();
        if (roots.isAbsent(root.number)) throw absentRoot(root.path);
        return ref;
      },
      discard: (keepBecause) => pending.discard(keepBecause === null ? {} : { keepAs: keepBecause }),
    };
  }

  inspect(path: string, signal: AbortSignal): Promise<Inspection> {
    return inspectFile(path, { signal });
  }

  async manifestOf(path: string, sha256: string): Promise<Manifest | null> {
    const stored = this.#parts.register.storedAt(path);
    if (stored === null) return manifestBeside(path, sha256);
    return this.#parts.roots.of(stored.root).store.readManifest(stored.path);
  }

  authors(
    path: string,
    relation: string,
    max: number,
    signal: AbortSignal,
  ): ReturnType<ArchivePort['authors']> {
    return authoredRecords(path, relation, max, { signal });
  }

  async addProof(archiveId: string, proof: Proof): Promise<void> {
    const { register, index } = this.#parts;
    const { store, path } = register.placeOf(archiveId);
    const change = (state: StateFile) => ({ ...state, proofs: withProof(state.proofs, proof) });
    // An import from a disk that can only be read has succeeded all the same.
    await store.updateState(path, change).catch((thrown: unknown) => {
      if (!isUnwritable(thrown)) throw thrown;
    });
    index.updateProof(archiveId, proof);
    register.changed(archiveId);
  }

  /** Throws `rescan-needed` while the catalogue may not know all archives of the store. */
  async discard(archiveId: string, reason: string): Promise<boolean> {
    if (!this.#parts.rescanIsDue()) return this.#parts.held.discard(archiveId, reason);
    const why = 'The catalogue was rebuilt and may not know all archives of the store; none is pruned.';
    throw new AppError('rescan-needed', why);
  }
}
