/**
 * @file `packhorse migration run`, `status`, `pause`, `cancel` and `again`: a running migration, followed to its end.
 */
import type { Command } from 'commander';
import type { MigratingProject, Migration } from '../../../../src-contract/migrations/migration.ts';
import { confirmed } from '../terminal/confirm.ts';
import { formatDuration, plural } from '../terminal/format.ts';
import { blockersOf, runPreflight, checkText } from './migration-check.ts';
import { migrationArgument, projectsOf } from './migration-projects.ts';
import { migrationText, projectsText, stateText } from './migration-text.ts';
import { followChanges } from '../running/follow-changes.ts';
import { runWithApp, type Session } from '../running/session.ts';
import { runsElsewhere } from '../runs/follow.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { askedBy } from '../../../../src-contract/words/work.ts';

/** After this time, the command reports that another process runs the jobs. */
const watchingMs = 2_000;

interface RunOptions {
  createGroups?: boolean;
  yes?: boolean;
}

export function migrationRunning(migration: Command): void {
  migration
    .command('run')
    .description(
      'move the projects, or continue after a pause or an interruption, and follow them to the end',
    )
    .addArgument(migrationArgument())
    .option('--create-groups', 'create the groups that the target lacks')
    .option('--yes', 'replace existing projects without asking')
    .addHelpText(
      'after',
      '\nTokens are taken from the keychain or from PACKHORSE_TOKEN_<INSTANCE>. Interrupting loses nothing: the same command continues.',
    )
    .action(async (typed: string, options: RunOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const { id, target, check } = await session.client.call('migration.show', { migration: typed });
        if (check === null) {
          const made = await runPreflight(session, id);
          const blockers = blockersOf(made);
          if (blockers.length > 0) {
            session.terminal.result(made, () => checkText(made, false));
            return exitCodes.failed;
          }
        }
        const confirmation = await confirmed(
          session,
          { action: 'migration.start', instance: target, project: id },
          options,
        );
        await session.client.call('migration.start', {
          migration: id,
          createGroups: options.createGroups === true,
          confirmation,
        });
        return follow(session, id);
      });
    });

  migration
    .command('status')
    .description('its state, without following it')
    .addArgument(migrationArgument())
    .action(async (typed: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const { shown, projects } = await look(session, typed);
        const stands = projects.some((project) => isMoving(project)) && !session.app.anyRunsJobs();
        return tell(session, shown, projects, stands ? standsStill(shown) : null);
      });
    });

  for (const [word, says, done] of [
    ['pause', 'start nothing more; work in progress is finished', 'is paused'],
    ['cancel', 'also stop work in progress; GitLab still finishes what it was asked to do', 'is cancelled'],
  ] as const) {
    migration
      .command(word)
      .description(says)
      .addArgument(migrationArgument())
      .action(async (typed: string, _options: unknown, command: Command) => {
        await runWithApp(command, async (session) => {
          const now =
            word === 'pause'
              ? await session.client.call('migration.pause', { migration: typed })
              : await session.client.call('migration.cancel', { migration: typed, by: askedBy.cli });
          const stands = now.status === 'cancelled' && isInProgress(now) && !session.app.anyRunsJobs();
          session.terminal.result(now, () =>
            [`The migration ${now.name} ${done}.`, ...(stands ? [endsLater] : [])].join('\n'),
          );
          return exitCodes.done;
        });
      });
  }

  migration
    .command('again')
    .description(
      'move what failed or was cancelled again, from the step that failed, and follow it to the end',
    )
    .addArgument(migrationArgument())
    .argument('[project]', 'its full path on the source, or its id there; without it all')
    .option('--yes', 'replace existing projects without asking')
    .action(
      async (typed: string, project: string | undefined, options: { yes?: boolean }, command: Command) => {
        await runWithApp(command, async (session) => {
          const { id, target } = await session.client.call('migration.show', { migration: typed });
          const part = project ?? null;
          const confirmation = await confirmed(
            session,
            { action: 'migration.again', instance: target, project: id, part },
            options,
          );
          await session.client.call('migration.again', { migration: id, project: part, confirmation });
          return follow(session, id);
        });
      },
    );
}

async function look(
  session: Session,
  migration: string,
): Promise<{ shown: Migration; projects: MigratingProject[] }> {
  const shown = await session.client.call('migration.show', { migration });
  return { shown, projects: await projectsOf(session, shown.id) };
}

/** Moves the projects here, or watches the process that runs the jobs, until all have ended. */
async function follow(session: Session, id: string): Promise<ExitCode> {
  session.app.startJobs((job) => session.app.isOfMigration(job, id), { migrationId: id });
  const watched: Watched = { elsewhere: false, last: null };
  try {
    return await followed(session, id, watched);
  } catch (thrown) {
    const { elsewhere, last } = watched;
    if (!session.signal.aborted || !elsewhere || last === null) throw thrown;
    const { name } = last.shown;
    session.terminal.result({ migration: last.shown, projects: last.projects }, () =>
      [
        'This command no longer watches it. The migration continues in another Packhorse process, which runs the jobs.',
        `Pause it with "packhorse migration pause ${quoted(name)}", or cancel it with "packhorse migration cancel ${quoted(name)}".`,
      ].join('\n'),
    );
    return exitCodes.interrupted;
  }
}

const isMoving = ({ state }: MigratingProject): boolean =>
  state === 'exporting' || state === 'importing' || state === 'finishing';
const isInProgress = ({ projects }: Migration): boolean =>
  projects.exporting + projects.importing + projects.finishing > 0;

/** After a crash or a closed terminal the state looks as if the migration were running. */
const standsStill = ({ name }: Migration): string =>
  `No Packhorse process runs its jobs now, so nothing moves. Continue with "packhorse migration run ${quoted(name)}", the window or "packhorse daemon".`;

const endsLater =
  'No Packhorse process runs its jobs now: the next one that does cancels the work in progress.';

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name}'`);

interface Watched {
  /** Another process runs the jobs. */
  elsewhere: boolean;
  last: Awaited<ReturnType<typeof look>> | null;
}

async function followed(session: Session, id: string, watched: Watched): Promise<ExitCode> {
  const { app, clock, terminal } = session;
  const began = clock.monotonic();
  const told = new Map<string, string>();
  const redraw = (): void => {
    if (watched.last === null) return;
    const { shown, projects } = watched.last;
    terminal.status(statusLine(shown, projects, clock.monotonic() - began));
  };
  return followChanges(session, {
    isAbout: (name, payload) =>
      name === 'job.changed' || (name === 'migration.changed' && payload.migrationId === id),
    async read() {
      const isFirst = watched.last === null;
      watched.last = await look(session, id);
      const { shown, projects } = watched.last;
      for (const project of projects) {
        const { sourcePath, state, waitsFor } = project;
        const about = waitsFor === null ? stateText(state) : `${stateText(state)}: ${waitsFor}`;
        if (state === 'planned' || told.get(sourcePath) === about) continue;
        told.set(sourcePath, about);
        // Projects that had ended before are in the table, not among the changes.
        if (isFirst && isOver(project)) continue;
        if (!terminal.interactive || isOver(project)) terminal.note(`${sourcePath}: ${about}`);
      }
      if (shown.status === 'ended' || shown.status === 'cancelled' || shown.status === 'paused') {
        terminal.status(null);
        return tell(session, shown, projects);
      }
      const elsewhere = !app.runsJobs() && clock.monotonic() - began > watchingMs;
      if (elsewhere && !watched.elsewhere) terminal.note(runsElsewhere);
      watched.elsewhere = elsewhere;
      redraw();
      return null;
    },
    redraw,
    extraMs: () => watched.last?.projects.length ?? 0,
  });
}

const isOver = ({ state }: MigratingProject): boolean =>
  ['arrived', 'differs', 'failed', 'cancelled', 'left-out'].includes(state);

/**
 * Returns how many projects have ended, which are moving now, and, once some have ended, the time that the rest may
 * take at that rate.
 */
function statusLine({ wave }: Migration, projects: readonly MigratingProject[], elapsedMs: number): string {
  const moving = projects.filter((project) => !isOver(project) && project.state !== 'planned');
  const over = projects.filter(isOver).length;
  const waves = wave.total > 1 ? `wave ${wave.current} of ${wave.total} · ` : '';
  const left = over === 0 ? null : (elapsedMs / over) * (projects.length - over);
  const [first] = moving;
  return [
    `${waves}${over} of ${plural(projects.length, 'project')}`,
    ...(first === undefined ? [] : [`${first.sourcePath}: ${stateText(first.state)}`]),
    ...(left === null ? [] : [`about ${formatDuration(left)} left`]),
  ].join(' · ');
}

function tell(
  session: Session,
  shown: Migration,
  projects: MigratingProject[],
  remark: string | null = null,
): ExitCode {
  session.terminal.result({ migration: shown, projects }, () =>
    [projectsText(projects), '', migrationText(shown), ...(remark === null ? [] : [remark])].join('\n'),
  );
  const { arrived, failed, cancelled, differs } = shown.projects;
  if (failed + cancelled + differs === 0) return exitCodes.done;
  return arrived + differs === 0 ? exitCodes.failed : exitCodes.partly;
}
