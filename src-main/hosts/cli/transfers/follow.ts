/** @file Follows the jobs of a run to their end: a status line on a terminal, a plain line per change elsewhere. */
import { hasEnded, type Job } from '../../../../src-contract/job.ts';
import { stepPlace, stepPlaceText } from '../../../../src-contract/job-steps.ts';
import { jobStateText, stepText } from './job-words.ts';
import { inPages } from '../terminal/pages.ts';
import { ProgressMeter } from '../terminal/progress.ts';
import type { Session } from '../running/session.ts';

/** After this it is worth saying that another process runs the jobs. */
const watchingMs = 2_000;
const pollIntervalMs = 100;
/** Where lines stay, how often one tells how far a slow transfer is. */
const tellProgressMs = 15_000;

/** Said once to whoever waits for jobs that another process runs. */
export const runsElsewhere =
  'Another Packhorse process runs the jobs of this data folder, these included; this command watches them.';

async function jobsOf(session: Session, runId: string): Promise<Job[]> {
  const { entries } = await inPages(Infinity, async (limit, before) => {
    const page = await session.client.call('job.list', { runId, before, limit });
    return { entries: page.jobs, next: page.next };
  });
  return entries.reverse();
}

/** Names the step of a job that runs. */
function describe(job: Job): string {
  const text = jobStateText(job.state);
  return job.state.status === 'running' && job.step !== null ? `${text} (${stepText(job)})` : text;
}

/** A line is worth writing when the reason for waiting changes, not at every look. */
const waitReason = (job: Job): string | null => (job.state.status === 'waiting' ? job.state.reason : null);

/** One line for all: how many have ended, and how far the first running one is. */
function statusLine(jobs: Job[], meters: Map<string, ProgressMeter>, now: number): string {
  const ended = jobs.filter((job) => hasEnded(job.state)).length;
  const share = jobs.length === 1 ? '' : `${ended} of ${jobs.length} · `;
  const active =
    jobs.find((job) => job.progress !== null) ??
    jobs.find((job) => job.state.status === 'running') ??
    jobs.find((job) => !hasEnded(job.state));
  if (active === undefined) return share;
  const meter = meters.get(active.id) ?? new ProgressMeter();
  meters.set(active.id, meter);
  const place = stepPlace(active);
  const step = place === null ? '' : `${stepPlaceText(place)} `;
  const how = active.progress === null ? describe(active) : `${step}${meter.line(active.progress, now)}`;
  return `${share}${active.project}: ${how}`;
}

/**
 * Runs the jobs of `runId` here (or watches whoever holds the lease run them) until all have ended, or have come as far
 * as `isEnough` says.
 * On Ctrl-C the jobs are stored as interrupted and `interrupted` is thrown; the same command resumes them.
 */
export async function followRun(
  session: Session,
  runId: string,
  isEnough: (job: Job) => boolean = () => false,
): Promise<Job[]> {
  const ids = new Set((await jobsOf(session, runId)).map((job) => job.id));
  session.app.startJobs((job) => ids.has(job.id), { runId });
  const told = new Map<string, string>();
  const tell = (job: Job, about: string | null): void => {
    if (about === null || told.get(job.id) === about) return;
    told.set(job.id, about);
    session.terminal.note(`${job.project}: ${describe(job)}`);
  };
  const lacking = new Set<string>();
  const tellMissingToken = ({ instance, state }: Job): void => {
    if (state.status !== 'waiting' || state.reason !== 'token-missing' || lacking.has(instance)) return;
    lacking.add(instance);
    session.terminal.note(
      `The process that runs the jobs has no token for "${instance}", and no process hands one to another. This command goes on` +
        ` with its own when that one ends; at once with a token in the keychain: packhorse instance set-token ${instance}`,
    );
  };
  const meters = new Map<string, ProgressMeter>();
  let toldProgressAt = session.clock.monotonic();
  const tellProgress = (jobs: readonly Job[]): void => {
    const now = session.clock.monotonic();
    if (now - toldProgressAt < tellProgressMs) return;
    toldProgressAt = now;
    for (const { id, project, progress } of jobs) {
      if (progress?.unit !== 'bytes') continue;
      const meter = meters.get(id) ?? new ProgressMeter();
      meters.set(id, meter);
      session.terminal.note(`${project}: ${meter.line(progress, now)}`);
    }
  };
  const startedAt = session.clock.monotonic();
  let watching = false;
  for (;;) {
    const jobs = await jobsOf(session, runId);
    for (const job of jobs) {
      const ended = hasEnded(job.state);
      // The end of a single job is the result of the command, which follows.
      if (ended && jobs.length > 1) {
        // What was passed over is listed in the result, too.
        if (job.state.status !== 'skipped') tell(job, 'ended');
      } else if (!ended && !session.terminal.interactive) tell(job, waitReason(job));
    }
    if (!session.terminal.interactive) tellProgress(jobs);
    if (jobs.every((job) => hasEnded(job.state) || isEnough(job))) {
      session.terminal.status(null);
      if ((await session.app.confirmStored(runId)) === 0) return jobs;
      const confirmed = await jobsOf(session, runId);
      for (const job of confirmed) if (job.state.status === 'failed') tell(job, 'lost');
      return confirmed;
    }
    const trouble = session.app.trouble();
    if (trouble !== null) throw trouble;
    if (!watching && !session.app.runsJobs() && session.clock.monotonic() - startedAt > watchingMs) {
      watching = true;
      session.terminal.note(runsElsewhere);
    }
    if (watching && !session.app.runsJobs()) for (const job of jobs) tellMissingToken(job);
    session.terminal.status(statusLine(jobs, meters, session.clock.monotonic()));
    // A look reads every job of the run, so a large run is looked at less often.
    await session.clock.sleep(pollIntervalMs + jobs.length, session.signal);
  }
}
