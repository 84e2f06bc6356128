/** @file Source, archive and target compared, relation by relation: a pure function that names the losing side. */
import { countedRelations, type CountedRelation } from '../../../src-contract/relations.ts';
import {
  archiveCount,
  type Inspection,
  type ProjectCounts,
  type SourceCounts,
} from '../../../src-contract/archive.ts';
import type { Comparison, Reconciliation } from '../../../src-contract/import.ts';
import { aboutUnknownSource, aboutUnknownTarget } from './unknown-sides.ts';

/** A source that changed while it was exported may hold either number; the smaller one cannot accuse the export wrongly. */
function sourceCount(source: SourceCounts | null, relation: CountedRelation): number | null {
  const before = source?.before.counts[relation] ?? null;
  const after = source?.after.counts[relation] ?? null;
  return before === null || after === null ? null : Math.min(before, after);
}

/** Null: that side could not be counted. */
export function verdictOf(
  source: number | null,
  archive: number | null,
  target: number | null,
): Comparison['verdict'] {
  if (archive === null) return 'unknown';
  const lostOnExport = source !== null && archive < source;
  const lostOnImport = target !== null && target < archive;
  if (lostOnExport && lostOnImport) return 'lost-on-both';
  if (lostOnExport) return 'lost-on-export';
  if (lostOnImport) return 'lost-on-import';
  if (target === null) return 'unknown';
  return target > archive ? 'more' : 'equal';
}

/**
 * `at` is an ISO time. Without an inspection no archive was at hand, and nothing is known. A target that holds more than the archive is said,
 * but nothing is lost by it. What was archived and cannot be counted on the target (null: nothing could) is not proven to have arrived,
 * nor is anything while failed relations are listed. What could not be counted on the source agrees with it as far as is known, and
 * that is declared.
 */
export function reconcile(
  source: SourceCounts | null,
  inspection: Inspection | null,
  target: ProjectCounts | null,
  failures: number,
  at: string,
): Reconciliation {
  const rows = countedRelations.map((relation): Comparison => {
    const held = inspection === null ? null : archiveCount(inspection, relation);
    const from = sourceCount(source, relation);
    const arrived = target?.[relation] ?? null;
    return {
      relation,
      source: from,
      archive: held,
      target: arrived,
      verdict: verdictOf(from, held, arrived),
    };
  });
  const arrived = rows.every(
    (row) => !row.verdict.startsWith('lost') && (row.verdict !== 'unknown' || row.archive === 0),
  );
  const unknown = rows.filter(({ source: from }) => from === null).map(({ relation }) => relation);
  return {
    at,
    rows,
    reconciled: arrived && failures === 0,
    ...{ missing: [], missingCount: 0, settings: [] },
    declared: [...aboutUnknownSource(unknown), ...aboutUnknownTarget(rows)],
  };
}
