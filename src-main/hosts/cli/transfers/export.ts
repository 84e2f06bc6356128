/** @file `packhorse export …`: exports that an account makes on GitLab, apart from backups. */
import type { Command } from 'commander';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { runExitCode } from './backup.ts';
import { succeeded } from '../projects/changes.ts';
import { followRun } from '../runs/follow.ts';
import { addProjectArgument, type InstanceOptions } from '../instances/on-instance.ts';
import { choice } from '../terminal/options.ts';
import { destinationOf, destinationOption } from '../projects/project-uploads.ts';
import { secretLine } from '../terminal/secret-input.ts';
import { runWithApp, showProgress, takeToken, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';

const methods = ['PUT', 'POST'] as const;

interface StartOptions extends InstanceOptions {
  description?: string;
  uploadUrlStdin?: boolean;
  uploadMethod?: (typeof methods)[number];
}

/** The states of GitLab in words; others are shown unchanged. */
const meanings: Record<string, string> = {
  none: 'there is none',
  queued: 'it waits for its turn',
  started: 'it is being made',
  regeneration_in_progress: 'a new one is being made; the one before can still be downloaded',
  finished: 'it can be downloaded',
  failed: 'GitLab could not make it, and mails the reason to the account',
};

export function exportCommand(program: Command): void {
  const exporting = program.command('export').description('your own export of a project, beside backups');

  addOperationsHelp(
    addProjectArgument(
      exporting
        .command('start')
        .description('ask for an export, which stays on the instance or is pushed elsewhere')
        .option('--description <text>', 'overrides the description of the project in the archive')
        .option(
          '--upload-url-stdin',
          'read the address that it is pushed to from standard input: a presigned one is a secret (asked for without echo on a terminal)',
        )
        .addOption(choice('--upload-method <method>', 'how it is pushed (default: PUT)', methods)),
    ),
    'start-export',
  ).action(async (path: string, options: StartOptions, command: Command) => {
    await runWithApp(command, (session) => start(session, path, options));
  });

  addOperationsHelp(
    addProjectArgument(exporting.command('status').description('the state of your export of a project')),
    'get-export-status',
  ).action(async (path: string, options: InstanceOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const status = await session.client.call('export.status', { instance, project: path });
      session.terminal.result(status, () => {
        const meaning = meanings[status.state];
        return `${status.project}: ${status.state}${meaning === undefined ? '' : ` (${meaning})`}`;
      });
      return status.state === 'failed' ? exitCodes.failed : exitCodes.done;
    });
  });

  addOperationsHelp(
    destinationOption(
      addProjectArgument(
        exporting
          .command('download')
          .description('save your finished export outside the archive store, and read it to its end'),
      ),
    ),
    'download-export',
  ).action(async (path: string, options: InstanceOptions & { to?: string }, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const saved = await session.client.call(
        'export.download',
        { instance, project: path, to: destinationOf(options) },
        showProgress(session, path),
      );
      const remarks = saved.findings.filter(({ severity }) => severity !== 'info');
      session.terminal.result(saved, () =>
        [
          `Saved ${saved.path} (${formatBytes(saved.sizeBytes)}), read to its end: ${saved.verdict}.`,
          `SHA-256 ${saved.sha256}`,
          ...remarks.map(({ message }) => message),
        ].join('\n'),
      );
      return saved.verdict === 'sound' ? exitCodes.done : exitCodes.partly;
    });
  });
}

async function start(session: Session, project: string, options: StartOptions): Promise<ExitCode> {
  const { instance, description = null, uploadMethod: method } = options;
  const isPushed = options.uploadUrlStdin === true;
  if (!isPushed && method !== undefined) {
    throw misused('Give --upload-method together with --upload-url-stdin');
  }
  const push = isPushed ? { url: await secretLine('address', options), method: method ?? 'PUT' } : null;
  await takeToken(session, instance, options);
  const started = await session.client.call('export.start', { instance, project, description, push });
  for (const warning of started.warnings) session.terminal.note(`Doubtful: ${warning}`);
  const jobs = await followRun(session, started.runId);
  const result = changeResultSchema.parse(succeeded(jobs).result);
  session.terminal.result({ ...started, result }, () =>
    isPushed
      ? 'GitLab makes the export and pushes it. It does not say whether that works: look for the object.'
      : 'GitLab makes the export; "packhorse export status" shows its state.',
  );
  return runExitCode(jobs, 0);
}
