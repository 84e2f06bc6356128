/**
 * @file Reads single records out of an archive by relation and line, in one pass that stops at the last one wanted.
 * Nothing is unpacked to disk; of a record at most 1 MiB is kept.
 */
import type { ArchiveRecord } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { inPieces, openArchive, readingError, readToEnd } from './archive-file.ts';
import { defaultReadLimits } from './limits.ts';
import { legacyDocument, plainName, relationOf } from './reader/export-content.ts';
import { Inflater } from './reader/inflater.ts';
import { LegacyPicker, LinePicker, type Wanted } from './reader/record-picker.ts';
import { TarWalker } from './reader/tar-walker.ts';

export interface RecordPlace {
  relation: string;
  /** Zero-based; blank lines count. In the legacy layout: the element of the array under the relation's name. */
  line: number;
}

/** Ends a pass early; never leaves this file. */
const allFound = new Error('All wanted records were found');

/**
 * The records in the order asked for; null where the archive has no such line. Rejects with `archive-corrupt` when the
 * archive is damaged before the last of them, and with the errors of opening it.
 */
export async function readRecords(
  path: string,
  wanted: readonly RecordPlace[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<(ArchiveRecord | null)[]> {
  const found = new Map<string, ArchiveRecord>();
  const keyOf = ({ relation, line }: RecordPlace): string => `${relation}:${line}`;
  const missing = new Set(wanted.map(keyOf));
  const pick: Wanted = {
    wants: (relation, line) => missing.has(keyOf({ relation, line })),
    take: (record) => {
      found.set(keyOf(record), record);
      missing.delete(keyOf(record));
    },
  };
  if (missing.size > 0) await pass(path, pick, () => missing.size === 0, options.signal);
  return wanted.map((place) => found.get(keyOf(place)) ?? null);
}

async function pass(
  path: string,
  pick: Wanted,
  done: () => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const walker = new TarWalker(
    {
      member: ({ name }) => {
        const relation = relationOf(plainName(name));
        if (relation !== null) return new LinePicker(relation, pick);
        return plainName(name) === legacyDocument ? new LegacyPicker(pick) : null;
      },
      mixedHeaders: () => undefined,
    },
    defaultReadLimits,
  );
  const inflater = new Inflater(defaultReadLimits, (bytes) => {
    walker.write(bytes);
    if (done()) throw allFound;
  });
  const file = await openArchive(path);
  try {
    const inflate = inPieces((piece) => inflater.write(piece));
    await readToEnd(file, { signal }, inflate);
    const fault = await inflater.finish();
    const end = walker.end();
    if (fault !== null || !end.ended) {
      throw new AppError('archive-corrupt', 'The archive is damaged before the record', {
        details: { finding: fault?.code ?? (end.ended ? null : end.code) },
      });
    }
  } catch (error) {
    if (error !== allFound) throw readingError(error);
  } finally {
    inflater.destroy();
    await file.close();
  }
}

/** As `readRecords`, for a file of NDJSON that stands alone; its relation is what the caller calls it. */
export async function readLines(
  path: string,
  wanted: readonly RecordPlace[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<(ArchiveRecord | null)[]> {
  const found = new Map<number, ArchiveRecord>();
  const lines = new Set(wanted.map(({ line }) => line));
  const picker = new LinePicker(wanted[0]?.relation ?? '', {
    wants: (_relation, line) => lines.has(line),
    take: (record) => found.set(record.line, record),
  });
  const file = await openArchive(path);
  try {
    await readToEnd(
      file,
      options,
      inPieces((piece) => {
        picker.write(piece);
      }),
    );
  } finally {
    await file.close();
  }
  picker.end();
  return wanted.map(({ line }) => found.get(line) ?? null);
}
