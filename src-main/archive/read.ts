/**
 * @file Reads records by relation and line, in one pass that stops after the last wanted record. Returns at most 1 MiB
 * of each record.
 */
import type { ArchiveRecord } from '../../src-contract/archives/archive.ts';
import { AppError } from '../../src-contract/errors.ts';
import { chunkConsumer, openArchive, toReadError, readToEnd, type FileReadOptions } from './archive-file.ts';
import { defaultReadLimits } from './limits.ts';
import { legacyDocument, plainName, relationOf } from './reader/export-content.ts';
import { Inflater } from './reader/inflater.ts';
import { LegacyPicker, LinePicker, type RecordSelector } from './reader/record-picker.ts';
import { TarWalker, type MemberSink } from './reader/tar-walker.ts';

export interface RecordPlace {
  relation: string;
  /** Zero-based; blank lines count. In the legacy layout: the index in the array under the relation's name. */
  line: number;
}

/** Ends a pass early; never leaves this file. */
const allFound = new Error('All wanted records were found.');

/**
 * Returns the records in the requested order; null if the archive has no such line. Rejects with `archive-corrupt` if
 * the archive is damaged before the last of them, and with the errors of opening it.
 */
export async function readRecords(
  path: string,
  places: readonly RecordPlace[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<(ArchiveRecord | null)[]> {
  const found = new Map<string, ArchiveRecord>();
  const keyOf = ({ relation, line }: RecordPlace): string => `${relation}:${line}`;
  const missing = new Set(places.map(keyOf));
  const selector: RecordSelector = {
    wants: (relation, line) => missing.has(keyOf({ relation, line })),
    take: (record) => {
      found.set(keyOf(record), record);
      missing.delete(keyOf(record));
    },
  };
  // If a relation has two members, only the first is read: their line numbers would overlap.
  const seenRelations = new Set<string>();
  const sinkOf = (name: string): MemberSink | null => {
    const relation = relationOf(name) ?? (name === legacyDocument ? name : null);
    if (relation === null || seenRelations.has(relation)) return null;
    seenRelations.add(relation);
    return name === legacyDocument ? new LegacyPicker(selector) : new LinePicker(relation, selector);
  };
  if (missing.size > 0) await walkMembers(path, sinkOf, () => missing.size === 0, options);
  return places.map((place) => found.get(keyOf(place)) ?? null);
}

/**
 * Passes each member to the sink for its plain name, until `isDone` is true. Rejects with `archive-corrupt`, or like
 * `openArchive`.
 */
export async function walkMembers(
  path: string,
  sinkOf: (name: string) => MemberSink | null,
  isDone: () => boolean,
  options: FileReadOptions,
): Promise<void> {
  const walker = new TarWalker(
    { onMember: ({ name }) => sinkOf(plainName(name)), onMixedHeaders: () => undefined },
    defaultReadLimits,
  );
  const inflater = new Inflater(defaultReadLimits, (bytes) => {
    options.signal?.throwIfAborted();
    walker.write(bytes);
    if (isDone()) throw allFound;
  });
  const file = await openArchive(path);
  try {
    const inflate = chunkConsumer((piece) => inflater.write(piece));
    await readToEnd(file, options, inflate);
    const fault = await inflater.finish();
    const end = walker.end();
    if (fault !== null || !end.isComplete) {
      const damage = fault ?? (end.isComplete ? null : end);
      const isNoArchive = damage?.code === 'not-gzip' || damage?.code === 'not-tar';
      const message = isNoArchive ? damage.message : 'The archive is damaged before the record.';
      throw new AppError('archive-corrupt', message, { details: { path, finding: damage?.code ?? null } });
    }
  } catch (error) {
    if (error !== allFound) throw toReadError(error);
  } finally {
    inflater.destroy();
    await file.close();
  }
}

/** Like `readRecords`, for a separate NDJSON file, whose relation the caller names. */
export async function readLines(
  path: string,
  places: readonly RecordPlace[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<(ArchiveRecord | null)[]> {
  const found = new Map<number, ArchiveRecord>();
  const lines = new Set(places.map(({ line }) => line));
  const picker = new LinePicker(places[0]?.relation ?? '', {
    wants: (_relation, line) => lines.has(line),
    take: (record) => found.set(record.line, record),
  });
  const pick = chunkConsumer((piece) => {
    picker.write(piece);
  });
  const file = await openArchive(path);
  try {
    await readToEnd(file, options, pick);
  } finally {
    await file.close();
  }
  picker.end();
  return places.map(({ line }) => found.get(line) ?? null);
}
