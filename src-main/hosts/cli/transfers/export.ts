/** @file `packhorse export …`: exports that an account makes on GitLab, apart from backups. */
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { destinationOf, addDestinationOption, type DestinationOptions } from '../projects/project-uploads.ts';
import { readSecretLine } from '../terminal/secret-input.ts';
import { showProgress, useTokenOption, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { joinLines } from '../terminal/format.ts';
import { followResult } from '../runs/outcome.ts';
import { usageError } from '../terminal/options.ts';

const methods = ['PUT', 'POST'] as const;

interface StartOptions extends InstanceOptions {
  description?: string;
  uploadUrlStdin?: boolean;
  uploadMethod?: (typeof methods)[number];
}

/** GitLab's states of an export in words; unknown states are shown unchanged. */
const meanings: Record<string, string> = {
  none: 'there is none',
  queued: 'it has not started yet',
  started: 'it is being created',
  regeneration_in_progress: 'a new export is being created; the previous one can still be downloaded',
  finished: 'it can be downloaded',
  failed: 'GitLab could not create it, and mails the reason to the account',
};

export function exportCommand(program: AppCommand): void {
  const command = program.subcommand('export', 'your own exports of a project, apart from backups');

  command
    .subcommand('start', 'request an export that the instance keeps or uploads to a URL')
    .option('--description <text>', 'overrides the description of the project in the archive')
    .option(
      '--upload-url-stdin',
      'read the upload URL, which may be secret, from standard input (prompted without echo on a terminal)',
    )
    .choiceOption('--upload-method <method>', 'HTTP method of the upload (default: PUT)', methods)
    .projectArgument()
    .operations('start-export')
    .withApp(start);

  command
    .subcommand('status', 'the state of your export of a project')
    .projectArgument()
    .operations('get-export-status')
    .withToken(async ({ client, terminal }, project: string, { instance }: InstanceOptions) => {
      const status = await client.call('export.status', { instance, project });
      terminal.result(status, () => {
        const meaning = meanings[status.state];
        return `${status.project}: ${status.state}${meaning === undefined ? '' : ` (${meaning})`}`;
      });
      return status.state === 'failed' ? exitCodes.failed : exitCodes.done;
    });

  command
    .subcommand('download', 'save your finished export outside the archive store, and read it to its end')
    .projectArgument()
    .use(addDestinationOption)
    .operations('download-export')
    .withToken(async (session, project: string, options: DestinationOptions) => {
      const request = { instance: options.instance, project, to: destinationOf(options) };
      const reply = await session.client.call('export.download', request, showProgress(session, project));
      const remarks = reply.findings.filter(({ severity }) => severity !== 'info');
      session.terminal.result(reply, () =>
        joinLines(
          `Saved ${reply.path} (${formatBytes(reply.sizeBytes)}), read to its end: ${reply.verdict}.`,
          `SHA-256 ${reply.sha256}`,
          remarks.map(({ message }) => message),
        ),
      );
      return reply.verdict === 'sound' ? exitCodes.done : exitCodes.partly;
    });
}

async function start(session: Session, project: string, options: StartOptions): Promise<ExitCode> {
  const { instance, description = null, uploadMethod: method } = options;
  const isPushed = options.uploadUrlStdin === true;
  if (!isPushed && method !== undefined) {
    throw usageError('Give --upload-method together with --upload-url-stdin');
  }
  const push = isPushed ? { url: await readSecretLine('address', options), method: method ?? 'PUT' } : null;
  await useTokenOption(session, instance, options);
  const reply = await session.client.call('export.start', { instance, project, description, push });
  for (const warning of reply.warnings) session.terminal.note(`Warning: ${warning}`);
  const { result, exitCode } = await followResult(session, reply.runId, changeResultSchema);
  session.terminal.result({ ...reply, result }, () =>
    isPushed
      ? 'GitLab creates the export and uploads it, but does not report whether the upload succeeds. Check that the file arrived.'
      : 'GitLab creates the export; "packhorse export status" shows its state.',
  );
  return exitCode;
}
