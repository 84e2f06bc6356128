/**
 * @file Compares a migrated project: asks its source, its archive and its target, and names the missing
 * records.
 */
import { AppError } from '../../../../src-contract/errors.ts';
import type { Inspection, ProjectCounts } from '../../../../src-contract/archives/archive.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { projectSettings } from '../../../archive/records/project-attributes.ts';
import type { RecordIndex } from '../../../archive/records/record-index.ts';
import type { JobStore } from '../../../catalogue/runs/jobs.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { ProjectMigrations } from '../../../catalogue/migrations/project-migrations.ts';
import type { MigrationsPort as CoordinatorPort } from '../../../jobs/migrations/migration-ports.ts';
import { withKnownLosses, type AskedNow } from '../../../jobs/migrations/comparing/known-losses.ts';
import { countsOfListed } from '../../../jobs/migrations/comparing/three-ways.ts';
import { archivedRecords, hasChangesCount } from './archived-records.ts';
import {
  askSource,
  askTarget,
  sourceGoneReason,
  sourceUnreachableReason,
  type AskedSource,
  type ComparedRemote,
} from './asking.ts';
import { exportMoment, changeAfterExport } from './export-moment.ts';
import { compareSides, type Sides } from './sides.ts';

export interface ComparingParts {
  store: ProjectMigrations;
  jobs: JobStore;
  connect(instance: string): ComparedRemote;
  /** Compares the numbers of the source around the export, the archive and the target. */
  reconcile(
    path: string,
    target: ProjectCounts,
    openFailures: number,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
  /** Null where the archive has no index that can be relied on. */
  withIndex<T>(path: string, signal: AbortSignal, use: (index: RecordIndex) => Promise<T>): Promise<T | null>;
  /** The inspection from when the archive was stored. */
  inspectionOf(archiveId: string): Inspection;
  /** Open failures of that import, with the lines they are about. */
  openFailures(importJob: string): { relation: string | null; line: number | null }[];
}

/**
 * Stores the comparison of an imported project, and whether its source was changed after the export had
 * begun.
 */
export function createComparing(parts: ComparingParts): CoordinatorPort['compare'] {
  const { store } = parts;
  return async (id, sourceId, signal, mayDoWithoutSource) => {
    const project = store.project(id, String(sourceId));
    const { archive, sides } = await ask(parts, id, project, signal, mayDoWithoutSource);
    const { source, target, failures, moment } = sides;
    const numbers = await parts.reconcile(
      archive.path,
      countsOfListed(target.listed),
      failures.length,
      signal,
    );
    const since = changeAfterExport(source?.details.project.lastActivityAt ?? null, moment.at);
    // The result of an earlier comparison is kept for a source that cannot be asked now.
    const known = (project.changedSince ?? 0) > moment.at ? project.changedSince : null;
    const changedSince = source === null ? known : since.changedSince;
    const compared = compareSides(numbers, sides, changedSince, since.declared);
    const reconciliation = withKnownLosses(compared, store.reconciliation(id, sourceId), askedNow(sides));
    store.noteChangedSince(id, sourceId, changedSince);
    store.keepReconciliation(id, sourceId, reconciliation);
  };
}

function askedNow({ source, target }: Sides): AskedNow {
  const { listed, members, uploads, protectedRefs } = source ?? {};
  const lists: Record<string, unknown> = { ...listed, ...protectedRefs, project_members: members, uploads };
  return {
    wasAsked: (relation) => source !== null && lists[relation] !== null,
    settingNow: (attribute) => String(target.details.attributes[attribute]),
  };
}

async function ask(
  parts: ComparingParts,
  id: string,
  project: StoredProject,
  signal: AbortSignal,
  mayDoWithoutSource: boolean,
) {
  const { draft } = parts.store.get(id);
  const { exportJob, importJob, archive, target: place } = movedBy(project);
  const moment = exportMoment(parts.jobs.outputs(exportJob));
  const held = await parts.withIndex(archive.path, signal, archivedRecords);
  const asking = {
    connect: (instance: string) => parts.connect(instance),
    isTold: async (line: number) =>
      (await parts.withIndex(archive.path, signal, (index) => hasChangesCount(index, line))) ?? false,
    ...{ held, signal },
  };
  let source: AskedSource | null = null;
  let withoutSource: string | null = null;
  try {
    source = await askSource({ ...asking, instance: draft.source, projectId: project.sourceId }, moment.at);
  } catch (thrown) {
    const error = AppError.from(thrown);
    withoutSource =
      sourceGoneReason(error) ?? (mayDoWithoutSource ? sourceUnreachableReason(draft.source, error) : null);
    if (signal.aborted || withoutSource === null) throw thrown;
  }
  const target = await askTarget({ ...asking, instance: draft.target, projectId: place.id });
  const sides: Sides = {
    ...{ moment, held, source, withoutSource, target },
    archivedSettings: await parts.withIndex(archive.path, signal, projectSettings),
    inspection: parts.inspectionOf(archive.id),
    failures: parts.openFailures(importJob),
    overrides: { ...draft.overrideParams, ...project.placement.overrideParams },
    name: project.placement.name,
    mark: isMarkOurs(project) ? 'ours' : null,
  };
  return { archive, sides };
}

/** Packhorse marked the source before the export, or may have. */
const isMarkOurs = ({ jobs, leftMarked }: StoredProject): boolean =>
  leftMarked || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

function movedBy({ jobs, archive, target, sourcePath }: StoredProject) {
  if (archive === null || target === null || jobs.export === undefined || jobs.import === undefined) {
    throw new AppError('internal', `${sourcePath} was not imported.`);
  }
  return { exportJob: jobs.export.jobId, importJob: jobs.import.jobId, archive, target };
}
