/** @file `packhorse migration repair`: shows the requests that give a migrated project what it lacks, and sends them. */
import { hasEnded } from '../../../../src-contract/runs/job.ts';
import type { RepairPlan } from '../../../../src-contract/migrations/repair.ts';
import { repairMailsText, repairText, unrepairableText } from '../../../../src-contract/words/repairs.ts';
import type { AppCommand } from '../running/app-command.ts';
import { followChanges } from '../running/follow-changes.ts';
import type { Session } from '../running/session.ts';
import { confirmInTerminal } from '../terminal/confirm.ts';
import { collectRepeated, usageError } from '../terminal/options.ts';
import { joinLines, plural } from '../terminal/format.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { jobStateText } from '../runs/job-words.ts';
import { remarksOf } from './migration-failures.ts';
import { listMigrationProjects, migrationArgument } from './migration-projects.ts';
import { projectsText } from './migration-text.ts';

interface RepairOptions {
  difference?: string[];
  dryRun?: boolean;
  yes?: boolean;
}

export function registerRepair(migration: AppCommand): void {
  migration
    .subcommand('repair', 'show what can be repaired on the target, and repair it after a confirmation')
    .addArgument(migrationArgument())
    .argument('<project>', 'its full path on the source, or its id there')
    .option('--difference <ref>', 'repair only this difference (repeatable)', collectRepeated)
    .option('--dry-run', 'only show the requests')
    .option('--yes', 'skip the confirmation')
    .withApp(async (session, migration: string, project: string, options: RepairOptions) => {
      const { client, terminal } = session;
      const { id } = await client.call('migration.show', { migration });
      const all = await client.call('migration.repairs', { migration: id, project });
      const { difference: refs } = options;
      const unknown = refs?.find((ref) => !all.repairs.some(({ difference }) => difference === ref));
      if (unknown !== undefined) {
        throw usageError(`The difference ${unknown} is not open, or cannot be repaired.`);
      }
      const plan =
        refs === undefined
          ? all
          : { ...all, repairs: all.repairs.filter(({ difference }) => refs.includes(difference)) };
      if (options.dryRun === true || plan.repairs.length === 0) {
        terminal.result(plan, () => planText(plan));
        return plan.repairs.length + plan.unrepairable.length === 0 ? exitCodes.done : exitCodes.partly;
      }
      if (options.yes !== true) {
        const question = `${planText(plan)}\n${repairMailsText}\nSend ${plural(plan.repairs.length, 'request')} to ${plan.target}? [y/N] `;
        await confirmInTerminal(session, question);
      }
      return repair(session, id, project, refs ?? null);
    });
}

async function repair(
  session: Session,
  id: string,
  project: string,
  differences: string[] | null,
): Promise<ExitCode> {
  const { client, app, terminal } = session;
  const { jobId } = await client.call('migration.repair', { migration: id, project, differences });
  app.startJobs((job) => app.belongsToMigration(job, id), { migrationId: id });
  return followChanges(session, {
    isRelevant: (name, payload) => name === 'migration.changed' || payload.jobId === jobId,
    async read() {
      const job = await client.call('job.show', { job: jobId });
      const repaired = (await listMigrationProjects(session, id)).find(({ retryJobs }) =>
        retryJobs.includes(jobId),
      );
      if (!hasEnded(job.state) || repaired?.state === 'finishing') {
        terminal.status(`repair: ${jobStateText(job.state)}`);
        return null;
      }
      terminal.status(null);
      terminal.result({ job, project: repaired ?? null }, () =>
        joinLines(projectsText(repaired === undefined ? [] : [repaired]), remarksOf(job)),
      );
      if (job.state.status !== 'succeeded') return exitCodes.failed;
      const isFine = repaired?.state === 'arrived' && job.state.warnings.length === 0;
      return isFine ? exitCodes.done : exitCodes.partly;
    },
  });
}

function planText({ target, repairs, unrepairable }: RepairPlan): string {
  if (repairs.length + unrepairable.length === 0) return `${target} has no open difference.`;
  return joinLines(
    repairs.length === 0
      ? `Nothing on ${target} can be repaired.`
      : `${plural(repairs.length, 'repair')} of ${target}:`,
    repairs.map((each) => `  ${each.difference}  ${repairText(each)}${each.isGrave ? ' (grave)' : ''}`),
    unrepairable.length > 0 && `${plural(unrepairable.length, 'difference')} without a repair:`,
    unrepairable.map(
      ({ difference, what, reason }) => `  ${difference}  ${what}: ${unrepairableText[reason]}`,
    ),
  );
}
