/**
 * @file Holds what an archive contains against what its source said it had. Pure. A server calls an export finished also
 * when records are missing from it; this is where that shows.
 */
import {
  archiveCount,
  countedRelations,
  type Finding,
  type Inspection,
  type SourceCounts,
} from '../../src-preload/contract/archive.ts';
import { finding } from './findings.ts';

/**
 * `export-incomplete` for each relation of which the archive holds less than the source had both before and after the
 * export; one `source-moved` when the source changed meanwhile. A relation that could not be counted is left out.
 */
export function compareWithSource(inspection: Inspection, source: SourceCounts | null): Finding[] {
  if (source === null) return [];
  const findings: Finding[] = [];
  const moved: string[] = [];
  for (const relation of countedRelations) {
    const before = source.before.counts[relation];
    const after = source.after.counts[relation];
    const held = archiveCount(inspection, relation);
    const least = Math.min(before ?? Infinity, after ?? Infinity);
    if (least !== Infinity && held < least) {
      const message = `The source had ${least} ${relation}, the archive holds ${held}`;
      findings.push(finding('export-incomplete', message, relation));
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
