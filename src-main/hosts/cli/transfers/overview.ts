/** @file `packhorse overview`: whether everything is backed up, and what needs attention. Asks no instance. */
import type { Command } from 'commander';
import { errorText } from '../../../../src-preload/contract/error-messages.ts';
import type { Attention, Overview } from '../../../../src-preload/contract/overview.ts';
import { departureText, keptArchivesText } from '../../../../src-preload/contract/projects/scope.ts';
import { refusalWords } from '../../../../src-preload/contract/token-words.ts';
import { formatBytes } from '../../../../src-preload/contract/words/sizes.ts';
import { jobKindText } from '../../../../src-preload/contract/words/work.ts';
import { tokenVariable } from '../../../platform/credentials.ts';
import { formatTime, plural, table } from '../terminal/format.ts';
import { runWithApp } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';

/** A line of the list of what needs attention. */
export function attentionText(about: Attention): string {
  switch (about.kind) {
    case 'archives-absent':
      return `${absentText(about)} ${
        about.replaced
          ? `${about.path} is not the folder that it was: the mark of Packhorse is not in it.`
          : `The archive folder ${about.path} is not there.`
      } See "packhorse doctor".`;
    case 'projects-incomplete':
      return `${about.instance}: the newest archives of ${plural(about.projects, 'project')} are incomplete. See "packhorse project list".`;
    case 'projects-suspicious':
      return `${about.instance}: the newest archives of ${plural(about.projects, 'project')} are suspicious: they hold what no export should. See "packhorse project list".`;
    case 'archive-damaged':
      return `${about.project} (${about.instance}): its newest archive is damaged. ${about.reason}`;
    case 'older-archive-damaged':
      return `${about.project} (${about.instance}): an older archive is damaged; a newer one can be read. ${about.reason}`;
    case 'job-failed':
      return `${about.project} (${about.instance}): ${errorText(about.error).what} See "packhorse job show ${about.jobId}".`;
    case 'jobs-failed':
      return `${about.instance}: ${plural(about.total, jobKindText[about.jobKind].one, jobKindText[about.jobKind].many)} failed. ${errorText(about.error).what} See "packhorse job list".`;
    case 'job-warnings':
      return `${about.project} (${about.instance}): ${plural(about.warnings, 'warning')}. See "packhorse job show ${about.jobId}".`;
    case 'plan-overdue':
      return `${about.plan} (${about.instance}): was due at ${formatTime(about.since)} and did not run.${about.error === null ? '' : ` ${errorText(about.error).what}`}`;
    case 'plan-failed':
      return `${about.plan} (${about.instance}): its newest run could not begin. ${errorText(about.error).what} See "packhorse plan show".`;
    case 'plan-empty':
      return `${about.plan} (${about.instance}): its newest run backed nothing up: the plan covers no project. See "packhorse plan show".`;
    case 'left-scope':
      return `${about.project} (${about.instance}): no longer backed up: ${departureText(about.reason, about.detail)}; ${keptArchivesText(about.archives)}.`;
    case 'token-missing':
      return `${about.instance}: no token; nothing can be backed up or imported. Set ${tokenVariable(about.instance)}, or see "packhorse instance set-token".`;
    case 'token-refused':
      return `${about.instance}: ${refusalWords[about.code].toLowerCase().replace('the token', 'its token')}; nothing can be backed up or imported. Make a new one and enter it: "packhorse instance set-token", or the variable ${tokenVariable(about.instance)}.`;
    case 'token-read-only':
      return `${about.instance}: its token may only read; backups and imports need the scope "api".`;
    case 'token-expires':
      return `${about.instance}: its token stops working on ${about.expiresOn}.`;
    case 'never-backed-up':
      return `${about.instance}: ${plural(about.projects, 'project')} without any archive.`;
    case 'list-old':
      return `${about.instance}: its list of projects was ${about.refreshedAt === null ? 'never fetched' : `last fetched at ${formatTime(about.refreshedAt)}`}; see "packhorse instance refresh".`;
    case 'disk-low':
      return `${formatBytes(about.freeBytes)} are left in ${about.path}.`;
    case 'jobs-stuck':
      return `No job can go on. ${errorText(about.error).what}`;
    case 'notice':
      return about.text;
  }
}

/** `[3f2a91bc00] `, by which an item is dismissed. */
const dismissalText = (about: Attention): string =>
  'dismissal' in about && about.dismissal !== undefined ? `[${about.dismissal}] ` : '';

const absentText = ({ archives, projects }: Extract<Attention, { kind: 'archives-absent' }>): string =>
  `${plural(archives, 'archive')} of ${plural(projects, 'project')} ${archives === 1 ? 'is' : 'are'} not there.`;

/** LAST FAILED: the newest backup failed, an earlier archive is kept. NEW COPY: just imported from an archive that is kept. */
const columns = [
  'INSTANCE',
  'PROJECTS',
  'CURRENT',
  'CHANGED',
  'LAST FAILED',
  'NEW COPY',
  'INCOMPLETE',
  'NEVER',
  'BAD',
  'NEXT RUN',
];

function overviewText({ instances, archives, openJobs, attention, moreAttention }: Overview): string {
  const open = Object.values(openJobs).reduce((sum, jobs) => sum + jobs, 0);
  const free = archives.freeBytes === null ? '' : `, ${formatBytes(archives.freeBytes)} free`;
  const rows = instances.map(({ name, projects, standings, failedHeld, newCopies, plan }) => [
    name,
    projects,
    standings.current,
    standings.changed,
    failedHeld,
    newCopies,
    standings.incomplete,
    standings.never - newCopies,
    standings.failed - failedHeld + standings.damaged + standings.absent + standings.suspicious,
    typeof plan?.nextRunAt === 'string' ? formatTime(plan.nextRunAt) : null,
  ]);
  const headlines = attention.flatMap((about) =>
    about.kind === 'archives-absent' ? [absentText(about)] : [],
  );
  const absent = archives.absent === 0 ? '' : ` (${archives.absent} more are not there)`;
  return [
    ...(headlines.length === 0 ? [] : [...headlines, '']),
    instances.length === 0 ? 'No instance is known.' : table(columns, rows),
    '',
    `${plural(archives.count, 'archive')}, ${formatBytes(archives.bytes)}${absent}${free}. ${open === 0 ? 'No job is open.' : `${plural(open, 'job')} not ended.`}`,
    ...(attention.length === 0 ? [] : ['', 'Needs attention:']),
    ...attention.map((about) => `  ${dismissalText(about)}${attentionText(about)}`),
    ...(moreAttention === 0 ? [] : [`  … and ${moreAttention} more.`]),
    ...(attention.some((about) => dismissalText(about) !== '')
      ? ['', 'What has a name in brackets is over. "packhorse overview dismiss NAME" hides it.']
      : []),
  ].join('\n');
}

function registerDismissing(overview: Command): void {
  overview
    .command('dismiss')
    .description('hide items that tell of something that is over, until it happens again')
    .argument('<name...>', 'as "packhorse overview" shows it in brackets')
    .action(async (names: string[], _options: unknown, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const { items } = await client.call('overview.dismiss', { items: names });
        terminal.result(
          { dismissed: items },
          () => `Dismissed. To see it again: packhorse overview restore ${items.join(' ')}`,
        );
        return exitCodes.done;
      });
    });
  overview
    .command('restore')
    .description('show dismissed items again, unless they were settled meanwhile')
    .argument('<name...>', 'as it was dismissed')
    .action(async (names: string[], _options: unknown, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const { items } = await client.call('overview.restore', { items: names });
        terminal.result({ restored: items }, () => 'Shown again.');
        return exitCodes.done;
      });
    });
}

export function overviewCommand(program: Command): void {
  const overview = program
    .command('overview')
    .description('whether everything is backed up, and what needs attention')
    .option('--exit-code', 'end with 3 when something needs attention, for monitoring')
    .action(async (options: { exitCode?: boolean }, command: Command) => {
      await runWithApp(command, async (session) => {
        const shown = await session.client.call('overview.show', { patient: true });
        session.terminal.result(shown, () => overviewText(shown));
        const isWell = shown.attention.length === 0 && shown.moreAttention === 0;
        return options.exitCode === true && !isWell ? exitCodes.partly : exitCodes.done;
      });
    });
  registerDismissing(overview);
}
