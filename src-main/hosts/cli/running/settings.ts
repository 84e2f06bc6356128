/** @file `packhorse settings …`: the settings of the program itself. */
import { jobsAtOnceBounds } from '../../../../src-contract/bounds.ts';
import type { Command } from 'commander';
import { userPath } from '../../../platform/paths.ts';
import type { Preferences, SettingsView } from '../../../../src-contract/settings.ts';
import { numberWithin, refuseNoChange } from '../terminal/options.ts';
import { runWithApp } from './session.ts';
import { exitCodes } from '../terminal/terminal.ts';

interface ChangeOptions {
  archiveRoot?: string;
  forgetArchiveRoot?: string;
  /** False for `--no-proxy`. */
  proxy?: string | false;
  jobsAtOnce?: number;
}

const settingsText = ({ preferences, archiveRoot, earlierRoots, dataFolder }: SettingsView): string =>
  [
    `archives go to   ${archiveRoot}`,
    ...earlierRoots.map((root) => `archives also in ${root}`),
    `data folder      ${dataFolder}`,
    `proxy            ${preferences.proxy ?? 'none'}`,
    `jobs at once     ${preferences.jobsAtOnce}`,
  ].join('\n');

export function settingsCommand(program: Command): void {
  const settings = program.command('settings').description('what you decide about the program itself');

  settings
    .command('show')
    .description('the settings as they are')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const shown = await session.client.call('settings.show', {});
        session.terminal.result(shown, () => settingsText(shown));
        return exitCodes.done;
      });
    });

  settings
    .command('change')
    .description('change what is given, and leave the rest')
    .option(
      '--archive-root <folder>',
      'where new archives go; those elsewhere stay where they are, and listed',
    )
    .option(
      '--forget-archive-root <folder>',
      'no longer list the archives of this folder; its files stay where they are',
    )
    .option('--proxy <url>', 'reach instances through this proxy, for example http://proxy.example.com:3128')
    .option('--no-proxy', 'reach instances directly')
    .option('--jobs-at-once <count>', 'how many jobs run at once', numberWithin(jobsAtOnceBounds))
    .action(async (options: ChangeOptions, command: Command) => {
      refuseNoChange(command);
      const { archiveRoot, forgetArchiveRoot, proxy, jobsAtOnce } = options;
      await runWithApp(command, async (session) => {
        const roots = {
          ...(archiveRoot === undefined ? {} : { archiveRoot: userPath(archiveRoot) }),
          ...(forgetArchiveRoot === undefined ? {} : { forgetRoot: userPath(forgetArchiveRoot) }),
        };
        const preferences: Partial<Preferences> = {
          ...(proxy === undefined ? {} : { proxy: proxy === false ? null : proxy }),
          ...(jobsAtOnce === undefined ? {} : { jobsAtOnce }),
        };
        const changed = await session.client.call('settings.change', { preferences, ...roots });
        session.terminal.result(changed, () => settingsText(changed));
        return exitCodes.done;
      });
    });
}
