/** @file `packhorse job …`: what was done, what is under way. */
import type { Command } from 'commander';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { errorText } from '../../../src-preload/contract/error-messages.ts';
import { jobStatuses, type Job, type JobEvent, type JobStatus } from '../../../src-preload/contract/job.ts';
import { formatTime, table } from './format.ts';
import { runWithApp } from './session.ts';
import { exitCodes } from './terminal.ts';

function stateText(job: Job): string {
  const { state } = job;
  if (state.status === 'failed') return `failed: ${errorText(state.error).what}`;
  if (state.status === 'waiting') return `waiting: ${state.text}`;
  if (state.status === 'skipped') return `skipped: ${state.why}`;
  if (state.status === 'succeeded' && state.warnings.length > 0)
    return `succeeded, ${state.warnings.length} warnings`;
  return state.status;
}

const isStatus = (text: string): text is JobStatus => (jobStatuses as readonly string[]).includes(text);

export function jobCommand(program: Command): void {
  const job = program.command('job').description('what was done and what is under way');

  job
    .command('list')
    .description('jobs, newest first')
    .option('--status <status>', jobStatuses.join(', '))
    .option('--limit <count>', 'how many at the most', '50')
    .action(async (options: { status?: string; limit: string }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { status = null } = options;
        if (status !== null && !isStatus(status)) {
          throw new AppError('invalid-input', `--status is one of ${jobStatuses.join(', ')}.`);
        }
        const listed = await session.client.call('job.list', {
          runId: null,
          status,
          before: null,
          limit: Number(options.limit),
        });
        session.terminal.result(listed, () =>
          listed.jobs.length === 0
            ? 'No job yet.'
            : table(
                ['JOB', 'KIND', 'INSTANCE', 'PROJECT', 'UPDATED', 'STATE'],
                listed.jobs.map((one) => [
                  one.id,
                  one.kind,
                  one.instance,
                  one.project,
                  formatTime(one.updatedAt),
                  stateText(one),
                ]),
              ),
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
        session.terminal.result(one, () =>
          [
            `${one.kind} of ${one.project} on ${one.instance}`,
            `state    ${stateText(one)}`,
            `step     ${one.step ?? 'none'}`,
            `created  ${formatTime(one.createdAt)}`,
            `updated  ${formatTime(one.updatedAt)}`,
            ...(one.state.status === 'succeeded'
              ? one.state.warnings.map((warning) => `warning  ${warning.message}`)
              : []),
            ...(one.state.status === 'failed' ? [`advice   ${errorText(one.state.error).todo}`] : []),
          ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  job
    .command('log')
    .description('all events of a job')
    .argument('<job>', 'id or its beginning')
    .action(async (id: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const events: JobEvent[] = [];
        let page: JobEvent[];
        do {
          const afterId = events.at(-1)?.id ?? 0;
          ({ events: page } = await session.client.call('job.log', { job: id, afterId, limit: 500 }));
          events.push(...page);
        } while (page.length === 500);
        session.terminal.result({ events }, () =>
          table(
            ['TIME', 'EVENT', 'MESSAGE'],
            events.map((event) => [formatTime(event.at), event.type, event.message]),
          ),
        );
        return exitCodes.done;
      });
    });

  job
    .command('cancel')
    .description('stop a job; nothing incomplete is kept')
    .argument('<job>', 'id or its beginning')
    .action(async (id: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const one = await session.client.call('job.cancel', { job: id, by: 'the command line' });
        session.terminal.result(one, () => `${one.id}: ${one.state.status}`);
        return exitCodes.done;
      });
    });
}
