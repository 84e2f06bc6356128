/** @file `packhorse job …`: jobs that ended and jobs in progress. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import { jobStatuses, type JobStatus, type Job } from '../../../../src-contract/runs/job.ts';
import { exportInputSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';

import { collectByCursor } from '../../reply-pages.ts';
import { followJob, runExitCode } from './outcome.ts';
import {
  joinLines,
  formatTime,
  plural,
  table,
  timeOrNone,
  limitReachedLine,
  tableOf,
} from '../terminal/format.ts';
import { jobStateText, stepText, jobWorkText } from './job-words.ts';
import { requestsText } from '../terminal/request-text.ts';
import { useTokenOption, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { stepWords } from '../../../../src-contract/words/steps.ts';
import { jobStatusText } from '../../../../src-contract/words/states.ts';
import { hostLabels } from '../../../../src-contract/words/work.ts';
import type { AppCommand } from '../running/app-command.ts';
import { usageError } from '../terminal/options.ts';

function cancelledText({ runId, cancelled, stopping, refused }: CallReply<'run.cancel'>): string {
  return joinLines(
    `Run ${runId}: ${plural(cancelled, 'job')} cancelled${stopping === 0 ? '' : `, ${stopping} still stopping`}.`,
    refused.map(({ project, error }) => `  ${project} continues: ${errorText(error).what}`),
  );
}

const jobsText = (jobs: readonly Job[], planNames: ReadonlyMap<string, string>): string =>
  tableOf(jobs, (job) => ({
    JOB: job.id,
    WORK: jobWorkText(job),
    PLAN: planNames.get(exportInputSchema.safeParse(job.input).data?.planId ?? '') ?? null,
    INSTANCE: job.instance,
    PROJECT: job.project,
    UPDATED: formatTime(job.updatedAt),
    STATE: jobStateText(job.state),
  }));

const jobText = (job: Job, steps: CallReply<'job.steps'>['steps']): string =>
  joinLines(
    `job      ${job.id} of run ${job.runId}`,
    `work     ${jobWorkText(job)}: ${job.project} on ${job.instance}`,
    `state    ${jobStateText(job.state)}`,
    job.step !== null && `step     ${stepText(job)}, attempt ${job.attempt}`,
    `created  ${formatTime(job.createdAt)}`,
    `updated  ${formatTime(job.updatedAt)}`,
    job.state.status === 'succeeded' && job.state.warnings.map(({ message }) => `warning  ${message}`),
    job.state.status === 'failed' && `advice   ${errorText(job.state.error, 'command-line').todo}`,
    '',
    table(
      ['STEP', '', 'TRIES', 'BEGAN', 'ENDED'],
      steps.map(({ name, state, attempt, startedAt, finishedAt }) => [
        stepWords(job.kind, name),
        state,
        attempt,
        timeOrNone(startedAt),
        timeOrNone(finishedAt),
      ]),
    ),
  );

/** After a crash, jobs still look as if they were running. */
const stalledText =
  'No Packhorse process runs jobs now: jobs shown as running were interrupted. They continue with the command that started them, the window or "packhorse daemon".';

export function jobCommand(program: AppCommand): void {
  const job = program.subcommand('job', 'jobs that ended and jobs in progress');

  job
    .subcommand('list', 'jobs, newest first')
    .choiceOption('--status <status>', 'only jobs with this status', jobStatuses)
    .limitOption(50)
    .withApp(async ({ app, client, terminal }, options: { status?: JobStatus; limit: number }) => {
      const { status = null } = options;
      const { entries: jobs, next } = await collectByCursor(options.limit, 'jobs', (limit, before) =>
        client.call('job.list', { status, before, limit }),
      );
      const { plans } = await client.call('plan.list', {});
      const isStalled =
        jobs.some(({ state }) => state.status === 'running') && !app.isAnyProcessRunningJobs();
      terminal.result({ jobs, next }, () => {
        if (jobs.length === 0) {
          return status === null ? 'No job yet.' : `No job is ${lowerFirst(jobStatusText[status])}.`;
        }
        return joinLines(
          jobsText(jobs, new Map(plans.map(({ plan }) => [plan.id, plan.name]))),
          next !== null && ['', limitReachedLine],
          isStalled && ['', stalledText],
        );
      });
    });

  job
    .subcommand('show', 'one job')
    .argument('<job>', 'id or its beginning')
    .withApp(async ({ client, terminal }, id: string) => {
      const job = await client.call('job.show', { job: id });
      const { steps } = await client.call('job.steps', { job: id });
      terminal.result({ ...job, steps }, () => jobText(job, steps));
    });

  job
    .subcommand('log', 'all events of a job, and its requests that may have changed something')
    .argument('<job>', 'id or its beginning')
    .withApp(async ({ client, terminal }, job: string) => {
      const { entries: events } = await collectByCursor(
        Infinity,
        'events',
        async (limit, afterId: number | null) => {
          const { events } = await client.call('job.log', { job, afterId: afterId ?? 0, limit });
          return { events, next: events.length < limit ? null : (events.at(-1)?.id ?? null) };
        },
      );
      const { entries: requests } = await collectByCursor(
        Infinity,
        'requests',
        (limit, before: number | null) => client.call('request.list', { job, before, limit }),
      );
      requests.reverse();
      terminal.result({ events, requests }, () =>
        joinLines(
          table(
            ['TIME', 'EVENT', 'MESSAGE'],
            events.map(({ at, type, message }) => [formatTime(at), type, message]),
          ),
          requests.length > 0 && ['', 'Requests that may have changed something:', requestsText(requests)],
        ),
      );
    });

  job
    .subcommand('retry', 'retry a failed or cancelled job, as a new job')
    .argument('<job>', 'id or its beginning')
    .tokenOptions()
    .withApp(async (session, id: string, options: TokenOptions) => {
      const { instance } = await session.client.call('job.show', { job: id });
      await useTokenOption(session, instance, options);
      const { runId } = await session.client.call('job.retry', { job: id });
      const job = await followJob(session, runId);
      session.terminal.result(job, () => `${job.id}: ${jobStateText(job.state)}`);
      return runExitCode([job]);
    });

  job
    .subcommand('cancel', 'stop a job, or all jobs of a run that have not ended; nothing incomplete is kept')
    .argument('[job]', 'id or its beginning')
    .option('--run <run>', 'all jobs of this run; id or its beginning, see "job show"')
    .withApp(async ({ client, terminal }, id: string | undefined, { run }: { run?: string }) => {
      if ((id === undefined) === (run === undefined)) {
        throw usageError('Give either a job or, with --run, a run.');
      }
      const by = hostLabels.cli;
      if (run === undefined) {
        const job = await client.call('job.cancel', { job: id ?? '', by });
        terminal.result(job, () => `${job.id}: ${jobStateText(job.state)}`);
        return exitCodes.done;
      }
      const cancelled = await client.call('run.cancel', { run, by });
      terminal.result(cancelled, () => cancelledText(cancelled));
      return cancelled.refused.length === 0 ? exitCodes.done : exitCodes.partly;
    });
}
