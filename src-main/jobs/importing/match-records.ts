/** @file Matches each failed relation that a server lists with its record in the local archive. */
import type { FailureWithRecord, Failure } from '../../../src-contract/transfers/import.ts';
import type { ArchivePort } from '../ports.ts';

/**
 * Returns the failures in order, each with its record. The record is null if the failure has no line, or a line beyond
 * the end of the archive.
 */
export async function matchRecords(
  archives: Pick<ArchivePort, 'records'>,
  archivePath: string,
  failures: Failure[],
  signal: AbortSignal,
): Promise<FailureWithRecord[]> {
  const places = failures.flatMap((failure) =>
    failure.relation === null || failure.line === null
      ? []
      : [{ relation: failure.relation, line: failure.line }],
  );
  const records = places.length === 0 ? [] : await archives.records(archivePath, places, signal);
  const found = new Map(records.flatMap((record) => (record === null ? [] : [[placeOf(record), record]])));
  return failures.map((failure) => ({ failure, record: found.get(placeOf(failure)) ?? null }));
}

const placeOf = (place: { relation: string | null; line: number | null }): string =>
  `${place.relation ?? ''}:${place.line ?? ''}`;
