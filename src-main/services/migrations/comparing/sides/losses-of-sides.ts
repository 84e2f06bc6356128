/** @file Finds the records that an export or an import lost, and names what is not known about them. Pure. */
import { uncountedRelations, type ComparedRelation } from '../../../../../src-contract/relations.ts';
import { type MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import {
  describeMembers,
  lostMembers,
  type Members,
} from '../../../../jobs/migrations/comparing/people/members.ts';
import {
  compareInvitations,
  invitationList,
  type Invitations,
} from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { parseTime } from '../../../../platform/clock.ts';
import { addedMembers } from './target-members.ts';
import { compareRefs } from '../../../../jobs/migrations/comparing/refs/compare-refs.ts';
import { withoutHidden } from '../../../../jobs/migrations/comparing/unknown/hidden-issues.ts';
import {
  describeRenames,
  possibleRenames,
} from '../../../../jobs/migrations/comparing/losses/renamed-records.ts';
import { namedLosses } from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import {
  lostProtections,
  countedProtections,
  isUntimed,
  protectedRelations,
  type ProtectedRelation,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import { type RelationCounts } from '../../../../jobs/migrations/comparing/three-way-comparison.ts';
import { describeUnexportedParts } from '../../../../jobs/migrations/comparing/losses/unexported-parts.ts';
import { describeUnexportedPipelines } from '../../../../jobs/migrations/comparing/losses/unexported-pipelines.ts';
import { lostUncounted } from '../../../../jobs/migrations/comparing/losses/uncounted-losses.ts';
import { describeUncertainLosses } from '../../../../jobs/migrations/comparing/losses/untimed-losses.ts';
import {
  describeUnknownLfsObjects,
  lostLfsObjects,
} from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { lostUploads } from '../../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import { type CheckedLists } from './checked-lists.ts';
import { describeUnarchivedMessages, describeUnchecked } from '../one-by-one/merge-request-changes.ts';
import { describeUnreadUploads } from '../one-by-one/upload-contents.ts';
import { describeUncomparedNotes } from '../one-by-one/record-notes.ts';
import type { TargetSide } from './fetching-sides.ts';
import { archivedUploads, type Sides } from './compared-sides.ts';

const uncomparableText = (count: number): string =>
  `The contents of ${count === 1 ? '1 record' : `${count} records`} were not compared, because they are larger than 16 MiB or no valid JSON.`;

/** @param mayHaveChanged whether the source may have been edited after its export. */
export function findLosses(sides: Sides, lists: CheckedLists, mayHaveChanged: boolean) {
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
      remarks: [],
      unproven: ['project_members', ...protectedRelations],
      ...{ uncountedAmounts, unshownRights: [] },
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
  const invitationSides: Invitations = {
    source: source === null ? [] : source.invitations,
    membersOfSource: source?.members ?? [],
    archive: archiveRecords.invitations,
    target: target.invitations,
    addedMembers: addedMembers(target.members, archiveRecords.members),
    importedByAdministrator: target.administrator,
    knownLosses: sides.knownLosses,
  };
  const invitations = compareInvitations(invitationSides, {
    exportedAt: moment.requestedAt,
    comparedAt: parseTime(lists.counts.at) ?? moment.requestedAt,
    isPrompt: sides.isPrompt,
  });
  const memberSides: Members = {
    source: source?.members?.filter((member) => !invitations.acceptedOnSource.has(member)) ?? null,
    archive: archiveRecords.members,
    target: target.members,
    usernamesWithAccount: target.missingMembersWithAccount,
    account: target.account,
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
    ...{ isPrompt: sides.isPrompt, knownLosses: sides.knownLosses },
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
  const lfsSides = { archive: archiveRecords.lfsObjects, target: target.lfsObjects };
  const renames = possibleRenames(archiveRecords.records, target.listed, sides.knownLosses);
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
      ...invitations.missing,
      ...refs.missing,
      ...protections.flatMap(({ missing }) => missing),
      ...uploads,
      ...lostLfsObjects(lfsSides),
      ...[target, source].flatMap((side) => side?.comparedUploads.missing ?? []),
    ],
    declared: [
      ...describeUncertainLosses([
        ...[...records.uncertainLosses, ...uncounted.uncertainLosses],
        ...members.uncertainLosses,
        ...invitations.uncertainLosses,
      ]),
      ...describeRenames(renames),
      ...(contents?.declared ?? []),
      ...(uncomparableCount === 0 ? [] : [uncomparableText(uncomparableCount)]),
      ...refs.declared,
      ...protections.flatMap(({ declared }) => declared),
      ...describeUncomparedNotes(source?.comparedNotes ?? null, target.comparedNotes),
      ...(source === null ? [] : describeUnchecked(source.lostChanges, 'source')),
      ...describeUnchecked(target.lostChanges, 'target'),
      ...(source === null ? [] : describeUnreadUploads(source.comparedUploads.unread, 'source')),
      ...describeUnreadUploads(target.comparedUploads.unread, 'target'),
      ...describeUnknownLfsObjects(lfsSides),
      ...members.declared,
      ...describedMembers.declared,
      ...invitations.declared,
    ],
    remarks: [
      ...(contents?.remarks ?? []),
      ...(source === null ? [] : describeUnarchivedMessages(source.lostChanges, 'source')),
      ...describeUnarchivedMessages(target.lostChanges, 'target'),
      ...members.remarks,
      ...invitations.remarks,
      ...describeUnexportedPipelines(source?.unexportedPipelines ?? []),
      ...(source === null ? [] : describeUnexportedParts(source.listed)),
      ...protections.flatMap(({ remarks }) => remarks),
    ],
    uncountedAmounts: uncounted.amounts,
    unshownRights: protections.flatMap(({ relation, unshown }) =>
      unshown.map((field) => ({ relation, field })),
    ),
    unproven: [
      ...(describedMembers.isUnproven ? ['project_members'] : []),
      ...(invitations.isUnproven ? [invitationList] : []),
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

const listOf = (
  side: TargetSide,
  relation: ComparedRelation | ProtectedRelation,
): readonly unknown[] | null => ({ ...side.listed, ...side.protectedRefs })[relation];

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
