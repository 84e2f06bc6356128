/**
 * @file Fetches the sides of a comparison of numbers: the details of the project, and the totals of its lists. The source
 * was counted around the export, so its lists are read only if one of these counts shows a loss.
 */
import { listedRelations, mapCountedRelations, noteRowOf } from '../../../../../src-contract/relations.ts';
import type { ProjectCounts } from '../../../../../src-contract/archives/archive.ts';
import type { Comparison } from '../../../../../src-contract/transfers/import.ts';
import type { RecordTotals } from '../../../../gitlab/projects/record-totals.ts';
import type { ListedRecords } from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import type { UnconfirmedCount } from '../../../../jobs/migrations/comparing/unknown/trusted-counts.ts';
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import {
  detailOptions,
  withInstanceInErrors,
  type FetchedProject,
  type SideRequest,
  type SourceSide,
  type TargetSide,
} from './fetching-sides.ts';
import { noLostChanges } from '../one-by-one/merge-request-changes.ts';
import { noNotes } from '../one-by-one/record-notes.ts';
import { noUnreadParts } from '../one-by-one/record-parts.ts';

const noLists = Object.fromEntries(comparedRelations.map((relation) => [relation, null])) as ListedRecords;

/** The rows that `totals` counts. */
export const countsOfTotals = ({ totals }: RecordTotals): ProjectCounts =>
  mapCountedRelations(
    (relation) => totals[relation],
    (relation) => totals[noteRowOf(relation) ?? relation],
  );

export function countTarget(
  request: SideRequest,
  importedAt: number,
): Promise<{ target: TargetSide; counted: RecordTotals }> {
  return withInstanceInErrors(request.instance, async () => {
    const project = await fetchDetails(request);
    const counted = await request.connect(request.instance).recordTotals(request.projectId, request.signal);
    const target: TargetSide = {
      ...{ ...project, contradictoryLists: contradictionsOf(request, counted), importedAt },
      // Nothing that depends on the account is compared.
      ...{ administrator: true, account: '', missingMembersWithAccount: new Set(), lfsObjects: null },
      recordsOfGroups: counted.ofGroups,
    };
    return { target, counted };
  });
}

/** @param rows the comparison of the counts around the export with the archive and the target. */
export function countSource(
  request: SideRequest,
  rows: readonly Comparison[],
): Promise<{ source: SourceSide; unconfirmed: UnconfirmedCount[] }> {
  return withInstanceInErrors(request.instance, async () => {
    const source: SourceSide = { ...(await fetchDetails(request)), administrator: true };
    const losses = listedRelations.flatMap((relation) => {
      const row = rows.find((one) => one.relation === relation);
      const [counted, archived] = [row?.source ?? 0, row?.archive ?? 0];
      return counted > archived ? [{ relation, counted, archived }] : [];
    });
    if (losses.length === 0) return { source, unconfirmed: [] };
    const now = await request.connect(request.instance).recordTotals(request.projectId, request.signal);
    const unconfirmed = losses.flatMap((loss): UnconfirmedCount[] => {
      const known = now.totals[loss.relation];
      return known === null || known >= loss.counted ? [] : [{ ...loss, known, hasTimes: true }];
    });
    const doubted = contradictionsOf(request, now).filter(({ relation }) =>
      losses.some((loss) => loss.relation === relation),
    );
    return { source: { ...source, contradictoryLists: doubted }, unconfirmed };
  });
}

async function fetchDetails({ connect, instance, projectId, signal }: SideRequest): Promise<FetchedProject> {
  const details = await connect(instance).projectReads.details(String(projectId), detailOptions, signal);
  return {
    ...{ instance, details, listed: noLists, members: null, invitations: null, uploads: null },
    protectedRefs: {
      ...{ protected_branches: null, protected_tags: null },
      ...{ protected_environments: null, approval_rules: null },
    },
    groupRecords: { labels: null, milestones: null },
    ...{ contradictoryLists: [], unexportedPipelines: [] },
    ...{ wikiPages: details.statistics?.['wiki_size'] === 0 ? [] : null },
    lostChanges: noLostChanges(),
    avatar: { isSet: false, sha256: null },
    comparedUploads: { missing: [], unread: { count: 0, bytes: 0, titles: new Set() } },
    ...{ comparedNotes: noNotes, unreadParts: noUnreadParts },
  };
}

const contradictionsOf = ({ instance }: SideRequest, { contradictions }: RecordTotals) =>
  contradictions.map((contradiction) => ({ instance, ...contradiction }));
