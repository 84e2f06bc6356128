/** @file `packhorse plan …`: what is backed up when, how long archives are kept, and the state of each plan. */
import type { CallRequest } from '../../../../src-contract/calls.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { failMissingOption, omitUndefined } from '../terminal/options.ts';
import { registerPlanActions } from './plan-actions.ts';
import { addHookOptions, heartbeatOf, hooksOf, type HookOptions } from './plan-hook-options.ts';
import {
  projectFinder,
  addPlanOptions,
  retentionOf,
  archiveRootOf,
  scheduleOf,
  selectionOf,
  settingsOf,
  type PlanOptions,
} from './plan-options.ts';
import { planArgument, findPlan } from './plan-reference.ts';
import { unlimitedRetentionHint, notesText, plansText, planText } from './plan-text.ts';
import { interruptedRunIds, newestRuns, runsText } from './plan-runs.ts';
import { forecastComparisonText } from './run-text.ts';
import { runWithApp, useTokenOption, type Session, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';
import { joinLines } from '../terminal/format.ts';

interface AddOptions extends PlanOptions, HookOptions, TokenOptions {
  instance: string;
}

interface EditOptions extends PlanOptions, HookOptions, TokenOptions {}

const runningHint = 'Plans run while the desktop app, "packhorse serve" or "packhorse daemon" is running.';
const mailHint =
  'GitLab sends the owner of the account a mail for each export that ends: a dedicated account keeps them out of your inbox.';
const maxShownDueTimes = 3;

const noMatchHint =
  'The plan covers no project now. It is saved anyway, and backs up projects that it covers later.';

/** Returns how many projects a rule matches now; null for any other selection, and if the instance is unavailable. */
async function countMatches(
  session: Session,
  { instance, selection }: CallRequest<'plan.save'>,
  options: TokenOptions,
): Promise<number | null> {
  if (selection.kind !== 'rule') return null;
  session.terminal.status(`reading the matching projects of ${instance}`);
  try {
    await useTokenOption(session, instance, options);
    return (await session.client.call('plan.matches', { instance, selection })).count;
  } catch (thrown) {
    session.signal.throwIfAborted();
    const { what } = errorText(AppError.from(thrown).toData(), 'command-line');
    session.terminal.note(`The matching projects could not be read. ${what}`);
    return null;
  } finally {
    session.terminal.status(null);
  }
}

export function planCommand(program: AppCommand): void {
  const plan = program.subcommand('plan', 'what is backed up, when, and how long it is kept');

  plan
    .subcommand('add', 'back up projects on a schedule')
    .neededOption('--instance <name>', 'the instance to back up from')
    .use(
      addPlanOptions,
      { zone: 'without it the time zone of this machine', keep: 'without any limit all are kept' },
      false,
    )
    .use(addHookOptions, false)
    .tokenOptions()
    .helpNote(
      `Give one of --daily, --hourly, --weekly, --monthly and --cron. A project must meet all given conditions; an archive is` +
        `\nkept if any of the limits keeps it.\n\n${runningHint}\nMissed due times are caught up with one run, as soon as one of these programs is running.` +
        `\n${mailHint}`,
    )
    .action(async (options: AddOptions, command: AppCommand) => {
      const schedule = scheduleOf(options, options.timeZone ?? null);
      if (schedule === null) {
        failMissingOption(command, "'--daily', '--hourly', '--weekly', '--monthly' or '--cron'");
      }
      await runWithApp(command, async (session) => {
        if (options.project !== undefined) await useTokenOption(session, options.instance, options);
        const request: CallRequest<'plan.save'> = {
          id: null,
          name: options.name ?? options.instance,
          instance: options.instance,
          selection: (await selectionOf(command, projectFinder(session, options.instance))) ?? {
            kind: 'all',
          },
          schedule,
          retention: retentionOf(command),
          ...settingsOf(command),
          ...archiveRootOf(options),
          ...omitUndefined({ hooks: hooksOf(options), heartbeat: await heartbeatOf(options) }),
        };
        const status = await session.client.call('plan.save', request);
        const matches = await countMatches(session, request, options);
        session.terminal.result({ ...status, matches }, () =>
          joinLines(plansText([status], session.clock.now()), '', runningHint, mailHint),
        );
        if (matches === 0) session.terminal.note(noMatchHint);
        const retentionHint = unlimitedRetentionHint(status.plan);
        if (retentionHint !== null) session.terminal.note(retentionHint);
        return exitCodes.done;
      });
    });

  plan.subcommand('list', 'all plans with their next and last run').withApp(async (session) => {
    const { plans } = await session.client.call('plan.list', {});
    const interrupted = await interruptedRunIds(session, plans);
    session.terminal.result({ plans }, () =>
      plans.length === 0
        ? 'No plan yet. Add one with "packhorse plan add --instance NAME --daily HH:MM".'
        : plansText(plans, session.clock.now(), interrupted),
    );
  });

  plan
    .subcommand('show', 'one plan with its next due times and its newest runs')
    .addArgument(planArgument())
    .withApp(async (session, reference: string) => {
      const status = await findPlan(session, reference);
      const { schedule } = status.plan;
      // Requests one more due time, because the skipped one is removed here and shown with the next run.
      const count = maxShownDueTimes + 1;
      const due = await session.client.call('plan.dueTimes', { schedule, count });
      const times = due.times.filter((time) => time !== status.plan.skippedDue).slice(0, maxShownDueTimes);
      const runs = await newestRuns(session, status.plan.id);
      const interrupted = await interruptedRunIds(session, [status]);
      const runId = status.lastRun?.runId ?? null;
      const lastRun = runs.find(({ id }) => id === runId);
      const forecast =
        runId === null ? null : (await session.client.call('run.forecast', { runId })).forecast;
      session.terminal.result({ ...status, dueTimes: times, lastForecast: forecast, runs }, () =>
        joinLines(
          planText(status, times, session.clock.now(), interrupted),
          forecastComparisonText(forecast),
          notesText(lastRun?.notes ?? []),
          runsText(runs, interrupted),
        ),
      );
    });

  plan
    .subcommand(
      'edit',
      'change a plan; other settings stay as they are, and a new selection replaces the whole old one',
    )
    .addArgument(planArgument())
    .use(
      addPlanOptions,
      { zone: 'without this option unchanged', keep: 'without this option unchanged' },
      true,
    )
    .use(addHookOptions, true)
    .tokenOptions()
    .requireChange()
    .withApp(async (session, reference: string, options: EditOptions, command: AppCommand) => {
      const { plan: current } = await findPlan(session, reference);
      const zone = options.timeZone ?? current.schedule.timeZone;
      if (options.project !== undefined) await useTokenOption(session, current.instance, options);
      const status = await session.client.call('plan.save', {
        id: current.id,
        name: options.name ?? current.name,
        instance: current.instance,
        selection:
          (await selectionOf(command, projectFinder(session, current.instance))) ?? current.selection,
        schedule: scheduleOf(options, zone) ?? { ...current.schedule, timeZone: zone },
        retention: retentionOf(command, current.retention),
        ...settingsOf(command, current),
        ...archiveRootOf(options),
        ...omitUndefined({ hooks: hooksOf(options, current.hooks), heartbeat: await heartbeatOf(options) }),
      });
      session.terminal.result(status, () => plansText([status], session.clock.now()));
    });

  plan
    .subcommand('remove', 'remove a plan; its archives and started jobs stay')
    .addArgument(planArgument())
    .withApp(async (session, reference: string) => {
      const { plan: removed } = await findPlan(session, reference);
      await session.client.call('plan.remove', { id: removed.id });
      const text = `The plan ${removed.name} is removed. Its archives stay; other plans of the folder may prune them.`;
      session.terminal.result({ removed }, () => text);
    });

  registerPlanActions(plan);
}
