/**
 * @file Reads records of archives by their index. A stored archive without an index gets one. A damaged index is
 * deleted, and the archive is read from its start.
 */
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ArchiveRecord, Manifest } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { RecordView } from '../../../src-contract/archives/record.ts';
import { inspectFile } from '../../archive/inspect.ts';
import { readLines, readRecords, type RecordPlace } from '../../archive/read.ts';
import { removeRecordIndex, sweepRecordIndexes } from '../../archive/records/index-files.ts';
import { IndexDamaged, openRecordIndex, type RecordIndex } from '../../archive/records/record-index.ts';
import { viewFromIndex, viewFromLines, type RecordSource } from '../../archive/records/record-view.ts';
import { readManifestBeside } from './archive-file.ts';

export type RecordAccess = ReturnType<typeof createRecordAccess>;

export function createRecordAccess(deps: {
  indexFolder: string;
  findByAbsolutePath(path: string): { id: string; sha256: string; sizeBytes: number } | null;
  manifest(id: string): Manifest;
  hasArchive(sha256: string): boolean;
}) {
  const { indexFolder } = deps;

  const open = async (path: string, signal: AbortSignal): Promise<RecordIndex | null> => {
    const stored = deps.findByAbsolutePath(path);
    if (stored === null) return null;
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() !== true || found.size !== stored.sizeBytes) return null;
    const existing = await openRecordIndex(indexFolder, stored.sha256);
    if (existing !== null) return existing;
    const { sha256 } = await inspectFile(path, { signal, indexFolder });
    return sha256 === stored.sha256 ? openRecordIndex(indexFolder, sha256) : null;
  };

  /** Reads by the index. Without a reliable index, reads the archive from its start. */
  const read = async <T>(
    path: string,
    signal: AbortSignal,
    readByIndex: (index: RecordIndex) => Promise<T>,
    readFromStart: () => Promise<T>,
  ): Promise<T> => {
    const index = await open(path, signal);
    if (index === null) return readFromStart();
    try {
      return await readByIndex(index);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await removeRecordIndex(indexFolder, index.sha256);
      return await readFromStart();
    } finally {
      await index.close();
    }
  };

  return {
    /** Returns the records in the order of `places`, with null for each line that the archive lacks. */
    records: (path: string, places: readonly RecordPlace[], signal: AbortSignal) =>
      read(
        path,
        signal,
        async (index) => {
          const found: (ArchiveRecord | null)[] = [];
          for (const { relation, line } of places) found.push(await index.record(relation, line));
          return found;
        },
        () => readRecords(path, places, { signal }),
      ),
    /** Throws `record-missing`. If the relation does not exist, the error names the existing relations. */
    view: (path: string, place: RecordPlace, signal: AbortSignal) =>
      read(
        path,
        signal,
        async (index) => {
          const stored = deps.findByAbsolutePath(path);
          const source = stored === null ? null : deps.manifest(stored.id);
          const view = await viewFromIndex(index, place, source);
          if (view !== null) return view;
          throw recordMissingError(
            path,
            place,
            index.relations().flatMap(({ name, records }) => (records > 0 ? [name] : [])),
          );
        },
        () => recordViewInFile(path, place, signal),
      ),
    /** Returns the result of `use` for the index of a stored archive; null without a reliable index. */
    withIndex: <T>(path: string, signal: AbortSignal, use: (index: RecordIndex) => Promise<T>) =>
      read<T | null>(path, signal, use, () => Promise.resolve(null)),
    /** Like `withIndex`, for any archive file. A file outside the store gets a temporary index. */
    async withFileIndex<T>(path: string, signal: AbortSignal, use: (index: RecordIndex) => Promise<T>) {
      if (deps.findByAbsolutePath(path) !== null) return read(path, signal, use, () => Promise.resolve(null));
      const { sha256 } = await inspectFile(path, { signal, indexFolder });
      const index = await openRecordIndex(indexFolder, sha256);
      if (index === null) return null;
      try {
        return await use(index);
      } catch (error) {
        if (error instanceof IndexDamaged) return null;
        throw error;
      } finally {
        await index.close();
        if (!deps.hasArchive(sha256)) await removeRecordIndex(indexFolder, sha256);
      }
    },
    /** Called after an archive was removed. Deletes its index, unless another archive has the same bytes. */
    async forget(sha256: string) {
      if (!deps.hasArchive(sha256)) await removeRecordIndex(indexFolder, sha256);
    },
    sweep: () => sweepRecordIndexes(indexFolder, (sha256) => deps.hasArchive(sha256)),
  };
}

/** Returns one line, zero-based, of a relation in any export file, or of a file of NDJSON. Throws `record-missing`. */
export async function recordViewInFile(
  path: string,
  place: RecordPlace,
  signal: AbortSignal,
): Promise<RecordView> {
  const { relation, line } = place;
  const places = [line - 1, line, line + 1].map((at) => ({ relation, line: at }));
  const isPlain = path.endsWith('.ndjson');
  const [previous = null, record = null, next = null] = isPlain
    ? await readLines(path, places, { signal })
    : await readRecords(
        path,
        places.filter((wanted) => wanted.line >= 0),
        { signal },
      ).then((found) => (line === 0 ? [null, ...found] : found));
  if (record !== null) return viewFromLines(record, { previous, next }, await sourceBeside(path));
  if (isPlain) throw new AppError('record-missing', `${path} has no line ${line}.`);
  const { relations } = await inspectFile(path, { signal });
  throw recordMissingError(
    path,
    place,
    Object.keys(relations).filter((name) => (relations[name] ?? 0) > 0),
  );
}

function recordMissingError(
  path: string,
  { relation, line }: RecordPlace,
  relations: readonly string[],
): AppError {
  return new AppError(
    'record-missing',
    relations.includes(relation) || relations.length === 0
      ? `${path} has no line ${line} in ${relation}.`
      : `${path} has no relation "${relation}". Its relations are ${relations.toSorted().join(', ')}.`,
  );
}

/**
 * Returns the source of a file from the manifest next to it, for example in a copied store; null without a manifest.
 */
export async function sourceBeside(path: string): Promise<RecordSource> {
  const manifest = await readManifestBeside(path);
  const found = await lstat(path).catch(() => null);
  return manifest?.file === basename(path) && manifest.sizeBytes === found?.size ? manifest : null;
}
