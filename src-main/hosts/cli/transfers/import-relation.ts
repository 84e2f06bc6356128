/** @file `packhorse import relation` and `relations`: imports one relation of a project again from an archive. */
import { Argument, Option } from 'commander';
import type { Finding } from '../../../../src-contract/archives/archive.ts';
import {
  importableRelations,
  type ImportableRelation,
  type RelationImportResult,
} from '../../../../src-contract/transfers/transfer.ts';
import { relationImportResultSchema } from '../../../../src-contract/transfers/transfer-schema.ts';
import { archiveReference } from '../archives/archive-reference.ts';
import { joinLines, table, timeOrNone, tableOf } from '../terminal/format.ts';
import { parseArchiveReference } from '../terminal/options.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { readingProgress } from './import-result.ts';
import { followResult } from '../runs/outcome.ts';

interface RelationOptions extends InstanceOptions {
  archive: string;
  removeMembers?: true;
}

export const removeMembersOption = (): Option =>
  new Option('--remove-members', 'continue even if GitLab removes the direct members of the project');

export function registerRelations(importing: AppCommand): void {
  importing
    .subcommand('relation', 'import one relation again from an archive; adds only missing records')
    .projectArgument()
    .addArgument(new Argument('<relation>').choices(importableRelations))
    .neededOption('--archive <archive>', 'the archive to import it from', parseArchiveReference)
    .addOption(removeMembersOption())
    .operations('import-relation')
    .withToken(async (session, project: string, relation: ImportableRelation, options: RelationOptions) => {
      const { instance, removeMembers = false } = options;
      const archive = archiveReference(options.archive);
      const started = await session.client.call(
        'import.relation',
        { instance, project, archive, relation, removeMembers },
        readingProgress(session),
      );
      const { job, result, exitCode } = await followResult(
        session,
        started.runId,
        relationImportResultSchema,
      );
      const warnings = job.state.status === 'succeeded' ? job.state.warnings : [];
      session.terminal.result({ ...started, result, warnings }, () => resultText(result, warnings));
      return exitCode;
    });

  importing
    .subcommand('relations', 'imports of single relations, and their states')
    .projectArgument()
    .operations('list-relation-imports')
    .withToken(async ({ client, terminal }, project: string, { instance }: InstanceOptions) => {
      const listed = await client.call('import.relations', { instance, project });
      terminal.result(listed, () =>
        listed.relationImports.length === 0
          ? 'There is no import of a single relation.'
          : tableOf(listed.relationImports, ({ id, relation, status, createdAt, updatedAt }) => ({
              ID: id,
              RELATION: relation,
              STATE: status,
              CREATED: timeOrNone(createdAt),
              UPDATED: timeOrNone(updatedAt),
            })),
      );
    });
}

function resultText(
  { relation, fullPath, inArchive, before, after, missingIids }: RelationImportResult,
  warnings: readonly Finding[],
): string {
  const row = [relation, inArchive, before, after];
  const verdict =
    after === null
      ? 'The records on the target could not be counted.'
      : after < inArchive || (missingIids?.length ?? 0) > 0
        ? 'Some records are missing. GitLab does not say why. A new import leaves out the same records again.'
        : missingIids === null
          ? 'The target has at least as many records as the archive. The records themselves were not looked up.'
          : 'The project has a record with each number of the archive.';
  return joinLines(
    `Imported ${relation} of ${fullPath} again.`,
    '',
    table(['RELATION', 'ARCHIVE', 'BEFORE', 'AFTER'], [row]),
    '',
    verdict,
    warnings.map(({ message }) => message),
  );
}
