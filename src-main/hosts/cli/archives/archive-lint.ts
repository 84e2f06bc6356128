/** @file `archive lint`: whether an archive can be imported, and what the import would lose. */
import type { Command } from 'commander';
import type { Lint } from '../../../../src-contract/archives/lint-schema.ts';
import { lintFile } from '../../../services/archives/linting.ts';
import { existingFile } from './archive-reference.ts';
import { plural, table } from '../terminal/format.ts';
import { archiveArgument } from '../terminal/options.ts';
import { run, runWithApp, showProgress } from '../running/session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

export function archiveLintCommand(archive: Command): void {
  archive
    .command('lint')
    .description('will this import work there? What would be refused or dropped, with its lines')
    .addArgument(archiveArgument())
    .option('--target <instance>', 'by the version and the limits of that instance')
    .addHelpText(
      'after',
      '\nEnds with 0 where nothing was found, 3 with warnings, 1 where the import would fail.',
    )
    // A file is read without opening or creating a data folder.
    .action(async (typed: string, { target }: { target?: string }, command: Command) => {
      const tell = (terminal: Terminal, found: Lint): ExitCode => {
        terminal.result(found, () => lintText(found));
        return exitOf(found);
      };
      const file = existingFile(typed);
      if (file !== null && target === undefined) {
        await run(command, async (terminal, signal) => tell(terminal, await lintFile(file, null, signal)));
        return;
      }
      await runWithApp(command, async (session) => {
        const request = { archive: file ?? typed, target: target ?? null };
        const lint = await session.client.call('archive.lint', request, showProgress(session, 'Reading'));
        return tell(session.terminal, lint);
      });
    });
}

function exitOf({ findings }: Lint): ExitCode {
  if (findings.some(({ severity }) => severity === 'blocker')) return exitCodes.failed;
  return findings.some(({ severity }) => severity === 'warning') ? exitCodes.partly : exitCodes.done;
}

function lintText({ findings, more, recordsRead }: Lint): string {
  const count = (wanted: string): number => findings.filter(({ severity }) => severity === wanted).length;
  const blockers = count('blocker');
  return [
    table(
      ['SEVERITY', 'CODE', 'PLACE', 'WHAT IS SO', 'WHAT TO DO'],
      findings.map(({ severity, code, place, message, fix }) => [severity, code, place, message, fix]),
    ),
    ...(more === 0 ? [] : [`${plural(more, 'finding')} more.`]),
    '',
    blockers > 0
      ? `The import would fail: ${plural(blockers, 'blocker')}.`
      : `The import should work; ${plural(count('warning'), 'warning')}.`,
    ...(recordsRead ? [] : ['Its records could not be looked at.']),
  ].join('\n');
}
