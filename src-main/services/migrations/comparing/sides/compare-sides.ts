/** @file Compares source, archive and target of a project, from the responses of both instances. Pure. */
import {
  comparedRelations,
  uncountedRelations,
  type ComparedRelation,
  commitNotes,
} from '../../../../../src-contract/relations.ts';
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { leftOutByDepth } from '../../../../../src-contract/words/depths.ts';
import { unlistedFailuresText } from '../../../../../src-contract/words/failed-records.ts';
import type { ProjectDetails } from '../../../../../src-contract/projects/project-details.ts';
import {
  differingSettings,
  unshownSettings,
} from '../../../../jobs/migrations/comparing/settings/differing-settings.ts';
import {
  lfsAmount,
  lfsSize,
  combineComparison,
  type RelationCounts,
} from '../../../../jobs/migrations/comparing/three-way-comparison.ts';
import {
  describeUnknownRelations,
  uncomparedRelations,
} from '../../../../jobs/migrations/comparing/unknown/uncompared.ts';
import {
  describeUnknownFields,
  noUncomparedContents,
  notComparedParts,
} from '../../../../jobs/migrations/comparing/coverage/uncompared-contents.ts';
import { reachedRelations } from '../../../../jobs/migrations/comparing/coverage/reached-relations.ts';
import { filesCreatedBefore } from '../../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import { wikiAmount } from '../../../../jobs/migrations/comparing/wiki.ts';
import { describeSharesAndForks } from '../../../../jobs/migrations/comparing/settings/shares-and-forks.ts';
import { quoteValue } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import { sentenceAbout } from '../../../../jobs/migrations/comparing/sentence-about.ts';
import { comparedWithKnown } from '../../../../jobs/migrations/comparing/settings/source-settings.ts';
import type { SourceChange } from '../export-moment.ts';
import { checkLists } from './checked-lists.ts';
import type { SourceSide } from './fetching-sides.ts';
import { archivedUploads, type Sides } from './compared-sides.ts';
import { findLosses } from './losses-of-sides.ts';
import { uncomparedFields, unlistedRelations } from './uncompared-fields.ts';

const settingsComparedWithArchiveText =
  'The source changed after its export began, so the settings were compared with the archive. Which settings the export lost is not known.';

const unreadSettingsText = 'Settings of the archive that cannot be read were not compared.';

/** The attributes of a project in the legacy layout cannot be read, and a damaged archive may have no settings at all. */
const lacksSettings = ({ archivedSettings }: Sides): boolean =>
  archivedSettings === null || Object.values(archivedSettings).includes(null);

/** @param counts of the source around the export, of the archive and of the target. */
export function compareSides(
  counts: Reconciliation,
  sides: Sides,
  { isEdited, mayHaveChanged, declared: activityNotes }: SourceChange,
): Reconciliation {
  const { source, target, inspection } = sides;
  const lists = checkLists(counts, sides, mayHaveChanged);
  const losses = findLosses(sides, lists, mayHaveChanged);
  const settingsOfSides = {
    source: isEdited ? null : (source?.details.attributes ?? null),
    overrides: sides.overrides ?? {},
    visibilityLimits: sides.visibilityLimits,
    archive: sides.archivedSettings,
    target: target.details.attributes,
  };
  const settingDifferences = differingSettings(settingsOfSides);
  const differing = [...settingDifferences.settings, ...archivedDifference(sides, isEdited)];
  // Such a difference may be a loss, a replacement of the import, or a later edit.
  const areSettingsUncertain = sides.overrides === null || sides.settingsMayBeEdited;
  const amounts = amountsOf(sides, isEdited, mayHaveChanged);
  const leftOut = leftOutByDepth[sides.depth];
  const contents = sides.archiveRecords?.uncompared ?? noUncomparedContents();
  const compared = combineComparison(lists.counts, {
    ...{ chosenDepth: sides.depth, hasRecords: sides.archiveRecords !== null },
    // GitLab shows custom attributes to administrators only.
    showsAll: source !== null && source.details.attributes['custom_attributes'] !== undefined,
    amounts: [
      ...amounts.compared.filter((amount) => isShown(amount, inspection)),
      ...losses.uncountedAmounts.filter(hasAny),
    ],
    missing: losses.missing,
    settings: [
      ...(areSettingsUncertain
        ? []
        : source === null || isEdited
          ? comparedWithKnown(differing, sides.sourceSettings, target.details.attributes)
          : differing),
      ...nameDifference(sides),
    ],
    listedFromSource: new Set(comparedRelations.filter((relation) => isListed(source, relation))),
    notComparedWithSource: [
      ...amounts.notComparedWithSource,
      ...(source === null ? ['project_members'] : lists.notListedOnSource),
      ...uncountedRelations.filter((relation) => !isListed(source, relation)),
    ],
    unproven: [...losses.unproven, ...lists.unproven, ...uncomparedRelations(inspection)],
    declared: [
      ...(leftOut === null ? [] : [leftOut]),
      ...(sides.noSourceReason === null ? [] : [sides.noSourceReason]),
      ...activityNotes,
      ...(sides.unlistedFailures.hasUnlisted
        ? [unlistedFailuresText(sides.unlistedFailures.unlistedCount)]
        : []),
      ...lists.declared,
      ...losses.declared,
      ...settingDifferences.declared,
      ...(areSettingsUncertain ? describeUncertain(differing, sides) : []),
      ...(isEdited ? [settingsComparedWithArchiveText] : []),
      ...((source === null || isEdited) && lacksSettings(sides) ? [unreadSettingsText] : []),
      ...amounts.declared,
      ...describeUnknownRelations(inspection),
      ...describeUnknownFields(contents),
    ],
    remarks: [
      ...losses.remarks,
      ...settingDifferences.remarks,
      ...(source === null
        ? []
        : describeSharesAndForks(source.details.attributes, target.details.attributes)),
      ...nameNotes(sides),
    ],
    notCompared: notComparedParts(contents, sides.archivedSettings ?? {}, inspection),
    relations: reachedRelations({
      ...{ chosen: sides.depth, hasRecords: sides.archiveRecords !== null },
      rows: [...lists.counts.rows, ...amounts.compared, ...losses.uncountedAmounts],
      ...unlistedRelations(sides, isEdited),
      uncompared: [...uncomparedFields(sides, unshownSettings(settingsOfSides)), ...losses.unshownRights],
    }),
  });
  const mayLackSettings = areSettingsUncertain && differing.length > 0;
  return { ...compared, reconciled: compared.reconciled && !mayLackSettings };
}

/** Most projects have no LFS objects, no wiki, and not all of the relations that are not counted around an export. */
const hasAny = ({ archive, source, target }: RelationCounts): boolean =>
  (archive ?? 0) + (source ?? 0) + (target ?? 0) > 0;

const isShown = (amount: RelationCounts, { lfsObjects }: Sides['inspection']): boolean =>
  hasAny(amount) || amount.relation === 'uploads' || (amount.relation === lfsSize && lfsObjects > 0);

/** Returns the amounts of uploads, LFS objects, the wiki and notes on commits. */
function amountsOf(
  sides: Sides,
  isEdited: boolean,
  mayHaveChanged: boolean,
): { compared: RelationCounts[]; notComparedWithSource: string[]; declared: string[] } {
  const { source, target, moment, inspection } = sides;
  const sourceLfsBytes = source?.details.statistics?.[lfsSize] ?? null;
  const lfs = lfsAmount(inspection, sourceLfsBytes, target.details.statistics?.[lfsSize] ?? null, isEdited);
  const wiki = wikiAmount(
    inspection,
    source?.wikiPages?.length ?? null,
    wikiSize(target.details),
    mayHaveChanged,
  );
  const sourceUploads = source?.uploads ?? null;
  const uploads: RelationCounts = {
    relation: 'uploads',
    source: sourceUploads && filesCreatedBefore(sourceUploads, moment.requestedAt).length,
    archive: archivedUploads(sides)?.length ?? inspection.uploads,
    target: sides.totals?.uploads ?? target.uploads?.length ?? null,
  };
  const others = [wiki, ...(sides.depth === 'contents' ? [notesOnCommits(sides)] : [])];
  return {
    compared: [uploads, lfs, ...others],
    notComparedWithSource: [
      ...(uploads.source === null ? ['uploads'] : []),
      ...(sourceLfsBytes === null ? [lfsSize] : []),
      ...(wiki.source === null && (source?.wikiPages ?? []).length > 0 ? [wiki.relation] : []),
    ],
    declared:
      inspection.lfsObjects > 0 && (lfs.archive === null || lfs.target === null)
        ? ['The total size of the LFS objects is not reported, so it was not compared.']
        : [],
  };
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

export const wikiSize = ({ statistics }: ProjectDetails): number | null => statistics?.['wiki_size'] ?? null;

type Setting = Reconciliation['settings'][number];

const describeUncertain = (settings: readonly Setting[], { overrides }: Sides): string[] =>
  sentenceAbout(
    `These settings differ from the archive. The import may have ${overrides === null ? 'lost or replaced' : 'lost'} them, or somebody may have edited them later`,
    settings.map(
      ({ attribute, expected, found }) =>
        `${attribute} (archive ${quoteValue(expected)}, target ${quoteValue(found)})`,
    ),
  );

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
  const isOverridden = (overrides?.['archived'] ?? '') !== '';
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
