/** @file `packhorse backup`: back projects up and prove what was stored. */
import type { Command } from 'commander';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { errorText } from '../../../src-preload/contract/error-messages.ts';
import { exportResultSchema, type Job } from '../../../src-preload/contract/job.ts';
import { followRun } from './follow.ts';
import { formatBytes, plural, table } from './format.ts';
import { runWithApp, takeToken, tokenOptions, type Session, type TokenOptions } from './session.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './terminal.ts';

interface BackupOptions extends TokenOptions {
  instance: string;
  all?: boolean;
  keepExisting?: boolean;
}

export function backupCommand(program: Command): void {
  tokenOptions(
    program
      .command('backup')
      .description('export projects, store the archives and read each to its end')
      .argument('[project...]', 'full paths or ids')
      .requiredOption('--instance <name>', 'the instance to back up from')
      .option('--all', 'every project you are a member of and may export')
      .option('--keep-existing', 'first store a finished export that already lies on the server'),
  ).action(async (projects: string[], options: BackupOptions, command: Command) => {
    await runWithApp(command, (session) => backup(session, projects, options));
  });
}

/** How the run ended, as an exit code: one error alone keeps its own. */
export function runExitCode(jobs: Job[], others: number): ExitCode {
  const failed = jobs.filter((job) => job.state.status !== 'succeeded');
  const warned = jobs.some((job) => job.state.status === 'succeeded' && job.state.warnings.length > 0);
  if (failed.length === 0) return warned || others > 0 ? exitCodes.partly : exitCodes.done;
  if (failed.length < jobs.length) return exitCodes.partly;
  const [first] = failed;
  return first?.state.status === 'failed' ? exitCodeOf(first.state.error) : exitCodes.failed;
}

async function backup(session: Session, projects: string[], options: BackupOptions): Promise<ExitCode> {
  if (options.all === true ? projects.length > 0 : projects.length === 0) {
    throw new AppError('invalid-input', 'Name projects or give --all.');
  }
  await takeToken(session, options.instance, options);
  const started = await session.client.call('backup.start', {
    instance: options.instance,
    projects: options.all === true ? 'all' : projects,
    keepExisting: options.keepExisting ?? false,
  });
  for (const { project, why } of started.skipped) session.terminal.note(`${project}: skipped, ${why}`);
  for (const { project, error } of started.refused) {
    const { what, todo } = errorText(error);
    session.terminal.note(`${project}: ${what} ${todo}`);
  }
  const [refused] = started.refused;
  if (started.jobIds.length === 0 && refused !== undefined) throw AppError.fromData(refused.error);
  if (started.jobIds.length === 0) session.terminal.note('There is nothing to back up.');
  const jobs = await followRun(session, started.runId);
  session.terminal.result({ ...started, jobs }, () => summary(jobs));
  return runExitCode(jobs, started.refused.length);
}

function summary(jobs: Job[]): string {
  const rows = jobs.map((job) => {
    const { state } = job;
    const result = exportResultSchema.safeParse(job.result);
    const findings = state.status === 'succeeded' ? state.warnings.map((finding) => finding.message) : [];
    const outcome =
      state.status === 'failed'
        ? errorText(state.error).what
        : findings.length === 0
          ? 'readable'
          : findings.join(' ');
    const size = result.success ? formatBytes(result.data.sizeBytes) : null;
    return [
      job.project,
      state.status,
      size,
      result.success ? result.data.sha256.slice(0, 12) : null,
      outcome,
    ];
  });
  const good = jobs.filter((job) => job.state.status === 'succeeded').length;
  return `${table(['PROJECT', 'STATE', 'SIZE', 'SHA-256', 'ARCHIVE'], rows)}\n\n${plural(good, 'project')} of ${jobs.length} backed up.`;
}
