/**
 * @file `packhorse migration …`: which projects go from one instance to another, and where. The commands that move
 * projects are in `migration-run.ts`.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  migratingStates,
  type MappingRule,
  type MigratingState,
} from '../../../../src-contract/migrations/migration.ts';
import { migrationNameSchema } from '../../../../src-contract/migrations/migration-schema.ts';
import { waveSizeBounds } from '../../../../src-contract/bounds.ts';
import { migrationChecking } from './migration-check.ts';
import { migrationPassports } from './migration-passports.ts';
import { migrationFailures } from './migration-failures.ts';
import { migrationArgument, projectsOf } from './migration-projects.ts';
import { migrationRunning } from './migration-run.ts';
import { migrationsText, migrationText, projectsText } from './migration-text.ts';
import {
  choice,
  limitOption,
  refuseNoChange,
  repeated,
  required,
  numberWithin,
  wholeNumber,
} from '../terminal/options.ts';
import { overridesIn } from '../projects/pairs.ts';
import { confirmInTerminal } from '../terminal/confirm.ts';
import { findsOn, selectionOf, selectionOptions, type PlanOptions } from '../plans/plan-options.ts';
import { runWithApp, takeToken, tokenOptions, type TokenOptions } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';

interface DraftOptions extends PlanOptions, TokenOptions {
  rule?: MappingRule[];
  override?: string[];
  freeze?: boolean;
  waveSize?: number;
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

export function migrationCommand(program: Command): void {
  const migration = program
    .command('migration')
    .description('move projects to another instance, and prove what arrived');

  tokenOptions(
    draftOptions(
      migration
        .command('create')
        .description('say what is to go where; nothing moves yet')
        .argument('<name>', 'what it is called', nameOf)
        .addOption(required(new Option('--from <instance>', 'the instance to move from')))
        .addOption(required(new Option('--to <instance>', 'the instance to move to'))),
    ),
  )
    .addHelpText(
      'after',
      '\nNext: "packhorse migration check NAME", then "packhorse migration run NAME". A token that is given here is that of the source.',
    )
    .action(async (name: string, options: CreateOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        await takeToken(session, options.from, options);
        const selection = await selectionOf(command, findsOn(session, options.from));
        if (selection === null) {
          throw misused(
            'Say which projects are to go: --all, --project or a condition such as --group is missing.',
          );
        }
        const created = await session.client.call('migration.create', {
          name,
          source: options.from,
          target: options.to,
          selection,
          rules: options.rule ?? [],
          overrideParams: overridesIn(options.override),
          freeze: options.freeze === true,
          waveSize: options.waveSize ?? null,
        });
        const projects = await projectsOf(session, created.id);
        session.terminal.result({ migration: created, projects }, () =>
          [migrationText(created), '', projectsText(projects)].join('\n'),
        );
        return projects.length === 0 || projects.some(({ conflicts }) => conflicts.length > 0)
          ? exitCodes.partly
          : exitCodes.done;
      });
    });

  migration
    .command('list')
    .description('all migrations, newest first')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { migrations } = await session.client.call('migration.list', {});
        session.terminal.result({ migrations }, () =>
          migrations.length === 0
            ? 'No migration yet. Make one with "packhorse migration create NAME --from INSTANCE --to INSTANCE --all".'
            : migrationsText(migrations),
        );
        return exitCodes.done;
      });
    });

  migration
    .command('projects')
    .description('where each project goes, and its state')
    .addArgument(migrationArgument())
    .addOption(choice('--state <state>', 'only those in this state', migratingStates))
    .option('--search <text>', 'only those with this in a path')
    .addOption(limitOption(500))
    .action(
      async (
        typed: string,
        options: { state?: MigratingState; search?: string; limit: number },
        command: Command,
      ) => {
        await runWithApp(command, async (session) => {
          const projects = await projectsOf(session, typed, options);
          session.terminal.result({ projects }, () => projectsText(projects));
          return exitCodes.done;
        });
      },
    );

  tokenOptions(
    draftOptions(
      migration
        .command('edit')
        .description('change a migration that was not started; what is not given stays as it is')
        .addArgument(migrationArgument())
        .option('--name <name>', 'another name', nameOf),
    ),
  )
    .option('--no-freeze', 'leave the sources as they are')
    .action(async (typed: string, options: DraftOptions, command: Command) => {
      refuseNoChange(command);
      await runWithApp(command, async (session) => {
        const before = await session.client.call('migration.show', { migration: typed });
        await takeToken(session, before.source, options);
        const selection = await selectionOf(command, findsOn(session, before.source));
        const changed = await session.client.call('migration.change', {
          migration: before.id,
          changes: {
            ...(options.name === undefined ? {} : { name: options.name }),
            ...(selection === null ? {} : { selection }),
            ...(options.rule === undefined ? {} : { rules: options.rule }),
            ...(options.override === undefined ? {} : { overrideParams: overridesIn(options.override) }),
            ...(options.freeze === undefined ? {} : { freeze: options.freeze }),
            ...(options.waveSize === undefined ? {} : { waveSize: options.waveSize }),
          },
        });
        session.terminal.result(changed, () => migrationText(changed));
        return exitCodes.done;
      });
    });

  migration
    .command('place')
    .description('say where one project goes, or that it stays')
    .addArgument(migrationArgument())
    .argument('<project>', 'its full path on the source, or its id there')
    .option('--namespace <path>', 'full path of the group that it goes to')
    .option('--path <path>', 'the last part of its address')
    .option('--name <name>', 'what it is called there')
    .option(
      '--override <key=value>',
      'an attribute that wins over the archive; may be given several times',
      repeated,
    )
    .option('--wave <number>', 'the wave in which it goes', wholeNumber(1, 100_000))
    .option('--overwrite', 'replace the project that is there; it is confirmed when the migration is started')
    .addOption(new Option('--keep-existing', 'do not replace anything').conflicts('overwrite'))
    .option('--leave-out', 'it stays where it is')
    .addOption(new Option('--take-in', 'it goes after all').conflicts('leaveOut'))
    .action(async (typed: string, project: string, options: PlaceOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const { namespace, path, name, override, wave } = options;
        const placed = await session.client.call('migration.place', {
          migration: typed,
          project,
          placement: {
            ...(namespace === undefined ? {} : { namespace }),
            ...(path === undefined ? {} : { path }),
            ...(name === undefined ? {} : { name }),
            ...(override === undefined ? {} : { overrideParams: overridesIn(override) }),
            ...(options.overwrite === true ? { overwrite: true } : {}),
            ...(options.keepExisting === true ? { overwrite: false } : {}),
          },
          ...(wave === undefined ? {} : { wave }),
          ...(options.leaveOut === true ? { leftOut: true } : {}),
          ...(options.takeIn === true ? { leftOut: false } : {}),
        });
        session.terminal.result(placed, () => projectsText([placed]));
        return placed.conflicts.length > 0 ? exitCodes.partly : exitCodes.done;
      });
    });

  migration
    .command('remove')
    .description('forget a migration; what it moved stays where it is')
    .addArgument(migrationArgument())
    .option('--yes', 'do not ask')
    .action(async (typed: string, { yes }: { yes?: boolean }, command: Command) => {
      await runWithApp(command, async (session) => {
        const gone = await session.client.call('migration.show', { migration: typed });
        if (yes !== true && gone.status !== 'draft') {
          session.terminal.note(
            `This forgets the migration ${gone.name}: its failures, its comparisons, and what somebody accepted. Write its passports first ("packhorse migration report"). What it moved stays where it is.`,
          );
          await confirmInTerminal(session, 'Continue? [y/N] ');
        }
        await session.client.call('migration.remove', { migration: gone.id });
        session.terminal.result({ removed: gone }, () => `The migration ${gone.name} is forgotten.`);
        return exitCodes.done;
      });
    });

  migrationChecking(migration);
  migrationRunning(migration);
  migrationFailures(migration);
  migrationPassports(migration);
}

function draftOptions(command: Command): Command {
  selectionOptions(command);
  return command
    .option(
      '--rule <from=to>',
      'projects below this source group go below that group; "=to" is for every group; may be given several times',
      ruleOf,
    )
    .option(
      '--override <key=value>',
      'an attribute of every project that wins over its archive, for example visibility=private; may be given several times',
      repeated,
    )
    .option('--freeze', 'mark each source as archived before its export, so that nobody changes it')
    .option('--wave-size <count>', 'how many projects go together', numberWithin(waveSizeBounds));
}

function ruleOf(text: string, before: MappingRule[] | undefined): MappingRule[] {
  const at = text.indexOf('=');
  const to = text.slice(at + 1).trim();
  if (at === -1 || to === '') throw new InvalidArgumentError('Write it like old/group=new/group.');
  return [...(before ?? []), { from: text.slice(0, at).trim(), to }];
}

function nameOf(text: string): string {
  const parsed = migrationNameSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give a name of 1 to 60 characters.');
}
