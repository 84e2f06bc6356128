/** @file `packhorse plan …`: what is backed up every day, and how that stands. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { errorText } from '../../../src-preload/contract/error-messages.ts';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { timeOfDaySchema, timeZoneSchema, type PlanStanding } from '../../../src-preload/contract/plan.ts';
import type { RunOutcome } from '../../../src-preload/contract/run.ts';
import type { z } from '../../../src-preload/contract/schema.ts';
import { formatTime, plural, table } from './format.ts';
import { required, wholeNumber } from './options.ts';
import { runWithApp, type Session } from './session.ts';
import { exitCodes } from './terminal.ts';

interface AddOptions {
  instance: string;
  daily: string;
  keep?: number | 'all';
  timeZone?: string;
}

interface EditOptions extends Partial<Omit<AddOptions, 'instance'>> {
  on?: boolean;
  off?: boolean;
}

/** How a run ended, in words. */
export const outcomeWords: Record<RunOutcome, string> = {
  running: 'still running',
  succeeded: 'all stored',
  warnings: 'stored, with warnings',
  'partly-failed': 'failed in part',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  nothing: 'nothing to back up',
};

const whoRuns = 'Plans run while the desktop app, "packhorse serve" or "packhorse daemon" is running.';

export function planCommand(program: Command): void {
  const plan = program.command('plan').description('what is backed up every day');

  scheduleOptions(
    plan
      .command('add')
      .description('back up all projects of an instance that you may export, every day')
      .addOption(required(new Option('--instance <name>', 'the instance to back up from')))
      .addOption(required(dailyOption()))
      .addHelpText(
        'after',
        `\n${whoRuns}\nA time that was missed is caught up once, as soon as one of them runs.`,
      ),
    { keep: 'without it all are kept', zone: 'without it that of this machine' },
  ).action(async (options: AddOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const standing = await session.client.call('plan.save', {
        id: null,
        name: options.instance,
        instance: options.instance,
        selection: { kind: 'all' },
        schedule: { kind: 'daily', at: options.daily, timeZone: options.timeZone ?? null },
        retention: { keepLast: keepLastOf(options.keep ?? 'all') },
        enabled: true,
      });
      session.terminal.result(standing, () => [plansText([standing]), '', whoRuns].join('\n'));
      return exitCodes.done;
    });
  });

  plan
    .command('list')
    .description('all plans with their next and last run')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { plans } = await session.client.call('plan.list', {});
        session.terminal.result({ plans }, () =>
          plans.length === 0
            ? 'No plan yet. Add one with "packhorse plan add --instance NAME --daily HH:MM".'
            : plansText(plans),
        );
        return exitCodes.done;
      });
    });

  scheduleOptions(
    plan
      .command('edit')
      .description('change a plan; what is not given stays as it is')
      .argument('<plan>', 'its id, the beginning of it, or the name of its instance')
      .addOption(dailyOption())
      .option('--on', 'switch it on; what was missed meanwhile is not caught up')
      .addOption(new Option('--off', 'switch it off').conflicts('on')),
    { keep: 'without it as before', zone: 'without it as before' },
  ).action(async (reference: string, options: EditOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { plan: before } = await planOf(session, reference);
      const { schedule, retention } = before;
      const standing = await session.client.call('plan.save', {
        ...before,
        schedule: {
          ...(options.daily === undefined ? schedule : { kind: 'daily', at: options.daily }),
          timeZone: options.timeZone ?? schedule.timeZone,
        },
        retention: {
          ...retention,
          keepLast: options.keep === undefined ? retention.keepLast : keepLastOf(options.keep),
        },
        enabled: options.on === true || (before.enabled && options.off !== true),
      });
      session.terminal.result(standing, () => plansText([standing]));
      return exitCodes.done;
    });
  });

  plan
    .command('remove')
    .description('remove a plan; archives and the jobs it has started stay')
    .argument('<plan>', 'its id, the beginning of it, or the name of its instance')
    .action(async (reference: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { plan: gone } = await planOf(session, reference);
        await session.client.call('plan.remove', { id: gone.id });
        session.terminal.result(
          { removed: gone },
          () => `${gone.instance} is no longer backed up by a plan.`,
        );
        return exitCodes.done;
      });
    });
}

/** @param otherwise what is kept without `--keep`, and which zone is meant without `--time-zone`. */
function scheduleOptions(command: Command, otherwise: { keep: string; zone: string }): Command {
  return command
    .option('--keep <count>', `newest archives kept of each project, or "all"; ${otherwise.keep}`, keepOf)
    .option(
      '--time-zone <zone>',
      `zone of that time, for example Europe/Berlin; ${otherwise.zone}`,
      valueOf(timeZoneSchema),
    );
}

function dailyOption(): Option {
  return new Option('--daily <time>', 'time of day, for example 02:30').argParser(valueOf(timeOfDaySchema));
}

function valueOf(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const message = issue?.message ?? 'not valid';
    throw new InvalidArgumentError(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
  };
}

function keepOf(text: string): number | 'all' {
  return text === 'all' ? text : wholeNumber(1, 1000)(text);
}

const keepLastOf = (keep: number | 'all'): number | null => (keep === 'all' ? null : keep);

/** The plan of an id, a unique beginning of one, or an instance. */
async function planOf(session: Session, reference: string): Promise<PlanStanding> {
  const { plans } = await session.client.call('plan.list', {});
  const exact = plans.find(({ plan }) => plan.id === reference || plan.instance === reference);
  if (exact !== undefined) return exact;
  const [found, second] = plans.filter(({ plan }) => reference !== '' && plan.id.startsWith(reference));
  if (second !== undefined) throw new AppError('invalid-input', `Several plans begin with "${reference}".`);
  if (found === undefined) throw new AppError('plan-missing', `There is no plan "${reference}".`);
  return found;
}

function plansText(plans: readonly PlanStanding[]): string {
  return table(
    ['PLAN', 'INSTANCE', 'WHEN', 'KEEPS', 'NEXT RUN', 'LAST RUN', 'OVERDUE'],
    plans.map((standing) => {
      const { plan, nextRunAt, lastRun } = standing;
      const { keepLast } = plan.retention;
      return [
        plan.id,
        plan.instance,
        `${plan.schedule.kind} ${'at' in plan.schedule ? `at ${plan.schedule.at} ` : ''}${plan.schedule.timeZone}`,
        keepLast === null ? 'all' : plural(keepLast, 'archive'),
        nextRunAt === null ? 'switched off' : formatTime(nextRunAt),
        lastRun === null ? null : `${formatTime(lastRun.startedAt)}, ${outcomeWords[lastRun.outcome]}`,
        overdueText(standing),
      ];
    }),
  );
}

/** Since when a plan has not run, and why where that is known; null when it is not overdue. */
export function overdueText({ overdue }: PlanStanding): string | null {
  if (overdue === null) return null;
  const why =
    overdue.error === null ? 'no Packhorse that runs plans was running' : errorText(overdue.error).what;
  return `since ${formatTime(overdue.since)}: ${why}`;
}
