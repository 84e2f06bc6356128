/** @file Repairs migrated projects: plans the requests that give the target what it lacks, and starts a job that sends them. */
import { AppError } from '../../../src-contract/errors.ts';
import type {
  PlannedRepair,
  Repair,
  RepairPlan,
  UnrepairableReason,
} from '../../../src-contract/migrations/repair.ts';
import { repairableRelations } from '../../../src-contract/migrations/repair.ts';
import type { ChangeInput } from '../../../src-contract/projects/change.ts';
import type { MissingRecord, Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { AssessedDifference } from '../../jobs/migrations/comparing/differences.ts';
import { differenceIdOf } from '../../jobs/migrations/comparing/differences.ts';
import type { Fields } from '../../jobs/migrations/comparing/contents/field-readers.ts';
import { repairOfRecord, repairOfSetting } from '../../jobs/migrations/repairing/planned-repairs.ts';
import type { ChangePort } from '../../jobs/projects/change-ports.ts';
import { valueOnError } from '../../gitlab/http/value-on-error.ts';
import type { RecordAccess } from '../archives/record-access.ts';
import type { JobService } from '../runs/job-service.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Differences } from './comparing/differences.ts';
import { findMigrationProject } from './placement/find-migration-project.ts';

export interface RepairDeps extends Pick<SharedDeps, 'announce' | 'migrationJobs' | 'projectMigrations'> {
  records: Pick<RecordAccess, 'records'>;
  changesOf(instance: string): Pick<ChangePort, 'record'>;
  differences: Pick<Differences, 'assess'>;
  enqueue: JobService['enqueue'];
  inTransaction<T>(work: () => T): T;
}

export function createRepairing(deps: RepairDeps) {
  const { projectMigrations, migrationJobs } = deps;

  const findImported = (reference: string, projectReference: string) => {
    const { id, draft } = projectMigrations.get(reference);
    const project = findMigrationProject(projectMigrations, id, projectReference);
    const reconciliation = projectMigrations.reconciliation(id, project.sourceId);
    const { archive, target } = project;
    if (archive === null || target === null || reconciliation === null) {
      throw new AppError(
        'invalid-input',
        `${project.sourcePath} was not imported and compared, or its archive is gone, so nothing can be repaired.`,
        {
          details: { wrong: 'state' },
        },
      );
    }
    return { id, draft, project, reconciliation, archive, target };
  };

  /** Returns a reader of lost records: in the archive if the import lost them, otherwise on the source. */
  const lostRecordReader =
    (archivePath: string, source: string, sourceId: number, signal: AbortSignal) =>
    async ({ relation: lostRelation, lost, line, iid, title }: MissingRecord): Promise<Fields | null> => {
      const relation = repairableRelations.find((each) => each === lostRelation);
      if (relation === undefined || relation === 'settings') return null;
      if (lost === 'on-import') {
        if (line === null) return null;
        const [record] = await deps.records.records(archivePath, [{ relation, line }], signal);
        if (record === undefined || record === null || record.truncated) return null;
        return JSON.parse(record.text) as Fields;
      }
      const key = iid === null ? title : String(iid);
      if (key === null) return null;
      // A source that is gone, or refuses the record, does not show the value.
      const found = deps.changesOf(source).record(sourceId, relation, key, signal);
      return valueOnError({ 'not-found': null, 'project-missing': null, forbidden: null }, found);
    };

  const plan = async (
    reference: string,
    projectReference: string,
    signal: AbortSignal,
  ): Promise<RepairPlan> => {
    const { id, draft, project, reconciliation, archive, target } = findImported(reference, projectReference);
    const readLostRecord = lostRecordReader(archive.path, draft.source, project.sourceId, signal);
    const repairs: PlannedRepair[] = [];
    const unrepairable: RepairPlan['unrepairable'] = [];
    for (const found of deps.differences.assess(id, project, reconciliation)) {
      if (found.open === 0) continue;
      const difference = differenceIdOf(id, project.sourceId, found);
      for (const repair of await repairsOf(found, reconciliation, readLostRecord)) {
        if (typeof repair === 'string') unrepairable.push({ difference, what: found.what, reason: repair });
        else repairs.push({ ...repair, difference, lost: found.lost, isGrave: found.isGrave });
      }
    }
    return {
      target: target.fullPath,
      repairs: repairs.toSorted((a, b) => rankOf(a) - rankOf(b)),
      unrepairable,
    };
  };

  return {
    /** Throws `migration-missing`, `project-missing`, and `invalid-input` if the project was not compared. */
    plan,
    /** Starts a job that sends the repairs of these differences, or of all. Throws like `plan`, and `job-busy`. */
    async start(
      reference: string,
      projectReference: string,
      differences: readonly string[] | null,
      signal: AbortSignal,
    ): Promise<{ runId: string; jobId: string }> {
      const { id, draft, project, target } = findImported(reference, projectReference);
      const planned = (await plan(reference, projectReference, signal)).repairs;
      const repairs = planned.filter(({ difference }) => differences?.includes(difference) ?? true);
      const unknown = differences?.find((ref) => !planned.some(({ difference }) => difference === ref));
      if (unknown !== undefined) {
        throw new AppError('invalid-input', `The difference ${unknown} is not open, or cannot be repaired.`);
      }
      if (repairs.length === 0) {
        throw new AppError('invalid-input', `Nothing on ${target.fullPath} can be repaired.`, {
          details: { wrong: 'state' },
        });
      }
      const input: ChangeInput = {
        change: { kind: 'repair', repairs: repairs.map(withoutDifference) },
        projectId: target.id,
        secret: null,
      };
      const { sourceId } = project;
      const started = deps.inTransaction(() => {
        const { runId, jobs, refused } = deps.enqueue({
          kind: 'change',
          request: { migration: id, sourceId, differences },
          jobs: [{ instance: draft.target, project: target.fullPath, input }],
        });
        const [job] = jobs;
        if (job === undefined) throw refused[0]?.error ?? new AppError('internal', 'Nothing was enqueued.');
        // The coordinator compares the project once this job has ended, as after a retry.
        migrationJobs.addRetry(id, sourceId, job.id);
        return { runId, jobId: job.id };
      });
      deps.announce('migration.changed', { migrationId: id });
      return started;
    },
  };
}

/** Repairs of grave differences come first, so that nothing stays too open. A setting that opens the project is last. */
function rankOf({ relation, isGrave }: PlannedRepair): number {
  const rank = repairableRelations.indexOf(relation);
  return isGrave ? rank - repairableRelations.length : rank;
}

/** Returns a repair, or the reason why there is none, for each part of the difference. */
async function repairsOf(
  { kind, relation, lost, places }: AssessedDifference,
  { missing, settings }: Reconciliation,
  readLostRecord: (loss: MissingRecord) => Promise<Fields | null>,
): Promise<(Repair | UnrepairableReason)[]> {
  if (kind === 'setting') {
    const setting = settings.find((each) => each.attribute === relation && each.lost === lost);
    return setting === undefined ? [] : [repairOfSetting(setting)];
  }
  if (kind !== 'record' && kind !== 'part') return ['no-name'];
  const losses = places.flatMap((place) => missing[place] ?? []);
  const [loss] = losses;
  // Several records with the same name cannot be distinguished.
  if (loss === undefined || losses.length > 1) return ['no-name'];
  return [repairOfRecord(loss, await readLostRecord(loss))];
}

const withoutDifference = ({ relation, key, field, expected, found, body }: PlannedRepair): Repair => ({
  ...{ relation, key, field, expected, found, body },
});
