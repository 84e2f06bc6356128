/**
 * @file Store and index of archives as one thing, for jobs and for the bridge. Files first, then the row.
 * [Note: file before row]
 */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { lacksRecords } from '../../../src-contract/archive-quality.ts';
import {
  identityOf,
  worthOf,
  type ArchiveSummary,
  type Inspection,
  type Manifest,
  type ProjectCounts,
  type Proof,
  type StateFile,
} from '../../../src-contract/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { authoredRecords } from '../../archive/authored-records.ts';
import { isUnwritable } from '../../platform/disk/disk-errors.ts';
import { inspectFile, type InspectFileOptions } from '../../archive/inspect.ts';
import { archivePath } from '../../archive/names.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import { proofByReading, withProof, type Verification } from '../../archive/verify.ts';
import { ambiguous } from './ambiguous.ts';
import type { Trash } from './trash.ts';
import type { ArchiveFolders } from '../../catalogue/archives/archive-folders.ts';
import type { IndexedArchive, NewArchive } from '../../catalogue/archives/archive-rows.ts';
import type { ArchivedProjects } from '../../catalogue/archives/archived-projects.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archives.ts';
import { explainFailures } from '../../jobs/importing/explain.ts';
import { reconcile } from '../../jobs/importing/reconcile.ts';
import type { ArchivePort, StoredArchiveRef } from '../../jobs/ports.ts';
import type { FoundDamage } from '../../jobs/plans/proofing.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import { absentRoot, type ArchiveRoot, type ArchiveRoots } from './archive-roots.ts';
import { adoptFiles, exportsIn, identifyArchive, type Identity, type Adoption } from './adoption.ts';
import { createPruning, type HeldArchives } from './pruning.ts';
import { trimToFile } from './trimming.ts';
import { createTrash } from './trash.ts';
import { appVersion } from '../version.ts';
import { rescanStore, type Indexed } from './rescan.ts';
import { inspectArchiveFile, manifestBeside } from './archive-file.ts';
import { createRecordAccess, type RecordAccess } from './record-access.ts';
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import type { Failure, ExplainedFailure, Reconciliation } from '../../../src-contract/import.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { RecordView } from '../../../src-contract/record.ts';
import type { Some } from '../../catalogue/jobs/job-attention.ts';

/** An archive as it was referred to: a stored one with its summary, or any file. `path` is absolute. */
export interface ResolvedArchive {
  path: string;
  stored: ArchiveSummary | null;
  /** Stored ones that the reference means as well: copies that have the same bytes, or the same path in another root. */
  others: ArchiveSummary[];
}

/** An archive folder that is not there, and what stood in it. */
export interface ArchiveAbsence {
  path: string;
  /** Something stands in its place, such as an empty mount point. */
  replaced: boolean;
  archives: number;
  bytes: number;
  projects: number;
}

/** What proving one archive again told. */
export type VerifiedArchive = Omit<CallReply<'archive.verify'>, 'copies'>;

export interface StoredArchives {
  list(filter: {
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): Promise<ArchiveSummary[]>;
  /** Projects of which archives are held, by path. */
  projects(filter: ParsedRequest<'archive.projects'>): Promise<{
    projects: { archives: number; bytes: number; newest: ArchiveSummary }[];
    total: number;
  }>;
  /**
   * A file path, a path in the store, an id, or at least 8 digits of a SHA-256. Of several copies it is one that is there now,
   * and of these the newest. Throws `archive-missing`, and `archive-ambiguous` where the digits begin different hashes.
   */
  resolve(reference: string): Promise<ResolvedArchive>;
  /** Whether what stands at this path, or would, is really in one of the archive folders. */
  isInStore(path: string): Promise<boolean>;
  /** Where it really stands on disk: an existing file below one of the roots; throws `archive-missing`, `archive-unsafe`. */
  realPlace(stored: ArchiveSummary): Promise<string>;
  /** Of those whose folders are there. */
  totals(): { count: number; bytes: number };
  /** Archive folders with archives that are not there now. */
  absences(): Promise<ArchiveAbsence[]>;
  /** Damaged and unusable archives of projects of which no newer one is readable, newest first. */
  bad(limit: number): Some<ArchiveSummary & { superseded: boolean }>;
  /** Where new archives go, and how much is free there; null while that cannot be told. */
  space(): Promise<{ path: string; freeBytes: number | null }>;
  describe(stored: ArchiveSummary): Promise<{ manifest: Manifest; state: StateFile }>;
  inspect(
    path: string,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<Inspection>;
  /** Reads one stored archive again and keeps what was found: a proof, or that it is damaged. */
  verify(
    stored: ArchiveSummary,
    level: 'L1' | 'L2',
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<VerifiedArchive>;
  /** Writes a minimal archive of chosen records, and the file of their lines; replaces neither. */
  trim(
    path: string,
    relations: ParsedRequest<'archive.trim'>['relations'],
    to: string,
    signal: AbortSignal,
    onProgress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<CallReply<'archive.trim'>>;
  record(path: string, relation: string, line: number, signal: AbortSignal): Promise<RecordView>;
  explain(path: string, failures: Failure[], signal: AbortSignal): Promise<ExplainedFailure[]>;
  /** Source (where its manifest knows it), archive and target compared; `failures` is how many are listed. */
  reconcile(
    path: string,
    target: ProjectCounts,
    failures: number,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
  rescan(signal: AbortSignal, onProgress: (done: number) => void): Promise<CallReply<'archive.rescan'>>;
  /** Others that hold the same bytes, newest first. */
  alike(stored: ArchiveSummary): ArchiveSummary[];
  /** Settles the project of an adopted archive; throws `invalid-input` where the manifest knows it. */
  identify(stored: ArchiveSummary, instance: Instance, project: Identity): Promise<void>;
  /** Absolute paths of what is called as exports are, right in this folder. */
  exportsIn(folder: string): Promise<string[]>;
  /** A null note leaves the one that is there. */
  setPinned(stored: ArchiveSummary, pinned: boolean, note: string | null): Promise<void>;
  /** What became of each file, in their order; `onProgress` hears bytes of all. */
  adopt(
    adoption: Adoption,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'archive.adopt'>['files']>;
}

const strongest = (state: StateFile): ArchiveSummary['proof'] =>
  state.proofs
    .map(worthOf)
    .reduce<ArchiveSummary['proof']>(
      (best, proof) => (best === null || proof.level >= best.level ? proof : best),
      null,
    );

const toRow = ({ root, path, manifest, state }: Indexed): NewArchive => ({
  root,
  path,
  ...ownerOf(identityOf(manifest, state)),
  sha256: manifest.sha256,
  sizeBytes: manifest.sizeBytes,
  storedAt: manifest.storedAt,
  verdict: manifest.inspection.verdict,
  proof: strongest(state),
  damaged: state.damaged,
  findings: manifest.inspection.findings.length + manifest.findings.length,
  incomplete: lacksRecords(manifest.findings),
  pinned: state.pinned,
});

const ownerOf = ({ instance, project }: ReturnType<typeof identityOf>) => ({
  instanceName: instance.name,
  instanceUrl: instance.url,
  projectId: project.id,
  fullPath: project.fullPath,
});

/** By its path in a root, its id or its hash. Throws `archive-ambiguous` for digits that begin different hashes. */
function archivesMeant(index: ArchiveIndex, reference: string): IndexedArchive[] {
  const atPath = index.allAtPath(reference);
  if (atPath.length > 0) return atPath;
  const known = index.find(reference);
  if (known !== null) return [known];
  const matching = /^[0-9a-f]{8,64}$/i.test(reference) ? index.findBySha(reference) : [];
  if (matching.every(({ sha256 }) => sha256 === matching[0]?.sha256)) return matching;
  throw ambiguous(reference, matching);
}

const isInside = (place: string, folder: string): boolean => place.startsWith(`${folder}${sep}`);

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => {
    throw new AppError('archive-missing', `There is no file ${path}.`);
  });
}

export interface ArchiveAccess {
  forJobs: Omit<ArchivePort, keyof HeldArchives> & HeldArchives;
  forBridge: StoredArchives;
  trash: Trash;
  /** Proves a stored archive again; answers damage that was not known. A proof that only becomes newer is no news. */
  proveAgain(id: string, level: 'L1' | 'L2', signal: AbortSignal): Promise<FoundDamage | null>;
  /**
   * Gives a row to every archive that has none: a disk or a catalogue that failed right after the manifest was written kept
   * it back, and its job may have ended over that. @returns their paths.
   */
  indexForgotten(): Promise<string[]>;
  /** Removes record indexes that belong to no archive in the store. @returns names of the files. */
  sweepIndexes(): Promise<string[]>;
  /** What is made of the index of a stored archive at an absolute path; null where it has none that can be relied on. */
  withIndex: RecordAccess['withIndex'];
  /** The same of any archive file. */
  withFileIndex: RecordAccess['withFileIndex'];
}

export interface ArchiveAccessParts {
  roots: ArchiveRoots;
  index: ArchiveIndex;
  folders: ArchiveFolders;
  archivedProjects: ArchivedProjects;
  clock: Clock;
  /** Is told of every archive that changed; null: many at once. */
  changed(archiveId: string | null): void;
  /** Ids of archives that jobs which have not ended read. */
  inUse(): Set<string>;
  /** Whether the catalogue may lack what the store has, which a rescan ends. */
  rescanIsDue(): boolean;
  rescanned(): void;
}

export function createArchiveAccess(parts: ArchiveAccessParts): ArchiveAccess {
  const { roots, index, clock } = parts;
  const changed = (archiveId: string | null): void => {
    parts.changed(archiveId);
  };

  /** A manifest is written only after the archive was read to its end: the first proof. */
  const register = async (root: ArchiveRoot, path: string, manifest: Manifest): Promise<StoredArchiveRef> => {
    const first: Proof = {
      ...proofByReading(manifest.inspection),
      at: manifest.adopted?.at ?? manifest.storedAt,
    };
    const state = await root.store.updateState(path, (known) =>
      known.proofs.length > 0 ? known : { ...known, proofs: [first] },
    );
    const row = index.insert(toRow({ root: root.number, path, manifest, state }), manifest);
    changed(row.id);
    return { id: row.id, path: row.absolutePath, manifest };
  };

  const indexForgotten = async (below: string | null = null): Promise<string[]> => {
    const forgotten: string[] = [];
    for (const root of await roots.look()) {
      const hasNoRow = (path: string): boolean => index.findByPath(path, root.number) === null;
      for await (const stored of root.store.list(undefined, hasNoRow, below)) {
        if (stored.missing) continue;
        await register(root, stored.path, stored.manifest).catch(() => {
          // On a disk that can only be read, or beside a state file that cannot be, the row comes without the proof.
          changed(index.insert(toRow({ ...stored, root: root.number }), stored.manifest).id);
        });
        forgotten.push(stored.path);
      }
    }
    return forgotten;
  };

  const storedAt = (absolutePath: string): IndexedArchive | null => {
    const place = roots.placeOf(absolutePath);
    return place === null ? null : index.findByPath(place.path, place.root.number);
  };

  const storeOf = (id: string): { store: ArchiveStore; path: string } => {
    const { root, path, absent } = index.get(id);
    if (absent) throw absentRoot(roots.pathOf(root));
    return { store: roots.of(root).store, path };
  };

  const recordAccess = createRecordAccess({
    indexes: roots.recordIndexes,
    storedAt,
    manifest: (id) => index.manifest(id),
    isHeld: (sha256) => index.ofSha(sha256).length > 0,
  });
  const records: ArchivePort['records'] = (path, wanted, signal) =>
    recordAccess.records(path, wanted, signal);

  const pruning = createPruning({ roots, index, inUse: () => parts.inUse(), storeOf, changed, recordAccess });

  const forJobs: ArchiveAccess['forJobs'] = {
    async recover(key, jobId) {
      const path = archivePath(key);
      // The root may have been changed since the attempt that stored it.
      for (const root of await roots.look()) {
        try {
          const manifest = await root.store.readManifest(path);
          if (manifest.jobId === jobId) return await register(root, path, manifest);
        } catch (thrown) {
          if (AppError.from(thrown).code !== 'archive-missing') throw thrown;
        }
      }
      return null;
    },
    folder: (root) => roots.at(root).path,
    async begin(key, expectedBytes, wanted) {
      const root = await roots.forNew(wanted);
      const expected = expectedBytes === null ? {} : { expectedBytes };
      const pending = await root.store.createPending({ ...key, ...expected });
      return {
        write: (chunk) => pending.write(chunk),
        finish: () => pending.finish(),
        async commit(fields) {
          const ref = await register(root, pending.path, await pending.commit(fields));
          // A folder that was removed or replaced meanwhile took the archive along.
          await roots.look();
          if (roots.isAbsent(root.number)) throw absentRoot(root.path);
          return ref;
        },
        discard: (keepBecause) => pending.discard(keepBecause === null ? {} : { keepAs: keepBecause }),
      };
    },
    inspect: (path, signal) => inspectFile(path, { signal }),
    async manifestOf(path, sha256) {
      const stored = storedAt(path);
      if (stored === null) return manifestBeside(path, sha256);
      return roots.of(stored.root).store.readManifest(stored.path);
    },
    records,
    authors: (path, relation, max, signal) => authoredRecords(path, relation, max, { signal }),
    async addProof(archiveId, proof) {
      const { store, path } = storeOf(archiveId);
      const change = (state: StateFile) => ({ ...state, proofs: withProof(state.proofs, proof) });
      // An import from a disk that can only be read has arrived all the same.
      await store.updateState(path, change).catch((thrown: unknown) => {
        if (!isUnwritable(thrown)) throw thrown;
      });
      index.updateProof(archiveId, proof);
      changed(archiveId);
    },
    ...pruning,
    async discard(archiveId, reason) {
      if (!parts.rescanIsDue()) return pruning.discard(archiveId, reason);
      const why = 'The catalogue was made anew and may not know all archives of the store; none is pruned';
      throw new AppError('rescan-needed', why);
    },
  };

  const verify = async (
    id: string,
    level: 'L1' | 'L2',
    options: InspectFileOptions,
  ): Promise<Verification> => {
    const { store, path } = storeOf(id);
    const found = await store.verify(path, level, options);
    const best = strongest(found.state);
    if (best !== null) index.updateProof(id, best);
    index.markDamaged(id, found.damaged);
    return found;
  };

  const forBridge: StoredArchives = {
    async list({ instance, project, before, limit }) {
      await roots.look();
      // No full path is a number: every one has a slash.
      const isId = project !== null && /^\d+$/.test(project);
      return index.list({
        instance,
        fullPath: isId ? null : project,
        projectId: isId ? Number(project) : null,
        limit,
        before,
      });
    },
    async projects(filter) {
      await roots.look();
      return parts.archivedProjects.page(filter);
    },
    async resolve(reference) {
      await roots.look();
      if (isAbsolute(reference)) {
        const found = await lstat(reference).catch(() => null);
        if (found === null) {
          const message = `There is no file ${reference}.`;
          throw new AppError('archive-missing', message, { details: { reference } });
        }
        return { path: reference, stored: storedAt(reference), others: [] };
      }
      const meant = archivesMeant(index, reference);
      const stored = meant.find(({ absent }) => !absent) ?? meant[0];
      if (stored === undefined) {
        const short = /^[0-9a-f]{1,7}$/i.test(reference) ? ' As a SHA-256 it needs at least 8 digits.' : '';
        const message = `There is no file and no stored archive "${reference}".${short}`;
        throw new AppError('archive-missing', message, { details: { reference } });
      }
      return { path: stored.absolutePath, stored, others: meant.filter(({ id }) => id !== stored.id) };
    },
    async isInStore(path) {
      const place = roots.placeOf(path);
      if (place === null) return false;
      const real = await realpath(path).catch(() => null);
      // Of what is not there nothing can be read.
      return real === null || isInside(real, await realPath(place.root.path));
    },
    async realPlace({ id }) {
      const { store, path } = storeOf(id);
      const [place, root] = [await realPath(await store.locate(path)), await realPath(store.root)];
      if (!isInside(place, root)) {
        throw new AppError('archive-unsafe', 'The archive is a link out of its folder', {
          details: { path },
        });
      }
      return place;
    },
    totals: () => parts.folders.totals(),
    async absences() {
      await roots.look();
      return Promise.all(
        parts.folders.absences().map(async ({ root, ...held }) => {
          const { path } = roots.of(root);
          return { path, replaced: await roots.stands(roots.of(root)), ...held };
        }),
      );
    },
    bad(limit) {
      const { archives, total } = index.bad(limit);
      return { entries: archives, total };
    },
    space: async () => ({ path: roots.current().path, freeBytes: await roots.freeBytes() }),
    async describe({ id }) {
      const { store, path } = storeOf(id);
      const state = await store.readState(path);
      return {
        manifest: await store.readManifest(path),
        state: { ...state, proofs: state.proofs.map(worthOf) },
      };
    },
    inspect: (path, signal, onProgress) => inspectArchiveFile(path, { signal, onProgress }),
    async verify({ id }, level, signal, onProgress) {
      const { proof, damaged, inspection, unrecorded } = await verify(id, level, { signal, onProgress });
      changed(id);
      const { findings } = index.manifest(id);
      return {
        summary: index.get(id),
        proof,
        damaged,
        findings: [...(inspection?.findings ?? []), ...findings],
        ...(unrecorded === null ? {} : { unrecorded: unrecorded.toData() }),
      };
    },
    record: (path, relation, line, signal) => recordAccess.view(path, { relation, line }, signal),
    trim: (path, relations, to, signal, onProgress) =>
      trimToFile(path, relations, to, { signal, onProgress }),
    async reconcile(path, target, failures, signal) {
      const stored = storedAt(path);
      const known = stored === null ? null : await roots.of(stored.root).store.readManifest(stored.path);
      const inspection = known?.inspection ?? (await inspectFile(path, { signal }));
      const manifest = known ?? (await manifestBeside(path, inspection.sha256));
      const at = isoTime(clock.now());
      return reconcile(manifest?.sourceCounts ?? null, inspection, target, failures, at);
    },
    explain: (path, failures, signal) => explainFailures({ records }, path, failures, signal),
    async setPinned({ id }, pinned, note) {
      const { store, path } = storeOf(id);
      await store.updateState(path, (state) => ({
        ...state,
        pinned,
        note: note === '' ? null : (note ?? state.note),
      }));
      index.markPinned(id, pinned);
      changed(id);
    },
    alike: ({ id, sha256 }) => index.ofSha(sha256).filter((other) => other.id !== id),
    async identify({ id }, instance, project) {
      const { store, path } = storeOf(id);
      const at = isoTime(clock.now());
      const identified = await identifyArchive(store, path, { at, instance, project });
      const { root } = index.get(id);
      // What other rows follow from it is told by its going and coming, never by a replacement.
      index.remove(id);
      index.insert(toRow({ root, path, ...identified }), identified.manifest);
      changed(id);
    },
    exportsIn,
    adopt: (adoption, signal, onProgress) =>
      adoptFiles({ roots, index, clock, appVersion, register, indexForgotten }, adoption, signal, onProgress),
    async rescan(signal, onProgress) {
      let looked = index.list({ limit: 1 }).length > 0;
      const register = (archive: Indexed): void => {
        looked = true;
        index.insert(toRow(archive), archive.manifest);
      };
      try {
        const scanned = await rescanStore({ roots, index, register, clock, signal, onProgress });
        // While the standard folder is away nobody knows what it holds.
        if ((await roots.lostStandard()) === null) parts.rescanned();
        return scanned;
      } finally {
        if (looked) changed(null);
      }
    },
  };

  const trash = createTrash({
    roots,
    clock,
    discard: (archiveId, reason) => pruning.discard(archiveId, reason),
    async register(root, path, manifest) {
      return (await register(root, path, manifest)).id;
    },
  });

  const proveAgain: ArchiveAccess['proveAgain'] = async (id, level, signal) => {
    const before = index.get(id).damaged;
    const { damaged } = await verify(id, level, { signal });
    if ((before === null) !== (damaged === null)) changed(id);
    return before === null && damaged !== null ? { id, reason: damaged.reason } : null;
  };

  return {
    forJobs,
    forBridge,
    trash,
    proveAgain,
    indexForgotten: () => indexForgotten(),
    sweepIndexes: () => recordAccess.sweep(),
    withIndex: (path, signal, use) => recordAccess.withIndex(path, signal, use),
    withFileIndex: (path, signal, use) => recordAccess.withFileIndex(path, signal, use),
  };
}
