/** @file Differences between the contents of two sides: certain ones are losses, others are described. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ComparedRelation, commitNotes } from '../../../../../src-contract/relations.ts';
import type { ArchivedRecord } from '../losses/naming-losses.ts';
import { lossKey, lostPartKey } from '../losses/loss-key.ts';
import { isRole } from '../people/record-people.ts';
import { fieldOf } from './compared-fields.ts';
import type { FieldOfRelation } from './field-readers.ts';
import { hasName, isListKind, namesWithout, valueText } from './field-values.ts';

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
  /** Fields that were not compared, or not of every record. */
  uncompared: FieldOfRelation[];
}

/**
 * Decides which differences are losses.
 * @param knownLosses losses of an earlier comparison. A loss stays one while its values stay the same, and a loss of names on
 * import while the target still lacks one of these names.
 */
export function assessContents(
  differences: readonly ContentDifference[],
  knownLosses: readonly MissingRecord[],
): Omit<ChangedContents, 'remarks' | 'uncompared'> {
  const known = new Set(knownLosses.map(lossKey));
  const knownParts = new Map(knownLosses.map((loss) => [lostPartKey(loss), loss]));
  const missing: MissingRecord[] = [];
  const uncertain: MissingRecord[] = [];
  const described: ContentDifference[] = [];
  for (const difference of differences) {
    const loss = toMissingPart(difference);
    const knownPart = knownParts.get(lostPartKey(loss));
    const isKnown = known.has(lossKey(loss)) || lacksKnownName(difference, knownPart);
    // A known loss keeps its values, so that an acceptance covers it after a later edit.
    if (difference.isCertain || isKnown) missing.push(isKnown ? (knownPart ?? loss) : loss);
    else {
      uncertain.push(loss);
      described.push(difference);
    }
  }
  return { missing, uncertain, declared: describeUncertain(described) };
}

/** Returns whether the target lacks a name that it lacked when the loss was found. False for other values. */
function lacksKnownName(
  { relation, lost, name, expected, found }: ContentDifference,
  known: MissingRecord | undefined,
): boolean {
  const { part = null } = known ?? {};
  if (lost !== 'on-import' || part === null || !('values' in part)) return false;
  if (!isRole(relation, name) && !isListKind(fieldOf(relation, name)?.kind ?? 'text')) return false;
  const { found: foundBefore } = part.values;
  return namesWithout(expected, found).some((missing) => !hasName(foundBefore, missing));
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
