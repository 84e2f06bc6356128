/** @file Finds the newest runs of a plan and the interrupted runs, and describes each run and its end in one line. */
import { hasEnded } from '../../../../src-contract/runs/job.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { formatDuration, formatTime } from '../terminal/format.ts';
import type { Session } from '../running/session.ts';
import { jobCountTexts } from '../runs/job-words.ts';
import { outcomeText } from './plan-text.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';

const maxShownRuns = 10;
/** The list contains the runs of all plans. At most `maxPages` pages of it are searched for the runs of one plan. */
const pageSize = 100;
const maxPages = 10;

export async function newestRuns(session: Session, planId: string): Promise<Run[]> {
  const found: Run[] = [];
  let before: string | null = null;
  for (let page = 0; page < maxPages && found.length < maxShownRuns; page += 1) {
    const reply: CallReply<'run.list'> = await session.client.call('run.list', { before, limit: pageSize });
    found.push(...reply.runs.filter((run) => run.planId === planId));
    before = reply.next;
    if (before === null) break;
  }
  return found.slice(0, maxShownRuns);
}

/** Returns the ids of the last runs that have an interrupted job and no running job. */
export async function interruptedRunIds(
  session: Session,
  plans: readonly PlanStatus[],
): Promise<Set<string>> {
  const interruptedIds = new Set<string>();
  for (const { lastRun } of plans) {
    if (lastRun?.outcome !== 'running') continue;
    const { runId } = lastRun;
    const { jobs } = await session.client.call('job.list', { runId, limit: 500 });
    const states = jobs.map(({ state }) => state).filter((state) => !hasEnded(state));
    const isRunning = states.some(({ status }) => status === 'running' || status === 'cancelling');
    const isInterrupted = states.some(
      (state) => state.status === 'waiting' && state.reason === 'interrupted',
    );
    if (isInterrupted && !isRunning) interruptedIds.add(runId);
  }
  return interruptedIds;
}

export function runsText(runs: readonly Run[], interruptedIds: ReadonlySet<string>): string[] {
  if (runs.length === 0) return [];
  const lines = runs.map((run) => {
    const outcome = interruptedIds.has(run.id) ? 'interrupted' : outcomeText(run.outcome);
    const reason = run.skippedWhy ?? run.notes.find(({ severity }) => severity === 'warning')?.message;
    const { createdAt, endedAt, bytes } = run;
    const duration =
      endedAt === null
        ? `run ${run.id}`
        : `took ${formatDuration(Date.parse(endedAt) - Date.parse(createdAt))}`;
    const facts =
      Object.keys(run.jobs).length === 0 ? [] : [duration, ...(bytes > 0 ? [formatBytes(bytes)] : [])];
    const summary =
      run.skippedWhy === null ? [outcome, ...jobCountTexts(run.jobs), ...facts].join(', ') : 'skipped';
    const prefix = run.manual ? 'manual, ' : '';
    return `  ${formatTime(run.createdAt)}  ${prefix}${summary}${reason === undefined ? '' : `. ${reason}`}`;
  });
  return ['', 'Newest runs:', ...lines];
}
