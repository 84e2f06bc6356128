/** @file Finds the runs of plans that ended since the last poll, with their problems, each once. Pure. */
import type { Finding } from '../archives/archive.ts';
import type { Job } from './job.ts';
import type { Run } from './run.ts';

/** A run that has ended, or warnings that were added to it afterwards. */
export interface RunNotification {
  run: Run;
  about: 'end' | 'notes';
  /** Warnings in its notes that were not reported before. */
  warnings: string[];
}

export class PlanRunNotifications {
  /** Runs that were created earlier and had ended at the first poll are no news. Epoch milliseconds. */
  readonly #since: number;
  /** Runs that were seen in progress, or that have a step after their end still to do. */
  readonly #open = new Set<string>();
  /** How many warnings were reported for each run that has ended. */
  readonly #told = new Map<string, number>();

  constructor(since: number) {
    this.#since = since;
  }

  /** The runs that lists should reach back to. */
  get open(): ReadonlySet<string> {
    return this.#open;
  }

  /** Takes the present runs, newest first, including those of `open`. */
  findNew(runs: readonly Run[]): RunNotification[] {
    return runs.toReversed().flatMap((run) => {
      const { id, planId, skippedWhy, outcome, notes, createdAt } = run;
      if (planId === null || skippedWhy !== null) return [];
      if (outcome === 'running') {
        this.#open.add(id);
        return [];
      }
      const before = this.#told.get(id);
      const isNews = before !== undefined || this.#open.has(id) || Date.parse(createdAt) >= this.#since;
      if (notes.some(({ awaits }) => awaits !== undefined)) this.#open.add(id);
      else this.#open.delete(id);
      const all = notes.filter(({ severity }) => severity === 'warning');
      this.#told.set(id, all.length);
      const warnings = all.slice(before ?? 0).map(({ message }) => message);
      if (!isNews || (before !== undefined && warnings.length === 0)) return [];
      return [{ run, about: before === undefined ? 'end' : 'notes', warnings }];
    });
  }
}

/** Archives that a run stored and that hold much less than earlier ones, with the relations that shrank. */
export function shrunkOf(jobs: readonly Job[]): { project: string; finding: Finding }[] {
  return jobs.flatMap(({ project, state }) => {
    const found =
      state.status === 'succeeded' ? state.warnings.find(({ code }) => code === 'archive-shrank') : undefined;
    return found === undefined ? [] : [{ project, finding: found }];
  });
}

/** Why a run of a plan did not take place, and whether somebody requested that; null where it did. */
export function reasonNotStarted({ jobs, notes }: Run): { message: string; asked: boolean } | null {
  if (Object.keys(jobs).length > 0) return null;
  const note = notes.find(({ error }) => error !== undefined);
  return note === undefined ? null : { message: note.message, asked: note.error?.code === 'cancelled' };
}
