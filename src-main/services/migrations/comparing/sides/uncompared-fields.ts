/** @file The relations and fields that a comparison could not read from its sides. Pure. */
import { commitNotes, comparedRelations } from '../../../../../src-contract/relations.ts';
import type { FieldOfRelation } from '../../../../jobs/migrations/comparing/contents/field-readers.ts';
import {
  comparedRelations as everyRelation,
  partOfSetting,
} from '../../../../jobs/migrations/comparing/coverage/compared-relations.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { invitationList } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { commitFields, diffFields } from '../../../../jobs/migrations/comparing/refs/merge-request-diffs.ts';
import { protectedRelations } from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';

/** Returns the relations that the side did not list. */
function unlistedOf(side: SourceSide | TargetSide): string[] {
  const { listed, members, invitations, protectedRefs, uploads, comparedNotes, details } = side;
  return [
    ...comparedRelations.filter((relation) => listed[relation] === null),
    ...protectedRelations.filter((relation) => protectedRefs[relation] === null),
    ...(members === null ? ['project_members'] : []),
    ...(invitations === null ? [invitationList] : []),
    ...(uploads === null ? ['uploads'] : []),
    ...(comparedNotes.commitNoteCount === null ? [commitNotes] : []),
    // GitLab shows custom attributes to administrators only.
    ...(details.attributes['custom_attributes'] === undefined ? ['custom_attributes'] : []),
  ];
}

/** Pages are compared between source and target, because the archive has them in a Git repository. */
const arePagesShown = ({ source, target }: Pick<Sides, 'source' | 'target'>): boolean =>
  source?.wikiPages !== undefined &&
  source.wikiPages !== null &&
  (source.wikiPages.length === 0 || target.wikiPages !== null);

/**
 * Returns the relations that each side did not list; null for an import without a source.
 * @param isEdited true if the settings were compared with the archive, because the source was edited after its export.
 */
export function unlistedRelations(
  sides: Pick<Sides, 'source' | 'target' | 'noSourceReason'>,
  isEdited: boolean,
): { unlistedOnSource: Set<string> | null; unlistedOnTarget: Set<string> } {
  const { source, target, noSourceReason } = sides;
  const wiki = arePagesShown(sides) ? [] : ['wiki'];
  const settings = everyRelation.filter(({ isSetting }) => isSetting === true);
  const settingNames = settings.map(({ relation }) => relation);
  const unlistedOnTarget = new Set([
    ...unlistedOf(target),
    ...wiki,
    ...(target.lfsObjects === null ? [lfsObjects] : []),
  ]);
  if (source === null) {
    const all = everyRelation.map(({ relation }) => relation);
    return { unlistedOnSource: noSourceReason === null ? null : new Set(all), unlistedOnTarget };
  }
  const unlistedOnSource = new Set([...unlistedOf(source), ...wiki, ...(isEdited ? settingNames : [])]);
  return { unlistedOnSource, unlistedOnTarget };
}

const fieldsIn = (relation: string, fields: readonly string[]): FieldOfRelation[] =>
  fields.map((field) => ({ relation, field }));

/** Returns the fields that one of the sides does not show, or not of every record. @param unshown attributes of settings. */
export function uncomparedFields(
  { source, target, contents }: Pick<Sides, 'source' | 'target' | 'contents'>,
  unshown: readonly string[],
): FieldOfRelation[] {
  const sides = source === null ? [target] : [source, target];
  const ofSides = sides.flatMap(({ unreadParts, comparedNotes, comparedUploads, lostChanges }) => {
    const { uncomparedCount, withoutCommentsCount, unreadEmojiCount, ofOneSide } = comparedNotes;
    const { uncheckedCount, editedCount, unreadCount, withoutMessagesCount } = lostChanges;
    const noteFields = everyRelation.find(({ relation }) => relation === 'notes')?.fields ?? [];
    const areNotesUnread = uncomparedCount + withoutCommentsCount > 0;
    const ofNotes = [
      ...(areNotesUnread ? noteFields : ofOneSide.keys()),
      ...(unreadEmojiCount > 0 ? noteFields.filter((name) => name.startsWith('emoji')) : []),
    ];
    return [
      ...unreadParts.uncompared,
      ...['notes', commitNotes].flatMap((relation) => fieldsIn(relation, ofNotes)),
      ...(comparedUploads.unread.count > 0 ? fieldsIn('uploads', ['content']) : []),
      ...(uncheckedCount + editedCount + unreadCount > 0
        ? fieldsIn('merge_requests', ['changes', ...diffFields, ...commitFields])
        : []),
      ...(withoutMessagesCount > 0 ? fieldsIn('merge_requests', ['commit_messages']) : []),
    ];
  });
  return [
    ...ofSides,
    ...(contents?.uncompared ?? []),
    ...unshown.map((attribute) => ({ relation: partOfSetting(attribute), field: attribute })),
  ];
}
