/** @file `archive lint`: reports whether an archive can be imported, and what the import would lose. */
import type { Lint } from '../../../../src-contract/archives/lint-schema.ts';
import { lintFile } from '../../../services/archives/linting.ts';
import { archiveReference, readArchive } from './archive-reference.ts';
import { joinLines, plural, table } from '../terminal/format.ts';
import { archiveArgument } from '../terminal/options.ts';
import { showProgress } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

export function archiveLintCommand(archive: AppCommand): void {
  archive
    .subcommand(
      'lint',
      'check whether an import would work, and list the lines that GitLab would refuse or drop',
    )
    .addArgument(archiveArgument())
    .option('--target <instance>', 'apply the version and the limits of that instance')
    .helpNote(
      'The exit code is 0 without warnings, 3 with warnings or unread records, 1 if the import would fail.',
    )
    .action(async (argument: string, { target }: { target?: string }, command: AppCommand) => {
      const request = { archive: archiveReference(argument), target: target ?? null };
      await readArchive(command, argument, {
        readFile: (file, { signal }) => lintFile(file, null, signal),
        readStored: (session) =>
          session.client.call('archive.lint', request, showProgress(session, 'Reading')),
        needsApp: target !== undefined,
        text: lintText,
        exitOf: exitOfLint,
      });
    });
}

/** Returns `partly` also if the records were not read, because their problems are not known. */
export function exitOfLint({ findings, recordsRead }: Lint): ExitCode {
  if (findings.some(({ severity }) => severity === 'blocker')) return exitCodes.failed;
  const hasWarning = findings.some(({ severity }) => severity === 'warning');
  return hasWarning || !recordsRead ? exitCodes.partly : exitCodes.done;
}

/** Returns the text for people: the findings as a table, then whether the import should work. */
export function lintText({ findings, more, recordsRead }: Lint): string {
  const count = (level: string): number => findings.filter(({ severity }) => severity === level).length;
  const blockers = count('blocker');
  return joinLines(
    table(
      ['SEVERITY', 'CODE', 'PLACE', 'PROBLEM', 'WHAT TO DO'],
      findings.map(({ severity, code, place, message, fix }) => [severity, code, place, message, fix]),
    ),
    more !== 0 && `${plural(more, 'more finding')}.`,
    '',
    blockers > 0
      ? `The import would fail: ${plural(blockers, 'blocker')}.`
      : recordsRead
        ? `The import should work; ${plural(count('warning'), 'warning')}.`
        : `It is not known whether the import would work; ${plural(count('warning'), 'warning')}.`,
    !recordsRead && 'The records of the archive could not be read.',
  );
}
