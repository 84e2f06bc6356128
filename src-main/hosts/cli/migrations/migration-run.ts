/** @file `packhorse migration run`, `status`, `pause`, `cancel` and `again`: a migration, followed to its end. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { MigratingProject, Migration } from '../../../../src-contract/migrations/migration.ts';
import { requestConfirmation } from '../terminal/confirm.ts';
import { joinLines, formatDuration, plural } from '../terminal/format.ts';
import { projectBlockersOf, startBlockersOf, runPreflight, checkText } from './migration-check.ts';
import { migrationArgument, listMigrationProjects } from './migration-projects.ts';
import { migrationText, projectsText, stateText } from './migration-text.ts';
import { followChanges } from '../running/follow-changes.ts';
import { jobOwnerTimeoutMs, type Session } from '../running/session.ts';
import { jobsRunElsewhereMessage } from '../runs/follow.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { hostLabels } from '../../../../src-contract/words/work.ts';
import type { AppCommand } from '../running/app-command.ts';

interface RunOptions {
  createGroups?: boolean;
  yes?: boolean;
}

export function registerRun(migration: AppCommand): void {
  migration
    .subcommand(
      'run',
      'move the projects, or continue after a pause or an interruption, and follow them to the end',
    )
    .addArgument(migrationArgument())
    .option('--create-groups', 'create the groups that the target lacks')
    .option('--yes', 'replace existing projects without confirmation')
    .helpNote(
      'Tokens are taken from the keychain or from PACKHORSE_TOKEN_<INSTANCE>. Interrupting loses nothing: run the same command again to continue.',
    )
    .withApp(async (session, migration: string, options: RunOptions) => {
      const { client, terminal } = session;
      const { id, target, check } = await client.call('migration.show', { migration });
      if (check === null) {
        const preflight = await runPreflight(session, id);
        if (startBlockersOf(preflight).length > 0) {
          terminal.result(preflight, () => checkText(preflight, false));
          return exitCodes.failed;
        }
        for (const { message } of projectBlockersOf(preflight)) terminal.note(message);
      }
      const request = { action: 'migration.start', instance: target, project: id } as const;
      const confirmation = await requestConfirmation(session, request, options);
      const { createGroups = false } = options;
      await client.call('migration.start', { migration: id, createGroups, confirmation });
      return follow(session, id);
    });

  migration
    .subcommand('status', 'show the state of a migration, without following it')
    .addArgument(migrationArgument())
    .withApp(async (session, migration: string) => {
      const progress = await readProgress(session, migration);
      const isStalled = isInProgress(progress.migration) && !session.app.isAnyProcessRunningJobs();
      return showResult(session, progress, isStalled && stalledText(progress.migration));
    });

  for (const [action, description, outcome] of [
    ['pause', 'start no more projects; work in progress continues to its end', 'is paused'],
    [
      'cancel',
      'also stop work in progress; GitLab still finishes requests that it has accepted',
      'is cancelled',
    ],
  ] as const) {
    migration
      .subcommand(action, description)
      .addArgument(migrationArgument())
      .withApp(async ({ app, client, terminal }, reference: string) => {
        const migration =
          action === 'pause'
            ? await client.call('migration.pause', { migration: reference })
            : await client.call('migration.cancel', { migration: reference, by: hostLabels.cli });
        const isStalled =
          migration.status === 'cancelled' && isInProgress(migration) && !app.isAnyProcessRunningJobs();
        terminal.result(migration, () =>
          joinLines(`The migration ${migration.name} ${outcome}.`, isStalled && cancelledLaterText),
        );
      });
  }

  migration
    .subcommand(
      'again',
      'retry failed and cancelled projects from the step that failed, and follow them to the end',
    )
    .addArgument(migrationArgument())
    .argument('[project]', 'its full path on the source, or its id there; without it all')
    .option('--yes', 'replace existing projects without confirmation')
    .withApp(async (session, migration: string, project: string | undefined, options: { yes?: boolean }) => {
      const { id, target } = await session.client.call('migration.show', { migration });
      const part = project ?? null;
      const request = { action: 'migration.again', instance: target, project: id, part } as const;
      const confirmation = await requestConfirmation(session, request, options);
      await session.client.call('migration.again', { migration: id, project: part, confirmation });
      return follow(session, id);
    });
}

interface MigrationProgress {
  migration: Migration;
  projects: MigratingProject[];
}

async function readProgress({ client }: Session, reference: string): Promise<MigrationProgress> {
  const migration = await client.call('migration.show', { migration: reference });
  return { migration, projects: await listMigrationProjects({ client }, migration.id) };
}

interface WatchState {
  jobsRunElsewhere: boolean;
  last: MigrationProgress | null;
}

/** Moves the projects in this process, or watches the process that runs the jobs, until all have ended. */
async function follow(session: Session, id: string): Promise<ExitCode> {
  session.app.startJobs((job) => session.app.belongsToMigration(job, id), { migrationId: id });
  const watchState: WatchState = { jobsRunElsewhere: false, last: null };
  try {
    return await watch(session, id, watchState);
  } catch (thrown) {
    const { jobsRunElsewhere, last } = watchState;
    if (!session.signal.aborted || !jobsRunElsewhere || last === null) throw thrown;
    const name = quoteForShell(last.migration.name);
    session.terminal.result(last, () =>
      joinLines(
        'This command no longer watches it. The migration continues in another Packhorse process, which runs the jobs.',
        `Pause it with "packhorse migration pause ${name}", or cancel it with "packhorse migration cancel ${name}".`,
      ),
    );
    return exitCodes.interrupted;
  }
}

const isInProgress = ({ projects }: Migration): boolean =>
  projects.exporting + projects.importing + projects.finishing > 0;

/** After a crash or a closed terminal, the stored state still says that the migration is running. */
const stalledText = ({ name }: Migration): string =>
  `No Packhorse process runs its jobs now, so nothing moves. Continue with "packhorse migration run ${quoteForShell(name)}", the window or "packhorse daemon".`;

const cancelledLaterText =
  'No Packhorse process runs its jobs now. The next process that runs them cancels the work in progress.';

const quoteForShell = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name}'`);

async function watch(session: Session, id: string, watchState: WatchState): Promise<ExitCode> {
  const { app, clock, terminal } = session;
  const startedAt = clock.monotonic();
  const reported = new Map<string, string>();
  const redraw = (): void => {
    if (watchState.last !== null) terminal.status(statusLine(watchState.last, clock.monotonic() - startedAt));
  };
  return followChanges(session, {
    isRelevant: (name, payload) =>
      name === 'job.changed' || (name === 'migration.changed' && payload.migrationId === id),
    async read() {
      const isFirst = watchState.last === null;
      const progress = await readProgress(session, id);
      watchState.last = progress;
      for (const project of progress.projects) {
        const { sourcePath, waitsFor, error } = project;
        const reason = error === null ? waitsFor : errorText(error, 'command-line').what;
        const text = reason === null ? stateText(project) : `${stateText(project)}: ${reason}`;
        if (project.state === 'planned' || reported.get(sourcePath) === text) continue;
        reported.set(sourcePath, text);
        // Projects that ended before this command started are only in the final table.
        if (isFirst && hasEnded(project)) continue;
        if (!terminal.interactive || hasEnded(project)) terminal.note(`${sourcePath}: ${text}`);
      }
      if (['ended', 'cancelled', 'paused'].includes(progress.migration.status)) {
        terminal.status(null);
        return showResult(session, progress);
      }
      const jobsRunElsewhere = !app.isRunningJobs() && clock.monotonic() - startedAt > jobOwnerTimeoutMs;
      if (jobsRunElsewhere && !watchState.jobsRunElsewhere) terminal.note(jobsRunElsewhereMessage);
      watchState.jobsRunElsewhere = jobsRunElsewhere;
      redraw();
      return null;
    },
    redraw,
    fullReadDelayMs: () => watchState.last?.projects.length ?? 0,
  });
}

const hasEnded = ({ state }: MigratingProject): boolean =>
  ['arrived', 'uncompared', 'differs', 'failed', 'cancelled', 'left-out'].includes(state);

/** Estimates the remaining time from the projects that have ended. */
function activityText(project: MigratingProject): string {
  const { comparing } = project;
  if (comparing === null) return stateText(project);
  return `comparing, ${comparing.done} of about ${comparing.total} requests`;
}

function statusLine({ migration, projects }: MigrationProgress, elapsedMs: number): string {
  const { wave } = migration;
  const endedCount = projects.filter(hasEnded).length;
  const waveText = wave.total > 1 ? `wave ${wave.current} of ${wave.total} · ` : '';
  const leftMs = endedCount === 0 ? null : (elapsedMs / endedCount) * (projects.length - endedCount);
  const activeProject = projects.find((project) => !hasEnded(project) && project.state !== 'planned');
  return [
    `${waveText}${endedCount} of ${plural(projects.length, 'project')}`,
    ...(activeProject === undefined ? [] : [`${activeProject.sourcePath}: ${activityText(activeProject)}`]),
    ...(leftMs === null ? [] : [`about ${formatDuration(leftMs)} left`]),
  ].join(' · ');
}

function showResult(
  { terminal }: Session,
  progress: MigrationProgress,
  remark: string | false = false,
): ExitCode {
  const { migration, projects } = progress;
  terminal.result(progress, () => joinLines(projectsText(projects), '', migrationText(migration), remark));
  return exitCodeOfMigration(migration);
}

/** Returns the exit code of a migration that ended. Failures that GitLab did not list may be losses. */
export function exitCodeOfMigration({
  projects,
  arrivedWithUnlistedFailures,
}: Pick<Migration, 'projects' | 'arrivedWithUnlistedFailures'>): ExitCode {
  const { arrived, uncompared, failed, cancelled, differs } = projects;
  if (failed + cancelled + differs + uncompared + arrivedWithUnlistedFailures === 0) return exitCodes.done;
  return arrived + differs + uncompared === 0 ? exitCodes.failed : exitCodes.partly;
}
