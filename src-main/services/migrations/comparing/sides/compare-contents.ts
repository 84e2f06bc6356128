/** @file Compares the contents of records on source, archive and target: fields, users, notes, the pages of the wiki and the avatar. Pure. */
import { withSilentChanges } from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import type { ComparisonHistory } from '../../../../jobs/migrations/comparing/comparison-history.ts';
import {
  assessContents,
  type ChangedContents,
} from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import { differingFields } from '../../../../jobs/migrations/comparing/contents/differing-fields.ts';
import { differingGroupRecords } from '../../../../jobs/migrations/comparing/contents/group-contents.ts';
import {
  describeUnknownFiles,
  withRepositoryFiles,
} from '../../../../jobs/migrations/comparing/losses/snippet-repositories.ts';
import { possibleRenames } from '../../../../jobs/migrations/comparing/losses/renamed-records.ts';
import { differingPeople } from '../../../../jobs/migrations/comparing/people/differing-people.ts';
import { pairPeople } from '../../../../jobs/migrations/comparing/people/paired-people.ts';
import {
  describeUncomparedPages,
  differingPages,
  wikiAmount,
  type WikiSides,
} from '../../../../jobs/migrations/comparing/wiki.ts';
import {
  describeUncomparedAvatar,
  differingAvatar,
  type AvatarSides,
} from '../../../../jobs/migrations/comparing/avatar.ts';
import { pairRuleUsers } from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type { SourceChange } from '../export-moment.ts';
import { describeUntouchedNotes } from '../one-by-one/record-notes.ts';
import { describeUnreadParts, describeUnshownDetails } from '../one-by-one/record-parts.ts';
import { wikiSize } from './compare-sides.ts';
import type { Sides } from './compared-sides.ts';

export function compareContents(
  {
    source,
    archiveRecords,
    target,
    moment,
    inspection,
    depth,
  }: Pick<Sides, 'source' | 'archiveRecords' | 'target' | 'moment' | 'inspection' | 'depth'>,
  { mayHaveChanged }: SourceChange,
  { isPrompt, knownLosses }: ComparisonHistory,
): ChangedContents | null {
  if (archiveRecords === null || depth !== 'contents') return null;
  const snippets = withRepositoryFiles({
    hasRepositories: inspection.bundles.some(({ member }) => member.startsWith('snippets/')),
    archive: archiveRecords.records.snippets,
    source: source?.listed.snippets ?? null,
    target: target.listed.snippets,
    exportedAt: moment.requestedAt,
  });
  const fields = differingFields({
    source: source?.listed ?? null,
    archive: { ...archiveRecords.records, snippets: snippets.records },
    target: target.listed,
    ...{ exportedAt: moment.requestedAt, importedAt: target.importedAt, isPrompt },
    renames: possibleRenames(archiveRecords.records, target.listed, knownLosses),
  });
  const groupSide = ({ listed, groupRecords }: NonNullable<typeof source> | typeof target) => ({
    listed,
    recordsOfGroups: groupRecords,
  });
  const groups = differingGroupRecords({
    ...{ archive: archiveRecords.groupRecords, own: archiveRecords.records },
    source: source && groupSide(source),
    target: groupSide(target),
    ...{ exportedAt: moment.requestedAt, importedAt: target.importedAt, isPrompt },
  });
  const notesOfTarget = target.comparedNotes.changed;
  const readOneByOne = [
    ...(source?.comparedNotes.changed ?? []),
    ...(isPrompt ? notesOfTarget : withSilentChanges(notesOfTarget)),
    ...[source, target].flatMap((side) => side?.lostChanges.changed ?? []),
  ];
  // A target without a wiki lost the wiki as a whole.
  const isWikiArchived = wikiAmount(inspection, null, null).archive === 1;
  const pages: WikiSides = {
    isArchived: isWikiArchived,
    source: source?.wikiPages ?? null,
    target: wikiSize(target.details) === 0 ? null : target.wikiPages,
    mayBeEdited: !isPrompt || mayHaveChanged,
  };
  const avatar: AvatarSides = {
    ...{ source: source?.avatar ?? null, archive: archiveRecords.avatar, target: target.avatar },
    mayBeEdited: { source: mayHaveChanged, target: !isPrompt },
  };
  const pairedOneByOne = ({ comparedNotes, protectedRefs }: NonNullable<typeof source> | typeof target) => [
    ...comparedNotes.people,
    ...pairRuleUsers(archiveRecords.protectedRefs.approval_rules, protectedRefs.approval_rules),
  ];
  const people = differingPeople({
    exported:
      source === null ? [] : pairPeople(archiveRecords.records, source.listed, pairedOneByOne(source)),
    imported: pairPeople(archiveRecords.records, target.listed, pairedOneByOne(target)),
    archivedUsers: archiveRecords.users,
    members: target.members?.map(({ username, email }) => ({ username, email: email ?? null })) ?? null,
    ...{ account: target.account, byAdministrator: target.administrator },
    ...{ exportedAt: moment.requestedAt, importedAt: target.importedAt, isPrompt },
  });
  const { missing, uncertain, declared } = assessContents(
    [
      ...fields.differences,
      ...groups.differences,
      ...readOneByOne,
      ...people.differences,
      ...differingPages(pages),
      ...differingAvatar(avatar),
    ],
    knownLosses,
  );
  return {
    missing,
    uncertain,
    remarks: [
      ...people.remarks,
      ...describeUntouchedNotes(source?.comparedNotes ?? null),
      ...(source === null ? [] : describeUnshownDetails(source.unreadParts, 'source')),
      ...describeUnshownDetails(target.unreadParts, 'target'),
    ],
    declared: [
      ...declared,
      ...fields.declared,
      ...groups.declared,
      ...people.declared,
      ...describeUnreadParts(source?.unreadParts ?? null, target.unreadParts),
      ...describeUnknownFiles(snippets.unknownCount),
      ...describeUncomparedAvatar(avatar),
      ...describeUncomparedPages(isWikiArchived, pages),
    ],
    uncompared: [
      ...fields.uncompared,
      ...(snippets.unknownCount > 0 ? [{ relation: 'snippets', field: 'files' }] : []),
      ...(describeUncomparedAvatar(avatar).length > 0 ? [{ relation: 'avatar', field: 'content' }] : []),
      ...(describeUncomparedPages(isWikiArchived, pages).length > 0
        ? [{ relation: 'wiki', field: 'pages' }]
        : []),
    ],
  };
}
