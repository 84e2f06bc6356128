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
  const minCounts: Counts = {};
  for (const relation of countedRelations) {
    const [before, after] = [source?.before.counts[relation], source?.after.counts[relation]];
    const minCount = Math.min(before ?? Infinity, after ?? Infinity);
    if (minCount !== Infinity) minCounts[relation] = minCount;
  }
  return minCounts;
}

/**
 * Returns `export-incomplete` for each relation with fewer records in the archive than the source had both before and
 * after the export. Returns one `source-moved` if the source changed meanwhile. A relation that could not be counted is
 * left out.
 */
export function compareWithSource(inspection: Inspection, source: SourceCounts | null): Finding[] {
  if (source === null) return [];
  const findings: Finding[] = [];
  const minCounts = minSourceCounts(source);
  const changedCounts: string[] = [];
  for (const relation of countedRelations) {
    const before = source.before.counts[relation];
    const after = source.after.counts[relation];
    const archiveCount = countInArchive(inspection, relation);
    const minCount = minCounts[relation];
    if (minCount !== undefined && archiveCount < minCount) {
      const message = `The source had ${minCount} ${relation}, the archive holds ${archiveCount}`;
      findings.push(finding(incompleteCode, message, relation));
    }
    if (before !== null && after !== null && before !== after)
      changedCounts.push(`${relation} ${before} → ${after}`);
  }
  const active = source.before.lastActivityAt !== source.after.lastActivityAt;
  if (changedCounts.length > 0 || active) {
    const changeText = changedCounts.length > 0 ? changedCounts.join(', ') : 'its last activity';
    findings.push(finding('source-moved', `The source changed during the export: ${changeText}`));
  }
  return findings;
}
