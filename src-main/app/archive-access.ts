/**
 * @file Store and index of archives as one thing, for jobs and for the bridge. Files first, then the row.
 * [Note: file before row]
 */
import { lstat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { ArchiveSummary, Manifest, Proof, StateFile } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { inspectFile } from '../archive/inspect.ts';
import { archivePath } from '../archive/names.ts';
import { readRecords } from '../archive/read.ts';
import type { ArchiveStore } from '../archive/store.ts';
import { proofByReading, withProof } from '../archive/verify.ts';
import type { ArchivesPort } from '../bridge/ports.ts';
import type { ArchiveIndex, NewArchive } from '../catalogue/archives.ts';
import { explainFailures } from '../jobs/explain.ts';
import { reconcile } from '../jobs/reconcile.ts';
import type { ArchivePort, StoredArchiveRef } from '../jobs/ports.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import { rescanStore, type Indexed } from './rescan.ts';
import { inspectArchiveFile, recordInFile } from './archive-file.ts';

const strongest = (state: StateFile): ArchiveSummary['proof'] =>
  state.proofs.reduce<ArchiveSummary['proof']>(
    (best, proof) => (best === null || proof.level >= best.level ? proof : best),
    null,
  );

const toRow = ({ path, manifest, state }: Indexed): NewArchive => ({
  path,
  instanceName: manifest.instance.name,
  instanceUrl: manifest.instance.url,
  projectId: manifest.project.id,
  fullPath: manifest.project.fullPath,
  sha256: manifest.sha256,
  sizeBytes: manifest.sizeBytes,
  storedAt: manifest.storedAt,
  verdict: manifest.inspection.verdict,
  proof: strongest(state),
  damaged: state.damaged,
  findings: manifest.inspection.findings.length + manifest.findings.length,
  pinned: state.pinned,
});

export interface ArchiveAccess {
  forJobs: ArchivePort;
  forBridge: ArchivesPort;
}

export function createArchiveAccess(store: ArchiveStore, index: ArchiveIndex, clock: Clock): ArchiveAccess {
  /** A manifest is written only after the archive was read to its end: the first proof. */
  const register = async (path: string, manifest: Manifest): Promise<StoredArchiveRef> => {
    const first: Proof = { ...proofByReading(manifest.inspection), at: manifest.storedAt };
    const state = await store.updateState(path, (known) =>
      known.proofs.length > 0 ? known : { ...known, proofs: [first] },
    );
    const row = index.insert(toRow({ path, manifest, state }), manifest);
    return { id: row.id, path: row.absolutePath, manifest };
  };

  /** The path within the store, or null for a file outside of it. */
  const storePath = (absolutePath: string): string | null => {
    const inside = relative(store.root, absolutePath);
    return inside === '' || inside.startsWith('..') || isAbsolute(inside)
      ? null
      : inside.split(sep).join('/');
  };

  const records: ArchivePort['records'] = (path, wanted, signal) => readRecords(path, wanted, { signal });

  const forJobs: ArchivePort = {
    async recover(key, jobId) {
      const path = archivePath(key);
      try {
        const manifest = await store.readManifest(path);
        return manifest.jobId === jobId ? await register(path, manifest) : null;
      } catch (thrown) {
        if (AppError.from(thrown).code === 'archive-missing') return null;
        throw thrown;
      }
    },
    async begin(key, expectedBytes) {
      const pending = await store.begin({ ...key, ...(expectedBytes === null ? {} : { expectedBytes }) });
      return {
        write: (chunk) => pending.write(chunk),
        finish: () => pending.finish(),
        commit: async (fields) => register(pending.path, await pending.commit(fields)),
        discard: (keepBecause) => pending.discard(keepBecause === null ? {} : { keepAs: keepBecause }),
      };
    },
    inspect: (path, signal) => inspectFile(path, { signal }),
    async manifestOf(path) {
      const inside = storePath(path);
      const stored = inside === null ? null : index.findByPath(inside);
      return stored === null ? null : store.readManifest(stored.path);
    },
    records,
    async addProof(archiveId, proof) {
      const { path } = index.get(archiveId);
      await store.updateState(path, (state) => ({
        ...state,
        proofs: withProof(state.proofs, proof),
      }));
      index.updateProof(archiveId, proof);
    },
  };

  const forBridge: ArchivesPort = {
    list({ instance, project, before, limit }) {
      return index.list({
        instance,
        fullPath: project,
        limit,
        before,
      });
    },
    async resolve(reference) {
      if (isAbsolute(reference)) {
        const found = await lstat(reference).catch(() => null);
        if (found === null) throw new AppError('archive-missing', `There is no file ${reference}.`);
        const inside = storePath(reference);
        return { path: reference, stored: inside === null ? null : index.findByPath(inside) };
      }
      const byPath = index.findByPath(reference);
      if (byPath !== null) return { path: byPath.absolutePath, stored: byPath };
      if (!/^[0-9a-f]{8,64}$/i.test(reference)) {
        const short = /^[0-9a-f]+$/i.test(reference) ? ' As a SHA-256 it needs at least 8 digits.' : '';
        throw new AppError(
          'archive-missing',
          `There is no file and no stored archive "${reference}".${short}`,
        );
      }
      const stored = index.findBySha(reference);
      return { path: stored.absolutePath, stored };
    },
    async describe({ path }) {
      return { manifest: await store.readManifest(path), state: await store.readState(path) };
    },
    inspect: (path, signal, onProgress) => inspectArchiveFile(path, { signal, onProgress }),
    async verify(stored, level, signal, onProgress) {
      const { proof, damaged, inspection } = await store.verify(stored.path, level, { signal, onProgress });
      const best = strongest(await store.readState(stored.path));
      if (best !== null) index.updateProof(stored.id, best);
      index.markDamaged(stored.id, damaged);
      const { findings } = index.manifest(stored.id);
      return {
        summary: index.get(stored.id),
        proof,
        damaged,
        findings: [...(inspection?.findings ?? []), ...findings],
      };
    },
    record: (path, relation, line, signal) => recordInFile(path, { relation, line }, signal),
    async reconcile(path, target, failures, signal) {
      const manifest = await forJobs.manifestOf(path);
      const inspection = manifest?.inspection ?? (await inspectFile(path, { signal }));
      const at = isoTime(clock.now());
      return reconcile(manifest?.sourceCounts ?? null, inspection, target, failures, at);
    },
    explain: (path, failures, signal) => explainFailures({ records }, path, failures, signal),
    rescan() {
      const register = (archive: Indexed): void => {
        index.insert(toRow(archive), archive.manifest);
      };
      return rescanStore(store, index, register, clock);
    },
  };

  return { forJobs, forBridge };
}
