/** @file `packhorse archive rescan`: rebuilds the index, and lists the files that could not be read. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import { showProgress } from '../running/session.ts';
import { joinLines, plural, firstLines } from '../terminal/format.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

export function archiveRescanCommand(archive: AppCommand): void {
  archive
    .subcommand('rescan', 'rebuild the index from the manifests in the store')
    .withApp(async (session) => {
      const onProgress = showProgress(session, 'Archives');
      const reply = await session.client.call('archive.rescan', {}, onProgress);
      const { found, added, missing, missingArchives, absentFolders, unreadable, withoutManifest } = reply;
      session.terminal.result(reply, () =>
        joinLines(
          `${plural(found, 'archive')} found, ${added} added, ${missing} missing.`,
          absentFolders.flatMap(({ path, archives }) => [
            `The archive folder ${path} is missing; its disk may be unplugged. Its missing archives:`,
            ...firstOf(archives),
          ]),
          pathLines(missingArchives, 'archive', 'missing from an archive folder that exists:'),
          unreadable.map(({ path, error }) => `${path}: ${errorText(error).what}`),
          pathLines(
            withoutManifest,
            'file',
            'without a manifest; adopt your own exports among them with "packhorse archive adopt".',
          ),
        ),
      );
      return missing === 0 && unreadable.length === 0 ? exitCodes.done : exitCodes.partly;
    });
}

function pathLines(paths: readonly string[], noun: string, condition: string): string[] {
  return paths.length === 0 ? [] : [`${plural(paths.length, noun)} ${condition}`, ...firstOf(paths)];
}

/** `--json` lists all of them. */
const firstOf = (paths: readonly string[]): string[] =>
  firstLines(
    paths.map((path) => `  ${path}`),
    10,
  );
