/** @file Restores one relation of an archive (gitlab-facts 5.5). Pure. Reports `unchanged` if all records are kept. */
import { isObject, linesOf, singleRecordRelations, type JsonRecord } from '../content/project-content.ts';
import { checkLineLengths, parseLine } from './import-archive.ts';
import { RelationValidator, dropInvalidNotes } from './import-checks.ts';
import { withKnownIterations } from './epics-and-iterations.ts';
import type { Iteration } from '../sandbox-database.ts';
import { importedRecord, type ImporterRights } from './imported-records.ts';
import { nameOf, RecordLosses, type Loss, type LostPart, type RecordFault } from '../exporting/losses.ts';

interface RestoredRelation {
  /** Lines of the records that were saved, without their line ends. */
  lines: string[];
  /** True if `lines` are all lines of the file, unchanged. */
  unchanged: boolean;
  failures: { line: number; exceptionClass: string; message: string }[];
  losses: Pick<Loss, 'line' | 'part' | 'name' | 'reason' | 'listed'>[];
}

export interface RestoringContext {
  rights: ImporterRights;
  /** The iterations of the project's groups; null for a project without a group. */
  iterations: readonly Iteration[] | null;
}

/**
 * Restores one relation. Throws `ImportFailed` to fail the whole import.
 * @param isSkipped returns true for a record that is skipped without a report.
 */
export function restoreRelation(
  relation: string,
  bytes: Buffer,
  faults: readonly RecordFault[],
  { rights, iterations }: RestoringContext,
  isSkipped: (record: JsonRecord) => boolean = () => false,
): RestoredRelation {
  const restored: RestoredRelation = { lines: [], unchanged: true, failures: [], losses: [] };
  checkLineLengths(bytes, relation);
  const texts = linesOf(bytes);
  const isSingle = singleRecordRelations.has(relation);
  const validator = new RelationValidator(relation);
  const recordLosses = new RecordLosses(relation, texts.length, faults);
  const addLoss = (line: number, part: LostPart, reason: string, listed = false): void => {
    restored.losses.push({ line, ...part, reason, listed });
    restored.unchanged = false;
  };
  for (const [line, text] of texts.entries()) {
    const record = parseLine(text);
    if (record === null || (isObject(record) && isSkipped(record))) {
      restored.unchanged = false;
      continue;
    }
    const recordPart: LostPart = { part: 'record', name: nameOf(record) };
    if (recordLosses.isDropped(line)) {
      addLoss(line, recordPart, 'fault');
      continue;
    }
    const refusal = isSingle ? null : validator.validate(record);
    if (refusal !== null) {
      const { exceptionClass, reason } = refusal;
      if (exceptionClass !== null) restored.failures.push({ line, exceptionClass, message: reason });
      addLoss(line, recordPart, reason, exceptionClass !== null);
      continue;
    }
    const noteResult = dropInvalidNotes(record as JsonRecord);
    for (const reason of noteResult?.dropped ?? []) addLoss(line, { part: 'note', name: null }, reason);
    const noted = noteResult?.record ?? (record as JsonRecord);
    const planned = relation === 'issues' ? withKnownIterations(noted, iterations) : null;
    for (const name of planned?.lost ?? [])
      addLoss(line, { part: 'field', name }, 'no group of the project has it');
    const imported = importedRecord(relation, planned?.record ?? noted, rights);
    const result = recordLosses.dropParts(line, imported);
    for (const part of result.lost) addLoss(line, part, 'fault');
    if (result.record !== record) restored.unchanged = false;
    restored.lines.push(result.record === record ? text : JSON.stringify(result.record));
  }
  return restored;
}
