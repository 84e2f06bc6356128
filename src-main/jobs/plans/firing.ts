/** @file Creates the run of a plan that is due: a job for each chosen project, and notes about the others. */
import { errorText } from '../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { ExportInput } from '../../../src-contract/runs/job.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { RunNote } from '../../../src-contract/runs/run.ts';
import type { RunPreparation } from './hook-programs.ts';
import type { PlanRunsPort } from '../ports.ts';
import { outstandingAfterRunNotes } from './after-run.ts';
import { notBackedUpNotes } from './out-of-scope-projects.ts';
import type { SelectedProjects } from './selection.ts';
import type { Survey } from './survey.ts';

/** Creates the run for `dueAt`. Returns null and writes nothing if the plan has already fired for that time. */
export function startRun(
  runStore: PlanRunsPort,
  plan: StoredPlan,
  {
    chosen,
    skipped,
    departures,
    notes: scopeNotes,
  }: Pick<Survey, 'chosen' | 'skipped' | 'departures' | 'notes'>,
  dueAt: number,
  now: number,
  { runId, notes, takesPlace }: RunPreparation,
  { manual }: { manual: boolean } = { manual: false },
): ReturnType<PlanRunsPort['fire']> {
  const selectsByName = plan.selection.kind === 'projects';
  return runStore.fire(
    {
      ...firingOf(plan, runId, dueAt, now, manual),
      notes: [
        ...notes,
        // If the plan names its projects, every run reports which of them are missing.
        ...(takesPlace ? (selectsByName ? notBackedUpNotes(skipped) : scopeNotes) : []),
        ...(!selectsByName && takesPlace && chosen.length === 0 ? [emptySelectionNote(skipped)] : []),
        ...outstandingAfterRunNotes(plan),
      ],
      projects: takesPlace ? chosen : [],
      departures: takesPlace ? departures : [],
    },
    (takesPlace ? chosen : []).map(({ id, fullPath }) => ({
      instance: plan.instance,
      project: fullPath,
      input: { projectId: id, fullPath, keepExisting: false, planId: plan.id } satisfies ExportInput,
    })),
  );
}

/** Records that a requested run could not start. No hook program runs afterwards, and no heartbeat is sent. */
export function recordFailedStart(
  runStore: PlanRunsPort,
  plan: StoredPlan,
  error: ErrorData,
  now: number,
  runId: string,
): ReturnType<PlanRunsPort['fire']> {
  const content = { notes: [failedStartNote(error)], projects: [], departures: [] };
  return runStore.fire({ ...firingOf(plan, runId, now, now, true), ...content }, []);
}

const firingOf = (plan: StoredPlan, runId: string, dueAt: number, at: number, manual: boolean) => ({
  runId,
  planId: plan.id,
  dueAt,
  kind: 'export' as const,
  request: { instance: plan.instance, planId: plan.id, dueAt, manual },
  at,
});

export const failedStartNote = (error: ErrorData): RunNote => ({
  severity: 'warning',
  message: `The run could not start. ${errorText(error).what}`,
  error,
});

/** A plan that backs up nothing is probably a mistake. */
function emptySelectionNote(skipped: SelectedProjects['skipped']): RunNote {
  const message =
    skipped.length === 0
      ? 'Nothing was backed up: the plan covers no project.'
      : `Nothing was backed up: the account may export none of the plan's projects (${skipped.length}).`;
  return { severity: 'warning', message };
}
