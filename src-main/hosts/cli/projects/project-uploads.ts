/**
 * @file `packhorse project upload`, `uploads` and `download-upload`: files that were uploaded for use in a project's
 * texts.
 */
import { stat } from 'node:fs/promises';
import { AppError } from '../../../../src-contract/errors.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { runChange, type CompletedChange } from './changes.ts';
import { formatTime } from '../terminal/format.ts';
import { showList } from '../instances/on-instance.ts';
import { parseFolder, readId, resolveOptionPath } from '../terminal/options.ts';
import { showProgress, type Session } from '../running/session.ts';
import { errorDocument, exitCodeOf, exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand, ListOptions, InstanceOptions } from '../running/app-command.ts';

export const addDestinationOption = (command: AppCommand): AppCommand =>
  command.option('--to <place>', 'a folder, or the path of a new file', parseFolder);

export interface DestinationOptions extends InstanceOptions {
  to?: string;
}

export const destinationOf = ({ to }: DestinationOptions): string | null => resolveOptionPath(to) ?? null;

export function registerUploads(project: AppCommand): void {
  project
    .subcommand('upload', 'upload files for use in the texts of a project')
    .projectArgument()
    .argument('<file...>', 'the files, uploaded one after the other')
    .operations('upload-file')
    .withToken((session, project: string, files: string[], { instance }: InstanceOptions) =>
      upload(session, instance, project, files),
    );

  project
    .subcommand('uploads', 'uploaded files, newest first')
    .projectArgument()
    .listOptions()
    .operations('list-uploads')
    .withToken((session, project: string, options: ListOptions) =>
      showList(session, options, {
        key: 'uploads',
        fetchPage: (pageRequest) =>
          session.client.call('project.uploads', { instance: options.instance, project, ...pageRequest }),
        none: 'No file was uploaded.',
        cellsOf: ({ id, fileName, sizeBytes, createdAt, uploadedBy }) => ({
          ID: id,
          FILE: fileName,
          SIZE: formatBytes(sizeBytes),
          UPLOADED: formatTime(createdAt),
          BY: uploadedBy,
        }),
      }),
    );

  project
    .subcommand('download-upload', 'save an uploaded file')
    .projectArgument()
    .argument('<id>', 'its id from "project uploads"', readId)
    .use(addDestinationOption)
    .operations('download-upload')
    .withToken(async (session, project: string, uploadId: number, options: DestinationOptions) => {
      const request = { instance: options.instance, project, uploadId, to: destinationOf(options) };
      const saved = await session.client.call('project.saveUpload', request, showProgress(session, project));
      session.terminal.result(saved, () => `Saved ${saved.path} (${formatBytes(saved.sizeBytes)}).`);
    });
}

type UploadOutcome = { file: string } & (CompletedChange | { error: ReturnType<typeof errorDocument> });

/** Uploads files. After a failed upload, the other files are still uploaded. */
async function upload(
  session: Session,
  instance: string,
  project: string,
  files: readonly string[],
): Promise<ExitCode> {
  const uploads: UploadOutcome[] = [];
  const errors: AppError[] = [];
  for (const file of files.map((file) => resolveUserPath(file))) {
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
  throw new AppError('invalid-input', `There is no file ${file}.`);
}

function uploadText(outcome: UploadOutcome): string {
  if ('error' in outcome) return `${outcome.file}: ${outcome.error.what}`;
  const { uploaded } = outcome.result;
  // GitLab returns the Markdown once; after a lost reply it cannot be requested again.
  return `${outcome.file}: uploaded${uploaded === null || uploaded.markdown === null ? '' : `, ${uploaded.markdown}`}`;
}
