/** @file Differences between the contents of two sides: certain ones are losses, others are described. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ComparedRelation, commitNotes } from '../../../../../src-contract/relations.ts';
import type { ArchivedRecord } from '../losses/naming-losses.ts';
import { lossKey } from '../losses/loss-key.ts';
import { valueText } from './field-values.ts';

export interface ContentDifference {
  relation: ComparedRelation | typeof commitNotes | 'approval_rules' | 'wiki' | 'avatar';
  /** The line is null for a page of a wiki and for the avatar, which are no records of the archive. */
  record: Pick<ArchivedRecord, 'iid' | 'title'> & { line: number | null };
  lost: MissingRecord['lost'];
  /** The name of the field for users. */
  name: string;
  /** Comparable values, see `field-values.ts`. */
  expected: string;
  found: string;
  /** False if the difference may be a later edit. */
  isCertain: boolean;
}

export interface ChangedContents {
  missing: MissingRecord[];
  /** Differences that may be later edits. */
  uncertain: MissingRecord[];
  /** Sentences about differences that may be later edits, and about contents that were not compared. */
  declared: string[];
  /** Sentences that leave nothing unknown. */
  remarks: string[];
}

/** @param knownLosses losses of an earlier comparison. A loss stays one while its values stay the same. */
export function assessContents(
  differences: readonly ContentDifference[],
  knownLosses: readonly MissingRecord[],
): Omit<ChangedContents, 'remarks'> {
  const known = new Set(knownLosses.map(lossKey));
  const missing: MissingRecord[] = [];
  const uncertain: MissingRecord[] = [];
  const described: ContentDifference[] = [];
  for (const difference of differences) {
    const loss = toMissingPart(difference);
    if (difference.isCertain || known.has(lossKey(loss))) missing.push(loss);
    else {
      uncertain.push(loss);
      described.push(difference);
    }
  }
  return { missing, uncertain, declared: describeUncertain(described) };
}

function toMissingPart({ relation, record, lost, name, expected, found }: ContentDifference): MissingRecord {
  const { line, iid, title } = record;
  const values = { expected: valueText(expected), found: valueText(found) };
  return { relation, lost, line, iid, title, part: { name, values } };
}

/** The number of uncertain contents that the sentence about edits names. */
export const maxNamedEdits = 10;

/** Returns the value as users see it, on one line. */
export const quoteValue = (value: string): string => `"${valueText(value).replaceAll(/\s+/g, ' ')}"`;

function describeUncertain(uncertain: readonly ContentDifference[]): string[] {
  if (uncertain.length === 0) return [];
  const named = uncertain.slice(0, maxNamedEdits).map(({ relation, record, lost, name, expected, found }) => {
    const recordName = record.iid === null ? (record.title ?? '') : `#${record.iid}`;
    const [before, after] = lost === 'on-export' ? ['source', 'archive'] : ['archive', 'target'];
    const owner = recordName === '' ? relation : `${relation} ${recordName}`;
    return `${name} of ${owner} (${before} ${quoteValue(expected)}, ${after} ${quoteValue(found)})`;
  });
  const more = uncertain.length - named.length;
  return [
    `These contents differ, but may have been edited after the export or the import, so it is not known whether they were lost: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
  ];
}
