/** @file `packhorse plan next`, `forecast`, `run`, `cancel`, `pause`, `resume`, `skip` and `preview`. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import { InvalidArgumentError } from 'commander';
import { endlessPauseUntil } from '../../../../src-contract/plans/plan.ts';
import { isoTime } from '../../../platform/clock.ts';
import { previewText } from '../archives/archive-keeping.ts';
import { backUpByPlan } from '../transfers/backup.ts';
import { joinLines, formatTimeIn } from '../terminal/format.ts';
import { integerParser, usageError } from '../terminal/options.ts';
import { addRetentionOptions, retentionOf } from './plan-options.ts';
import { planArgument, findPlan } from './plan-reference.ts';
import { forecastText, pauseText, plansText } from './plan-text.ts';
import { followChanges } from '../running/follow-changes.ts';
import { useTokenOption, type Session, type TokenOptions } from '../running/session.ts';
import { hostLabels } from '../../../../src-contract/words/work.ts';
import type { AppCommand } from '../running/app-command.ts';

export function registerPlanActions(plan: AppCommand): void {
  plan
    .subcommand('next', 'when a plan is due next')
    .addArgument(planArgument())
    .option('--count <count>', 'how many due times', integerParser(1, 20), 5)
    .withApp(async (session, typed: string, { count }: { count: number }) => {
      const { id, schedule, enabled, pausedUntil, skippedDue } = (await findPlan(session, typed)).plan;
      const { times, timeZone } = await session.client.call('plan.dueTimes', { schedule, count });
      session.terminal.result({ plan: id, times, timeZone }, () =>
        joinLines(
          !enabled && 'The plan is switched off. If it were on, it would be due at:',
          pausedUntil !== null && `The plan is paused until ${pauseText(pausedUntil)}.`,
          times.map((due) => `${formatTimeIn(due, timeZone)}${due === skippedDue ? '  (skipped)' : ''}`),
        ),
      );
    });

  plan
    .subcommand('forecast', 'when each project of the next run is expected to start and to be stored')
    .addArgument(planArgument())
    .tokenOptions()
    .withApp(async (session, typed: string, options: TokenOptions) => {
      const { id, instance } = (await findPlan(session, typed)).plan;
      await useTokenOption(session, instance, options);
      const reply = await session.client.call('plan.forecast', { id });
      session.terminal.result(reply, () => forecastText(reply));
    });

  plan
    .subcommand('run', 'run a plan now, whatever its schedule says')
    .addArgument(planArgument())
    .tokenOptions()
    .withApp(backUpByPlan);

  plan
    .subcommand(
      'cancel',
      'stop the program that a plan starts before its run, even in another process, and cancel the run',
    )
    .addArgument(planArgument())
    .withApp(async (session, typed: string) => {
      const { client, terminal } = session;
      const { id, name } = (await findPlan(session, typed)).plan;
      await client.call('plan.cancelBeginning', { id, by: hostLabels.cli });
      const ended = await followChanges(session, {
        isRelevant: (event) => event === 'plan.changed',
        async read() {
          const current = await findPlan(session, id);
          if (current.beginning === null) return current;
          terminal.status('stopping the program that was started before the run');
          return null;
        },
      });
      terminal.result(
        ended,
        () =>
          `The program before the run of ${name} was stopped and the run cancelled; nothing was backed up.`,
      );
    });

  plan
    .subcommand('pause', 'pause a plan; a single run catches up missed runs afterwards')
    .argument('[plan]', 'its name, its id, or the beginning of its id')
    .option('--all', 'all plans')
    .option(
      '--until <time>',
      'for example 2026-12-24 or "2026-12-24 18:00"; "resumed" pauses until "plan resume" (default: 24 hours)',
      parsePauseEnd,
    )
    .withApp(
      async (session, typed: string | undefined, options: PlanSelectionOptions & { until?: number }) => {
        await setPause(session, typed, options, isoTime(options.until ?? session.clock.now() + dayMs));
      },
    );

  plan
    .subcommand('resume', 'end a pause now')
    .argument('[plan]', 'its name, its id, or the beginning of its id')
    .option('--all', 'all plans')
    .withApp(async (session, typed: string | undefined, options: PlanSelectionOptions) => {
      await setPause(session, typed, options, null);
    });

  plan
    .subcommand('skip', 'skip the next due time, once')
    .addArgument(planArgument())
    .option('--undo', 'no longer skip it')
    .withApp(async (session, typed: string, { undo }: { undo?: boolean }) => {
      const { id } = (await findPlan(session, typed)).plan;
      const changed = await session.client.call('plan.skipNext', { id, skip: undo !== true });
      session.terminal.result(changed, () => plansText([changed], session.clock.now()));
    });

  plan
    .subcommand(
      'preview',
      'which archives of its projects would be kept or removed, and why; changes nothing',
    )
    .addArgument(planArgument())
    .use(addRetentionOptions, 'without it the value of the plan')
    .withApp(async (session, typed: string, _options: unknown, command: AppCommand) => {
      const { id, retention: before } = (await findPlan(session, typed)).plan;
      const retention = retentionOf(command, before);
      const preview = await session.client.call('plan.prunePreview', { id, retention });
      session.terminal.result(preview, () => previewText(preview));
    });
}

interface PlanSelectionOptions {
  all?: boolean;
}

async function setPause(
  session: Session,
  typed: string | undefined,
  { all = false }: PlanSelectionOptions,
  until: string | null,
): Promise<void> {
  if ((typed === undefined) !== all) throw usageError('Name a plan, or give --all.');
  const id = typed === undefined ? null : (await findPlan(session, typed)).plan.id;
  const { plans } = await session.client.call('plan.pause', { id, until });
  session.terminal.result({ plans }, () => plansText(plans, session.clock.now()));
}

/** Parses a local time, as this command line prints it. */
function parsePauseEnd(text: string): number {
  if (text.trim() === 'resumed') return Date.parse(endlessPauseUntil);
  const [, day, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text.trim()) ?? [];
  const at = day === undefined ? NaN : Date.parse(`${day}T${time}`);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Write it like 2026-12-24 or "2026-12-24 18:00", or "resumed".');
  return at;
}
