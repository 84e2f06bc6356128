/**
 * @file Decides how many losses without names a later comparison keeps: those that it could not find again, because
 * somebody may have changed them, or because it did not compare them. Pure.
 */
import { comparedRelations, isRef } from '../../../../../src-contract/relations.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { UnnamedLosses } from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lossGroupOf, lostPartKey } from '../../../../jobs/migrations/comparing/losses/loss-key.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { possibleRenames } from '../../../../jobs/migrations/comparing/losses/renamed-records.ts';
import { differingInvitations } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { recordsByKey } from '../../../../jobs/migrations/comparing/records-by-key.ts';
import { hasSameCommit } from '../../../../jobs/migrations/comparing/refs/compare-refs.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';
import { lostFromArchive } from './repaired-losses.ts';
import { countUncomparedParts } from './uncompared-parts.ts';

/**
 * Returns the losses without names that a comparison of their list keeps. A missing record of the archive has a line, and
 * is found again, except for a label that may have been renamed, or an invitation that may have been answered.
 */
export function remainingUnnamed(losses: UnnamedLosses, sides: Sides): UnnamedLosses {
  const possible = new Set(possiblyChangedLines(losses, sides));
  const lines = losses.lines.filter((line) => possible.has(line));
  const otherCount = Math.min(losses.count - losses.lines.length, countPossible(losses, sides));
  return { ...losses, count: lines.length + otherCount, lines };
}

/** Returns the lines of missing records that count as renamed on the target, or as answered. */
function possiblyChangedLines(losses: UnnamedLosses, sides: Sides): number[] {
  const { target, archiveRecords, knownLosses } = sides;
  if (losses.lost !== 'on-import' || archiveRecords === null) return [];
  const renames = possibleRenames(archiveRecords.records, target.listed, knownLosses);
  return [
    ...renames.filter(({ relation }) => relation === losses.relation).map(({ archived }) => archived.line),
    ...changedInvitations(losses, sides).flatMap(({ line, part }) => (part === null ? (line ?? []) : [])),
  ];
}

/** Returns the archived invitations that differ on the target. They may have been answered or changed there. */
function changedInvitations(
  { relation, lost }: UnnamedLosses,
  { archiveRecords, target, knownLosses }: Sides,
): MissingRecord[] {
  if (relation !== 'project_members' || lost !== 'on-import' || archiveRecords === null) return [];
  const named = new Set(knownLosses.map(lostPartKey));
  return differingInvitations(archiveRecords.invitations, target.invitations ?? []).filter(
    (loss) => !named.has(lostPartKey(loss)),
  );
}

/** Returns the archived refs that are not known to be at the same commit on the target. They may have moved there. */
function movedRefs(
  { relation, lost }: UnnamedLosses,
  { listed }: SourceSide | TargetSide,
  archive: ArchivedRecords,
): ArchivedRecord[] {
  if (lost !== 'on-import') return [];
  return comparedRelations
    .filter((each) => each === relation && isRef(each))
    .flatMap((each) => {
      const listedByKey = recordsByKey(listed[each] ?? []);
      return archive[each].filter((archived) => {
        const [found] = listedByKey.get(archived.key) ?? [];
        return found !== undefined && !hasSameCommit(archived, found);
      });
    });
}

/**
 * Returns how many losses without lines there may be that this comparison did not find: contents, refs and invitations
 * that differ, but may have been changed, contents that were not compared, and records that may be newer than the export.
 */
function countPossible(losses: UnnamedLosses, sides: Sides): number {
  const { source, target, archiveRecords, contents, knownLosses, depth } = sides;
  const side = losses.lost === 'on-export' ? source : target;
  if (side === null || archiveRecords === null) return losses.count;
  const named = new Set(knownLosses.map(lostPartKey));
  const group = lossGroupOf(losses);
  const uncertain = contents?.uncertain.filter(
    (loss) => lossGroupOf(loss) === group && !named.has(lostPartKey(loss)),
  );
  const titles = new Set(knownLosses.filter((loss) => lossGroupOf(loss) === group).map(({ title }) => title));
  const undated =
    losses.lost === 'on-import' || source === null
      ? []
      : lostFromArchive(losses.relation, { source, archive: archiveRecords.records }).filter(
          ({ title, createdAt }) => createdAt === null && !titles.has(title),
        );
  return (
    (uncertain?.length ?? 0) +
    undated.length +
    movedRefs(losses, side, archiveRecords.records).filter(({ title }) => !titles.has(title)).length +
    changedInvitations(losses, sides).filter(({ part }) => part !== null).length +
    countUncomparedParts(losses, side, archiveRecords.records, depth === 'contents')
  );
}
