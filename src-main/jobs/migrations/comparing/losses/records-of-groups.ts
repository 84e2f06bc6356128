/**
 * @file Labels and milestones of groups. An import uses one of the target's group, or of a group above it, instead of
 * creating one with the same title in the project (gitlab-facts 7). Pure.
 */
import type { Comparison } from '../../../../../src-contract/transfers/import.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import type { ArchivedRecord, ListedRecord, ListedRecords } from './naming-losses.ts';

/** A group may have records of these relations, too. */
export const groupRelations = ['labels', 'milestones'] as const;
export type GroupRelation = (typeof groupRelations)[number];

/** The labels and milestones of a project's groups. A list is null if the account may not read it. */
export type RecordsOfGroups = Readonly<Record<GroupRelation, readonly ListedRecord[] | null>>;

/** Returns the labels and milestones of groups, which GitLab lists with those of the project. */
export const recordsOfGroupsIn = ({ labels, milestones }: ListedRecords): RecordsOfGroups => {
  const ofGroups = (list: readonly ListedRecord[] | null) =>
    list?.filter(({ isInherited }) => isInherited === true) ?? null;
  return { labels: ofGroups(labels), milestones: ofGroups(milestones) };
};

/**
 * Returns the lists without the records of groups, except for those that an import used: these have the key of the archived
 * record with the same title.
 *
 * @param archive null if the project was not imported, so that no record of a group belongs to it
 */
export function withoutRecordsOfGroups(
  listed: ListedRecords,
  archive: Record<GroupRelation, readonly ArchivedRecord[]> | null,
): ListedRecords {
  const relations = groupRelations.map((relation) => [
    relation,
    listed[relation] && ownRecords(listed[relation], archive?.[relation] ?? []),
  ]);
  return { ...listed, ...(Object.fromEntries(relations) as Pick<ListedRecords, GroupRelation>) };
}

function ownRecords(listed: readonly ListedRecord[], archived: readonly ArchivedRecord[]): ListedRecord[] {
  const own = listed.filter(({ isInherited }) => isInherited !== true);
  const ownTitles = new Set(own.map(({ title }) => title));
  const usable = new Map(
    archived.flatMap((record) => (ownTitles.has(record.title) ? [] : [[record.title, record] as const])),
  );
  const used = listed.flatMap((record) => {
    const replaced = record.isInherited === true ? usable.get(record.title) : undefined;
    // Two groups may have records with the same title.
    if (replaced === undefined || !usable.delete(record.title)) return [];
    return [{ ...record, key: replaced.key, iid: replaced.iid }];
  });
  return [...own, ...used];
}

/** A relation whose missing records its groups may have. */
interface FromGroups {
  relation: string;
  missing: number;
  ofGroups: number;
}

/**
 * Returns the relations whose missing records may be those of groups. Numbers do not show titles, so it is not known which
 * records of the groups an import used.
 */
export function possiblyFromGroups(
  rows: readonly Comparison[],
  recordsOfGroups: Readonly<Record<string, number>>,
): FromGroups[] {
  return rows.flatMap(({ relation, archive, target }): FromGroups[] => {
    const ofGroups = recordsOfGroups[relation] ?? 0;
    const missing = archive === null || target === null ? 0 : archive - target;
    return missing > 0 && missing <= ofGroups ? [{ relation, missing, ofGroups }] : [];
  });
}

export const describeRecordsOfGroups = (found: readonly FromGroups[]): string[] =>
  found.map(
    ({ relation, missing, ofGroups }) =>
      `The target lacks ${missing} of the archived ${relationText(relation)}, and its groups have ${ofGroups}. An import uses those of groups with the same titles, which a comparison of numbers does not know.`,
  );
