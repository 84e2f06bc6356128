/** @file Checks every record of an archive, through its index, for content that GitLab refuses or drops. */
import type { LintFinding } from '../../../src-contract/archives/lint-schema.ts';
import type { RecordFinding } from '../../../src-contract/archives/record.ts';
import type { RecordIndex } from './record-index.ts';
import { loadRecordContext } from './record-view.ts';
import { checkStoredRecord, recordTooLargeText } from './stored-record-checks.ts';

const severities: Record<RecordFinding['severity'], LintFinding['severity']> = {
  'will-be-refused': 'warning',
  'may-be-dropped': 'warning',
  suspicious: 'info',
};
/** A search for duplicates costs about four bytes of memory for each record. */
const maxCompared = 3_000_000;
/** More records than any export of GitLab has; each takes some microseconds. */
const maxChecked = 5_000_000;
/** Nobody reads more findings, and collecting them would take minutes. */
const maxFindings = 100_000;
/** These codes end the whole import. */
const fatalCodes: readonly RecordFinding['code'][] = ['record-malformed', 'line-too-long'];

export interface LintBounds {
  /** Maximum number of records of one relation that are compared with each other. */
  maxCompared: number;
  /** Maximum number of checked records in the archive. */
  maxChecked: number;
  /** Number of findings after which checking stops. */
  maxFindings: number;
}

/**
 * Yields findings in order of relations and lines, with one record in memory at a time. A finding reports what the
 * limits leave out. Rejects with `IndexDamaged`, and with the reason of the signal.
 */
export async function* lintRecords(
  index: RecordIndex,
  signal: AbortSignal,
  bounds: LintBounds = { maxCompared, maxChecked, maxFindings },
): AsyncGenerator<LintFinding, void> {
  let checkedCount = 0;
  let findingCount = 0;
  for (const { name: relation } of index.relations()) {
    const { context, notLookedFor: skippedChecks } = await loadRecordContext(
      index,
      relation,
      bounds.maxCompared,
    );
    for (const { code, message } of skippedChecks) {
      const fix = 'Compare the numbers of records after the import.';
      yield { code, severity: 'info', place: relation, message, fix };
    }
    for await (const row of index.keys(relation)) {
      signal.throwIfAborted();
      // A blank line is no record.
      if (row.keys === null) continue;
      if (checkedCount++ === bounds.maxChecked || findingCount >= bounds.maxFindings) {
        yield uncheckedRestFinding(`${relation}:${row.line}`);
        return;
      }
      const { suspicions, wasParsed } = await checkStoredRecord(index, relation, row, context);
      findingCount += suspicions.length;
      for (const suspicion of suspicions) yield toLintFinding(relation, row.line, suspicion);
      if (!wasParsed) yield uncheckedRecordFinding(`${relation}:${row.line}`);
    }
  }
}

const toLintFinding = (
  relation: string,
  line: number,
  { code, severity, path, message, advice }: RecordFinding,
): LintFinding => ({
  code,
  severity: fatalCodes.includes(code) ? 'blocker' : severities[severity],
  place: `${relation}:${line}`,
  message: path === '' || message.includes(path) ? message : `${path}: ${message}`,
  fix: advice,
});

const uncheckedRecordFinding = (place: string): LintFinding => ({
  code: 'record-not-checked',
  severity: 'info',
  place,
  message: recordTooLargeText,
  fix: 'Compare the record with its original after the import.',
});

const uncheckedRestFinding = (place: string): LintFinding => ({
  code: 'records-not-checked',
  severity: 'warning',
  place,
  message: 'The records from this one on were not checked: there are too many records or too many findings.',
  fix: 'No export of GitLab has so many. Check the archive before you import it.',
});
