/** @file `packhorse doctor`: keychain, disk, clock, versions. */
import type { Command } from 'commander';
import { table } from '../terminal/format.ts';
import { runWithApp } from './session.ts';
import { exitCodes } from '../terminal/terminal.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check keychain, disk, clock and versions')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const report = await session.client.call('doctor.run', {});
        session.terminal.result(report, () => {
          const rows = report.checks.map((check) => [check.ok ? 'ok' : 'LOOK', check.name, check.value]);
          const todo = report.checks.flatMap((check) =>
            check.todo === null ? [] : [`${check.name}: ${check.todo}`],
          );
          return [table(['', 'CHECK', 'FOUND'], rows), ...(todo.length > 0 ? ['', ...todo] : [])].join('\n');
        });
        return report.checks.every((check) => check.ok) ? exitCodes.done : exitCodes.partly;
      });
    });
}
