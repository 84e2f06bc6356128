/** @file Follows the jobs of a run to their end: a status line on a terminal, a plain line per change elsewhere. */
import { hasEnded, type Job } from '../../../../src-contract/runs/job.ts';
import { stepPosition, stepPositionText } from '../../../../src-contract/runs/job-steps.ts';
import { jobStateText, stepText } from './job-words.ts';
import { listJobs } from '../../reply-pages.ts';
import { ProgressMeter } from '../terminal/progress.ts';
import { followChanges } from '../running/follow-changes.ts';
import { jobOwnerTimeoutMs, type Session } from '../running/session.ts';

/** How often a plain line reports the progress of a slow transfer, if there is no status line. */
const progressIntervalMs = 15_000;

export const jobsRunElsewhereMessage =
  'Another Packhorse process runs these jobs. This command shows their progress.';

const jobsOf = async ({ client }: Session, runId: string): Promise<Job[]> =>
  (await listJobs(client, { runId })).reverse();

function describe(job: Job): string {
  const text = jobStateText(job.state);
  return job.state.status === 'running' && job.step !== null ? `${text} (${stepText(job)})` : text;
}

/** Returns the reason for waiting. A new line is written when the reason changes, not at every poll. */
const waitReason = (job: Job): string | null => (job.state.status === 'waiting' ? job.state.reason : null);

/** Returns one line for all jobs: how many have ended, and the progress of the first running one. */
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
  const place = stepPosition(active);
  const step = place === null ? '' : `${stepPositionText(place)} `;
  const how =
    active.progress === null ? describe(active) : `${step}${meter.formatLine(active.progress, now)}`;
  return `${share}${active.project}: ${how}`;
}

/**
 * Runs the jobs of `runId` here (or watches the process that holds the lease) until each has ended or satisfies
 * `shouldStop`. On Ctrl-C the jobs are stored as interrupted and `interrupted` is thrown; the same command resumes
 * them.
 */
export async function followRun(
  session: Session,
  runId: string,
  shouldStop: (job: Job) => boolean = () => false,
): Promise<Job[]> {
  const ids = new Set((await jobsOf(session, runId)).map((job) => job.id));
  session.app.startJobs((job) => ids.has(job.id), { runId });
  const reported = new Map<string, string>();
  const report = (job: Job, reason: string | null): void => {
    if (reason === null || reported.get(job.id) === reason) return;
    reported.set(job.id, reason);
    session.terminal.note(`${job.project}: ${describe(job)}`);
  };
  const instancesWithoutToken = new Set<string>();
  const reportMissingToken = ({ instance, state }: Job): void => {
    if (state.status !== 'waiting' || state.reason !== 'token-missing' || instancesWithoutToken.has(instance))
      return;
    instancesWithoutToken.add(instance);
    session.terminal.note(
      `The process that runs the jobs has no token for "${instance}", and processes do not share tokens. This command continues the jobs` +
        ` with its own token when that process ends. To continue at once, store a token in the keychain: packhorse instance set-token ${instance}`,
    );
  };
  const meters = new Map<string, ProgressMeter>();
  let progressReportedAt = session.clock.monotonic();
  const reportProgress = (jobs: readonly Job[]): void => {
    const now = session.clock.monotonic();
    if (now - progressReportedAt < progressIntervalMs) return;
    progressReportedAt = now;
    for (const { id, project, progress } of jobs) {
      if (progress?.unit !== 'bytes') continue;
      const meter = meters.get(id) ?? new ProgressMeter();
      meters.set(id, meter);
      session.terminal.note(`${project}: ${meter.formatLine(progress, now)}`);
    }
  };
  const startedAt = session.clock.monotonic();
  let watching = false;
  let jobs: Job[] = [];
  /** Adds the progress that this process has in memory, without reading the disk. */
  const withProgress = (): Job[] =>
    jobs.map((job) => ({ ...job, progress: session.app.progressOf(job.id) ?? job.progress }));
  const redraw = (): void => {
    session.terminal.status(statusLine(withProgress(), meters, session.clock.monotonic()));
  };
  return followChanges(session, {
    isRelevant: (name, payload) => name === 'job.changed' && payload.runId === runId,
    canReadSingleJobs: true,
    async read(changed) {
      jobs = changed === null ? await jobsOf(session, runId) : await readAgain(session, jobs, changed);
      for (const job of jobs) {
        const ended = hasEnded(job.state);
        // If there is only one job, the command itself prints its end as the result.
        if (ended && jobs.length > 1) {
          // Skipped jobs get no line, because the command's result lists them.
          if (job.state.status !== 'skipped') report(job, 'ended');
        } else if (!ended && !session.terminal.interactive) report(job, waitReason(job));
      }
      if (!session.terminal.interactive) reportProgress(withProgress());
      if (jobs.every((job) => hasEnded(job.state) || shouldStop(job))) {
        session.terminal.status(null);
        if ((await session.app.failJobsWithLostArchives(runId)) === 0) return jobs;
        const confirmed = await jobsOf(session, runId);
        for (const job of confirmed) if (job.state.status === 'failed') report(job, 'lost');
        return confirmed;
      }
      if (
        !watching &&
        !session.app.isRunningJobs() &&
        session.clock.monotonic() - startedAt > jobOwnerTimeoutMs
      ) {
        watching = true;
        session.terminal.note(jobsRunElsewhereMessage);
      }
      if (watching && !session.app.isRunningJobs()) for (const job of jobs) reportMissingToken(job);
      redraw();
      return null;
    },
    redraw,
    fullReadDelayMs: () => jobs.length,
  });
}

/** Returns the jobs of a run with the changed ones read again. A job that is new to the run comes last. */
async function readAgain(
  session: Session,
  jobs: readonly Job[],
  changed: ReadonlySet<string>,
): Promise<Job[]> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const id of changed) byId.set(id, await session.client.call('job.show', { job: id }));
  return [...byId.values()];
}
