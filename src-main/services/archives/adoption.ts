/** @file Adopts export files from elsewhere into the store. A file is only read; nothing is derived from its name. */
import { lstat, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import type { Manifest, StateFile } from '../../../src-contract/archives/archive.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { digestFile, chunkConsumer, openArchive, readToEnd } from '../../archive/archive-file.ts';
import { estimateExportTime, exportTimeBytes } from '../../archive/export-time.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { archivePath, isExportName, type ArchiveIdentity } from '../../archive/names.ts';
import type { PendingArchive } from '../../archive/pending.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import type { IndexedArchive } from '../../catalogue/archives/archive-rows.ts';
import { isoTime } from '../../platform/clock.ts';
import type { ArchiveRoot } from './folders/archive-roots.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { appVersion } from '../version.ts';
import type { ArchiveRegister } from './archive-register.ts';
import type { ArchiveCollection } from './archive-collection.ts';

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

export type IdentifiedProject = AdoptedProject & { projectId: number };

type Outcome = CallReply<'archive.adopt'>['files'][number];

/**
 * Maximum names to try. Archives have times in whole seconds, so several archives of one project may have the same
 * time.
 */
const maxNameAttempts = 1000;

interface Deps extends ArchiveCollection, Pick<SharedDeps, 'clock'> {
  register: ArchiveRegister;
}

/**
 * Adopts each file; a failure does not stop the others. Rejects if cancelled; files adopted before stay in the store.
 */
export async function adoptFiles(
  deps: Deps,
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
  let bytesBefore = 0;
  for (const [position, { file, project }] of files.entries()) {
    signal.throwIfAborted();
    const start = bytesBefore;
    const adoption: FileAdoption = {
      ...{ ...deps, instance, project, file, signal },
      onProgress: (done) => {
        onProgress(Math.min(total, start + done), total);
      },
    };
    outcomes.push(
      await adopt(adoption, prove).catch((thrown: unknown) => {
        signal.throwIfAborted();
        return createOutcome(file, { outcome: 'refused', error: AppError.from(thrown).toData() });
      }),
    );
    bytesBefore += sizes[position] ?? 0;
  }
  return outcomes;
}

/** Returns the absolute paths of files directly in the folder that are named like exports, sorted by name. */
export async function exportsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    throw diskError(thrown, folder);
  });
  const files = entries.filter((entry) => entry.isFile() && isExportName(entry.name));
  return files.map(({ name }) => join(folder, name)).sort();
}

/**
 * Records the project of an adopted archive in its state file. Throws `invalid-input` if the manifest already names the
 * project.
 */
export async function identifyArchive(
  store: ArchiveStore,
  path: string,
  { at, instance, project }: { at: string; instance: Adoption['instance']; project: IdentifiedProject },
): Promise<{ manifest: Manifest; state: StateFile }> {
  const manifest = await store.readManifest(path);
  const { id, fullPath } = manifest.project;
  if (id !== null) {
    throw new AppError(
      'invalid-input',
      `The project of the archive is already known: ${fullPath} with the id ${id}.`,
      {
        details: { wrong: 'state' },
      },
    );
  }
  const state = await store.updateState(path, (fields) => ({
    ...fields,
    identified: {
      at,
      instance: { name: instance.name, url: instance.url },
      project: { id: project.projectId, fullPath: project.fullPath, name: project.name },
    },
  }));
  return { manifest, state };
}

const createOutcome = (file: string, fields: Pick<Outcome, 'outcome'> & Partial<Outcome>): Outcome => ({
  file,
  archive: null,
  datedBy: null,
  proven: false,
  findings: [],
  error: null,
  ...fields,
});

interface FileAdoption extends Deps {
  instance: Instance;
  project: AdoptedProject;
  file: string;
  signal: AbortSignal;
  onProgress: (done: number) => void;
}

async function adopt(adoption: FileAdoption, prove: boolean): Promise<Outcome> {
  const { roots, index, file } = adoption;
  const source = await openArchive(file);
  try {
    await roots.refreshPresence();
    await assertNotStored(adoption);
    await addMissingRow(adoption);
    const duplicate = await findDuplicate(adoption, (await source.stat()).size);
    if (duplicate !== null) {
      const proven = prove && (await verifyCopy(adoption, duplicate));
      return createOutcome(file, { outcome: 'present', archive: duplicate, proven });
    }
    const { id, datedBy, manifest } = await copy(adoption, source);
    // Storing the first archive creates the root folder, which was absent before.
    await roots.refreshPresence();
    const proven = prove && (await verifyCopy(adoption, index.get(id)));
    const { findings } = manifest.inspection;
    return createOutcome(file, { outcome: 'adopted', archive: index.get(id), datedBy, proven, findings });
  } finally {
    await source.close();
  }
}

/**
 * Throws `already-exists` for a file of the store. After a move, the command line deletes the source file, and a stored
 * archive must not be deleted.
 */
async function assertNotStored({ roots, file }: FileAdoption): Promise<void> {
  const location = roots.locationOf(await realpath(file));
  if (location === null) return;
  const manifest = await location.root.store.readManifest(location.path).catch((thrown: unknown) => {
    if (AppError.from(thrown).code === 'archive-missing') return null;
    throw thrown;
  });
  if (manifest === null) return;
  throw new AppError('already-exists', `${file} is already an archive of the store.`);
}

/**
 * Adds the row that is missing if a process ended right after storing an archive. Without it, the file would be stored
 * twice.
 */
async function addMissingRow({ register, instance, project }: FileAdoption): Promise<void> {
  const path = archivePath({ instanceUrl: instance.url, ...project, receivedAt: 0 });
  await register.indexArchivesWithoutRow(posix.dirname(path));
}

/** Finds the archive of the project with the same bytes. Reads the file only if an archive has the same size. */
async function findDuplicate(adoption: FileAdoption, sizeBytes: number): Promise<IndexedArchive | null> {
  const { index, instance, project, file } = adoption;
  const candidates: IndexedArchive[] = [];
  for (const archive of index.findBySize({ ...project, instanceUrl: instance.url }, sizeBytes)) {
    const isUsable = !archive.absent && archive.damaged === null;
    const found = isUsable ? await lstat(archive.absolutePath).catch(() => null) : null;
    if (found?.isFile() === true && found.size === sizeBytes) candidates.push(archive);
  }
  if (candidates.length === 0) return null;
  const { sha256 } = await digestFile(file, adoption);
  return candidates.find((archive) => archive.sha256 === sha256) ?? null;
}

async function copy(adoption: FileAdoption, source: FileHandle) {
  const { roots, register, clock, instance, project, file } = adoption;
  const start = Buffer.alloc(exportTimeBytes);
  const { bytesRead } = await source.read(start, 0, exportTimeBytes, 0);
  const modifiedAt = Math.floor((await source.stat()).mtimeMs);
  const estimate = estimateExportTime(start.subarray(0, bytesRead), modifiedAt, clock.now());
  const receivedAt = estimate?.epochMs ?? clock.now();
  const root = await roots.requirePresent();
  const expectedBytes = (await source.stat()).size;
  const pending = await createPending(adoption, root, receivedAt, expectedBytes);
  try {
    await readToEnd(
      source,
      adoption,
      chunkConsumer((piece) => pending.write(piece)),
    );
    const inspection = await pending.finish();
    if (inspection.verdict === 'unusable') {
      const found =
        inspection.findings.find(({ severity }) => severity === 'error') ?? inspection.findings[0];
      throw new AppError('archive-corrupt', found?.message ?? 'The file is not a usable export archive.', {
        details: { file, finding: found?.code ?? 'none' },
      });
    }
    const datedBy = estimate?.basis ?? 'adoption';
    const manifest = await pending.commit({
      instance: { name: instance.name, url: instance.url, username: null },
      project: { id: project.projectId, fullPath: project.fullPath, name: project.name },
      serverVersion: null,
      storedAt: isoTime(receivedAt),
      jobId: null,
      adopted: { at: isoTime(clock.now()), fileName: basename(file), datedBy },
      appVersion,
      sourceCounts: null,
      findings: [],
    });
    const { id } = await register.register(root, pending.path, manifest);
    return { id, datedBy, manifest } as const;
  } finally {
    await pending.discard();
  }
}

/** Makes the name unique by adding milliseconds to the time. */
async function createPending(
  { instance, project: { fullPath, projectId } }: FileAdoption,
  { store }: ArchiveRoot,
  receivedAt: number,
  expectedBytes: number,
): Promise<PendingArchive> {
  const identity: ArchiveIdentity = { instanceUrl: instance.url, fullPath, projectId, receivedAt };
  for (let offsetMs = 0; ; offsetMs += 1) {
    try {
      return await store.createPending({ ...identity, receivedAt: receivedAt + offsetMs, expectedBytes });
    } catch (thrown) {
      if (AppError.from(thrown).code !== 'already-exists' || offsetMs === maxNameAttempts - 1) throw thrown;
    }
  }
}

/**
 * Verifies the stored copy by reading it again. Throws `archive-damaged`; the damage is also stored in the row and the
 * state file.
 */
async function verifyCopy({ roots, index, signal }: FileAdoption, archive: IndexedArchive): Promise<boolean> {
  const { damaged } = await roots.byNumber(archive.root).store.verify(archive.path, 'L1', { signal });
  index.markDamaged(archive.id, damaged);
  if (damaged === null) return true;
  throw new AppError(
    'archive-damaged',
    `The copy in the store differs from what was written: ${damaged.reason}`,
    {
      details: { path: archive.path },
    },
  );
}
