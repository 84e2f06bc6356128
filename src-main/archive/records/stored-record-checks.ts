/**
 * @file Checks one record of an index within a limit on memory. A record that would be too expensive to parse is read
 * in pieces: its JSON and UTF-8 are validated, and its keys in the index are checked.
 */
import type { RecordFinding } from '../../../src-contract/archives/record.ts';
import { JsonScanner } from '../reader/json-scanner.ts';
import { checkLargeRecord, checkRecord, type RecordContext, type RecordTraits } from './record-checks.ts';
import type { RecordIndex } from './record-index.ts';
import type { KeyRow } from './record-keys.ts';

/** Parsing and checking a text of that length takes about five times as much memory. */
const maxParsedBytes = 4 * 1024 * 1024;
/** An empty object is three bytes of JSON and about 60 bytes of memory. */
const maxParsedValues = 250_000;

/** The message about a record that was not parsed. */
export const recordTooLargeText =
  'The record is too large for all checks. Only its JSON, its iid and its title were checked.';

/** @returns `wasParsed` is false if the record was too large to be parsed. Rejects with `IndexDamaged`. */
export async function checkStoredRecord(
  index: RecordIndex,
  relation: string,
  { line, length, keys }: KeyRow,
  context: RecordContext,
): Promise<{ suspicions: RecordFinding[]; wasParsed: boolean }> {
  if (length <= maxParsedBytes) {
    const bytes = (await index.bytes(relation, line)) ?? Buffer.alloc(0);
    if (hasFewValues(bytes)) {
      return { suspicions: checkRecord({ relation, line, bytes }, context), wasParsed: true };
    }
  }
  const traits = await traitsOf(index.pieces(relation, line), length);
  return { suspicions: checkLargeRecord({ relation, line }, traits, keys, context), wasParsed: false };
}

/** Estimates the number of values by counting commas and brackets. The estimate is never too low. */
function hasFewValues(bytes: Buffer): boolean {
  if (bytes.length <= maxParsedValues) return true;
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count <= maxParsedValues;
}

async function traitsOf(pieces: AsyncIterable<Buffer>, length: number): Promise<RecordTraits> {
  const scanner = new JsonScanner();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  for await (const piece of pieces) {
    scanner.write(piece);
    isUtf8 &&= decodes(decoder, piece, true);
  }
  return { length, isUtf8: isUtf8 && decodes(decoder, Buffer.alloc(0), false), isJson: scanner.isComplete };
}

function decodes(decoder: InstanceType<typeof TextDecoder>, piece: Buffer, stream: boolean): boolean {
  try {
    decoder.decode(piece, { stream });
    return true;
  } catch {
    return false;
  }
}
