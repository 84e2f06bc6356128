/** @file Compares source, archive and target, relation by relation, and names the side that lost records. Pure. */
import { countedRelations, type CountedRelation } from '../../../src-contract/relations.ts';
import {
  countInArchive,
  type Inspection,
  type ProjectCounts,
  type SourceCounts,
} from '../../../src-contract/archives/archive.ts';
import type { Comparison, Reconciliation } from '../../../src-contract/transfers/import.ts';
import { describeUnknownSource, describeUnknownTarget, unreadTargetText } from './unknown-sides.ts';

/** Returns the smaller count, so that changes of the source during the export are not reported as export losses. */
function sourceCount(source: SourceCounts | null, relation: CountedRelation): number | null {
  const before = source?.before.counts[relation] ?? null;
  const after = source?.after.counts[relation] ?? null;
  return before === null || after === null ? null : Math.min(before, after);
}

/** A count is null if its side could not be counted. */
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
 * Compares the counts of all sides. Without an inspection, every verdict is `unknown`. `reconciled` is false, because
 * numbers alone do not prove that records arrived. `declared` says which counts a side lacks.
 * @param target null if the target could not be read.
 */
export function compareCounts(
  source: SourceCounts | null,
  inspection: Inspection | null,
  target: ProjectCounts | null,
  at: string,
): Reconciliation {
  const rows = countedRelations.map((relation): Comparison => {
    const inArchive = inspection === null ? null : countInArchive(inspection, relation);
    const inSource = sourceCount(source, relation);
    const inTarget = target?.[relation] ?? null;
    return {
      relation,
      source: inSource,
      archive: inArchive,
      target: inTarget,
      verdict: verdictOf(inSource, inArchive, inTarget),
    };
  });
  const unknown = rows.filter(({ source: inSource }) => inSource === null).map(({ relation }) => relation);
  return {
    at,
    rows,
    reconciled: false,
    depth: 'numbers',
    ...{ missing: [], missingCount: 0, settings: [], notCompared: [] },
    declared: [
      ...describeUnknownSource(unknown),
      ...(target === null ? [unreadTargetText] : describeUnknownTarget(rows)),
    ],
  };
}
