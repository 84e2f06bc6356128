/**
 * @file Decides which lists and counts of a comparison are used. A list that contradicts itself, a count that its list
 * contradicts, and hidden records are never taken for a loss: they are declared. Pure.
 */
import type {
  ChosenDepth,
  MissingRecord,
  Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import { describeUnlistedSource } from '../../../../jobs/importing/unknown-sides.ts';
import type { ComparedNumbers } from '../../../../jobs/migrations/comparing/three-way-comparison.ts';
import { describeContradictoryLists } from '../../../../jobs/migrations/comparing/unknown/contradictory-lists.ts';
import {
  describeHiddenIssues,
  describeHiddenOnSource,
  possiblyHiddenIssues,
} from '../../../../jobs/migrations/comparing/unknown/hidden-issues.ts';
import {
  describeRecordsOfGroups,
  possiblyFromGroups,
} from '../../../../jobs/migrations/comparing/losses/records-of-groups.ts';
import { withComparedNotes } from '../../../../jobs/migrations/comparing/notes/note-counts.ts';
import { invitationList } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { protectedRelations } from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import {
  describeUnconfirmedCounts,
  unconfirmedCounts,
  type UnconfirmedCount,
  withoutUntrusted,
} from '../../../../jobs/migrations/comparing/unknown/trusted-counts.ts';
import type { ExportMoment } from '../export-moment.ts';
import type { ArchiveSide, SourceSide, TargetSide } from './fetching-sides.ts';

interface ListedSides {
  moment: Pick<ExportMoment, 'requestedAt' | 'newestLabelId'>;
  archiveRecords: ArchiveSide;
  source: SourceSide | null;
  target: TargetSide;
  failures: readonly unknown[];
  depth: ChosenDepth;
  /** Counts around the export that a comparison of numbers could not confirm. */
  unconfirmed?: readonly UnconfirmedCount[];
}

export interface CheckedLists {
  /** The counts without those that are not used, and with the verdicts that follow. */
  counts: ComparedNumbers;
  /** Relations whose counts around the export are not used. */
  unconfirmed: ReadonlySet<string>;
  hidden: MissingRecord[];
  /** Relations that have no row of counts and that the source did not list. */
  notListedOnSource: string[];
  unproven: string[];
  declared: string[];
}

/** @param mayHaveChanged true if the source was edited, or may have been edited, after its export began. */
export function checkLists(
  counts: Reconciliation,
  sides: ListedSides,
  mayHaveChanged: boolean,
): CheckedLists {
  const { source, archiveRecords, target, moment, failures } = sides;
  const hidden = hiddenIssues(sides);
  const unconfirmed =
    archiveRecords === null
      ? (sides.unconfirmed ?? [])
      : unconfirmedCounts(counts.rows, {
          source: source?.listed ?? null,
          archive: archiveRecords.records,
          exportedAt: moment.requestedAt,
          newestLabelId: moment.newestLabelId,
          mayHaveChanged,
        });
  const sourceLists = source?.contradictoryLists ?? [];
  const contradictory = [...sourceLists, ...target.contradictoryLists];
  const fromGroups = possiblyFromGroups(counts.rows, target.recordsOfGroups ?? {});
  const trusted = withoutUntrusted(counts.rows, {
    unconfirmed,
    source: relationsOf(sourceLists),
    target: relationsOf([...target.contradictoryLists, ...hidden, ...fromGroups]),
  });
  const rows =
    sides.depth === 'contents'
      ? withComparedNotes(trusted, {
          source: source?.listed ?? null,
          archive: archiveRecords?.records ?? {},
          incomplete: source?.comparedNotes.incomplete ?? [],
          uncomparedCount: source?.comparedNotes.uncomparedCount ?? 0,
          exportedAt: moment.requestedAt,
        })
      : trusted;
  const notListedOnSource = source === null ? [] : unlistedRelations(source);
  return {
    counts: { at: counts.at, rows, hasOpenFailures: failures.length > 0 },
    unconfirmed: relationsOf(unconfirmed),
    hidden,
    notListedOnSource,
    unproven: [...notListedOnSource, ...relationsOf(contradictory)],
    declared: [
      ...describeContradictoryLists(contradictory),
      ...describeUnlistedSource(source === null || sides.depth === 'counts' ? [] : onlyCounted(source, rows)),
      ...(source === null ? [] : describeUnconfirmedCounts(source.instance, unconfirmed)),
      ...describeRecordsOfGroups(fromGroups),
      ...describeHiddenIssues(target.instance, hidden),
      ...describeHiddenOnSource(source?.instance ?? '', hiddenOnSource(sides)),
    ],
  };
}

/** Returns the confidential issues that the account might not see on the target. */
const hiddenIssues = ({
  archiveRecords,
  target,
}: Pick<ListedSides, 'archiveRecords' | 'target'>): MissingRecord[] =>
  possiblyHiddenIssues({
    archive: archiveRecords?.records.issues ?? [],
    listed: target.listed.issues,
    administrator: target.administrator,
    accessLevel: target.details.project.accessLevel,
  });

/** Returns the archived confidential issues that the account might not see on the source. */
const hiddenOnSource = ({ archiveRecords, source }: ListedSides): MissingRecord[] =>
  source === null
    ? []
    : possiblyHiddenIssues({
        archive: archiveRecords?.records.issues ?? [],
        listed: source.listed.issues,
        administrator: source.administrator,
        accessLevel: source.details.project.accessLevel,
      });

const relationsOf = (entries: readonly { relation: string }[]): ReadonlySet<string> =>
  new Set(entries.map(({ relation }) => relation));

const onlyCounted = ({ listed, contradictoryLists }: SourceSide, rows: Reconciliation['rows']): string[] =>
  comparedRelations.filter(
    (relation) =>
      listed[relation] === null &&
      !relationsOf(contradictoryLists).has(relation) &&
      rows.some((row) => row.relation === relation && row.source !== null),
  );

const unlistedRelations = ({ members, invitations, protectedRefs }: SourceSide): string[] => [
  ...(members === null ? ['project_members'] : []),
  ...(invitations === null ? [invitationList] : []),
  ...protectedRelations.filter((relation) => protectedRefs[relation] === null),
];
