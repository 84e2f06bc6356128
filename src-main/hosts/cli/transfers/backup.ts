/** @file `packhorse backup`: backs projects up and proves the stored archives. */
import { Option } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { exportResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import type { Scope } from '../../../../src-contract/projects/scope.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { followRun } from '../runs/follow.ts';
import { followChanges } from '../running/follow-changes.ts';
import { joinLines, plural, tableOf } from '../terminal/format.ts';
import { failMissingOption, usageError } from '../terminal/options.ts';
import { scopeOption } from '../plans/plan-options.ts';
import { findPlan } from '../plans/plan-reference.ts';
import { notesText } from '../plans/plan-text.ts';
import { forecastComparisonText } from '../plans/run-text.ts';
import {
  assertOneTokenSource,
  runWithApp,
  readTokenOption,
  retryThroughOutage,
  useToken,
  type Session,
  type TokenOptions,
} from '../running/session.ts';
import { errorDocument, exitCodeOf, type ExitCode } from '../terminal/terminal.ts';
import { jobStatusWord } from '../runs/job-words.ts';
import type { AppCommand } from '../running/app-command.ts';
import { runExitCode, isSuccessful, errorOf } from '../runs/outcome.ts';

/** After this time, the command reports what it is waiting for. */
const waitNoteDelayMs = 3_000;

interface BackupOptions extends TokenOptions {
  instance?: string;
  plan?: string;
  all?: boolean;
  scope?: Scope;
  keepExisting?: boolean;
}

export function backupCommand(program: AppCommand): void {
  program
    .subcommand('backup', 'export projects, store the archives and read each to its end')
    .argument('[project...]', 'full paths or ids')
    .option('--instance <name>', 'the instance to back up from')
    .addOption(
      new Option('--plan <plan>', 'back up the projects of this plan now, from its instance').conflicts([
        'instance',
        'all',
        'keepExisting',
      ]),
    )
    .option('--all', 'every project of the scope that you may export')
    .addOption(scopeOption().conflicts(['plan']))
    .option(
      '--keep-existing',
      'first store a finished export that is already on the server, dated by its export',
    )
    .tokenOptions()
    .action(async (projects: string[], options: BackupOptions, command: AppCommand) => {
      const { plan, instance } = options;
      if (plan !== undefined) {
        if (projects.length > 0) command.error('error: with --plan, the plan chooses the projects');
        await runWithApp(command, (session) => backUpByPlan(session, plan, options));
      } else if (instance === undefined) failMissingOption(command, "'--instance <name>' or '--plan <plan>'");
      else await runWithApp(command, (session) => backup(session, instance, projects, options));
    });
}

type BackupStart = CallReply<'backup.start'>;

async function backup(
  session: Session,
  instance: string,
  projects: string[],
  options: BackupOptions,
): Promise<ExitCode> {
  if (options.all === true ? projects.length > 0 : projects.length === 0) {
    throw usageError(
      projects.length === 0
        ? 'Name at least one project, or give --all.'
        : 'Give either --all or projects, not both.',
    );
  }
  if (options.scope !== undefined && options.all !== true)
    throw usageError('Give --scope together with --all.');
  const token = await readTokenOption(options);
  const started = await retryThroughOutage(session, instance, async () => {
    await useToken(session, instance, token);
    return session.client.call('backup.start', {
      instance,
      projects: options.all === true ? 'all' : projects,
      ...(options.scope !== undefined && { scope: options.scope }),
      keepExisting: options.keepExisting ?? false,
    });
  });
  const [refused] = started.refused;
  if (started.jobIds.length === 0 && refused !== undefined) throw AppError.fromData(refused.error);
  if (started.jobIds.length === 0 && started.skipped.length > 0) {
    throw new AppError('role-too-low', 'No project of this account may be exported.');
  }
  if (started.resumed) {
    session.terminal.note(
      session.app.isAwaitedElsewhere(started.runId)
        ? 'The same backup is already in progress in another Packhorse process; this command follows it.'
        : 'Continuing a backup that was interrupted.',
    );
  }
  const jobs = await followRun(session, started.runId);
  const error = firstError(jobs);
  session.terminal.result({ ...started, jobs, error: error && errorDocument(error) }, () =>
    summary(started, jobs),
  );
  const warningCount = started.notes.filter(({ severity }) => severity === 'warning').length;
  return runExitCode(jobs, started.refused.length + warningCount);
}

/** Runs a plan now and follows it to its end; joins a run that is in progress. */
export async function backUpByPlan(
  session: Session,
  typed: string,
  options: TokenOptions,
): Promise<ExitCode> {
  assertOneTokenSource(options);
  const { plan } = await findPlan(session, typed);
  const awaited =
    plan.hooks.before === null ? plan.instance : `${plan.instance} or the program before the run`;
  const { runId } = await withWaitNote(session, `Waiting for ${awaited}.`, async () => {
    // Stores the failure, because no user sees it if, for example, a timer started the run.
    const recordStartFailure = (thrown: unknown): never => {
      const error = AppError.from(thrown);
      if (!session.signal.aborted && error.code !== 'job-busy')
        session.app.recordFailedPlanStart(plan.id, error);
      throw error;
    };
    const start = async (token: string | null) => {
      await useToken(session, plan.instance, token);
      return session.client.call('plan.run', { id: plan.id, keepsFailure: false });
    };
    const token = await readTokenOption(options).catch(recordStartFailure);
    return retryThroughOutage(session, plan.instance, () => start(token)).catch(recordStartFailure);
  });
  const jobs = await followRun(session, runId);
  const run = await waitForCompletedRun(session, runId);
  const refusal = (run?.notes ?? []).flatMap((note) => note.error ?? [])[0];
  const remarks = [
    ...notesText(run?.notes ?? []),
    ...(run?.leftOut.projects ?? []).map(
      (project) => `${project}: left out, because another job for it has not ended.`,
    ),
  ];
  const error = refusal === undefined ? firstError(jobs) : AppError.fromData(refusal);
  const { forecast } = await session.client.call('run.forecast', { runId });
  session.terminal.result({ runId, run, forecast, jobs, error: error && errorDocument(error) }, () =>
    joinLines(
      refusal === undefined && (jobs.length > 0 || remarks.length === 0) && summary(noStartRemarks, jobs),
      forecastComparisonText(forecast),
      remarks,
    ),
  );
  const incompleteCount =
    (run?.leftOut.count ?? 0) + (run?.notes ?? []).filter(({ severity }) => severity === 'warning').length;
  return refusal === undefined ? runExitCode(jobs, incompleteCount) : exitCodeOf(AppError.fromData(refusal));
}

/** Prints the note if the work takes longer than usual. */
async function withWaitNote<T>(session: Session, note: string, work: () => Promise<T>): Promise<T> {
  const cancel = session.clock.timer(waitNoteDelayMs, () => {
    session.terminal.note(note);
  });
  try {
    return await work();
  } finally {
    cancel();
  }
}

/** Returns the run once all steps after its jobs are done; undefined if it is no longer among the newest runs. */
async function waitForCompletedRun(session: Session, runId: string): Promise<Run | undefined> {
  const { run } = await followChanges(session, {
    isRelevant: (name) => name === 'plan.changed',
    async read() {
      const { runs } = await session.client.call('run.list', { before: null, limit: 100 });
      const found = runs.find(({ id }) => id === runId);
      if (found?.notes.some(({ awaits }) => awaits !== undefined) === true) {
        session.terminal.status('finishing the steps after the run');
        return null;
      }
      session.terminal.status(null);
      return { run: found };
    },
  });
  return run;
}

const firstError = (jobs: Job[]): AppError | undefined =>
  jobs.some(isSuccessful) ? undefined : jobs.map(errorOf)[0];

function rowOf(job: Job): Record<string, string | null> {
  const { state, project } = job;
  const result = exportResultSchema.safeParse(job.result);
  const cells = { PROJECT: project, STATE: jobStatusWord(state), SIZE: null, 'SHA-256': null, ARCHIVE: null };
  if (state.status === 'skipped') return { ...cells, ARCHIVE: state.why };
  if (state.status !== 'succeeded' || !result.success) return cells;
  const { sizeBytes, sha256 } = result.data;
  const remarks = state.warnings.map(({ message }) => ` ${message.replace(/\.?$/, '.')}`).join('');
  const problem = isIncomplete(job) ? 'incomplete' : isSuspicious(job) ? 'suspicious' : null;
  const word = problem ?? 'readable';
  return {
    ...cells,
    STATE: problem ?? 'stored',
    SIZE: formatBytes(sizeBytes),
    'SHA-256': sha256.slice(0, 12),
    ARCHIVE: remarks === '' ? word : `${word}.${remarks}`,
  };
}

const isIncomplete = ({ state }: Job): boolean =>
  state.status === 'succeeded' && state.warnings.some(({ severity }) => severity === 'error');

const isSuspicious = (job: Job): boolean =>
  !isIncomplete(job) && exportResultSchema.safeParse(job.result).data?.condition === 'suspicious';

const noStartRemarks = { refused: [], skipped: [], covers: null, notes: [] };

function summary(
  started: Pick<BackupStart, 'refused' | 'skipped' | 'covers' | 'notes'>,
  jobs: Job[],
): string {
  const aboutScope = [started.covers !== null && `Scope: ${started.covers}.`, ...notesText(started.notes)];
  if (jobs.length === 0) {
    return joinLines('There is nothing to back up: no project that may be exported.', aboutScope);
  }
  const failures = [
    ...jobs
      .filter((job) => !isSuccessful(job))
      .map((job) => ({ project: job.project, error: errorOf(job).toData() })),
    ...started.refused,
  ];
  const notDone = [
    ...failures.flatMap(({ project, error }) => {
      const { what, todo } = errorText(error, 'command-line');
      return [`${project}: ${what}`, `  ${todo}`];
    }),
    ...started.skipped.map(({ project, why }) => `${project}: skipped, ${why}.`),
  ];
  const unchanged = jobs.filter(({ state }) => state.status === 'skipped').length;
  const incomplete = jobs.filter(isIncomplete).length;
  const suspicious = jobs.filter(isSuspicious).length;
  const pruned = jobs
    .map((job) => exportResultSchema.safeParse(job.result).data?.prunedCount ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const wanted = jobs.length + started.refused.length - unchanged;
  return joinLines(
    tableOf(jobs, rowOf),
    '',
    notDone,
    wanted !== 0 && `${wanted - failures.length} of ${plural(wanted, 'project')} backed up.`,
    incomplete !== 0 &&
      `${plural(incomplete, 'archive')} incomplete: see above; each run of a plan exports these projects again.`,
    suspicious !== 0 &&
      `${plural(suspicious, 'archive')} suspicious: see above; each run of a plan exports these projects again.`,
    unchanged !== 0 && `${plural(unchanged, 'project')} skipped: nothing has changed.`,
    pruned !== 0 &&
      `${plural(pruned, 'older archive')} moved to the trash folder. See: packhorse archive trash list`,
    aboutScope,
  );
}
