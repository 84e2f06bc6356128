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
export function attentionLine(item: Attention): string {
  const { title, text } = attentionText(item, (day) => day);
  // The window shows the instance in another column than the project.
  const subject = 'project' in item ? `${item.instance}: ${title}` : title;
  const error = 'error' in item && item.error !== null ? errorText(item.error).what : '';
  const sentence = /[.!?]$/.test(subject) ? subject : `${subject}.`;
  return [sentence, text, error, helpText(item)].filter((part) => part !== '').join(' ');
}

/** Returns the command that helps; empty if the reason already says what to do, or if no command helps. */
function helpText(item: Attention): string {
  switch (item.kind) {
    case 'archives-absent':
      return 'See "packhorse doctor".';
    case 'projects-incomplete':
    case 'projects-suspicious':
    case 'never-backed-up':
      return `See "packhorse project list --instance ${item.instance}".`;
    case 'job-failed':
    case 'job-warnings':
      return `See "packhorse job show ${item.jobId}".`;
    case 'jobs-failed':
      return 'See "packhorse job list".';
    case 'plan-overdue':
      return `It was due at ${formatTime(item.since)}.`;
    case 'plan-failed':
    case 'plan-empty':
      return 'See "packhorse plan show".';
    case 'token-missing':
    case 'token-refused':
      return `See "packhorse instance set-token", or set ${tokenVariable(item.instance)}.`;
    case 'list-old':
      return `See "packhorse instance refresh".${item.refreshedAt === null ? '' : ` It was last fetched at ${formatTime(item.refreshedAt)}.`}`;
    default:
      return '';
  }
}

/** Returns the id by which an item is dismissed, such as `[3f2a91bc00] `. */
const dismissalText = (item: Attention): string =>
  'dismissal' in item && item.dismissal !== undefined ? `[${item.dismissal}] ` : '';

function overviewText({ instances, archives, openJobs, attention, moreAttention }: Overview): string {
  const openCount = Object.values(openJobs).reduce((sum, jobs) => sum + jobs, 0);
  const free = archives.freeBytes === null ? '' : `, ${formatBytes(archives.freeBytes)} free`;
  const rows = tableOf(
    instances,
    ({ name, projects, statusCounts: counts, failedHeld, newCopies, plan }) => ({
      INSTANCE: name,
      PROJECTS: projects,
      CURRENT: counts.current,
      CHANGED: counts.changed,
      // The last backup failed, but an earlier archive is kept.
      'LAST FAILED': failedHeld,
      // Just imported from an archive that is kept.
      'NEW COPY': newCopies,
      INCOMPLETE: counts.incomplete,
      NEVER: counts.never - newCopies,
      BAD: counts.failed - failedHeld + counts.damaged + counts.absent + counts.suspicious,
      'NEXT RUN': timeOrNone(plan?.nextRunAt ?? null),
    }),
  );
  const headlines = attention.flatMap((item) =>
    item.kind === 'archives-absent' ? [`${attentionText(item, (day) => day).title}.`] : [],
  );
  const absentText = archives.absent === 0 ? '' : ` (${archives.absent} more are not available)`;
  return joinLines(
    headlines.length > 0 && [...headlines, ''],
    instances.length === 0 ? 'No instance is known.' : rows,
    '',
    `${plural(archives.count, 'archive')}, ${formatBytes(archives.bytes)}${absentText}${free}. ${openCount === 0 ? 'No job is open.' : `${plural(openCount, 'job')} not ended.`}`,
    attention.length > 0 && ['', 'Needs attention:'],
    attention.map((item) => `  ${dismissalText(item)}${attentionLine(item)}`),
    moreAttention !== 0 && `  … and ${moreAttention} more.`,
    attention.some((item) => dismissalText(item) !== '') &&
      '\nAn item with a name in brackets needs no action. "packhorse overview dismiss NAME" hides it.',
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
    .subcommand('restore', 'show dismissed items again, unless they were resolved meanwhile')
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
      const reply = await client.call('overview.show', { patient: true });
      terminal.result(reply, () => overviewText(reply));
      const isHealthy = reply.attention.length === 0 && reply.moreAttention === 0;
      return options.exitCode === true && !isHealthy ? exitCodes.partly : exitCodes.done;
    });
  registerDismissing(overview);
}
