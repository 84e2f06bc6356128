/** @file `packhorse settings …`: the settings of the program itself. */
import { jobsAtOnceBounds } from '../../../../src-contract/bounds.ts';
import type { SettingsReply } from '../../../../src-contract/settings.ts';
import { numberWithin, omitUndefined, falseToNull, resolveOptionPath } from '../terminal/options.ts';
import type { AppCommand } from './app-command.ts';
import { joinLines } from '../terminal/format.ts';

interface ChangeOptions {
  archiveRoot?: string;
  forgetArchiveRoot?: string;
  /** False for `--no-proxy`. */
  proxy?: string | false;
  jobsAtOnce?: number;
}

const settingsText = ({ preferences, archiveRoot, earlierRoots, dataFolder }: SettingsReply): string =>
  joinLines(
    `archives go to   ${archiveRoot}`,
    earlierRoots.map((root) => `archives also in ${root}`),
    `data folder      ${dataFolder}`,
    `proxy            ${preferences.proxy ?? 'none'}`,
    `jobs at once     ${preferences.jobsAtOnce}`,
  );

export function settingsCommand(program: AppCommand): void {
  const settings = program.subcommand('settings', 'the settings of the program itself');

  settings.subcommand('show', 'show the current settings').withApp(async (session) => {
    const reply = await session.client.call('settings.show', {});
    session.terminal.result(reply, () => settingsText(reply));
  });

  settings
    .subcommand('change', 'change the given settings; the others stay as they are')
    .option(
      '--archive-root <folder>',
      'the folder for new archives; archives in other folders stay there, and stay listed',
    )
    .option(
      '--forget-archive-root <folder>',
      'no longer list the archives of this folder; its files stay where they are',
    )
    .option('--proxy <url>', 'reach instances through this proxy, for example http://proxy.example.com:3128')
    .option('--no-proxy', 'reach instances directly')
    .option('--jobs-at-once <count>', 'how many jobs run at once', numberWithin(jobsAtOnceBounds))
    .requireChange()
    .withApp(async ({ client, terminal }, options: ChangeOptions) => {
      const { archiveRoot, forgetArchiveRoot, proxy, jobsAtOnce } = options;
      const reply = await client.call('settings.change', {
        preferences: omitUndefined({ proxy: falseToNull(proxy), jobsAtOnce }),
        ...omitUndefined({
          archiveRoot: resolveOptionPath(archiveRoot),
          forgetRoot: resolveOptionPath(forgetArchiveRoot),
        }),
      });
      terminal.result(reply, () => settingsText(reply));
    });
}
