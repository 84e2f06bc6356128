/**
 * @file Finds records of the target that people may have renamed after the import: labels, boards and badges, which are
 * identified by a name and show no time of a change. Pure.
 */
import type { ComparedRelation } from '../../../../../src-contract/relations.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { joinNames } from '../../../../../src-contract/transfers/relation-members.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import { lossKey } from './loss-key.ts';
import {
  toMissingRecord,
  type ArchivedRecord,
  type ArchivedRecords,
  type ListedRecord,
  type ListedRecords,
} from './naming-losses.ts';

export const namedRelations = ['labels', 'boards', 'project_badges'] as const;

export interface PossibleRename {
  relation: ComparedRelation;
  archived: ArchivedRecord;
  /** The name on the target. */
  name: string;
}

/**
 * Returns each archived record that the target lacks, together with another record that can be the same one: an import
 * creates records in the order of their lines, so its id fits between those of its neighbours, and the other fields
 * are the same.
 * @param knownLosses losses of an earlier comparison. Another record that was created since does not end them.
 */
export function possibleRenames(
  archive: ArchivedRecords,
  target: ListedRecords,
  knownLosses: readonly MissingRecord[],
): PossibleRename[] {
  const known = new Set(knownLosses.map(lossKey));
  return namedRelations.flatMap((relation) => {
    const isKnownLoss = (archived: ArchivedRecord): boolean =>
      known.has(lossKey(toMissingRecord(relation, 'on-import', archived, archived.line)));
    return renamesIn(archive[relation], target[relation] ?? [], isKnownLoss).map((rename) => ({
      relation,
      ...rename,
    }));
  });
}

function renamesIn(
  archive: readonly ArchivedRecord[],
  target: readonly ListedRecord[],
  isKnownLoss: (archived: ArchivedRecord) => boolean,
): Omit<PossibleRename, 'relation'>[] {
  const archivedKeys = new Set(archive.map(({ key }) => key));
  const targetByKey = new Map(target.map((record) => [record.key, record]));
  const others = target.filter(({ key, isInherited }) => !archivedKeys.has(key) && isInherited !== true);
  const taken = new Set<ListedRecord>();
  return archive.flatMap((archived) => {
    if (archived.key === null || targetByKey.has(archived.key) || isKnownLoss(archived)) return [];
    const idsOf = (isNeighbour: (line: number) => boolean): number[] =>
      archive.filter(({ line }) => isNeighbour(line)).flatMap(({ key }) => targetByKey.get(key)?.id ?? []);
    const lowest = Math.max(0, ...idsOf((line) => line < archived.line));
    const highest = Math.min(Infinity, ...idsOf((line) => line > archived.line));
    const found = others.find(
      (other) =>
        !taken.has(other) &&
        other.id !== null &&
        other.id > lowest &&
        other.id < highest &&
        hasSameContents(archived, other),
    );
    if (found === undefined) return [];
    taken.add(found);
    return [{ archived, name: found.title ?? '' }];
  });
}

/** The fields that name other records may have changed with them. */
function hasSameContents({ contents: before }: ArchivedRecord, { contents: after }: ListedRecord): boolean {
  if (before === undefined || after === undefined) return false;
  return Object.entries(before).every(
    ([name, value]) => name === 'lists' || after[name] === undefined || after[name] === value,
  );
}

export function describeRenames(renames: readonly PossibleRename[]): string[] {
  if (renames.length === 0) return [];
  const names = renames.map(
    ({ relation, archived, name }) => `${archived.title ?? ''} to ${name} (${relationText(relation)})`,
  );
  return [
    `The target may have renamed these records after the import, because no list shows the time of a change, so it is not known whether they were lost: ${joinNames(names)}.`,
  ];
}
