/** @file `packhorse project uploads` and `download-upload`: files that were uploaded for use in a project's texts. */
import type { Command } from 'commander';
import { userPath } from '../../platform/paths.ts';
import { asksGitlab } from './asks-gitlab.ts';
import { formatBytes, formatTime, table } from './format.ts';
import {
  listOptions,
  moreLines,
  onProject,
  wholeList,
  type ListOptions,
  type OnInstance,
} from './on-instance.ts';
import { folder, wholeNumber } from './options.ts';
import { runWithApp, showProgress, takeToken } from './session.ts';
import { exitCodes } from './terminal.ts';

/** Where a file is saved to, as it was typed. */
export const destinationOption = (command: Command): Command =>
  command.option('--to <place>', 'a folder, or a file that is not there yet', folder);

export const destinationOf = ({ to }: { to?: string }): string | null =>
  to === undefined ? null : userPath(to);

export function registerUploads(project: Command): void {
  asksGitlab(
    listOptions(onProject(project.command('uploads').description('uploaded files, newest first'))),
    'list-uploads',
  ).action(async (path: string, options: ListOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const { entries: uploads, more } = await wholeList(options, async (place) => {
        const part = await session.client.call('project.uploads', { instance, project: path, ...place });
        return { entries: part.uploads, next: part.next };
      });
      session.terminal.result({ uploads, more }, () => {
        const rows = uploads.map((upload) => [
          upload.id,
          upload.fileName,
          formatBytes(upload.sizeBytes),
          formatTime(upload.createdAt),
          upload.uploadedBy,
        ]);
        return rows.length === 0
          ? 'No file was uploaded.'
          : [table(['ID', 'FILE', 'SIZE', 'UPLOADED', 'BY'], rows), ...moreLines(more)].join('\n');
      });
      return exitCodes.done;
    });
  });

  asksGitlab(
    destinationOption(
      onProject(project.command('download-upload').description('save an uploaded file')).argument(
        '<id>',
        'as "project uploads" lists it',
        wholeNumber(1, 999_999_999),
      ),
    ),
    'download-upload',
  ).action(
    async (path: string, uploadId: number, options: OnInstance & { to?: string }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { instance } = options;
        await takeToken(session, instance, options);
        const request = { instance, project: path, uploadId, to: destinationOf(options) };
        const saved = await session.client.call('project.saveUpload', request, showProgress(session, path));
        session.terminal.result(saved, () => `Saved ${saved.path} (${formatBytes(saved.sizeBytes)}).`);
        return exitCodes.done;
      });
    },
  );
}
