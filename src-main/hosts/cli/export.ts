/** @file `packhorse export …`: an account's own export of a project, beside what backups do. */
import type { Command } from 'commander';
import { asksGitlab } from './asks-gitlab.ts';
import { formatBytes } from './format.ts';
import { onProject, type OnInstance } from './on-instance.ts';
import { destinationOf, destinationOption } from './project-uploads.ts';
import { runWithApp, showProgress, takeToken } from './session.ts';
import { exitCodes } from './terminal.ts';

/** What GitLab's words for the state mean; others are shown as they are. */
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

  asksGitlab(
    onProject(exporting.command('status').description('how your export of a project stands')),
    'get-export-status',
  ).action(async (path: string, options: OnInstance, command: Command) => {
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

  asksGitlab(
    destinationOption(
      onProject(
        exporting
          .command('download')
          .description('save your finished export outside the archive store, and read it to its end'),
      ),
    ),
    'download-export',
  ).action(async (path: string, options: OnInstance & { to?: string }, command: Command) => {
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
