/**
 * @file The contents of labels and milestones of groups. An export has them only inside the records that use them, and an
 * import creates those in the project that the target's groups lack (gitlab-facts 7). Pure.
 */
import { archivedContents, fieldsOf, type RecordContents } from './compared-fields.ts';
import { quoteValue, type ContentDifference } from './content-differences.ts';
import { mayBeEditedLater, type ComparisonTimes } from './later-edits.ts';
import { hasValue } from './paired-records.ts';
import { isFields, listOf, type Fields } from './field-readers.ts';
import type { ArchivedRecord, ListedRecord, ListedRecords } from '../losses/naming-losses.ts';
import { groupRelations, type GroupRelation, type RecordsOfGroups } from '../losses/records-of-groups.ts';
import { sentenceAbout } from '../sentence-about.ts';
import { parseTime } from '../../../../platform/clock.ts';

interface ArchivedGroupRecord {
  /** GitLab's id of the group; null if the archive does not have it. */
  groupId: number | null;
  /** True if the archive has records of several groups with this title. */
  isAmbiguous: boolean;
  contents: RecordContents;
  /** Epoch milliseconds; null if not reported. */
  updatedAt: number | null;
}

/** The labels and milestones of groups that the records of an archive use, by title. */
export type ArchivedRecordsOfGroups = Readonly<Record<GroupRelation, Map<string, ArchivedGroupRecord>>>;

export const noArchivedRecordsOfGroups = (): ArchivedRecordsOfGroups => ({
  labels: new Map(),
  milestones: new Map(),
});

/** Adds the labels and milestones of groups that a record uses. Each is kept once, because many records use the same one. */
export function addRecordsOfGroups(found: ArchivedRecordsOfGroups, record: Fields): void {
  const projectId = record['project_id'] ?? record['target_project_id'];
  const parts = partLists.flatMap((name) => listOf(record[name]) ?? []);
  const add = (relation: GroupRelation, nested: unknown): void => {
    if (!isFields(nested) || !isOfGroup(nested)) return;
    const { title, updated_at: updatedAt, group_id: group } = nested;
    if (typeof title !== 'string') return;
    const groupId = typeof group === 'number' ? group : null;
    const known = found[relation].get(title);
    if (known !== undefined) {
      known.isAmbiguous ||= known.groupId !== groupId;
      return;
    }
    found[relation].set(title, {
      ...{ groupId, isAmbiguous: false },
      contents: archivedContents(relation, withOwnPriorities(nested, projectId)),
      updatedAt: parseTime(typeof updatedAt === 'string' ? updatedAt : undefined),
    });
  };
  for (const { label } of parts) add('labels', label);
  for (const { milestone } of [record, ...parts]) add('milestones', milestone);
}

/** The lists whose entries have a label or a milestone. */
const partLists = [
  'label_links',
  'lists',
  'milestone_releases',
  'resource_label_events',
  'resource_milestone_events',
] as const;

const isOfGroup = ({ type, group_id: group }: Fields): boolean =>
  type === 'GroupLabel' || typeof group === 'number';

/** Each project gives a label of a group its own priority, and an export has those of all projects. */
function withOwnPriorities(label: Fields, projectId: unknown): Fields {
  const priorities = listOf(label['priorities']);
  if (priorities === undefined || typeof projectId !== 'number') return label;
  const own = priorities.filter(({ project_id: id }) => id === undefined || id === projectId);
  return { ...label, priorities: own };
}

interface GroupSide {
  /** The lists of the project, without unused records of groups. */
  listed: ListedRecords;
  /** All labels and milestones of its groups. */
  recordsOfGroups: RecordsOfGroups;
}

export interface GroupSides extends ComparisonTimes {
  archive: ArchivedRecordsOfGroups;
  /** The labels and milestones of the project itself, which an import may have replaced with those of groups. */
  own: Readonly<Record<GroupRelation, readonly ArchivedRecord[]>>;
  /** Null if the source cannot be read. */
  source: GroupSide | null;
  target: GroupSide;
}

interface ArchivedRecordOfTitle {
  relation: GroupRelation;
  title: string;
  archived: Pick<ArchivedGroupRecord, 'contents' | 'updatedAt'>;
}

/** An archived record with the records of an instance that have the same title: several if several groups have one. */
interface GroupPair extends ArchivedRecordOfTitle {
  candidates: readonly ListedRecord[];
}

interface ListedPair extends ArchivedRecordOfTitle {
  listed: ListedRecord;
}

/** A field of a pair, with its comparable values. */
interface GroupField extends ListedPair {
  name: string;
  archivedValue: string;
  listedValue: string;
}

interface ComparedPairs {
  different: GroupField[];
  /** Fields that only one side has, such as `priority of labels`. */
  onOneSide: Set<string>;
  /** The names of records with several candidates that do not differ in the same fields. */
  ambiguous: string[];
}

/** Returns the differences between labels and milestones of groups, and sentences about what an import did not bring. */
export function differingGroupRecords(sides: GroupSides): {
  differences: ContentDifference[];
  declared: string[];
} {
  const { archive, source, target, exportedAt } = sides;
  const exported = source === null ? null : pairRecords(archive, source, 'group');
  const imported = pairRecords(archive, target, 'project');
  const onExport = comparePairs(exported?.pairs ?? []);
  const onImport = comparePairs([...imported.pairs, ...replacedRecords(sides)]);
  const ownTitles = {
    labels: new Set(sides.own.labels.map(({ title }) => title)),
    milestones: new Set(sides.own.milestones.map(({ title }) => title)),
  };
  // An import makes one record of two with the same title, and keeps the contents of the project's own one.
  const isMerged = ({ relation, title, listed }: GroupField): boolean =>
    listed.isInherited !== true && ownTitles[relation].has(title);
  const ofGroups = onImport.different.filter(isUnchangedByImport);
  const merged = onImport.different.filter(isMerged);
  const lost = onImport.different.filter((field) => !isUnchangedByImport(field) && !isMerged(field));
  return {
    differences: [
      ...onExport.different.map((field) => ({
        ...toDifference(field),
        ...{ lost: 'on-export' as const, expected: field.listedValue, found: field.archivedValue },
        isCertain: (field.listed.updatedAt ?? Infinity) < exportedAt,
      })),
      ...lost.map((field) => ({
        ...toDifference(field),
        ...{ lost: 'on-import' as const, expected: field.archivedValue, found: field.listedValue },
        isCertain: !mayBeEditedOnTarget(field, sides),
      })),
    ],
    declared: [
      ...describeOthers(ofGroups),
      ...describeMerged(merged),
      ...describeAmbiguous('source', [...(exported?.ambiguous ?? []), ...onExport.ambiguous]),
      ...describeAmbiguous('target', [...imported.ambiguous, ...onImport.ambiguous]),
      ...describeUnshown('source', exported?.unshown ?? []),
      ...describeUnshown('target', imported.unshown),
      ...describeOneSided('source', onExport),
      ...describeOneSided('target', onImport),
    ],
  };
}

/**
 * Pairs the archived records of groups with those of an instance.
 * @param preferred whose record is the same one, if the project and a group have records with the title.
 */
function pairRecords(
  archive: ArchivedRecordsOfGroups,
  { listed, recordsOfGroups }: GroupSide,
  preferred: 'project' | 'group',
): { pairs: GroupPair[]; unshown: string[]; ambiguous: string[] } {
  const pairs: GroupPair[] = [];
  const [unshown, ambiguous]: [string[], string[]] = [[], []];
  for (const relation of groupRelations) {
    if (archive[relation].size === 0) continue;
    const own = (listed[relation] ?? []).filter(({ isInherited }) => isInherited !== true);
    const ofGroups = recordsOfGroups[relation] ?? [];
    const byTitle = Map.groupBy(
      preferred === 'project' ? [...own, ...ofGroups] : [...ofGroups, ...own],
      ({ title }) => title,
    );
    for (const [title, archived] of archive[relation]) {
      const found = byTitle.get(title) ?? [];
      const isOfGroup = found[0]?.isInherited === true;
      const candidates = found.filter(({ isInherited }) => (isInherited === true) === isOfGroup);
      if (archived.isAmbiguous) ambiguous.push(nameOfRecord({ relation, title }));
      else if (candidates.every(({ contents }) => contents === undefined))
        unshown.push(nameOfRecord({ relation, title }));
      else pairs.push({ relation, title, archived, candidates });
    }
  }
  return { pairs, unshown, ambiguous };
}

/** Pairs the archived records of the project with those of the target's groups that an import used instead. */
function replacedRecords({ own, target }: GroupSides): GroupPair[] {
  return groupRelations.flatMap((relation) => {
    const used = (target.listed[relation] ?? []).filter(({ isInherited }) => isInherited === true);
    if (used.length === 0) return [];
    const byKey = new Map(own[relation].map((record) => [record.key, record]));
    const ofGroups = Map.groupBy(target.recordsOfGroups[relation] ?? [], ({ title }) => title);
    return used.flatMap((listed): GroupPair[] => {
      const { contents, updatedAt = null, title = null } = byKey.get(listed.key) ?? {};
      if (contents === undefined || title === null) return [];
      return [
        { relation, title, archived: { contents, updatedAt }, candidates: ofGroups.get(title) ?? [listed] },
      ];
    });
  });
}

/**
 * If several groups have records with the title, it is not known which one the project uses: a field differs if it differs
 * from that of each.
 */
function comparePairs(pairs: readonly GroupPair[]): ComparedPairs {
  const different: GroupField[] = [];
  const onOneSide = new Set<string>();
  const ambiguous: string[] = [];
  for (const { candidates, ...pair } of pairs) {
    const compared = candidates.map((listed) => differingFields({ ...pair, listed }, onOneSide));
    const [first = []] = compared;
    const ofAll = first.filter(({ name }) =>
      compared.every((fields) => fields.some((field) => field.name === name)),
    );
    different.push(...ofAll);
    if (compared.some((fields) => fields.length > ofAll.length)) ambiguous.push(nameOfRecord(pair));
  }
  return { different, onOneSide, ambiguous };
}

/** Returns the fields that differ. Adds those that only one side has to `onOneSide`. */
function differingFields(pair: ListedPair, onOneSide: Set<string>): GroupField[] {
  const { relation, archived, listed } = pair;
  return Object.keys(fieldsOf(relation)).flatMap((name): GroupField[] => {
    // Two records with the same title were not created at the same time.
    if (name === 'title' || (name === 'created_at' && listed.isInherited === true)) return [];
    const [archivedValue, listedValue] = [archived.contents[name], listed.contents?.[name]];
    if (archivedValue === undefined || listedValue === undefined) {
      if (hasValue(archivedValue) || hasValue(listedValue)) onOneSide.add(`${name} of ${relation}`);
      return [];
    }
    return archivedValue === listedValue ? [] : [{ ...pair, name, archivedValue, listedValue }];
  });
}

/** An import leaves the record of a group as it is. The priority of a label belongs to the project. */
const isUnchangedByImport = ({ listed, name }: GroupField): boolean =>
  listed.isInherited === true && name !== 'priority';

const toDifference = ({ relation, title, name }: GroupField) => ({
  ...{ relation, name },
  record: { iid: null, title, line: null },
});

const mayBeEditedOnTarget = ({ archived, listed }: GroupField, times: GroupSides): boolean =>
  mayBeEditedLater(
    {
      archivedAt: archived.updatedAt,
      // A change in the project, such as of a priority, does not change the time of a record of a group.
      listedAt: listed.isInherited === true ? null : listed.updatedAt,
      changesSilently: false,
    },
    times,
  );

const nameOf: Record<GroupRelation, string> = { labels: 'label', milestones: 'milestone' };
const nameOfRecord = ({ relation, title }: Pick<GroupPair, 'relation' | 'title'>): string =>
  `${nameOf[relation]} ${title}`;

const describeOther = ({ relation, title, name, archivedValue, listedValue }: GroupField): string =>
  `${name} of the ${nameOf[relation]} ${title} (archive ${quoteValue(archivedValue)}, target ${quoteValue(listedValue)})`;

const describeOthers = (others: readonly GroupField[]): string[] =>
  sentenceAbout(
    "The target's groups have labels or milestones with the titles of archived ones and other contents. The project uses them, and an import does not change them",
    others.map(describeOther),
  );

const describeMerged = (merged: readonly GroupField[]): string[] =>
  sentenceAbout(
    'The project and a group had labels or milestones with the same titles. An import makes one record of both, with the contents of the project’s own one',
    merged.map(describeOther),
  );

const describeAmbiguous = (side: 'source' | 'target', names: readonly string[]): string[] =>
  sentenceAbout(
    `The contents of these labels and milestones were not compared with the ${side}, because several groups have different ones with these titles`,
    names,
  );

const describeUnshown = (side: 'source' | 'target', names: readonly string[]): string[] =>
  sentenceAbout(
    `The contents of these labels and milestones of groups were not compared with the ${side}, because its lists do not show them`,
    names,
  );

const describeOneSided = (side: 'source' | 'target', { onOneSide }: ComparedPairs): string[] =>
  sentenceAbout(
    `These fields of groups' records were not compared with the ${side}, because only one of archive and ${side} has them`,
    [...onOneSide],
  );
