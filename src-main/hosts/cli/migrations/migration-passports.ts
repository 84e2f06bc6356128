/** @file `packhorse migration show`, `table`, `fill`, `reconcile`, `report` and `finish`: results and final steps. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { AppError, type ErrorCode } from '../../../../src-contract/errors.ts';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import {
  chosenDepths,
  type ChosenDepth,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import {
  differenceConditions,
  matchesFilter,
  type DifferenceFilter,
} from '../../../../src-contract/migrations/difference-filter.ts';
import type { MigratingProject, MigratingState } from '../../../../src-contract/migrations/migration.ts';
import { acceptedStateText } from '../../../../src-contract/words/migrations.ts';
import { resolveUserPath } from '../../../platform/paths.ts';

import { followRun } from '../runs/follow.ts';
import { confirmInTerminal } from '../terminal/confirm.ts';
import { joinLines, plural, table, firstNames, firstLines } from '../terminal/format.ts';
import { comparisonText, declaredText } from '../transfers/import-result.ts';
import { differencesText, maxPrintedDifferences } from './difference-text.ts';
import { migrationArgument, listMigrationProjects } from './migration-projects.ts';
import { migrationText, projectsText, stateText } from './migration-text.ts';
import { addOptions, givenOptions } from '../terminal/declared-options.ts';
import { parseFolder, failMissingOption, resolveOptionPath } from '../terminal/options.ts';
import { showProgress, runWithApp, type Session } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { jobStatusWord } from '../runs/job-words.ts';
import type { AppCommand } from '../running/app-command.ts';
import { runExitCode, errorOf } from '../runs/outcome.ts';

const projectArgumentHelp = 'its full path on the source, or its id there';

interface FinishOptions {
  despiteDifferences?: boolean;
  yes?: boolean;
  markSource?: boolean;
  noteNewPlace?: boolean;
}

interface ReconcileOptions {
  compare?: ChosenDepth;
  limit: number;
}

/** Adds the options that select differences, and how many of them are printed. */
const addDifferenceOptions = (command: AppCommand): AppCommand => {
  addOptions(command, differenceConditions);
  return command
    .limitOption(maxPrintedDifferences)
    .helpNote('With --json, --limit has no effect, and "differences" has those that meet the conditions.');
};

/** The selected differences and how many of them are printed. */
interface Selection {
  filter: DifferenceFilter;
  limit: number;
}

const selectionOf = (command: AppCommand, limit: number): Selection => ({
  filter: givenOptions(command, differenceConditions),
  limit,
});

const select = <Compared extends { differences: readonly Difference[] }>(
  compared: Compared,
  { filter }: Selection,
): Compared => ({
  ...compared,
  differences: compared.differences.filter((difference) => matchesFilter(difference, filter)),
});

export function registerMigrationResults(migration: AppCommand): void {
  const show = addDifferenceOptions(
    migration
      .subcommand(
        'show',
        'show what a migration moves and its overall state, or the last comparison of one project',
      )
      .addArgument(migrationArgument())
      .argument('[project]', projectArgumentHelp),
  );
  show.withApp(
    async (
      { client, terminal },
      migration: string,
      project: string | undefined,
      options: { limit: number },
    ) => {
      if (project === undefined) {
        const details = await client.call('migration.show', { migration });
        terminal.result(details, () => migrationText(details));
        return;
      }
      const selection = selectionOf(show, options.limit);
      const compared = await client.call('migration.reconciliation', { migration, project });
      const listed = await findProject({ client }, migration, project);
      terminal.result(
        { project: listed, ...select(compared, selection) },
        () =>
          joinLines(
            projectsText(listed === undefined ? [] : [listed]),
            '',
            compared.reconciliation === null
              ? 'It was not compared yet.'
              : comparedText(compared.reconciliation, compared.differences, listed, selection),
          ),
        { hasMarks: true },
      );
    },
  );

  migration
    .subcommand('table', 'print the target and the state of each project, as CSV for a spreadsheet')
    .addArgument(migrationArgument())
    .helpNote('The table is written to standard output: packhorse migration table NAME > move.csv')
    .withApp(async ({ client, terminal }, migration: string) => {
      const { csv } = await client.call('migration.table', { migration });
      terminal.file({ csv }, csv);
    });

  migration
    .subcommand('fill', 'apply a table that "table" wrote; if one row is wrong, nothing is changed')
    .addArgument(migrationArgument())
    .argument('<file>', 'the table, as CSV')
    .withApp(async ({ client, terminal }, migration: string, file: string) => {
      const csv = await readUtf8File(resolveUserPath(file));
      const { migration: filled, changed } = await client.call('migration.fill', { migration, csv });
      const projects = await listMigrationProjects({ client }, filled.id);
      const conflicts = projects.filter((project) => project.conflicts.length > 0);
      terminal.result({ migration: filled, changed, conflicts }, () =>
        joinLines(
          `${plural(changed, 'project')} changed by the table.`,
          conflicts.length > 0 && ['', projectsText(conflicts)],
        ),
      );
      return conflicts.length > 0 ? exitCodes.partly : exitCodes.done;
    });

  const reconcile = addDifferenceOptions(
    migration
      .subcommand('reconcile', 'compare the current source, archive and target of a project again')
      .addArgument(migrationArgument())
      .argument('<project>', projectArgumentHelp)
      .choiceOption(
        '--compare <depth>',
        'a greater depth than that of the migration and of the last comparison',
        chosenDepths,
      ),
  );
  reconcile.withApp(
    async ({ client, terminal }, migration: string, project: string, options: ReconcileOptions) => {
      const { compare, limit } = options;
      const selection = selectionOf(reconcile, limit);
      const request = { migration, project, ...(compare === undefined ? {} : { compare }) };
      const compared = await client.call('migration.reconcile', request);
      const { reconciliation, differences } = compared;
      const listed = await findProject({ client }, migration, project);
      terminal.result(
        select(compared, selection),
        () => comparedText(reconciliation, differences, listed, selection),
        { hasMarks: true },
      );
      return reconciliation.reconciled || listed?.state === 'arrived' ? exitCodes.done : exitCodes.partly;
    },
  );

  migration
    .subcommand(
      'report',
      'write the passports of all projects, or of one, as self-contained HTML, JSON and CSV',
    )
    .addArgument(migrationArgument())
    .argument('[project]', `${projectArgumentHelp}; default: all`)
    .option(
      '--to <folder>',
      'where to create a folder for them (default: the folder for downloads)',
      parseFolder,
    )
    .withApp(async (session, migration: string, project: string | undefined, options: { to?: string }) => {
      const request = { migration, project: project ?? null, to: resolveOptionPath(options.to) ?? null };
      const progress = showProgress(session, 'Writing passports');
      const written = await session.client.call('migration.passport', request, progress);
      const { files, folder } = written;
      const page = join(folder, files[0] ?? '');
      session.terminal.result(written, () => `${plural(files.length, 'file')} written. Open ${page}`);
    });

  migration
    .subcommand('finish', 'mark source projects on GitLab as moved: all that arrived, or one')
    .addArgument(migrationArgument())
    .argument('[project]', `${projectArgumentHelp}; default: every one that arrived`)
    .option('--mark-source', 'mark the sources as archived on GitLab; requires the role Owner')
    .option('--note-new-place', 'add a line with the new address to the descriptions of the sources')
    .option('--despite-differences', 'also if this one project did not arrive completely')
    .option('--yes', 'skip the confirmation if the role is too low for some sources')
    .helpNote('Nothing is done twice: sources that are already marked or noted stay as they are.')
    .action(
      async (reference: string, project: string | undefined, options: FinishOptions, command: AppCommand) => {
        const { markSource = false, noteNewPlace = false, despiteDifferences = false, yes = false } = options;
        if (!markSource && !noteNewPlace) failMissingOption(command, "'--mark-source' or '--note-new-place'");
        if (despiteDifferences && project === undefined) failMissingOption(command, 'a project');
        await runWithApp(command, async (session) => {
          if (markSource) await confirmRoles(session, reference, project ?? null, { yes, noteNewPlace });
          const changes = { despiteDifferences, markSource, noteNewPlace };
          const request = { migration: reference, project: project ?? null, ...changes };
          const { runId, refused } = await session.client.call('migration.finish', request);
          const jobs = await followRun(session, runId);
          const notArrived = project === undefined ? await listNotArrived(session, reference) : [];
          session.terminal.result({ runId, jobs, refused, leftOut: notArrived }, () =>
            joinLines(
              table(['PROJECT', 'STATE', 'REMARKS'], jobs.map(finishedRow)),
              notArrivedText(notArrived, reference),
              refused.map(
                (refusal) => `${refusal.project}: ${errorText(refusal.error, 'command-line').what}`,
              ),
            ),
          );
          return runExitCode(jobs, refused.length + notArrived.length);
        });
      },
    );
}

/** Errors of an instance that is unavailable. The command continues, because the jobs wait for the instance. */
const outageCodes: readonly ErrorCode[] = [
  'address-unknown',
  'connection-refused',
  'connection-lost',
  'timeout',
  'server-error',
  'rate-limited',
];

/** Lists the sources for which the role is too low and asks for confirmation, before any change is requested. */
async function confirmRoles(
  session: Session,
  migration: string,
  project: string | null,
  { yes, noteNewPlace }: { yes: boolean; noteNewPlace: boolean },
): Promise<void> {
  const { client, terminal } = session;
  const request = { migration, project };
  const progress = showProgress(session, 'Reading roles');
  const outlook = await client.call('migration.finishOutlook', request, progress).catch((thrown: unknown) => {
    const error = AppError.from(thrown);
    if (!outageCodes.includes(error.code)) throw error;
    terminal.note(`The roles could not be read. ${errorText(error.toData(), 'command-line').what}`);
    return null;
  });
  if (outlook === null) return;
  const { projects, roleTooLow, unknown } = outlook;
  if (unknown > 0) terminal.note(`The role could not be read for ${plural(unknown, 'source')}.`);
  if (roleTooLow.length === 0) return;
  const paths = roleTooLow.map((path) => `  ${path}`);
  terminal.note(
    joinLines(
      `Marking a project as archived requires the role Owner. The account does not have it in ${roleTooLow.length} of ${plural(projects, 'source')}:`,
      firstLines(paths, maxListedProjects),
      `GitLab will refuse these requests${noteNewPlace ? '; the note with the new address may still be added' : ''}.`,
    ),
  );
  if (!yes) await confirmInTerminal(session, 'Continue? [y/N] ');
}

/** Throws `invalid-input` unless the file is UTF-8. Another encoding would silently change letters. */
async function readUtf8File(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (thrown) {
    throw new AppError('invalid-input', `The file ${path} cannot be read.`, { cause: thrown });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid-input', `${path} is not written in UTF-8; save it as "CSV UTF-8".`);
  }
}

async function findProject(
  session: Pick<Session, 'client'>,
  migration: string,
  reference: string,
): Promise<MigratingProject | undefined> {
  return (await listMigrationProjects(session, migration)).find(
    ({ sourceId, sourcePath }) =>
      String(sourceId) === reference || sourcePath.toLowerCase() === reference.toLowerCase(),
  );
}

const comparedText = (
  reconciliation: Reconciliation,
  differences: readonly Difference[],
  project: MigratingProject | undefined,
  selection: Selection,
): string =>
  joinLines(
    comparisonText(reconciliation, project?.failures.open ?? 0),
    differencesText(reconciliation, differences, selection),
    declaredText(reconciliation),
    project !== undefined &&
      project.state === 'arrived' &&
      project.accepted > 0 && ['', `${acceptedStateText(project)}.`],
  );

const maxListedProjects = 10;

async function listNotArrived(
  session: Session,
  migration: string,
): Promise<{ project: string; state: MigratingState }[]> {
  return (await listMigrationProjects(session, migration))
    .filter(({ state }) => state !== 'arrived' && state !== 'left-out')
    .map(({ sourcePath, state }) => ({ project: sourcePath, state }));
}

function notArrivedText(notArrived: Awaited<ReturnType<typeof listNotArrived>>, migration: string): string[] {
  if (notArrived.length === 0) return [];
  const labels = notArrived.map(({ project, state }) => `${project} (${stateText({ state, depth: null })})`);
  const stayUnchanged = notArrived.length === 1 ? 'source stays unchanged' : 'sources stay unchanged';
  return [
    `${notArrived.length} ${stayUnchanged}, because the project did not arrive completely: ${firstNames(labels, maxListedProjects)}. See "packhorse migration status ${migration}".`,
  ];
}

function finishedRow(job: Job): (string | null)[] {
  const { state } = job;
  if (state.status !== 'succeeded') {
    return [job.project, jobStatusWord(state), errorText(errorOf(job).toData(), 'command-line').what];
  }
  const changed = changeResultSchema.safeParse(job.result).data?.changed;
  return [job.project, jobStatusWord(state), changed === false ? 'Nothing had to be changed.' : null];
}
