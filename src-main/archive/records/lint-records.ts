/** @file Every record of an archive looked at for what GitLab refuses or drops, by its index. */
import type { LintFinding } from '../../../src-preload/contract/migrations/lint.ts';
import type { Suspicion } from '../../../src-preload/contract/record.ts';
import { checkRecord } from './record-checks.ts';
import type { RecordIndex } from './record-index.ts';
import { surroundingsIn } from './record-view.ts';

const severities: Record<Suspicion['severity'], LintFinding['severity']> = {
  'will-be-refused': 'warning',
  'may-be-dropped': 'warning',
  suspicious: 'info',
};
/** Looking for duplicates costs about ten bytes of memory for each record. */
const mostCompared = 5_000_000;
/** These end the whole import. */
const fatal: readonly Suspicion['code'][] = ['record-malformed', 'line-too-long'];

/**
 * In order of relations and lines; one record is in memory at a time. Rejects with `IndexDamaged`, and with the reason of the
 * signal.
 */
export async function* lintRecords(
  index: RecordIndex,
  signal: AbortSignal,
  most = mostCompared,
): AsyncGenerator<LintFinding, void> {
  for (const { name: relation } of index.relations()) {
    const { surroundings, notLookedFor } = await surroundingsIn(index, relation, most);
    for (const { code, message } of notLookedFor) {
      const fix = 'Compare the numbers of records after the import.';
      yield { code, severity: 'info', place: relation, message, fix };
    }
    for await (const { line, keys } of index.keys(relation)) {
      signal.throwIfAborted();
      // A blank line is none.
      const bytes = keys === null ? null : await index.bytes(relation, line);
      if (bytes === null) continue;
      for (const { code, severity, path, message, advice } of checkRecord(
        { relation, line, bytes },
        surroundings,
      )) {
        yield {
          code,
          severity: fatal.includes(code) ? 'blocker' : severities[severity],
          place: `${relation}:${line}`,
          message: path === '' || message.includes(path) ? message : `${path}: ${message}`,
          fix: advice,
        };
      }
    }
  }
}
