/** @file `packhorse migration check` and `override`: list the blockers of a migration, and override them. */
import {
  preventsProject,
  preventsStart,
  type MigrationCheck,
  type PreflightFinding,
} from '../../../../src-contract/migrations/migration.ts';
import { comparisonForecastText } from '../../../../src-contract/words/depths.ts';
import { formatDuration, joinLines, formatTime, plural, tableOf } from '../terminal/format.ts';
import { findingsText } from './finding-text.ts';
import { migrationArgument } from './migration-projects.ts';
import { runWithApp, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

export function registerCheck(migration: AppCommand): void {
  migration
    .subcommand('check', 'check on both instances what blocks the migration; nothing is changed')
    .addArgument(migrationArgument())
    .option('--writes', 'also list every request that would change something, in order')
    .helpNote(
      'The exit code is 0 if nothing blocks it, 3 with warnings or if single projects cannot be read, 1 with blockers that are not overridden.',
    )
    .withApp(async (session, reference: string, options: { writes?: boolean }) => {
      const check = await runPreflight(session, reference);
      session.terminal.result(check, () => checkText(check, options.writes === true));
      return exitOf(check);
    });

  migration
    .subcommand('override', 'override a blocker that the check found; the note is stored with it')
    .addArgument(migrationArgument())
    .argument('<finding>', 'its id in the output of "migration check"')
    .option('--note <text>', 'the reason')
    .option('--take-back', 'remove the override')
    .action(
      async (
        reference: string,
        finding: string,
        { note, takeBack }: { note?: string; takeBack?: boolean },
        command: AppCommand,
      ) => {
        if ((note === undefined) === (takeBack !== true)) {
          command.error("error: give either '--note <text>' or '--take-back'", { exitCode: exitCodes.usage });
        }
        await runWithApp(command, async (session) => {
          const reply = await session.client.call('migration.override', {
            migration: reference,
            finding,
            note: note ?? null,
          });
          session.terminal.result(reply, () =>
            reply.overridden === null
              ? `${finding} is no longer overridden.`
              : `${finding} is overridden.${reply.code === 'target-taken' ? takenPathRemark : ''}`,
          );
          return exitCodes.done;
        });
      },
    );
}

/** An override lets the migration start, and changes nothing on the target. */
const takenPathRemark =
  ' GitLab still refuses the import while that project exists: move that project, place this one elsewhere, or place it with --overwrite.';

export async function runPreflight(session: Session, migration: string): Promise<MigrationCheck> {
  const { terminal } = session;
  const check = await session.client.call('migration.check', { migration }, ({ done, total }) => {
    terminal.status(`Checking: ${done} of ${plural(total ?? done, 'project')}`);
  });
  terminal.status(null);
  return check;
}

/** Returns the open findings that prevent the start. */
export const startBlockersOf = ({ findings }: MigrationCheck): PreflightFinding[] =>
  findings.filter(preventsStart);

/** Returns the open findings that prevent a single project from moving. */
export const projectBlockersOf = ({ findings }: MigrationCheck): PreflightFinding[] =>
  findings.filter(preventsProject);

function exitOf(check: MigrationCheck): ExitCode {
  if (startBlockersOf(check).length > 0) return exitCodes.failed;
  const isPartly = check.findings.some(
    (finding) => preventsProject(finding) || (finding.severity === 'warning' && finding.overridden === null),
  );
  return isPartly ? exitCodes.partly : exitCodes.done;
}

export function checkText(check: MigrationCheck, withWrites: boolean): string {
  const { findings, missingGroups, writes, forecast, comparison } = check;
  return joinLines(
    findings.length > 0 && [findingsText(findings), ''],
    verdict(check),
    missingGroups.length > 0 &&
      `Missing groups: ${missingGroups.join(', ')}. Without "migration run --create-groups" the migration does not start.`,
    comparison !== null && comparisonForecastText(comparison, formatDuration),
    `${plural(writes.length, 'request')} would change something${withWrites ? ':' : '; list them with --writes.'}`,
    withWrites &&
      writes.length > 0 &&
      tableOf(writes, (write) => ({
        INSTANCE: write.instance,
        REQUEST: `${write.method} ${write.path}`,
        DOES: write.does,
      })),
    forecast.length > 0 && [
      '',
      tableOf(forecast, ({ wave, projects, startsAt, endsAt }) => ({
        WAVE: wave,
        PROJECTS: projects,
        BEGINS: formatTime(startsAt),
        'ENDS ABOUT': formatTime(endsAt),
      })),
    ],
  );
}

function verdict(check: MigrationCheck): string {
  const blockers = startBlockersOf(check).length;
  if (blockers > 0)
    return `${plural(blockers, 'blocker')} ${blockers === 1 ? 'prevents' : 'prevent'} the migration.`;
  const count = (severity: PreflightFinding['severity']): number =>
    check.findings.filter((finding) => finding.severity === severity).length;
  const blockedProjects = new Set(projectBlockersOf(check).map(({ project }) => project)).size;
  const [overriddenCount, warnings, groups] = [
    check.findings.filter(({ severity, overridden }) => severity === 'blocker' && overridden !== null).length,
    count('warning'),
    check.missingGroups.length,
  ];
  const nothing = overriddenCount === 0 ? 'Nothing' : 'Nothing else';
  return (
    [
      groups === 0
        ? `${nothing} prevents the migration`
        : `${nothing} prevents the migration except ${groups === 1 ? 'a missing group' : `${groups} missing groups`}`,
      ...(blockedProjects === 0
        ? []
        : [
            `${plural(blockedProjects, 'project')} will not move until GitLab can show ${blockedProjects === 1 ? 'it' : 'them'}`,
          ]),
      ...(overriddenCount === 0 ? [] : [`${plural(overriddenCount, 'blocker')} overridden`]),
      ...(warnings === 0 ? [] : [`${plural(warnings, 'warning')} to read`]),
    ].join('; ') + '.'
  );
}
