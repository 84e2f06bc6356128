/** @file Finds the runs of plans that ended since the last poll, with their problems. Reports each run once. Pure. */
import type { Finding } from '../archives/archive.ts';
import type { Job } from './job.ts';
import type { Run } from './run.ts';

/** A notification about a run that has ended, or about warnings that were added afterwards. */
export interface RunNotification {
  run: Run;
  kind: 'end' | 'notes';
  /** Warnings in the notes of the run that were not reported before. */
  warnings: string[];
}

export class PlanRunNotifications {
  /** Runs that were created before this time and had ended at the first poll are not reported. Epoch milliseconds. */
  readonly #since: number;
  /** Runs that were in progress at an earlier poll, or whose final steps, such as the heartbeat, are not done. */
  readonly #openRunIds = new Set<string>();
  /** Number of reported warnings by ended run. */
  readonly #reportedWarnings = new Map<string, number>();

  constructor(since: number) {
    this.#since = since;
  }

  /** The runs that the next list must include. */
  get openRunIds(): ReadonlySet<string> {
    return this.#openRunIds;
  }

  /** Returns the notifications for the present runs, given newest first and including those of `openRunIds`. */
  findNew(runs: readonly Run[]): RunNotification[] {
    return runs.toReversed().flatMap((run) => {
      const { id, planId, skippedWhy, outcome, notes, createdAt } = run;
      if (planId === null || skippedWhy !== null) return [];
      if (outcome === 'running') {
        this.#openRunIds.add(id);
        return [];
      }
      const reportedCount = this.#reportedWarnings.get(id);
      const isNews =
        reportedCount !== undefined || this.#openRunIds.has(id) || Date.parse(createdAt) >= this.#since;
      if (notes.some(({ awaits }) => awaits !== undefined)) this.#openRunIds.add(id);
      else this.#openRunIds.delete(id);
      const all = notes.filter(({ severity }) => severity === 'warning');
      this.#reportedWarnings.set(id, all.length);
      const warnings = all.slice(reportedCount ?? 0).map(({ message }) => message);
      if (!isNews || (reportedCount !== undefined && warnings.length === 0)) return [];
      return [{ run, kind: reportedCount === undefined ? 'end' : 'notes', warnings }];
    });
  }
}

/** Returns the projects whose archive from a run contains much less than earlier ones, with the finding. */
export function shrunkArchives(jobs: readonly Job[]): { project: string; finding: Finding }[] {
  return jobs.flatMap(({ project, state }) => {
    const found =
      state.status === 'succeeded' ? state.warnings.find(({ code }) => code === 'archive-shrank') : undefined;
    return found === undefined ? [] : [{ project, finding: found }];
  });
}

/** Returns why a run of a plan did not start, and whether a user cancelled it; null if it started. */
export function reasonNotStarted({ jobs, notes }: Run): { message: string; isCancelled: boolean } | null {
  if (Object.keys(jobs).length > 0) return null;
  const note = notes.find(({ error }) => error !== undefined);
  return note === undefined ? null : { message: note.message, isCancelled: note.error?.code === 'cancelled' };
}
