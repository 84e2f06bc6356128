/**
 * @file Commands for an existing plan: `plan next`, `forecast`, `run`, `cancel`, `pause`, `resume`, `skip` and
 * `preview`.
 */
import { dayMs } from '../../../../src-contract/bounds.ts';
import { InvalidArgumentError, type Command } from 'commander';
import { endlessPauseUntil } from '../../../../src-contract/plans/plan.ts';
import { isoTime } from '../../../platform/clock.ts';
import { previewText } from '../archives/archive-keeping.ts';
import { backUpByPlan } from '../transfers/backup.ts';
import { formatTimeIn } from '../terminal/format.ts';
import { wholeNumber } from '../terminal/options.ts';
import { keepOptions, retentionOf } from './plan-options.ts';
import { planArgument, planOf } from './plan-reference.ts';
import { forecastText, pauseText, plansText } from './plan-text.ts';
import { followChanges } from '../running/follow-changes.ts';
import { runWithApp, takeToken, tokenOptions, type Session, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';
import { askedBy } from '../../../../src-contract/words/work.ts';

export function planActions(plan: Command): void {
  plan
    .command('next')
    .description('when a plan is due next')
    .addArgument(planArgument())
    .option('--count <count>', 'how many due times', wholeNumber(1, 20), 5)
    .action(async (typed: string, { count }: { count: number }, command: Command) => {
      await runWithApp(command, async (session) => {
        const status = await planOf(session, typed);
        const { schedule, enabled, pausedUntil, skippedDue } = status.plan;
        const { times, timeZone } = await session.client.call('plan.dueTimes', { schedule, count });
        session.terminal.result({ plan: status.plan.id, times, timeZone }, () =>
          [
            ...(enabled ? [] : ['The plan is switched off; if it were on:']),
            ...(pausedUntil === null ? [] : [`The plan is paused until ${pauseText(pausedUntil)}.`]),
            ...times.map((due) => `${formatTimeIn(due, timeZone)}${due === skippedDue ? '  (skipped)' : ''}`),
          ].join('\n'),
        );
        return exitCodes.done;
      });
    });

  tokenOptions(
    plan
      .command('forecast')
      .description('when each project of the next run is expected to begin and to be stored')
      .addArgument(planArgument()),
  ).action(async (typed: string, options: TokenOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { plan: meant } = await planOf(session, typed);
      await takeToken(session, meant.instance, options);
      const reply = await session.client.call('plan.forecast', { id: meant.id });
      session.terminal.result(reply, () => forecastText(reply));
      return exitCodes.done;
    });
  });

  tokenOptions(
    plan.command('run').description('run a plan now, whatever its schedule says').addArgument(planArgument()),
  ).action(async (typed: string, options: TokenOptions, command: Command) => {
    await runWithApp(command, (session) => backUpByPlan(session, typed, options));
  });

  plan
    .command('cancel')
    .description('end the program before its run, in whichever process; the run does not take place')
    .addArgument(planArgument())
    .action(async (typed: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { plan: meant } = await planOf(session, typed);
        await session.client.call('plan.cancelBeginning', { id: meant.id, by: askedBy.cli });
        const status = await followChanges(session, {
          isAbout: (name) => name === 'plan.changed',
          async read() {
            const now = await planOf(session, meant.id);
            if (now.beginning === null) return now;
            session.terminal.status('ending the program before the run');
            return null;
          },
        });
        session.terminal.status(null);
        session.terminal.result(
          status,
          () => `The program before the run of ${meant.name} was ended; nothing was backed up.`,
        );
        return exitCodes.done;
      });
    });

  plan
    .command('pause')
    .description('pause a plan; runs that fall due meanwhile are caught up once afterwards')
    .argument('[plan]', 'its name, its id, or the beginning of its id')
    .option('--all', 'all plans')
    .option(
      '--until <time>',
      'for example 2026-12-24 or "2026-12-24 18:00", or "resumed" for no end; without it for 24 hours',
      timeOf,
    )
    .action(
      async (typed: string | undefined, options: WhichOptions & { until?: number }, command: Command) => {
        await runWithApp(command, async (session) => {
          const until = isoTime(options.until ?? session.clock.now() + dayMs);
          const id = await meant(session, typed, options);
          const { plans } = await session.client.call('plan.pause', { id, until });
          session.terminal.result({ plans }, () => plansText(plans, session.clock.now()));
          return exitCodes.done;
        });
      },
    );

  plan
    .command('resume')
    .description('end a pause now')
    .argument('[plan]', 'its name, its id, or the beginning of its id')
    .option('--all', 'all plans')
    .action(async (typed: string | undefined, options: WhichOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const id = await meant(session, typed, options);
        const { plans } = await session.client.call('plan.pause', { id, until: null });
        session.terminal.result({ plans }, () => plansText(plans, session.clock.now()));
        return exitCodes.done;
      });
    });

  plan
    .command('skip')
    .description('skip the next due time, once')
    .addArgument(planArgument())
    .option('--undo', 'do not skip it after all')
    .action(async (typed: string, { undo }: { undo?: boolean }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { plan: before } = await planOf(session, typed);
        const status = await session.client.call('plan.skipNext', { id: before.id, skip: undo !== true });
        session.terminal.result(status, () => plansText([status], session.clock.now()));
        return exitCodes.done;
      });
    });

  keepOptions(
    plan
      .command('preview')
      .description('which archives of its projects would be kept or removed, and why; changes nothing')
      .addArgument(planArgument()),
    'without it as the plan says',
  ).action(async (typed: string, _options: unknown, command: Command) => {
    await runWithApp(command, async (session) => {
      const { plan: before } = await planOf(session, typed);
      const retention = retentionOf(command, before.retention);
      const preview = await session.client.call('plan.prunePreview', { id: before.id, retention });
      session.terminal.result(preview, () => previewText(preview));
      return exitCodes.done;
    });
  });
}

interface WhichOptions {
  all?: boolean;
}

/** Returns null for all plans. */
async function meant(
  session: Session,
  typed: string | undefined,
  { all }: WhichOptions,
): Promise<string | null> {
  if ((typed === undefined) !== (all === true)) throw misused('Name a plan, or give --all.');
  return typed === undefined ? null : (await planOf(session, typed)).plan.id;
}

/** Parses a local time, as this command line prints it. */
function timeOf(text: string): number {
  if (text.trim() === 'resumed') return Date.parse(endlessPauseUntil);
  const [, day, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text.trim()) ?? [];
  const at = day === undefined ? NaN : Date.parse(`${day}T${time}`);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Write it like 2026-12-24 or "2026-12-24 18:00", or "resumed".');
  return at;
}
