/** @file `packhorse daemon`: plans and jobs in the foreground, without a window, until it is interrupted. */
import type { Command } from 'commander';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { events } from '../../../../src-contract/calls.ts';
import type { Attention } from '../../../../src-contract/runs/overview-schema.ts';
import { attentionLine } from '../runs/overview.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import type { App } from '../../../compose/app.ts';
import { composeApp } from '../../../compose/compose.ts';
import { diskNotices } from '../../../services/disk-notices.ts';
import { inProcessClient, type Client } from '../../../bridge/transports/in-process.ts';
import { isoTime, systemClock as clock } from '../../../platform/clock.ts';
import { formatTime, plural } from '../terminal/format.ts';
import { holdNewTokens } from '../transfers/hold.ts';
import { jobCountTexts } from '../runs/job-words.ts';
import { outcomeText, overdueText } from '../plans/plan-text.ts';
import { comparedText } from '../plans/run-text.ts';
import { afterDiskFailure, run, type GlobalOptions } from './session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

/** How often changes are reported. Changes within this time are reported together. */
const pollIntervalMs = 500;
/** Another process that runs jobs is noticed within that time. */
const leaseMs = 2_000;
const runsLookedAt = 100;

export function daemonCommand(program: Command): void {
  program
    .command('daemon')
    .description('run plans and jobs in the foreground, until interrupted')
    .addHelpText(
      'after',
      '\nIt tells on standard error what is due next, what it starts and how that ended. It runs until Ctrl-C or a polite kill' +
        '\n(SIGTERM), which is its ordinary end: the exit code is 0, and jobs in progress continue when Packhorse runs again.' +
        '\nIf the disk of the catalogue fails, the daemon reports it at once and ends with code 3.' +
        '\nWith --json it prints what it ran when it ends.',
    )
    .action(async (_options: unknown, command: Command) => {
      await run(command, async (terminal, signal) => {
        const { dataDir = null } = command.optsWithGlobals<GlobalOptions>();
        return await daemon(dataDir, terminal, signal);
      });
    });
}

async function daemon(dataDir: string | null, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const startedAt = clock.now();
  const app = await composeApp({ dataDir, env: process.env, longLived: true });
  // The last report is read after the interrupt.
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  const reporter = new Reporter(app, client, terminal);
  try {
    for (const notice of app.notices) terminal.note(notice);
    await reporter.begin();
    app.startJobs(() => true);
    app.startSchedule();
    while (!signal.aborted) {
      await clock.sleep(pollIntervalMs, signal).catch(() => undefined);
      await reporter.look();
    }
    terminal.note('Stopping.');
  } finally {
    await holdNewTokens({ app, terminal });
    await app.close();
  }
  const document = { startedAt: isoTime(startedAt), endedAt: isoTime(clock.now()), runs: reporter.runs };
  terminal.result(document, () => `${plural(reporter.runs.length, 'run')} seen.`);
  return afterDiskFailure(app.diskFailure(), terminal, exitCodes.done);
}

/** The kinds of attention that concern tokens. */
export const describeTokens: readonly Attention['kind'][] = [
  'token-missing',
  'token-refused',
  'token-read-only',
  'token-expires',
];

/** Reports on standard error what changes, each thing once. */
class Reporter {
  readonly #app: App;
  readonly #client: Client;
  readonly #terminal: Terminal;
  /** Runs that were running at the start or came later, by id. */
  readonly #seen = new Map<string, Run>();
  readonly #before = new Set<string>();
  readonly #told = new Map<string, string>();
  readonly #compared = new Map<string, string>();
  /** Damaged archives that are not reported yet. */
  #damaged: string[] = [];
  readonly #begunAt = clock.monotonic();
  #changed = true;
  #tokensChanged = true;

  constructor(app: App, client: Client, terminal: Terminal) {
    this.#app = app;
    this.#client = client;
    this.#terminal = terminal;
    app.subscribe((name, payload) => {
      this.#changed = true;
      if (name === 'instance.changed') this.#tokensChanged = true;
      if (name === 'archive.damaged') this.#damaged.push(events[name].parse(payload).archiveId);
    });
  }

  /** Oldest first, as they were last seen. */
  get runs(): Run[] {
    return [...this.#seen.values()];
  }

  async begin(): Promise<void> {
    for (const one of await this.#listRuns()) if (one.outcome !== 'running') this.#before.add(one.id);
  }

  async look(): Promise<void> {
    this.#tellWhoRunsJobs();
    const trouble = this.#app.trouble();
    if (trouble !== null) this.#tell('trouble', `Nothing can continue: ${errorText(trouble.toData()).what}`);
    for (const notice of diskNotices(this.#app.diskFailure())) this.#tell('disk', notice);
    if (!this.#changed) return;
    this.#changed = false;
    await this.#tellDamage();
    await this.#tellTokens();
    const names = await this.#tellPlans();
    for (const one of (await this.#listRuns()).reverse()) {
      if (this.#before.has(one.id)) continue;
      this.#seen.set(one.id, one);
      const plan = names.get(one.planId ?? '');
      const name = plan === undefined ? one.instances.join(', ') : planText(plan);
      const { count } = one.leftOut;
      const left = count === 0 ? '' : `; ${plural(count, 'project')} left out, other work on them is open`;
      if (one.skippedWhy !== null) {
        this.#tell(
          `end ${one.id}`,
          `${name}: ${one.dueAt === null ? '' : `${formatTime(one.dueAt)} `}was skipped. ${one.skippedWhy}`,
        );
        continue;
      }
      const jobs = Object.values(one.jobs).reduce((sum, number) => sum + number, 0);
      const due = one.manual
        ? ' that somebody asked for'
        : one.dueAt === null
          ? ''
          : ` that was due at ${formatTime(one.dueAt)}`;
      this.#tell(`start ${one.id}`, `${name}: the run${due} began: ${plural(jobs, 'job')}${left}.`);
      for (const { message } of one.notes) this.#tell(`note ${one.id} ${message}`, `${name}: ${message}`);
      if (one.outcome === 'running') continue;
      const how = [outcomeText(one.outcome), ...jobCountTexts(one.jobs)].join(', ');
      this.#tell(`end ${one.id}`, `${name}: the run ended: ${how}.${await this.#comparedWith(one)}`);
    }
  }

  /** Returns the name of each plan. */
  async #tellPlans(): Promise<Map<string, string>> {
    const { plans } = await this.#client.call('plan.list', {});
    if (plans.length === 0) this.#tell('plans', 'There is no plan yet. Add one with "packhorse plan add".');
    for (const status of plans) {
      const { plan, nextRunAt, beginning } = status;
      const overdue = overdueText(status);
      const next =
        nextRunAt === null
          ? plan.enabled
            ? 'is not due again'
            : 'is switched off'
          : `is due next at ${formatTime(nextRunAt)}`;
      this.#tell(
        `beginning ${plan.id}`,
        beginning === null ? null : `${planText(plan.name)}: the program before the run has begun.`,
      );
      this.#tell(`next ${plan.id}`, `${planText(plan.name)} ${next}.`);
      this.#tell(
        `overdue ${plan.id}`,
        overdue === null ? null : `${planText(plan.name)} is overdue ${overdue}`,
      );
    }
    return new Map(plans.map(({ plan }) => [plan.id, plan.name]));
  }

  /** Reports what keeps plans from running at their next due time: at the start, and after a change. */
  async #tellTokens(): Promise<void> {
    if (!this.#tokensChanged) return;
    this.#tokensChanged = false;
    const { attention } = await this.#client.call('overview.show', { patient: true });
    for (const about of attention) {
      if (!describeTokens.includes(about.kind) || !('instance' in about)) continue;
      this.#tell(`token ${about.instance}`, attentionLine(about));
    }
  }

  async #tellDamage(): Promise<void> {
    for (const id of this.#damaged.splice(0)) {
      // An archive that was pruned meanwhile needs no attention.
      const shown = await this.#client.call('archive.show', { archive: id }).catch(() => null);
      if (shown === null || shown.summary.damaged === null) continue;
      const { instanceName, fullPath, storedAt, damaged } = shown.summary;
      this.#tell(
        `damage ${id}`,
        `${fullPath}: the archive of ${formatTime(storedAt)} is damaged: ${damaged.reason}. Older ones are kept meanwhile.` +
          ` Make a fresh one: packhorse backup --instance ${instanceName} ${fullPath}`,
      );
    }
  }

  #tellWhoRunsJobs(): void {
    if (this.#app.runsJobs()) this.#tell('jobs', 'Plans and jobs of this data folder are run here.');
    else if (clock.monotonic() - this.#begunAt > leaseMs) {
      this.#tell(
        'jobs',
        'Another Packhorse process runs the jobs of this data folder. This one waits, and takes over when that one ends.',
      );
    }
  }

  /** Returns the comparison of an ended run with its forecast; asked once. */
  async #comparedWith({ id, planId }: Run): Promise<string> {
    const known = this.#compared.get(id);
    if (known !== undefined || planId === null) return known ?? '';
    const { forecast } = await this.#client.call('run.forecast', { runId: id });
    const text = comparedText(forecast);
    this.#compared.set(id, text === null ? '' : ` ${text}`);
    return this.#compared.get(id) ?? '';
  }

  async #listRuns(): Promise<Run[]> {
    return (await this.#client.call('run.list', { limit: runsLookedAt })).runs;
  }

  /** Reports a text once, until it changes; null reports nothing. */
  #tell(about: string, text: string | null): void {
    const before = this.#told.get(about);
    this.#told.set(about, text ?? '');
    if (text === null || before === text) return;
    this.#terminal.note(`${formatTime(clock.now())}  ${text}`);
  }
}

/** A plan may have the same name as its instance. */
const planText = (name: string): string => `Plan "${name}"`;
