/** @file `packhorse import relation` and `relations`: imports one relation of a project again from an archive. */
import { Argument, Option, type Command } from 'commander';
import type { Finding } from '../../../../src-contract/archives/archive.ts';
import {
  importableRelations,
  type ImportableRelation,
  type RelationImportResult,
} from '../../../../src-contract/transfers/transfer.ts';
import { relationImportResultSchema } from '../../../../src-contract/transfers/transfer-schema.ts';
import { archiveReference } from '../archives/archive-reference.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { runExitCode } from './backup.ts';
import { succeeded } from '../projects/changes.ts';
import { followRun } from '../runs/follow.ts';
import { formatTime, table } from '../terminal/format.ts';
import { addProjectArgument, type InstanceOptions } from '../instances/on-instance.ts';
import { archiveWord, required } from '../terminal/options.ts';
import { runWithApp, showProgress, takeToken } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';

interface RelationOptions extends InstanceOptions {
  archive: string;
  removeMembers?: true;
}

export const removeMembersOption = (): Option =>
  new Option('--remove-members', 'continue even if GitLab removes the direct members of the project');

export function registerRelations(importing: Command): void {
  addOperationsHelp(
    addProjectArgument(
      importing
        .command('relation')
        .description('import one relation again from an archive; adds only what is not there'),
    )
      .addArgument(new Argument('<relation>').choices(importableRelations))
      .addOption(
        required(new Option('--archive <archive>', 'the archive to import it from').argParser(archiveWord)),
      )
      .addOption(removeMembersOption()),
    'import-relation',
  ).action(async (path: string, relation: ImportableRelation, options: RelationOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const started = await session.client.call(
        'import.relation',
        {
          instance,
          project: path,
          archive: archiveReference(options.archive),
          relation,
          removeMembers: options.removeMembers === true,
        },
        showProgress(session, 'Reading the archive'),
      );
      const jobs = await followRun(session, started.runId);
      const { state, result: told } = succeeded(jobs);
      const result = relationImportResultSchema.parse(told);
      const warnings = state.status === 'succeeded' ? state.warnings : [];
      session.terminal.result({ ...started, result, warnings }, () => resultText(result, warnings));
      return runExitCode(jobs, 0);
    });
  });

  addOperationsHelp(
    addProjectArgument(
      importing.command('relations').description('imports of single relations, and their states'),
    ),
    'list-relation-imports',
  ).action(async (path: string, options: InstanceOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const listed = await session.client.call('import.relations', { instance, project: path });
      session.terminal.result(listed, () => {
        const time = (at: string | null): string | null => (at === null ? null : formatTime(at));
        const rows = listed.relationImports.map((one) => [
          one.id,
          one.relation,
          one.status,
          time(one.createdAt),
          time(one.updatedAt),
        ]);
        return rows.length === 0
          ? 'No relation was imported alone.'
          : table(['ID', 'RELATION', 'STATE', 'CREATED', 'UPDATED'], rows);
      });
      return exitCodes.done;
    });
  });
}

function resultText(
  { relation, fullPath, inArchive, before, after }: RelationImportResult,
  warnings: readonly Finding[],
): string {
  const row = [relation, inArchive, before, after];
  const verdict =
    after === null
      ? 'The target could not be counted.'
      : after < inArchive
        ? 'Not all of it is there. GitLab does not say why; a failed record is left out each time.'
        : 'All of it is there.';
  return [
    `Imported ${relation} of ${fullPath} again.`,
    '',
    table(['RELATION', 'ARCHIVE', 'BEFORE', 'AFTER'], [row]),
    '',
    verdict,
    ...warnings.map(({ message }) => message),
  ].join('\n');
}
