/** @file `packhorse migration …`: which projects go from one instance to another, and where. */
import { InvalidArgumentError, Option } from 'commander';
import { migratingStates, type MappingRule } from '../../../../src-contract/migrations/migration.ts';
import { chosenDepths, type ChosenDepth } from '../../../../src-contract/transfers/import.ts';
import { migrationNameSchema } from '../../../../src-contract/migrations/migration-schema.ts';
import { waveSizeBounds } from '../../../../src-contract/bounds.ts';
import { registerCheck } from './migration-check.ts';
import { registerMigrationResults } from './migration-passports.ts';
import { registerFailures } from './migration-failures.ts';
import { registerRepair } from './migration-repair.ts';
import { migrationArgument, listMigrationProjects, type ProjectFilter } from './migration-projects.ts';
import { registerRun } from './migration-run.ts';
import { migrationsText, migrationText, projectsText } from './migration-text.ts';
import {
  collectRepeated,
  numberWithin,
  integerParser,
  omitUndefined,
  usageError,
} from '../terminal/options.ts';
import { parseOverrides } from '../projects/pairs.ts';
import { confirmInTerminal } from '../terminal/confirm.ts';
import { projectFinder, selectionOf, addSelectionOptions, type PlanOptions } from '../plans/plan-options.ts';
import { useTokenOption, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';
import { joinLines } from '../terminal/format.ts';

interface DraftOptions extends PlanOptions, TokenOptions {
  rule?: MappingRule[];
  override?: string[];
  freeze?: boolean;
  waveSize?: number;
  compare?: ChosenDepth;
}

interface CreateOptions extends DraftOptions {
  from: string;
  to: string;
}

interface PlaceOptions {
  namespace?: string;
  path?: string;
  name?: string;
  overwrite?: boolean;
  keepExisting?: boolean;
  override?: string[];
  wave?: number;
  leaveOut?: boolean;
  takeIn?: boolean;
}

export function migrationCommand(program: AppCommand): void {
  const migration = program.subcommand(
    'migration',
    'move projects to another instance, and prove what arrived',
  );

  migration
    .subcommand('create', 'choose which projects go where; nothing moves yet')
    .argument('<name>', 'a name of your choice', parseName)
    .neededOption('--from <instance>', 'the instance to move from')
    .neededOption('--to <instance>', 'the instance to move to')
    .use(addDraftOptions)
    .tokenOptions()
    .helpNote(
      'Next: "packhorse migration check NAME", then "packhorse migration run NAME". A token that is given here is used for the source.',
    )
    .withApp(async (session, name: string, options: CreateOptions, command: AppCommand) => {
      await useTokenOption(session, options.from, options);
      const selection = await selectionOf(command, projectFinder(session, options.from));
      if (selection === null) {
        throw usageError('Choose the projects: give --all, --project or a condition such as --group.');
      }
      const created = await session.client.call('migration.create', {
        name,
        source: options.from,
        target: options.to,
        selection,
        rules: options.rule ?? [],
        overrideParams: parseOverrides(options.override),
        freeze: options.freeze === true,
        waveSize: options.waveSize ?? null,
        compare: options.compare,
      });
      const projects = await listMigrationProjects(session, created.id);
      session.terminal.result({ migration: created, projects }, () =>
        joinLines(migrationText(created), '', projectsText(projects)),
      );
      return projects.length === 0 || projects.some(({ conflicts }) => conflicts.length > 0)
        ? exitCodes.partly
        : exitCodes.done;
    });

  migration.subcommand('list', 'all migrations, newest first').withApp(async (session) => {
    const { migrations } = await session.client.call('migration.list', {});
    session.terminal.result({ migrations }, () =>
      migrations.length === 0
        ? 'No migration yet. Create one with "packhorse migration create NAME --from INSTANCE --to INSTANCE --all".'
        : migrationsText(migrations),
    );
  });

  migration
    .subcommand('projects', 'where each project goes, and its state')
    .addArgument(migrationArgument())
    .choiceOption('--state <state>', 'only those in this state', migratingStates)
    .option('--search <text>', 'only projects with this text in a path')
    .limitOption(500)
    .withApp(async (session, migration: string, options: ProjectFilter) => {
      const projects = await listMigrationProjects(session, migration, options);
      session.terminal.result({ projects }, () => projectsText(projects));
    });

  migration
    .subcommand('edit', 'change a migration that has not started; other settings stay as they are')
    .addArgument(migrationArgument())
    .option('--name <name>', 'another name', parseName)
    .use(addDraftOptions)
    .tokenOptions()
    .option('--no-freeze', 'leave the sources as they are')
    .requireChange()
    .withApp(async (session, reference: string, options: DraftOptions, command: AppCommand) => {
      const current = await session.client.call('migration.show', { migration: reference });
      await useTokenOption(session, current.source, options);
      const selection = await selectionOf(command, projectFinder(session, current.source));
      const changed = await session.client.call('migration.change', {
        migration: current.id,
        changes: omitUndefined({
          name: options.name,
          selection: selection ?? undefined,
          rules: options.rule,
          overrideParams: options.override && parseOverrides(options.override),
          freeze: options.freeze,
          waveSize: options.waveSize,
          compare: options.compare,
        }),
      });
      session.terminal.result(changed, () => migrationText(changed));
    });

  migration
    .subcommand('place', 'choose where one project goes, or leave it out')
    .addArgument(migrationArgument())
    .argument('<project>', 'its full path on the source, or its id there')
    .option('--namespace <path>', 'full path of the group that it goes to')
    .option('--path <path>', 'the last part of its address')
    .option('--name <name>', 'the name of the project there')
    .option(
      '--override <key=value>',
      'an attribute that overrides the archive; may be given several times',
      collectRepeated,
    )
    .option('--wave <number>', 'the wave in which it is moved', integerParser(1, 100_000))
    .option('--overwrite', 'replace the existing project; you confirm this when the migration starts')
    .addOption(new Option('--keep-existing', 'do not replace anything').conflicts('overwrite'))
    .option('--leave-out', 'do not move the project')
    .addOption(new Option('--take-in', 'move the project after all').conflicts('leaveOut'))
    .withApp(async ({ client, terminal }, migration: string, project: string, options: PlaceOptions) => {
      const { namespace, path, name, override, wave } = options;
      const updated = await client.call('migration.place', {
        migration,
        project,
        placement: omitUndefined({
          namespace,
          path,
          name,
          overrideParams: override && parseOverrides(override),
          overwrite: options.keepExisting === true ? false : options.overwrite,
        }),
        ...omitUndefined({ wave, leftOut: options.takeIn === true ? false : options.leaveOut }),
      });
      terminal.result(updated, () => projectsText([updated]));
      return updated.conflicts.length > 0 ? exitCodes.partly : exitCodes.done;
    });

  migration
    .subcommand('remove', 'remove a migration; moved projects stay where they are')
    .addArgument(migrationArgument())
    .option('--yes', 'skip the confirmation')
    .withApp(async (session, migration: string, { yes }: { yes?: boolean }) => {
      const removed = await session.client.call('migration.show', { migration });
      if (yes !== true && removed.status !== 'draft') {
        session.terminal.note(
          `This removes the migration ${removed.name} with its failures, its comparisons and its accepted losses. Write its passports first ("packhorse migration report"). Moved projects stay where they are.`,
        );
        await confirmInTerminal(session, 'Continue? [y/N] ');
      }
      await session.client.call('migration.remove', { migration: removed.id });
      session.terminal.result({ removed }, () => `The migration ${removed.name} is removed.`);
    });

  registerCheck(migration);
  registerRun(migration);
  registerFailures(migration);
  registerRepair(migration);
  registerMigrationResults(migration);
}

function addDraftOptions(command: AppCommand): AppCommand {
  addSelectionOptions(command);
  return command
    .option(
      '--rule <from=to>',
      'projects below the source group "from" go below the group "to"; "=to" applies to every source group; may be given several times',
      collectRule,
    )
    .option(
      '--override <key=value>',
      'an attribute of every project that overrides its archive, for example visibility=private; may be given several times',
      collectRepeated,
    )
    .option('--freeze', 'mark each source as archived before its export, so that nobody changes it')
    .option('--wave-size <count>', 'number of projects per wave', numberWithin(waveSizeBounds))
    .choiceOption(
      '--compare <depth>',
      'what is compared after the import: numbers of records, also names, or also contents, the default; less than contents never counts as arrived',
      chosenDepths,
    );
}

function collectRule(text: string, previous: MappingRule[] | undefined): MappingRule[] {
  const separator = text.indexOf('=');
  const to = text.slice(separator + 1).trim();
  if (separator === -1 || to === '') throw new InvalidArgumentError('Write it like old/group=new/group.');
  return [...(previous ?? []), { from: text.slice(0, separator).trim(), to }];
}

function parseName(text: string): string {
  const parsed = migrationNameSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give a name of 1 to 60 characters.');
}
