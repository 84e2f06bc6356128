/** @file The newest runs of a plan, and which runs were interrupted: one line each, with how it ended. */
import { hasEnded } from '../../../../src-contract/runs/job.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { formatDuration, formatTime } from '../terminal/format.ts';
import type { Session } from '../running/session.ts';
import { jobCountTexts } from '../runs/job-words.ts';
import { outcomeText } from './plan-text.ts';

const shownRuns = 10;
/** How many runs of all plans are searched, in pages. */
const pageSize = 100;
const maxPages = 10;

/** Returns at most ten runs, newest first. */
export async function newestRuns(session: Session, planId: string): Promise<Run[]> {
  const found: Run[] = [];
  let before: string | null = null;
  for (let page = 0; page < maxPages && found.length < shownRuns; page += 1) {
    const { runs, next }: { runs: Run[]; next: string | null } = await session.client.call('run.list', {
      before,
      limit: pageSize,
    });
    found.push(...runs.filter((run) => run.planId === planId));
    if (next === null) break;
    before = next;
  }
  return found.slice(0, shownRuns);
}

/** Returns the ids of last runs with an interrupted job while no job of them is running. */
export async function interruptedOf(session: Session, plans: readonly PlanStatus[]): Promise<Set<string>> {
  const interrupted = new Set<string>();
  for (const { lastRun } of plans) {
    if (lastRun?.outcome !== 'running') continue;
    const { runId } = lastRun;
    const { jobs } = await session.client.call('job.list', { runId, limit: 500 });
    const states = jobs.map(({ state }) => state).filter((state) => !hasEnded(state));
    const isInProgress = states.some(({ status }) => status === 'running' || status === 'cancelling');
    const waits = states.some((state) => state.status === 'waiting' && state.reason === 'interrupted');
    if (waits && !isInProgress) interrupted.add(runId);
  }
  return interrupted;
}

/** Returns a heading and a line for each run, with its warnings; nothing if there are no runs. */
export function runsText(runs: readonly Run[], interrupted: ReadonlySet<string>): string[] {
  if (runs.length === 0) return [];
  const lines = runs.map((run) => {
    const how = interrupted.has(run.id) ? 'interrupted' : outcomeText(run.outcome);
    const why = run.skippedWhy ?? run.notes.find(({ severity }) => severity === 'warning')?.message;
    const { createdAt, endedAt, bytes } = run;
    const took =
      endedAt === null
        ? `run ${run.id}`
        : `took ${formatDuration(Date.parse(endedAt) - Date.parse(createdAt))}`;
    const facts =
      Object.keys(run.jobs).length === 0 ? [] : [took, ...(bytes > 0 ? [formatBytes(bytes)] : [])];
    const said = run.skippedWhy === null ? [how, ...jobCountTexts(run.jobs), ...facts].join(', ') : 'skipped';
    const asked = run.manual ? 'by hand, ' : '';
    return `  ${formatTime(run.createdAt)}  ${asked}${said}${why === undefined ? '' : `. ${why}`}`;
  });
  return ['', 'Newest runs:', ...lines];
}
