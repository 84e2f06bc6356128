/** @file `packhorse project upload`, `uploads` and `download-upload`: files that were uploaded for use in a project's texts. */
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { AppError } from '../../../../src-contract/errors.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { userPath } from '../../../platform/paths.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { runChange, type Changed } from './changes.ts';
import { formatTime, table } from '../terminal/format.ts';
import {
  listOptions,
  moreLines,
  addProjectArgument,
  wholeList,
  type ListOptions,
  type InstanceOptions,
} from '../instances/on-instance.ts';
import { folder, wholeNumber } from '../terminal/options.ts';
import { runWithApp, showProgress, takeToken, type Session } from '../running/session.ts';
import { errorDocument, exitCodeOf, exitCodes, type ExitCode } from '../terminal/terminal.ts';

/** Adds the option for the path where a file is saved. */
export const destinationOption = (command: Command): Command =>
  command.option('--to <place>', 'a folder, or a file that is not there yet', folder);

export const destinationOf = ({ to }: { to?: string }): string | null =>
  to === undefined ? null : userPath(to);

export function registerUploads(project: Command): void {
  addOperationsHelp(
    addProjectArgument(project.command('upload').description('upload files for use in its texts')).argument(
      '<file...>',
      'one after the other',
    ),
    'upload-file',
  ).action(async (path: string, files: string[], options: InstanceOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      await takeToken(session, options.instance, options);
      return upload(
        session,
        options,
        path,
        files.map((file) => userPath(file)),
      );
    });
  });

  addOperationsHelp(
    listOptions(addProjectArgument(project.command('uploads').description('uploaded files, newest first'))),
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

  addOperationsHelp(
    destinationOption(
      addProjectArgument(project.command('download-upload').description('save an uploaded file')).argument(
        '<id>',
        'as "project uploads" lists it',
        wholeNumber(1, 999_999_999),
      ),
    ),
    'download-upload',
  ).action(
    async (path: string, uploadId: number, options: InstanceOptions & { to?: string }, command: Command) => {
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

type Uploaded = { file: string } & (Changed | { error: ReturnType<typeof errorDocument> });

/** Uploads files; after a failed one, the others are still uploaded. */
async function upload(
  session: Session,
  { instance }: InstanceOptions,
  project: string,
  files: string[],
): Promise<ExitCode> {
  const uploads: Uploaded[] = [];
  const errors: AppError[] = [];
  for (const file of files) {
    try {
      const sizeBytes = await sizeOf(file);
      const change = { kind: 'upload', file, sizeBytes } as const;
      const { exit: _, ...changed } = await runChange(session, { instance, project, change });
      uploads.push({ file, ...changed });
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (session.signal.aborted) throw error;
      errors.push(error);
      uploads.push({ file, error: errorDocument(error) });
    }
  }
  const [first] = errors;
  if (first !== undefined && files.length === 1) throw first;
  session.terminal.result({ uploads }, () => uploads.map(uploadText).join('\n'));
  if (first === undefined) return exitCodes.done;
  return errors.length < files.length ? exitCodes.partly : exitCodeOf(first);
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found?.isFile() === true) return found.size;
  if (found?.isDirectory() === true) {
    throw new AppError(
      'invalid-input',
      `${file} is a folder; upload its files one by one, or an archive of it`,
    );
  }
  throw new AppError('invalid-input', `There is no file ${file}`);
}

function uploadText(uploaded: Uploaded): string {
  if ('error' in uploaded) return `${uploaded.file}: ${uploaded.error.what}`;
  const { uploaded: told } = uploaded.result;
  // GitLab returns the Markdown once; after a lost reply it cannot be requested again.
  return `${uploaded.file}: uploaded${told === null || told.markdown === null ? '' : `, ${told.markdown}`}`;
}
