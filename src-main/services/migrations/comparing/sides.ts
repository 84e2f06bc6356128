/** @file Compares source, archive and target of a project, from the responses of both instances. Pure. */
import {
  comparedRelations,
  uncountedRelations,
  type ComparedRelation,
  commitNotes,
} from '../../../../src-contract/relations.ts';
import type { Inspection } from '../../../../src-contract/archives/archive.ts';
import {
  coveredBy,
  type ChosenDepth,
  type MissingRecord,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import { leftOutByDepth } from '../../../../src-contract/words/depths.ts';
import type { RecordTotals } from '../../../gitlab/projects/record-totals.ts';
import type { UnconfirmedCount } from '../../../jobs/migrations/comparing/unknown/trusted-counts.ts';
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import { differingSettings } from '../../../jobs/migrations/comparing/settings/differing-settings.ts';
import {
  describeMembers,
  lostMembers,
  type Members,
} from '../../../jobs/migrations/comparing/losses/members.ts';
import { compareRefs } from '../../../jobs/migrations/comparing/refs/compare-refs.ts';
import type { ChangedContents } from '../../../jobs/migrations/comparing/contents/content-differences.ts';
import { withoutHidden } from '../../../jobs/migrations/comparing/unknown/hidden-issues.ts';
import {
  describeRenames,
  possibleRenames,
} from '../../../jobs/migrations/comparing/losses/renamed-records.ts';
import { namedLosses } from '../../../jobs/migrations/comparing/losses/naming-losses.ts';
import {
  lostProtections,
  countedProtections,
  isUntimed,
  protectedRelations,
  type ProtectedRelation,
} from '../../../jobs/migrations/comparing/refs/protected-refs.ts';
import {
  lfsAmount,
  lfsSize,
  combineComparison,
  type RelationCounts,
} from '../../../jobs/migrations/comparing/three-way-comparison.ts';
import {
  describeUnknownRelations,
  uncomparedRelations,
} from '../../../jobs/migrations/comparing/unknown/uncompared.ts';
import {
  describeUnknownFields,
  noUncomparedContents,
  notComparedParts,
} from '../../../jobs/migrations/comparing/coverage/uncompared-contents.ts';
import { lostUncounted } from '../../../jobs/migrations/comparing/losses/uncounted-losses.ts';
import { describeUncertainLosses } from '../../../jobs/migrations/comparing/losses/untimed-losses.ts';
import { lostUploads, filesCreatedBefore } from '../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import { wikiAmount } from '../../../jobs/migrations/comparing/wiki.ts';
import { parseTime } from '../../../platform/clock.ts';
import { checkLists, type CheckedLists } from './checked-lists.ts';
import { describeUnchecked } from './one-by-one/merge-request-changes.ts';
import { describeUnreadUploads } from './one-by-one/upload-contents.ts';
import { describeUncomparedNotes } from './one-by-one/record-notes.ts';
import type { SourceSide, TargetSide, ArchiveSide } from './fetching-sides.ts';
import type { ExportMoment } from './export-moment.ts';

export interface Sides {
  moment: ExportMoment;
  archiveRecords: ArchiveSide;
  archivedSettings: Parameters<typeof differingSettings>[0]['archive'];
  inspection: Pick<Inspection, 'bundles' | 'relations' | 'uploads' | 'lfsObjects' | 'lfsBytes'>;
  failures: readonly { relation: string | null; line: number | null }[];
  /** Null if the source was not read: the import is outside a migration, or `noSourceReason` gives the reason. */
  source: SourceSide | null;
  noSourceReason: string | null;
  target: TargetSide;
  depth: ChosenDepth;
  /** The numbers of the target if only numbers are compared; null for a greater depth, which lists the records. */
  totals: RecordTotals['totals'] | null;
  /** Counts around the export that a comparison of numbers could not confirm. */
  unconfirmed?: readonly UnconfirmedCount[];
  /** Null if contents are not compared, or the records of the archive cannot be read one by one. */
  contents: ChangedContents | null;
  overrides: Readonly<Record<string, string>>;
  /** The requested name of the target; null if none was requested. */
  requestedName: string | null;
  /** Whether a migration archived the source before its export, and unarchives the target. */
  isArchivedByUs: boolean;
}

const uncomparableText = (count: number): string =>
  `The contents of ${count === 1 ? '1 record' : `${count} records`} were not compared, because they are larger than 16 MiB or no valid JSON.`;

const settingsComparedWithArchiveText =
  'The source changed after its export began, so the settings were compared with the archive. Which settings the export lost is not known.';

/**
 * @param counts of the source around the export, of the archive and of the target. @param changedSince when the
 * source was changed after its export; null if not changed, or unknown. @param activityNotes sentences on why
 * `changedSince` is unknown.
 */
export function compareSides(
  counts: Reconciliation,
  sides: Sides,
  changedSince: number | null,
  activityNotes: readonly string[],
): Reconciliation {
  const { source, target, moment, inspection } = sides;
  const isEdited =
    source !== null && (changedSince !== null || isEditedSince(source.details, moment.requestedAt));
  const mayHaveChanged = isEdited || activityNotes.length > 0;
  const lists = checkLists(counts, sides, mayHaveChanged);
  const losses = findLosses(sides, lists, mayHaveChanged);
  const settingDifferences = differingSettings({
    source: isEdited ? null : (source?.details.attributes ?? null),
    overrides: sides.overrides,
    archive: sides.archivedSettings,
    target: target.details.attributes,
  });
  const sourceLfsBytes = source?.details.statistics?.[lfsSize] ?? null;
  const lfs = lfsAmount(inspection, sourceLfsBytes, target.details.statistics?.[lfsSize] ?? null, isEdited);
  const wiki = wikiAmount(
    inspection,
    source?.wikiPages?.length ?? null,
    wikiSize(target.details),
    mayHaveChanged,
  );
  const uploads: RelationCounts = {
    relation: 'uploads',
    source:
      (source?.uploads ?? null) === null
        ? null
        : filesCreatedBefore(source?.uploads ?? [], moment.requestedAt).length,
    archive: archivedUploads(sides)?.length ?? inspection.uploads,
    target: sides.totals?.uploads ?? target.uploads?.length ?? null,
  };
  // Most projects have no LFS objects, no wiki, and not all of the relations that are not counted around an export.
  const hasAny = (amount: RelationCounts): boolean =>
    (amount.archive ?? 0) + (amount.source ?? 0) + (amount.target ?? 0) > 0;
  const leftOut = leftOutByDepth[sides.depth];
  const hasLfs = inspection.lfsObjects > 0 || hasAny(lfs);
  const contents = sides.archiveRecords?.uncompared ?? noUncomparedContents();
  return combineComparison(lists.counts, {
    depth: sides.archiveRecords === null ? 'numbers' : coveredBy[sides.depth],
    amounts: [
      uploads,
      ...(hasLfs ? [lfs] : []),
      ...[
        wiki,
        ...(sides.depth === 'contents' ? [notesOnCommits(sides)] : []),
        ...losses.uncountedAmounts,
      ].filter((amount) => hasAny(amount)),
    ],
    missing: losses.missing,
    settings: [
      ...settingDifferences.settings,
      ...nameDifference(sides),
      ...archivedDifference(sides, isEdited),
    ],
    listedFromSource: new Set(comparedRelations.filter((relation) => isListed(source, relation))),
    notComparedWithSource: [
      ...(uploads.source === null ? ['uploads'] : []),
      ...(sourceLfsBytes === null ? [lfsSize] : []),
      ...(wiki.source === null && (source?.wikiPages ?? []).length > 0 ? [wiki.relation] : []),
      ...(source === null ? ['project_members'] : lists.notListedOnSource),
      ...uncountedRelations.filter((relation) => !isListed(source, relation)),
    ],
    unproven: [...losses.unproven, ...lists.unproven, ...uncomparedRelations(inspection)],
    declared: [
      ...(leftOut === null ? [] : [leftOut]),
      ...(sides.noSourceReason === null ? [] : [sides.noSourceReason]),
      ...activityNotes,
      ...lists.declared,
      ...losses.declared,
      ...settingDifferences.declared,
      ...nameNotes(sides),
      ...(isEdited ? [settingsComparedWithArchiveText] : []),
      ...(inspection.lfsObjects > 0 && (lfs.archive === null || lfs.target === null)
        ? ['The total size of the LFS objects is not reported, so it was not compared.']
        : []),
      ...describeUnknownRelations(inspection),
      ...describeUnknownFields(contents),
    ],
    notCompared: notComparedParts(contents, sides.archivedSettings ?? {}, inspection),
  });
}

const notesOnCommits = ({ archiveRecords, inspection, source, target }: Sides): RelationCounts => ({
  relation: commitNotes,
  source: source?.comparedNotes.commitNoteCount ?? null,
  archive:
    archiveRecords === null
      ? (inspection.relations[commitNotes] ?? 0)
      : [...archiveRecords.commitNotes.values()].flat().length,
  target: target.comparedNotes.commitNoteCount,
});

const isListed = (side: SourceSide | null, relation: ComparedRelation): boolean =>
  Array.isArray(side?.listed[relation]);

const listOf = (
  side: TargetSide,
  relation: ComparedRelation | ProtectedRelation,
): readonly unknown[] | null => ({ ...side.listed, ...side.protectedRefs })[relation];

/** Returns the uploads in the archive; null if the index does not name them. */
const archivedUploads = ({ archiveRecords, inspection }: Sides) =>
  archiveRecords === null || (archiveRecords.uploads.length === 0 && inspection.uploads > 0)
    ? null
    : archiveRecords.uploads;

export const wikiSize = ({ statistics }: ProjectDetails): number | null => statistics?.['wiki_size'] ?? null;

function findLosses(sides: Sides, lists: CheckedLists, mayHaveChanged: boolean) {
  const { moment, archiveRecords, contents, failures, source, target, inspection } = sides;
  if (archiveRecords === null) {
    const relations =
      sides.totals === null ? uncountedRelations : [...uncountedRelations, ...countedProtections];
    const uncountedAmounts = relations.map((relation): RelationCounts => ({
      ...{ relation, source: null },
      archive: inspection.relations[relation] ?? 0,
      target: sides.totals?.[relation] ?? listOf(target, relation)?.length ?? null,
    }));
    return {
      missing: [],
      declared: sides.depth === 'counts' ? [] : ['The records of the archive could not be read one by one.'],
      unproven: ['project_members', ...protectedRelations],
      uncountedAmounts,
    };
  }
  const recordSides = {
    source: source?.listed ?? null,
    archive: archiveRecords.records,
    target: target.listed,
    exportedAt: moment.requestedAt,
    failedLines: linesByRelation(failures),
  };
  const records = namedLosses({
    ...recordSides,
    countsAroundExport: (relation) =>
      lists.unconfirmed.has(relation) ? { before: null, after: null } : moment.countsAround(relation),
    newestLabelId: moment.newestLabelId,
    mayHaveChanged,
  });
  const uncounted = lostUncounted(recordSides);
  const memberSides: Members = {
    source: source?.members ?? null,
    archive: archiveRecords.members,
    target: target.members,
    usernamesWithAccount: target.missingMembersWithAccount,
    importedByAdministrator: target.administrator,
  };
  const members = lostMembers(memberSides, moment.requestedAt);
  const describedMembers = describeMembers(memberSides);
  const refs = compareRefs({
    source: source?.listed ?? null,
    archive: archiveRecords.records,
    target: target.listed,
    exportedAt: moment.requestedAt,
    hasSourceChanged: mayHaveChanged,
  });
  const { uncomparableCount } = archiveRecords;
  const protections = protectedRelations.map((relation) => ({
    relation,
    ...lostProtections({
      ...{ relation, hasSourceChanged: mayHaveChanged || isUntimed(relation) },
      source: source?.protectedRefs[relation] ?? null,
      archive: archiveRecords.protectedRefs[relation],
      target: target.protectedRefs[relation],
    }),
  }));
  const uploads = lostUploads({
    source: source?.uploads ?? null,
    archive: archivedUploads(sides),
    target: target.uploads,
    exportedAt: moment.requestedAt,
  });
  const renames = possibleRenames(archiveRecords.records, target.listed);
  const isNotRenamed = ({ relation, lost, line }: MissingRecord): boolean =>
    lost !== 'on-import' ||
    renames.every((rename) => rename.relation !== relation || rename.archived.line !== line);
  const incomplete = [source, target].flatMap((side) => side?.comparedNotes.incomplete ?? []);
  return {
    missing: [
      ...nameMissingNotes(withoutHidden(records.missing, lists.hidden), incomplete).filter(isNotRenamed),
      ...uncounted.missing.filter(isNotRenamed),
      ...(contents?.missing ?? []),
      ...[target, source].flatMap((side) => side?.comparedNotes.missingCommitNotes ?? []),
      ...target.lostChanges.missing,
      ...(source?.lostChanges.missing ?? []),
      ...members.missing,
      ...refs.missing,
      ...protections.flatMap(({ missing }) => missing),
      ...uploads,
      ...target.comparedUploads.missing,
    ],
    declared: [
      ...describeUncertainLosses([
        ...[...records.uncertainLosses, ...uncounted.uncertainLosses],
        ...members.uncertainLosses,
      ]),
      ...describeRenames(renames),
      ...(contents?.declared ?? []),
      ...(uncomparableCount === 0 ? [] : [uncomparableText(uncomparableCount)]),
      ...refs.declared,
      ...protections.flatMap(({ declared }) => declared),
      ...describeUncomparedNotes(source?.comparedNotes ?? null, target.comparedNotes),
      ...(source === null ? [] : describeUnchecked(source.lostChanges, 'source')),
      ...describeUnchecked(target.lostChanges, 'target'),
      ...describeUnreadUploads(target.comparedUploads.unread),
      ...members.declared,
      ...describedMembers.declared,
    ],
    uncountedAmounts: uncounted.amounts,
    unproven: [
      ...(describedMembers.isUnproven ? ['project_members'] : []),
      ...protections.flatMap(({ relation, isTargetUnreadable }) => (isTargetUnreadable ? [relation] : [])),
    ],
  };
}

/** A record that lacks notes by their number may also be known by the notes themselves. */
function nameMissingNotes(
  missing: readonly MissingRecord[],
  incomplete: readonly MissingRecord[],
): MissingRecord[] {
  const byKey = new Map(incomplete.filter(lacksNotes).map((record) => [noteKeyOf(record), record]));
  const named = missing.map((record) => {
    const found = lacksNotes(record) ? byKey.get(noteKeyOf(record)) : undefined;
    return found ?? record;
  });
  return [...named, ...incomplete.filter((record) => !named.includes(record))];
}

const lacksNotes = ({ part }: MissingRecord): boolean => part?.name === 'notes';
const noteKeyOf = ({ relation, lost, line }: MissingRecord): string => `${lost} ${relation} ${String(line)}`;

type Setting = Reconciliation['settings'][number];

/** An export never contains the name. The import request sends it. */
function nameDifference({ requestedName, target }: Sides): Setting[] {
  const found = target.details.project.name;
  return requestedName === null || found === requestedName
    ? []
    : [{ attribute: 'name', expected: requestedName, found, lost: 'on-import' }];
}

/** If no name was sent with the import, GitLab uses the path as the name. */
function nameNotes({ requestedName, source, target }: Sides): string[] {
  const [sourceName, targetName] = [source?.details.project.name ?? null, target.details.project.name];
  return requestedName !== null || sourceName === null || sourceName === targetName
    ? []
    : [`No name was sent with the import: the source is called "${sourceName}", the target "${targetName}".`];
}

/**
 * Compares whether the project is archived. The expected value is that of the source, or that of the archive if the
 * source was edited later.
 */
function archivedDifference(sides: Sides, isEdited: boolean): Setting[] {
  const { source, target, archivedSettings, overrides, isArchivedByUs } = sides;
  const found = target.details.attributes['archived'];
  const archivedValue = archivedSettings?.project?.['archived'];
  const expected = isArchivedByUs
    ? false
    : source === null || isEdited
      ? archivedValue
      : source.details.attributes['archived'];
  const isOverridden = (overrides['archived'] ?? '') !== '';
  if (isOverridden || typeof expected !== 'boolean' || typeof found !== 'boolean' || expected === found)
    return [];
  const lost =
    typeof archivedValue !== 'boolean'
      ? null
      : archivedValue === expected || isArchivedByUs
        ? 'on-import'
        : 'on-export';
  return [{ attribute: 'archived', expected: String(expected), found: String(found), lost }];
}

/**
 * Uses `updated_at`, because edits of settings are not recorded as activity. This time also changes when Packhorse
 * archives the source or writes a note into it.
 */
export function isEditedSince({ attributes }: ProjectDetails, time: number): boolean {
  const { updated_at: updatedAt } = attributes;
  const editedAt = parseTime(typeof updatedAt === 'string' ? updatedAt : undefined);
  return editedAt !== null && editedAt > time;
}

function linesByRelation(
  failures: readonly { relation: string | null; line: number | null }[],
): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { relation, line } of failures) {
    if (relation === null || line === null) continue;
    lines.set(relation, (lines.get(relation) ?? new Set()).add(line));
  }
  return lines;
}
