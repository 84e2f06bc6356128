/** @file `packhorse doctor`: checks keychain, disk, clock and versions. */
import { joinLines, table } from '../terminal/format.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from './app-command.ts';

export function registerDoctor(program: AppCommand): void {
  program.subcommand('doctor', 'check keychain, disk, clock and versions').withApp(async (session) => {
    const report = await session.client.call('doctor.run', {});
    session.terminal.result(report, () => {
      const rows = report.checks.map((check) => [check.ok ? 'ok' : 'PROBLEM', check.name, check.value]);
      const todo = report.checks.flatMap((check) =>
        check.todo === null ? [] : [`${check.name}: ${check.todo}`],
      );
      return joinLines(table(['', 'CHECK', 'FOUND'], rows), todo.length > 0 && ['', ...todo]);
    });
    return report.checks.every((check) => check.ok) ? exitCodes.done : exitCodes.partly;
  });
}
