/** @file `packhorse job …`: jobs that ended and jobs in progress. */
import type { Command } from 'commander';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { jobStatuses, type JobEvent, type JobStatus } from '../../../../src-contract/runs/job.ts';
import { exportInputSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { runExitCode } from '../transfers/backup.ts';
import { followRun } from './follow.ts';
import { formatTime, plural, table } from '../terminal/format.ts';
import { jobStateText, stepText, workWord } from './job-words.ts';
import { choice, limitOption } from '../terminal/options.ts';
import type { WriteRequest } from '../../../../src-contract/instances/write-request-schema.ts';
import { inPages } from '../terminal/pages.ts';
import { requestsText } from '../terminal/request-text.ts';
import { runWithApp, takeToken, tokenOptions, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { stepWords } from '../../../../src-contract/words/steps.ts';
import { jobStatusText } from '../../../../src-contract/words/states.ts';
import { askedBy } from '../../../../src-contract/words/work.ts';

function cancelledText({ runId, cancelled, stopping, refused }: CallReply<'run.cancel'>): string {
  return [
    `Run ${runId}: ${plural(cancelled, 'job')} cancelled${stopping === 0 ? '' : `, ${stopping} still stopping`}.`,
    ...refused.map(({ project, error }) => `  ${project} continues: ${errorText(error).what}`),
  ].join('\n');
}

/** A crash leaves jobs behind that look as if they ran. */
const standsStill =
  'No Packhorse process runs jobs now: jobs shown as running were interrupted. They continue with the command that started them, the window or "packhorse daemon".';

export function jobCommand(program: Command): void {
  const job = program.command('job').description('jobs that ended and jobs in progress');

  job
    .command('list')
    .description('jobs, newest first')
    .addOption(choice('--status <status>', 'only those', jobStatuses))
    .addOption(limitOption(50))
    .action(async (options: { status?: JobStatus; limit: number }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { status = null } = options;
        const { entries: jobs, next } = await inPages(options.limit, async (limit, before) => {
          const page = await session.client.call('job.list', { status, before, limit });
          return { entries: page.jobs, next: page.next };
        });
        const listed = { jobs, next };
        const { plans } = await session.client.call('plan.list', {});
        const planNames = new Map(plans.map(({ plan }) => [plan.id, plan.name]));
        const stands = jobs.some(({ state }) => state.status === 'running') && !session.app.anyRunsJobs();
        session.terminal.result(listed, () =>
          jobs.length === 0
            ? status === null
              ? 'No job yet.'
              : `No job is ${lowerFirst(jobStatusText[status])}.`
            : [
                table(
                  ['JOB', 'WORK', 'PLAN', 'INSTANCE', 'PROJECT', 'UPDATED', 'STATE'],
                  jobs.map((one) => [
                    one.id,
                    workWord(one),
                    planNames.get(exportInputSchema.safeParse(one.input).data?.planId ?? '') ?? null,
                    one.instance,
                    one.project,
                    formatTime(one.updatedAt),
                    jobStateText(one.state),
                  ]),
                ),
                ...(next === null ? [] : ['', 'There are more; see --limit.']),
                ...(stands ? ['', standsStill] : []),
              ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  job
    .command('show')
    .description('one job')
    .argument('<job>', 'id or its beginning')
    .action(async (id: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const one = await session.client.call('job.show', { job: id });
        const { steps } = await session.client.call('job.steps', { job: id });
        session.terminal.result({ ...one, steps }, () =>
          [
            `job      ${one.id} of run ${one.runId}`,
            `work     ${workWord(one)}: ${one.project} on ${one.instance}`,
            `state    ${jobStateText(one.state)}`,
            ...(one.step === null ? [] : [`step     ${stepText(one)}, attempt ${one.attempt}`]),
            `created  ${formatTime(one.createdAt)}`,
            `updated  ${formatTime(one.updatedAt)}`,
            ...(one.state.status === 'succeeded'
              ? one.state.warnings.map((warning) => `warning  ${warning.message}`)
              : []),
            ...(one.state.status === 'failed'
              ? [`advice   ${errorText(one.state.error, 'command-line').todo}`]
              : []),
            '',
            table(
              ['STEP', '', 'TRIES', 'BEGAN', 'ENDED'],
              steps.map(({ name, state, attempt, startedAt, finishedAt }) => [
                stepWords(one.kind, name),
                state,
                attempt,
                startedAt === null ? null : formatTime(startedAt),
                finishedAt === null ? null : formatTime(finishedAt),
              ]),
            ),
          ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  job
    .command('log')
    .description('all events of a job, and its requests that may have changed something')
    .argument('<job>', 'id or its beginning')
    .action(async (id: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { entries: events } = await inPages<JobEvent>(Infinity, async (limit, from) => {
          const afterId = Number(from ?? 0);
          const page = await session.client.call('job.log', { job: id, afterId, limit });
          const last = page.events.length < limit ? undefined : page.events.at(-1);
          return { entries: page.events, next: last === undefined ? null : String(last.id) };
        });
        const { entries: requests } = await inPages<WriteRequest>(Infinity, async (limit, from) => {
          const before = from === null ? null : Number(from);
          const page = await session.client.call('request.list', { job: id, before, limit });
          return { entries: page.requests, next: page.next === null ? null : String(page.next) };
        });
        requests.reverse();
        session.terminal.result({ events, requests }, () =>
          [
            table(
              ['TIME', 'EVENT', 'MESSAGE'],
              events.map((event) => [formatTime(event.at), event.type, event.message]),
            ),
            ...(requests.length === 0
              ? []
              : ['', 'Requests that may have changed something:', requestsText(requests)]),
          ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  tokenOptions(
    job
      .command('retry')
      .description('do the work of a job that failed or was cancelled again, as a new job')
      .argument('<job>', 'id or its beginning'),
  ).action(async (id: string, options: TokenOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = await session.client.call('job.show', { job: id });
      await takeToken(session, instance, options);
      const { runId } = await session.client.call('job.retry', { job: id });
      const jobs = await followRun(session, runId);
      const [again] = jobs;
      if (again === undefined) throw new AppError('internal', 'The run has no job.');
      session.terminal.result(again, () => `${again.id}: ${jobStateText(again.state)}`);
      return runExitCode(jobs, 0);
    });
  });

  job
    .command('cancel')
    .description('stop a job, or all jobs of a run that have not ended; nothing incomplete is kept')
    .argument('[job]', 'id or its beginning')
    .option('--run <run>', 'all jobs of this run; id or its beginning, see "job show"')
    .action(async (id: string | undefined, { run }: { run?: string }, command: Command) => {
      await runWithApp(command, async (session) => {
        if ((id === undefined) === (run === undefined)) {
          throw misused('Name either a job or, with --run, a run.');
        }
        const by = askedBy.cli;
        if (run === undefined) {
          const one = await session.client.call('job.cancel', { job: id ?? '', by });
          session.terminal.result(one, () => `${one.id}: ${jobStateText(one.state)}`);
          return exitCodes.done;
        }
        const told = await session.client.call('run.cancel', { run, by });
        session.terminal.result(told, () => cancelledText(told));
        return told.refused.length === 0 ? exitCodes.done : exitCodes.partly;
      });
    });
}
