/** @file `packhorse daemon`: plans and jobs in the foreground, without a window, until it is interrupted. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import { events } from '../../../../src-contract/calls.ts';
import { archiveProblemOf } from '../../../../src-contract/words/archive-problem.ts';
import type { Attention } from '../../../../src-contract/runs/overview-schema.ts';
import { attentionLine } from '../runs/overview.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import type { App } from '../../../compose/app.ts';
import { composeApp } from '../../../compose/compose.ts';
import { diskNotices } from '../../../services/disk-notices.ts';
import { inProcessClient, type Client } from '../../../bridge/transports/in-process.ts';
import { isoTime, systemClock as clock } from '../../../platform/clock.ts';
import { formatTime, plural } from '../terminal/format.ts';
import { waitForStoredTokens } from '../transfers/stored-tokens-wait.ts';
import { jobCountTexts } from '../runs/job-words.ts';
import { outcomeText, overdueText } from '../plans/plan-text.ts';
import { forecastComparisonText } from '../plans/run-text.ts';
import { jobOwnerTimeoutMs, reportDiskFailure, type GlobalOptions } from './session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';
import type { AppCommand } from './app-command.ts';

/** How often changes are reported. Changes within this time are reported together. */
const pollIntervalMs = 500;
const maxRuns = 100;

export function daemonCommand(program: AppCommand): void {
  program
    .subcommand('daemon', 'run plans and jobs in the foreground, until interrupted')
    .helpNote(
      'It reports on standard error what is due next, what it starts and how each run ends. It runs until Ctrl-C or SIGTERM,' +
        '\nwhich end it normally: the exit code is 0, and jobs in progress continue when Packhorse runs again.' +
        '\nIf the disk of the catalogue fails, the daemon reports it at once and ends with code 3.' +
        '\nWith --json it prints the runs when it ends.',
    )
    .withoutApp(async (terminal, signal, _options: unknown, command: AppCommand) => {
      const { dataDir = null } = command.optsWithGlobals<GlobalOptions>();
      return runDaemon(dataDir, terminal, signal);
    });
}

async function runDaemon(dataDir: string | null, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const startedAt = clock.now();
  const app = await composeApp({ dataDir, env: process.env, longLived: true });
  // The client has its own signal, because the last report is read after the interrupt.
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  const reporter = createReporter(app, client, terminal);
  try {
    for (const notice of app.notices) terminal.note(notice);
    await reporter.start();
    app.startJobs(() => true);
    app.startSchedule();
    while (!signal.aborted) {
      await clock.sleep(pollIntervalMs, signal).catch(() => undefined);
      await reporter.poll();
    }
    terminal.note('Stopping.');
  } finally {
    await waitForStoredTokens({ app, terminal });
    await app.close();
  }
  const runs = reporter.runs();
  const document = { startedAt: isoTime(startedAt), endedAt: isoTime(clock.now()), runs };
  terminal.result(document, () => `${plural(runs.length, 'run')} seen.`);
  return reportDiskFailure(app.diskFailure(), terminal, exitCodes.done);
}

const tokenKinds: readonly Attention['kind'][] = [
  'token-missing',
  'token-refused',
  'token-read-only',
  'token-expires',
];

/** Reports changes on standard error, each change once. */
function createReporter(app: App, client: Client, terminal: Terminal) {
  /** Runs that were running at the start or started later, by id. */
  const runsById = new Map<string, Run>();
  const endedIds = new Set<string>();
  const reported = new Map<string, string>();
  const comparisons = new Map<string, string>();
  /** Archives that a background verification found damaged or worse, and that are not reported yet. */
  const problemIds: string[] = [];
  const startedAt = clock.monotonic();
  let isChanged = true;
  let areTokensChanged = true;
  app.subscribe((name, payload) => {
    isChanged = true;
    if (name === 'instance.changed') areTokensChanged = true;
    if (name === 'archive.damaged' || name === 'archive.downgraded') {
      problemIds.push(events[name].parse(payload).archiveId);
    }
  });

  /** Reports the text of a subject when it changes. Null reports nothing. */
  const report = (subject: string, text: string | null): void => {
    const previous = reported.get(subject);
    reported.set(subject, text ?? '');
    if (text !== null && previous !== text) terminal.note(`${formatTime(clock.now())}  ${text}`);
  };

  const listRuns = async (): Promise<Run[]> => (await client.call('run.list', { limit: maxRuns })).runs;

  const reportJobRunner = (): void => {
    if (app.isRunningJobs()) report('jobs', 'This process runs the plans and jobs of this data folder.');
    else if (clock.monotonic() - startedAt > jobOwnerTimeoutMs) {
      report(
        'jobs',
        'Another Packhorse process runs the jobs of this data folder. This process waits, and takes over when the other one ends.',
      );
    }
  };

  const reportArchiveProblems = async (): Promise<void> => {
    for (const id of problemIds.splice(0)) {
      // An archive that was pruned meanwhile needs no attention.
      const reply = await client.call('archive.show', { archive: id }).catch(() => null);
      const problem = reply === null ? null : archiveProblemOf(reply);
      if (reply === null || problem === null) continue;
      const { instanceName, fullPath, storedAt } = reply.summary;
      report(
        `problem ${id}`,
        `${fullPath}: the archive of ${formatTime(storedAt)} is ${problem.condition}: ${problem.reason}. Older archives are kept.` +
          ` Back up the project again: packhorse backup --instance ${instanceName} ${fullPath}`,
      );
    }
  };

  /** Reports problems of tokens, which keep plans from running when due. Called at the start and after each change. */
  const reportTokens = async (): Promise<void> => {
    if (!areTokensChanged) return;
    areTokensChanged = false;
    const { attention } = await client.call('overview.show', { patient: true });
    for (const item of attention) {
      if (!tokenKinds.includes(item.kind) || !('instance' in item)) continue;
      report(`token ${item.instance}`, attentionLine(item));
    }
  };

  const reportPlans = async (): Promise<Map<string, string>> => {
    const { plans } = await client.call('plan.list', {});
    if (plans.length === 0) report('plans', 'There is no plan yet. Add one with "packhorse plan add".');
    for (const status of plans) {
      const { id, name, enabled } = status.plan;
      const plan = planText(name);
      const overdue = overdueText(status);
      const notDueText = enabled ? 'is not due again' : 'is switched off';
      const next = status.nextRunAt === null ? notDueText : `is due next at ${formatTime(status.nextRunAt)}`;
      report(
        `beginning ${id}`,
        status.beginning === null ? null : `${plan}: the program before the run has started.`,
      );
      report(`next ${id}`, `${plan} ${next}.`);
      report(`overdue ${id}`, overdue === null ? null : `${plan} is overdue ${overdue}`);
    }
    return new Map(plans.map(({ plan }) => [plan.id, plan.name]));
  };

  /** Returns the comparison of an ended run with its forecast; requested once. */
  const comparisonOf = async ({ id, planId }: Run): Promise<string> => {
    const cached = comparisons.get(id);
    if (cached !== undefined || planId === null) return cached ?? '';
    const { forecast } = await client.call('run.forecast', { runId: id });
    const text = forecastComparisonText(forecast);
    const comparison = text === null ? '' : ` ${text}`;
    comparisons.set(id, comparison);
    return comparison;
  };

  const reportRun = async (run: Run, name: string): Promise<void> => {
    const { id, dueAt, skippedWhy } = run;
    if (skippedWhy !== null) {
      report(
        `end ${id}`,
        `${name}: ${dueAt === null ? '' : `${formatTime(dueAt)} `}was skipped. ${skippedWhy}`,
      );
      return;
    }
    const { count } = run.leftOut;
    const leftOutText =
      count === 0 ? '' : `; ${plural(count, 'project')} left out, because other jobs for them have not ended`;
    const jobs = Object.values(run.jobs).reduce((sum, number) => sum + number, 0);
    const scheduled = dueAt === null ? '' : ` that was due at ${formatTime(dueAt)}`;
    const reasonText = run.manual ? ' that was requested manually' : scheduled;
    report(`start ${id}`, `${name}: the run${reasonText} started: ${plural(jobs, 'job')}${leftOutText}.`);
    for (const { message } of run.notes) report(`note ${id} ${message}`, `${name}: ${message}`);
    if (run.outcome === 'running') return;
    const outcome = [outcomeText(run.outcome), ...jobCountTexts(run.jobs)].join(', ');
    report(`end ${id}`, `${name}: the run ended: ${outcome}.${await comparisonOf(run)}`);
  };

  return {
    runs: (): Run[] => [...runsById.values()],
    /** Call this before jobs are started, because runs that have already ended are not reported. */
    async start(): Promise<void> {
      for (const { id, outcome } of await listRuns()) if (outcome !== 'running') endedIds.add(id);
    },
    async poll(): Promise<void> {
      reportJobRunner();
      const error = app.blockingError();
      if (error !== null) report('trouble', `Nothing can continue: ${errorText(error.toData()).what}`);
      for (const notice of diskNotices(app.diskFailure())) report('disk', notice);
      if (!isChanged) return;
      isChanged = false;
      await reportArchiveProblems();
      await reportTokens();
      const names = await reportPlans();
      for (const run of (await listRuns()).reverse()) {
        if (endedIds.has(run.id)) continue;
        runsById.set(run.id, run);
        const plan = names.get(run.planId ?? '');
        await reportRun(run, plan === undefined ? run.instances.join(', ') : planText(plan));
      }
    },
  };
}

/** Adds "Plan", because a plan may have the same name as its instance. */
const planText = (name: string): string => `Plan "${name}"`;
