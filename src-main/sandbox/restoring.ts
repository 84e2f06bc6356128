/**
 * @file One relation of an archive restored: which of its lines are kept, which records are refused and listed, and what
 * is dropped without being told (gitlab-facts 5.5). Pure; the bytes stay as they were where everything is kept.
 */
import type { JsonRecord } from './content/project-content.ts';
import { notesOf, singletons } from './content/project-content.ts';
import type { FaultOf } from './fault-schema.ts';
import { checkLineLengths, parseLine } from './import-archive.ts';
import { RelationCheck, withoutBadNotes } from './import-checks.ts';

export type LossFault = FaultOf<'drop-records' | 'drop-notes'>;

export interface Restored {
  /** Lines of the records that were saved, without their line ends. */
  lines: string[];
  /** Whether `lines` are all there were, as they were. */
  unchanged: boolean;
  /** Refused records, in the order of their lines. */
  failures: { line: number; exceptionClass: string }[];
  losses: { line: number; part: 'record' | 'note'; reason: string; listed: boolean }[];
}

/** Throws `ImportFailed` for what fails the whole import. @param skip records that are passed over without a word. */
export function restoreRelation(
  relation: string,
  bytes: Buffer,
  faults: readonly LossFault[],
  skip: (record: JsonRecord) => boolean = () => false,
): Restored {
  const restored: Restored = { lines: [], unchanged: true, failures: [], losses: [] };
  checkLineLengths(bytes, relation);
  if (singletons.has(relation)) {
    if (bytes.length > 0) parseLine(bytes.toString('utf8'));
    return restored;
  }
  const check = new RelationCheck(relation);
  const texts = bytes.toString('utf8').split('\n');
  const filled = texts.flatMap((text, line) => (text.trim() === '' ? [] : [line]));
  const toDrop = wanted(faults, 'drop-records', relation);
  const firstDropped = toDrop === 0 ? Infinity : (filled.at(-toDrop) ?? 0);
  let notesToDrop = wanted(faults, 'drop-notes', relation);
  const lose = (line: number, part: 'record' | 'note', reason: string): void => {
    restored.losses.push({ line, part, reason, listed: false });
    restored.unchanged = false;
  };
  for (const line of filled) {
    const text = texts[line] ?? '';
    const record = parseLine(text);
    if (isObject(record) && skip(record)) {
      restored.unchanged = false;
      continue;
    }
    if (line >= firstDropped) {
      lose(line, 'record', 'fault');
      continue;
    }
    const refusal = check.refusal(record);
    if (refusal !== null) {
      restored.failures.push({ line, exceptionClass: refusal.exceptionClass });
      restored.losses.push({ line, part: 'record', reason: refusal.reason, listed: true });
      restored.unchanged = false;
      continue;
    }
    const sound = withoutBadNotes(record as JsonRecord);
    for (const reason of sound?.dropped ?? []) lose(line, 'note', reason);
    const shorter = withoutUserNotes(sound?.record ?? (record as JsonRecord), notesToDrop);
    notesToDrop -= shorter.dropped;
    for (let note = 0; note < shorter.dropped; note += 1) lose(line, 'note', 'fault');
    const isSame = sound === null && shorter.dropped === 0;
    restored.lines.push(isSame ? text : JSON.stringify(shorter.record));
  }
  return restored;
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many records or notes of a relation the faults drop together. */
function wanted(faults: readonly LossFault[], kind: LossFault['kind'], relation: string): number {
  const counts = faults.map((fault) =>
    fault.kind === kind && fault.relation === relation ? fault.count : 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The record without its first notes of people, at most `count` of them. */
export function withoutUserNotes(record: JsonRecord, count: number): { record: JsonRecord; dropped: number } {
  if (count === 0 || !Array.isArray(record['notes'])) return { record, dropped: 0 };
  let dropped = 0;
  const notes = notesOf(record).filter((note) => {
    if (note['system'] === true || dropped === count) return true;
    dropped += 1;
    return false;
  });
  return { record: { ...record, notes }, dropped };
}
