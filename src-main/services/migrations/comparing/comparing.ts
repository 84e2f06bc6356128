/** @file Compares a migrated project: reads its source, archive and target, and names the missing records. */
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { projectSettings } from '../../../archive/records/project-attributes.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { RequestCount } from '../../../jobs/ports.ts';
import type { MigrationsPort } from '../../../jobs/migrations/migration-ports.ts';
import {
  withKnownLosses,
  type LaterComparison,
} from '../../../jobs/migrations/comparing/losses/known-losses.ts';
import { countsOfListed } from '../../../jobs/migrations/comparing/three-way-comparison.ts';
import {
  countingRequests,
  expectedRequests,
  requestCounter,
  type ComparisonProgress,
} from './comparison-progress.ts';
import { readArchivedProject } from './archived-records.ts';
import {
  fetchSource,
  fetchTarget,
  sourceGoneReason,
  sourceUnreachableReason,
  type SourceSide,
  type TargetSide,
} from './fetching-sides.ts';
import { exportMoment, changeAfterExport, importEnd } from './export-moment.ts';
import { hiddenIssues } from './checked-lists.ts';
import { compareContents } from './compare-contents.ts';
import { compareSides, type Sides } from './sides.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import type { ArchiveIndex } from '../../../catalogue/archives/archive-index.ts';
import type { ArchiveContents } from '../../archives/archive-contents.ts';
import type { RecordAccess } from '../../archives/record-access.ts';
import type { Connections } from '../../instances/connections.ts';

export interface ComparingDeps extends Pick<
  SharedDeps,
  'clock' | 'jobs' | 'importFailures' | 'projectMigrations'
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
  return async (id, sourceId, signal, isSourceOptional) => {
    const project = projectMigrations.project(id, String(sourceId));
    const { archive, sides } = await deps.progress.follow(id, sourceId, (report) =>
      fetchSides(deps, id, project, signal, isSourceOptional, report),
    );
    const { source, target, failures, moment } = sides;
    const counts = await deps.contents.reconcile(
      archive.path,
      countsOfListed(target.listed),
      failures.length,
      signal,
    );
    const sourceChange = changeAfterExport(
      source?.details.project.lastActivityAt ?? null,
      moment.requestedAt,
    );
    // If the source cannot be read now, the result of an earlier comparison stays.
    const earlierChange = (project.changedSince ?? 0) > moment.requestedAt ? project.changedSince : null;
    const changedSince = source === null ? earlierChange : sourceChange.changedSince;
    const compared = compareSides(counts, sides, changedSince, sourceChange.declared);
    const reconciliation = withKnownLosses(
      compared,
      projectMigrations.reconciliation(id, sourceId),
      toLaterComparison(sides),
    );
    projectMigrations.recordSourceChange(id, sourceId, changedSince);
    projectMigrations.saveReconciliation(id, sourceId, reconciliation);
  };
}

function toLaterComparison({ source, target, archiveRecords }: Sides): LaterComparison {
  return {
    wasReadFromSource: (relation) => source !== null && listsOf(source)[relation] !== null,
    // Pages of a wiki are compared with the source.
    wasReadFromTarget: (relation) =>
      relation === 'wiki'
        ? (source?.wikiPages ?? null) !== null && target.wikiPages !== null
        : listsOf(target)[relation] !== null,
    targetSetting: (attribute) => String(target.details.attributes[attribute]),
    hidden: hiddenIssues({ archiveRecords, target }),
  };
}

const listsOf = ({
  listed,
  members,
  uploads,
  protectedRefs,
}: SourceSide | TargetSide): Record<string, unknown> => ({
  ...{ ...listed, ...protectedRefs, project_members: members, uploads },
});

async function fetchSides(
  deps: ComparingDeps,
  id: string,
  project: StoredProject,
  signal: AbortSignal,
  isSourceOptional: boolean,
  report: (count: RequestCount) => void,
) {
  const { draft } = deps.projectMigrations.get(id);
  const { exportJob, importJob, archive, target: targetProject } = requireImport(project);
  const moment = exportMoment(deps.jobs.outputs(exportJob));
  const archiveRecords = await deps.records.withIndex(archive.path, signal, (index) =>
    readArchivedProject(index, signal),
  );
  const onRequest = requestCounter(deps.clock, 2 * expectedRequests(archiveRecords), report);
  const fetchParts = {
    connect: (instance: string) => countingRequests(deps.connections.forInstance(instance), onRequest),
    ...{ archive: archiveRecords, signal },
  };
  let source: SourceSide | null = null;
  let noSourceReason: string | null = null;
  try {
    source = await fetchSource(
      { ...fetchParts, instance: draft.source, projectId: project.sourceId },
      moment.requestedAt,
    );
  } catch (thrown) {
    const error = AppError.from(thrown);
    noSourceReason =
      sourceGoneReason(error) ?? (isSourceOptional ? sourceUnreachableReason(draft.source, error) : null);
    if (signal.aborted || noSourceReason === null) throw thrown;
  }
  const target = await fetchTarget(
    { ...fetchParts, instance: draft.target, projectId: targetProject.id },
    importEnd(deps.jobs.outputs(importJob)),
    (source?.wikiPages ?? []).length > 0,
  );
  const earlier = deps.projectMigrations.reconciliation(id, project.sourceId);
  const { inspection } = deps.index.manifest(archive.id);
  const sides: Sides = {
    ...{ moment, archiveRecords, source, noSourceReason, target },
    contents: compareContents(
      { moment, archiveRecords, source, target, inspection },
      {
        isPrompt: earlier === null && isPrompt(deps.clock.now(), deps.jobs.get(importJob)),
        knownLosses: earlier?.missing ?? [],
      },
    ),
    archivedSettings: await deps.records.withIndex(archive.path, signal, projectSettings),
    inspection,
    failures: deps.importFailures.listOpen(importJob),
    overrides: { ...draft.overrideParams, ...project.placement.overrideParams },
    requestedName: project.placement.name,
    isArchivedByUs: isArchivedByUs(project),
  };
  return { archive, sides };
}

/** Returns whether Packhorse archived the source before the export, or may have done so. */
const isArchivedByUs = ({ jobs, mayBeArchivedByUs }: StoredProject): boolean =>
  mayBeArchivedByUs || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

/** Nobody is expected to edit a project within this time after its import. */
const promptMs = 15 * 60_000;

/** Returns whether the import ended just now. Otherwise records without a time may have been edited meanwhile. */
const isPrompt = (now: number, importJob: StoredJob | null): boolean =>
  importJob !== null && now - importJob.updatedAt < promptMs;

function requireImport({ jobs, archive, target, sourcePath }: StoredProject) {
  if (archive === null || target === null || jobs.export === undefined || jobs.import === undefined) {
    throw new AppError('internal', `${sourcePath} was not imported.`);
  }
  return { exportJob: jobs.export.jobId, importJob: jobs.import.jobId, archive, target };
}
