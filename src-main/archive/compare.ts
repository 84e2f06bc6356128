/**
 * @file Holds what an archive contains against what its source said it had. Pure. A server calls an export finished also
 * when records are missing from it; this is where that shows.
 */
import { countedRelations } from '../../src-contract/relations.ts';
import { incompleteCode } from '../../src-contract/archive-quality.ts';
import {
  archiveCount,
  type Counts,
  type Finding,
  type Inspection,
  type SourceCounts,
} from '../../src-contract/archive.ts';
import { finding } from './findings.ts';

/** All that is counted in an archive, by name: its records by relation, what a source is asked for, uploads, LFS objects. */
export function countsOf(
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations' | 'uploads' | 'lfsObjects'>,
): Counts {
  return {
    ...inspection.relations,
    ...Object.fromEntries(countedRelations.map((relation) => [relation, archiveCount(inspection, relation)])),
    uploads: inspection.uploads,
    lfs_objects: inspection.lfsObjects,
  };
}

/** The least that a source counted before and after its export, by relation; a relation that could not be counted is left out. */
export function minOf(source: SourceCounts | null): Counts {
  const least: Counts = {};
  for (const relation of countedRelations) {
    const [before, after] = [source?.before.counts[relation], source?.after.counts[relation]];
    const counted = Math.min(before ?? Infinity, after ?? Infinity);
    if (counted !== Infinity) least[relation] = counted;
  }
  return least;
}

/**
 * `export-incomplete` for each relation of which the archive holds less than the source had both before and after the
 * export; one `source-moved` when the source changed meanwhile. A relation that could not be counted is left out.
 */
export function compareWithSource(inspection: Inspection, source: SourceCounts | null): Finding[] {
  if (source === null) return [];
  const findings: Finding[] = [];
  const least = minOf(source);
  const moved: string[] = [];
  for (const relation of countedRelations) {
    const before = source.before.counts[relation];
    const after = source.after.counts[relation];
    const held = archiveCount(inspection, relation);
    const counted = least[relation];
    if (counted !== undefined && held < counted) {
      const message = `The source had ${counted} ${relation}, the archive holds ${held}`;
      findings.push(finding(incompleteCode, message, relation));
    }
    if (before !== null && after !== null && before !== after) moved.push(`${relation} ${before} → ${after}`);
  }
  const active = source.before.lastActivityAt !== source.after.lastActivityAt;
  if (moved.length > 0 || active) {
    const what = moved.length > 0 ? moved.join(', ') : 'its last activity';
    findings.push(finding('source-moved', `The source changed during the export: ${what}`));
  }
  return findings;
}
