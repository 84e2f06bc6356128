/** @file `packhorse migration repair`: shows the requests that give a migrated project what it lacks, and sends them. */
import type { RepairPlan } from '../../../../src-contract/migrations/repair.ts';
import { repairMailsText, repairText, unrepairableText } from '../../../../src-contract/words/repairs.ts';
import type { AppCommand } from '../running/app-command.ts';
import type { Session } from '../running/session.ts';
import { confirmInTerminal } from '../terminal/confirm.ts';
import { collectRepeated, usageError } from '../terminal/options.ts';
import { joinLines, plural } from '../terminal/format.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { followRetry } from './follow-retry.ts';
import { migrationArgument } from './migration-projects.ts';

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
  const { client } = session;
  const { jobId } = await client.call('migration.repair', { migration: id, project, differences });
  return followRetry(session, id, jobId, 'repair');
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
