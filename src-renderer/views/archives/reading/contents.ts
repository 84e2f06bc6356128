/** @file Combines the counts of an archive with the counts of its source. Pure. */
import { countedRelations } from '../../../../src-contract/relations.ts';
import {
  countInArchive,
  type Inspection,
  type SourceCounts,
} from '../../../../src-contract/archives/archive.ts';
import { contentsText } from '../archives.text.ts';
import type { Tone } from '../../../kit/feedback/tones.ts';

export interface ContentRow {
  relation: string;
  archiveCount: number;
  /** Null if the source was not counted. */
  sourceBefore: number | null;
  sourceAfter: number | null;
}

/** Returns a row for each relation that a source can count. Rows with a count of zero everywhere are left out. */
export function countedRows(inspection: Inspection, source: SourceCounts | null): ContentRow[] {
  return countedRelations
    .map((relation) => ({
      relation,
      archiveCount: countInArchive(inspection, relation),
      sourceBefore: source?.before.counts[relation] ?? null,
      sourceAfter: source?.after.counts[relation] ?? null,
    }))
    .filter(
      ({ archiveCount, sourceBefore, sourceAfter }) =>
        archiveCount + (sourceBefore ?? 0) + (sourceAfter ?? 0) > 0,
    );
}

export function otherRelations(inspection: Inspection): { relation: string; count: number }[] {
  const counted = new Set<string>([...countedRelations, 'pipelines']);
  return Object.entries(inspection.relations)
    .filter(([relation, count]) => count > 0 && !counted.has(relation))
    .map(([relation, count]) => ({ relation, count }))
    .sort((a, b) => b.count - a.count || a.relation.localeCompare(b.relation));
}

/** Compares the counts. If the source changed, both of its counts are valid: only a count below both is a loss. */
export function differenceOf({ archiveCount, sourceBefore, sourceAfter }: ContentRow): {
  tone: Tone;
  text: string;
} {
  const counts = [sourceBefore, sourceAfter].filter((count) => count !== null);
  if (counts.length === 0) return { tone: 'plain', text: contentsText.uncounted };
  const min = Math.min(...counts);
  const max = Math.max(...counts);
  if (archiveCount < min) return { tone: 'bad', text: contentsText.fewer(min - archiveCount) };
  if (archiveCount > max) return { tone: 'info', text: contentsText.more(archiveCount - max) };
  return min === max
    ? { tone: 'good', text: contentsText.same }
    : { tone: 'info', text: contentsText.sourceChanged };
}

export function bundleName(member: string): string {
  if (member === 'project.bundle') return contentsText.repository;
  if (member === 'project.wiki.bundle') return contentsText.wiki;
  if (member === 'project.design.bundle') return contentsText.design;
  return member.startsWith('snippets/')
    ? `${contentsText.snippets} ${member.slice('snippets/'.length)}`
    : member;
}
