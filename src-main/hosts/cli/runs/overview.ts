/**
 * @file `packhorse overview`: reports whether everything is backed up, and what needs attention. Contacts no instance.
 */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { Attention, Overview } from '../../../../src-contract/runs/overview-schema.ts';
import { attentionText } from '../../../../src-contract/words/attention.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { tokenVariable } from '../../../platform/credentials.ts';
import { joinLines, formatTime, plural, tableOf, timeOrNone } from '../terminal/format.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

/** Returns a line of the list of items that need attention: the item, the reason, and the command that helps. */
export function attentionLine(about: Attention): string {
  const { title, text } = attentionText(about, (day) => day);
  // The window shows the instance in another column than the project.
  const what = 'project' in about ? `${about.instance}: ${title}` : title;
  const error = 'error' in about && about.error !== null ? errorText(about.error).what : '';
  const ended = /[.!?]$/.test(what) ? what : `${what}.`;
  return [ended, text, error, helpText(about)].filter((part) => part !== '').join(' ');
}

/** Returns the command that helps; empty if the reason already says what to do, or if no command helps. */
function helpText(about: Attention): string {
  switch (about.kind) {
    case 'archives-absent':
      return 'See "packhorse doctor".';
    case 'projects-incomplete':
    case 'projects-suspicious':
    case 'never-backed-up':
      return `See "packhorse project list --instance ${about.instance}".`;
    case 'job-failed':
    case 'job-warnings':
      return `See "packhorse job show ${about.jobId}".`;
    case 'jobs-failed':
      return 'See "packhorse job list".';
    case 'plan-overdue':
      return `It was due at ${formatTime(about.since)}.`;
    case 'plan-failed':
    case 'plan-empty':
      return 'See "packhorse plan show".';
    case 'token-missing':
    case 'token-refused':
      return `See "packhorse instance set-token", or set ${tokenVariable(about.instance)}.`;
    case 'list-old':
      return `See "packhorse instance refresh".${about.refreshedAt === null ? '' : ` It was last fetched at ${formatTime(about.refreshedAt)}.`}`;
    default:
      return '';
  }
}

/** Returns the id by which an item is dismissed, such as `[3f2a91bc00] `. */
const dismissalText = (about: Attention): string =>
  'dismissal' in about && about.dismissal !== undefined ? `[${about.dismissal}] ` : '';

function overviewText({ instances, archives, openJobs, attention, moreAttention }: Overview): string {
  const open = Object.values(openJobs).reduce((sum, jobs) => sum + jobs, 0);
  const free = archives.freeBytes === null ? '' : `, ${formatBytes(archives.freeBytes)} free`;
  const rows = tableOf(
    instances,
    ({ name, projects, statusCounts: counts, failedHeld, newCopies, plan }) => ({
      INSTANCE: name,
      PROJECTS: projects,
      CURRENT: counts.current,
      CHANGED: counts.changed,
      // An earlier archive is kept.
      'LAST FAILED': failedHeld,
      // Just imported from an archive that is kept.
      'NEW COPY': newCopies,
      INCOMPLETE: counts.incomplete,
      NEVER: counts.never - newCopies,
      BAD: counts.failed - failedHeld + counts.damaged + counts.absent + counts.suspicious,
      'NEXT RUN': timeOrNone(plan?.nextRunAt ?? null),
    }),
  );
  const headlines = attention.flatMap((about) =>
    about.kind === 'archives-absent' ? [`${attentionText(about, (day) => day).title}.`] : [],
  );
  const absent = archives.absent === 0 ? '' : ` (${archives.absent} more are not available)`;
  return joinLines(
    headlines.length > 0 && [...headlines, ''],
    instances.length === 0 ? 'No instance is known.' : rows,
    '',
    `${plural(archives.count, 'archive')}, ${formatBytes(archives.bytes)}${absent}${free}. ${open === 0 ? 'No job is open.' : `${plural(open, 'job')} not ended.`}`,
    attention.length > 0 && ['', 'Needs attention:'],
    attention.map((about) => `  ${dismissalText(about)}${attentionLine(about)}`),
    moreAttention !== 0 && `  … and ${moreAttention} more.`,
    attention.some((about) => dismissalText(about) !== '') &&
      '\nAn item with a name in brackets is over. "packhorse overview dismiss NAME" hides it.',
  );
}

function registerDismissing(overview: AppCommand): void {
  overview
    .subcommand('dismiss', 'hide items about something that is over, until it happens again')
    .argument('<name...>', 'the name that "packhorse overview" shows in brackets')
    .withApp(async ({ client, terminal }, names: string[]) => {
      const { items } = await client.call('overview.dismiss', { items: names });
      const restore = `packhorse overview restore ${items.join(' ')}`;
      terminal.result({ dismissed: items }, () => `Dismissed. To see it again: ${restore}`);
    });
  overview
    .subcommand('restore', 'show dismissed items again, unless they were settled meanwhile')
    .argument('<name...>', 'the dismissed name')
    .withApp(async ({ client, terminal }, names: string[]) => {
      const { items } = await client.call('overview.restore', { items: names });
      terminal.result({ restored: items }, () => 'Shown again.');
    });
}

export function overviewCommand(program: AppCommand): void {
  const overview = program
    .subcommand('overview', 'whether everything is backed up, and what needs attention')
    .option('--exit-code', 'end with 3 when something needs attention, for monitoring')
    .withApp(async ({ client, terminal }, options: { exitCode?: boolean }) => {
      const shown = await client.call('overview.show', { patient: true });
      terminal.result(shown, () => overviewText(shown));
      const isWell = shown.attention.length === 0 && shown.moreAttention === 0;
      return options.exitCode === true && !isWell ? exitCodes.partly : exitCodes.done;
    });
  registerDismissing(overview);
}
