/** @file Compares an archive with the counts of its source: GitLab reports incomplete exports as finished. Pure. */
import { countedRelations } from '../../src-contract/relations.ts';
import { incompleteCode } from '../../src-contract/archives/archive-quality.ts';
import {
  countInArchive,
  type Counts,
  type Finding,
  type Inspection,
  type SourceCounts,
} from '../../src-contract/archives/archive.ts';
import { finding } from './findings.ts';

/** Returns all counts by name: records by relation, the counts comparable with a source, uploads, and LFS objects. */
export function countsOf(
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations' | 'uploads' | 'lfsObjects'>,
): Counts {
  return {
    ...inspection.relations,
    ...Object.fromEntries(
      countedRelations.map((relation) => [relation, countInArchive(inspection, relation)]),
    ),
    uploads: inspection.uploads,
    lfs_objects: inspection.lfsObjects,
  };
}

/**
 * Returns the smaller of the source's counts before and after its export, by relation. Relations without a count are
 * absent.
 */
export function minSourceCounts(source: SourceCounts | null): Counts {
  const least: Counts = {};
  for (const relation of countedRelations) {
    const [before, after] = [source?.before.counts[relation], source?.after.counts[relation]];
    const counted = Math.min(before ?? Infinity, after ?? Infinity);
    if (counted !== Infinity) least[relation] = counted;
  }
  return least;
}

/**
 * Returns `export-incomplete` for each relation with fewer records in the archive than the source had both before and
 * after the export. Returns one `source-moved` if the source changed meanwhile. A relation that could not be counted is
 * left out.
 */
export function compareWithSource(inspection: Inspection, source: SourceCounts | null): Finding[] {
  if (source === null) return [];
  const findings: Finding[] = [];
  const least = minSourceCounts(source);
  const moved: string[] = [];
  for (const relation of countedRelations) {
    const before = source.before.counts[relation];
    const after = source.after.counts[relation];
    const held = countInArchive(inspection, relation);
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
