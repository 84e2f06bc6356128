/**
 * @file Reads an export archive that is just a file: no store, no catalogue, no data folder. For hosts, which must not
 * reach into the reader themselves.
 */
import type { ArchiveRecord, Inspection } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { inspectFile, type InspectFileOptions } from '../archive/inspect.ts';
import { readRecords } from '../archive/read.ts';

/** Reads the file at an absolute path to its end and says what it holds. */
export function inspectArchiveFile(path: string, options: InspectFileOptions): Promise<Inspection> {
  return inspectFile(path, options);
}

/** One line of a relation, zero-based. Throws `record-missing`. */
export async function recordInFile(
  path: string,
  place: { relation: string; line: number },
  signal: AbortSignal,
): Promise<ArchiveRecord> {
  const [record] = await readRecords(path, [place], { signal });
  if (record === null || record === undefined) {
    throw new AppError('record-missing', `${path} has no line ${place.line} in ${place.relation}.`);
  }
  return record;
}
