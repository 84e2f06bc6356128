/**
 * @file `archive record`: shows one record of an archive or of an NDJSON file, and possible reasons for its failure.
 */
import { recordViewInFile } from '../../../services/archives/record-access.ts';
import { archiveArgument, integerParser } from '../terminal/options.ts';
import { recordViewText } from './record-text.ts';
import type { AppCommand } from '../running/app-command.ts';
import { readArchive } from './archive-reference.ts';

export function registerArchiveRecord(archive: AppCommand): void {
  archive
    .subcommand(
      'record',
      'show one record, its neighbours, and what looks wrong with it; lines count from zero, as GitLab reports them',
    )
    .addArgument(archiveArgument())
    .argument('<relation>', 'for example issues')
    .argument('<line>', 'zero-based', integerParser(0, 999_999_999))
    .action(
      async (reference: string, relation: string, line: number, _options: unknown, command: AppCommand) => {
        await readArchive(command, reference, {
          readFile: (file, { signal }) => recordViewInFile(file, { relation, line }, signal),
          readStored: ({ client }) => client.call('archive.record', { archive: reference, relation, line }),
          text: recordViewText,
        });
      },
    );
}
