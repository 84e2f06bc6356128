/** @file Compares a migrated project: reads its source, archive and target, and names the missing records. */
import { join } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ProjectCounts } from '../../../../src-contract/archives/archive.ts';
import {
  chosenDepths,
  coveredBy,
  greatestDepth,
  type ChosenDepth,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import { projectSettings } from '../../../archive/records/project-attributes.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { RequestCount } from '../../../jobs/ports.ts';
import type { MigrationsPort } from '../../../jobs/migrations/migration-ports.ts';
import { withKnownLosses } from '../../../jobs/migrations/comparing/losses/known-losses.ts';
import { comparisonHistory } from '../../../jobs/migrations/comparing/comparison-history.ts';
import { knownSourceSettings } from '../../../jobs/migrations/comparing/settings/source-settings.ts';
import { hasErrorTracking } from '../../../jobs/migrations/comparing/settings/error-tracking.ts';
import { countsOfListed } from '../../../jobs/migrations/comparing/three-way-comparison.ts';
import {
  countingRequests,
  expectedRequests,
  requestCounter,
  type ComparisonProgress,
} from './comparison-progress.ts';
import { visibilityLimitsOf } from './visibility-limits.ts';
import { readArchivedProject } from './sides/archived-records.ts';
import {
  fetchSource,
  fetchTarget,
  sourceGoneReason,
  sourceUnreachableReason,
} from './sides/fetching-sides.ts';
import { countSource, countTarget, countsOfTotals } from './sides/counting-sides.ts';
import { importEnd } from '../../../jobs/importing/import-outputs.ts';
import { exportMoment, sourceChange, type SourceChange } from './export-moment.ts';
import { compareContents } from './sides/compare-contents.ts';
import { withSmallHeap } from '../../../platform/memory.ts';
import { withKeptReplies, type KeepReplies } from './one-by-one/kept-replies.ts';
import { compareSides } from './sides/compare-sides.ts';
import { toLaterComparison } from './sides/later-comparison.ts';
import type { Sides } from './sides/compared-sides.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import type { ArchiveIndex } from '../../../catalogue/archives/archive-index.ts';
import type { ArchiveContents } from '../../archives/archive-contents.ts';
import type { RecordAccess } from '../../archives/record-access.ts';
import type { Connections } from '../../instances/connections.ts';

export interface ComparingDeps extends Pick<
  SharedDeps,
  'clock' | 'jobs' | 'importFailures' | 'paths' | 'projectMigrations'
> {
  connections: Connections;
  contents: ArchiveContents;
  records: RecordAccess;
  index: ArchiveIndex;
  progress: ComparisonProgress;
}

/** Compares an imported project. Stores the result, and the time at which its source changed after the export began. */
export function createCompare(deps: ComparingDeps): MigrationsPort['compare'] {
  const { projectMigrations } = deps;
  const compare = async (
    { id, sourceId, ...request }: ComparisonRequest,
    keepReplies: KeepReplies,
  ): Promise<Compared> => {
    const project = projectMigrations.project(id, String(sourceId));
    const earlier = projectMigrations.reconciliation(id, sourceId);
    const { counts, sides, change } = await deps.progress.follow(id, sourceId, (report) =>
      fetchSides(deps, id, project, { ...request, keepReplies, report }),
    );
    const { changedSince, mayHaveChanged } = change;
    const compared = compareSides(counts, sides, change);
    const { sourceSettings } = sides;
    const later = toLaterComparison(sides, changedSince, mayHaveChanged);
    const reconciliation = withKnownLosses(compared, earlier, later);
    return {
      changedSince,
      reconciliation:
        Object.keys(sourceSettings).length === 0 ? reconciliation : { ...reconciliation, sourceSettings },
    };
  };
  const compareByContents = (request: ComparisonRequest): Promise<Compared> => {
    const { jobs } = projectMigrations.project(request.id, String(request.sourceId));
    const comparison = {
      name: `${request.id}-${request.sourceId}`,
      scope: [jobs.export?.jobId, jobs.import?.jobId],
    };
    const folder = join(deps.paths.dataFolder, 'comparisons');
    return withSmallHeap(() =>
      withKeptReplies(folder, deps.clock, comparison, (keepReplies) => compare(request, keepReplies)),
    );
  };
  return async (id, sourceId, signal, isSourceOptional, requestedDepth = 'counts') => {
    const { draft } = projectMigrations.get(id);
    // A comparison of less would forget what an earlier one found.
    const earlier = depthOf(projectMigrations.reconciliation(id, sourceId));
    const depth = greatestDepth(draft.compare, requestedDepth, earlier);
    const request = { id, sourceId, depth, signal, isSourceOptional };
    const { changedSince, reconciliation } =
      depth === 'contents' ? await compareByContents(request) : await compare(request, (_, remote) => remote);
    // Nothing is stored before the kept replies are deleted, so a comparison that follows does not use them.
    projectMigrations.recordSourceChange(id, sourceId, changedSince);
    projectMigrations.saveReconciliation(id, sourceId, reconciliation);
  };
}

interface Compared {
  /** Epoch milliseconds of the source's change after the export began; null without one. */
  changedSince: number | null;
  reconciliation: Reconciliation;
}

interface ComparisonRequest extends Pick<FetchOptions, 'depth' | 'signal' | 'isSourceOptional'> {
  id: string;
  sourceId: number;
}

/** Returns the depth that a comparison reached. */
function depthOf(comparison: Reconciliation | null): ChosenDepth {
  if (comparison === null) return 'counts';
  return chosenDepths.find((depth) => coveredBy[depth] === comparison.depth) ?? 'contents';
}

interface FetchOptions {
  depth: ChosenDepth;
  signal: AbortSignal;
  isSourceOptional: boolean;
  keepReplies: KeepReplies;
  report: (count: RequestCount) => void;
}

/** `counts` compares the counts around the export with those of the archive and of the target. */
async function fetchSides(
  deps: ComparingDeps,
  id: string,
  project: StoredProject,
  options: FetchOptions,
): Promise<{ counts: Reconciliation; sides: Sides; change: SourceChange }> {
  const { depth, signal, keepReplies } = options;
  const { draft } = deps.projectMigrations.get(id);
  const { exportJob, importJob, archive, target: targetProject } = requireImport(project);
  const moment = exportMoment(deps.jobs.outputs(exportJob));
  const archiveRecords =
    depth === 'counts'
      ? null
      : await deps.records.withIndex(archive.path, signal, (index) => readArchivedProject(index, signal));
  const archivedSettings = await deps.records.withIndex(archive.path, signal, projectSettings);
  const expected =
    expectedRequests(archiveRecords, depth, 'source') + expectedRequests(archiveRecords, depth, 'target');
  const onRequest = requestCounter(deps.clock, expected, options.report);
  const fetchParts = {
    connect: (instance: string) =>
      countingRequests(keepReplies(instance, deps.connections.forInstance(instance)), onRequest),
    ...{ archive: archiveRecords, depth, signal },
  };
  const sourceRequest = { ...fetchParts, instance: draft.source, projectId: project.sourceId };
  const targetRequest = { ...fetchParts, instance: draft.target, projectId: targetProject.id };
  const failures = deps.importFailures.listOpen(importJob);
  const importedAt = importEnd(deps.jobs.outputs(importJob));
  const compareCounts = (target: ProjectCounts): Promise<Reconciliation> =>
    deps.contents.compareCounts(archive.path, target, signal);
  let fetched: Pick<Sides, 'source' | 'target' | 'noSourceReason' | 'totals' | 'unconfirmed'>;
  let counts: Reconciliation;
  // Reading a large project takes longer than the time in which nobody is expected to edit the target.
  let targetReadFrom = deps.clock.now();
  if (depth === 'counts') {
    const { target, counted } = await countTarget(targetRequest, importedAt);
    counts = await compareCounts(countsOfTotals(counted));
    const { rows } = counts;
    const { found, noSourceReason } = await orReason(options, draft.source, countSource(sourceRequest, rows));
    const { source = null, unconfirmed = [] } = found ?? {};
    fetched = { source, target, noSourceReason, totals: counted.totals, unconfirmed };
  } else {
    const request = fetchSource(sourceRequest, moment.requestedAt);
    const { found: source, noSourceReason } = await orReason(options, draft.source, request);
    targetReadFrom = deps.clock.now();
    const target = await fetchTarget(targetRequest, importedAt, {
      wiki: depth === 'contents' && (source?.wikiPages ?? []).length > 0,
      errorTracking: hasErrorTracking(archivedSettings, source?.details.attributes ?? null),
    });
    counts = await compareCounts(countsOfListed(target.listed));
    fetched = { source, target, noSourceReason, totals: null };
  }
  const earlier = deps.projectMigrations.reconciliation(id, project.sourceId);
  const { inspection } = deps.index.manifest(archive.id);
  const endedAt = deps.jobs.get(importJob)?.updatedAt ?? null;
  const history = comparisonHistory(earlier, endedAt, targetReadFrom);
  const change = sourceChange(fetched.source, moment, project.changedSince);
  const sides: Sides = {
    ...{ ...fetched, ...history, moment, archiveRecords, depth, failures },
    unlistedFailures: deps.importFailures.unlisted(importJob),
    contents: compareContents({ ...fetched, moment, archiveRecords, depth, inspection }, change, history),
    ...{ archivedSettings, inspection, sourceSettings: knownSourceSettings(earlier) },
    visibilityLimits: await visibilityLimitsOf(
      targetRequest.connect(draft.target),
      archivedSettings,
      fetched.target,
      signal,
    ),
    overrides: { ...draft.overrideParams, ...project.placement.overrideParams },
    settingsMayBeEdited: false,
    requestedName: project.placement.name,
    isArchivedByUs: isArchivedByUs(project),
  };
  return { counts, sides, change };
}

/** Resolves with a reason instead of the source if the source is gone, or is optional and cannot be read. */
async function orReason<T>(
  { signal, isSourceOptional }: FetchOptions,
  instance: string,
  request: Promise<T>,
): Promise<{ found: T | null; noSourceReason: string | null }> {
  try {
    return { found: await request, noSourceReason: null };
  } catch (thrown) {
    const error = AppError.from(thrown);
    const noSourceReason =
      sourceGoneReason(error) ?? (isSourceOptional ? sourceUnreachableReason(instance, error) : null);
    if (signal.aborted || noSourceReason === null) throw thrown;
    return { found: null, noSourceReason };
  }
}

/** Returns whether Packhorse archived the source before the export, or may have done so. */
const isArchivedByUs = ({ jobs, mayBeArchivedByUs }: StoredProject): boolean =>
  mayBeArchivedByUs || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

function requireImport({ jobs, archive, target, sourcePath }: StoredProject) {
  if (archive === null || target === null || jobs.export === undefined || jobs.import === undefined) {
    throw new AppError('internal', `${sourcePath} was not imported.`);
  }
  return { exportJob: jobs.export.jobId, importJob: jobs.import.jobId, archive, target };
}
