/**
 * @file `archive record`: one record of an archive or of an NDJSON file, with everything that helps to explain its
 * failure.
 */
import type { Command } from 'commander';
import type { RecordView } from '../../../../src-contract/archives/record.ts';
import { recordViewInFile } from '../../../services/archives/record-access.ts';
import { existingFile } from './archive-reference.ts';
import { archiveArgument, wholeNumber } from '../terminal/options.ts';
import { recordViewText } from './record-text.ts';
import { run, runWithApp } from '../running/session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

/** A file is read without opening or creating a data folder. */
async function record(command: Command, typed: string, relation: string, line: number): Promise<void> {
  const show = (terminal: Terminal, found: RecordView): ExitCode => {
    terminal.result(found, () => recordViewText(found));
    return exitCodes.done;
  };
  const file = existingFile(typed);
  if (file === null) {
    await runWithApp(command, async ({ terminal, client }) =>
      show(terminal, await client.call('archive.record', { archive: typed, relation, line })),
    );
  } else {
    await run(command, async (terminal, signal) =>
      show(terminal, await recordViewInFile(file, { relation, line }, signal)),
    );
  }
}

export function archiveRecordCommand(archive: Command): void {
  archive
    .command('record')
    .description(
      'one record, its neighbours, and what looks wrong with it; lines count from zero, as GitLab reports them',
    )
    .addArgument(archiveArgument())
    .argument('<relation>', 'for example issues')
    .argument('<line>', 'zero-based', wholeNumber(0, 999_999_999))
    .action(async (typed: string, relation: string, line: number, _options: unknown, command: Command) => {
      await record(command, typed, relation, line);
    });
}
