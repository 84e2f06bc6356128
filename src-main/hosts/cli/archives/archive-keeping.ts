/**
 * @file `packhorse archive prune`, `pin`, `unpin` and `trash …`: which stored archives stay, and how to restore removed
 * ones.
 */
import { Option, type Command } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { retentionReasonText } from '../../../../src-contract/words/plans/retention.ts';
import { userPath } from '../../../platform/paths.ts';
import { archiveReference } from './archive-reference.ts';
import { confirmInTerminal, confirmed } from '../terminal/confirm.ts';
import { formatTime, plural, table } from '../terminal/format.ts';
import { archiveArgument, required } from '../terminal/options.ts';
import { planOf } from '../plans/plan-reference.ts';
import { runWithApp, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';

const trashHint =
  'For seven days "packhorse archive trash restore" brings back what went; then it is removed for good.';

export function keepingCommands(archive: Command): void {
  archive
    .command('prune')
    .description('move archives that a plan does not keep to the trash folder')
    .addOption(required(new Option('--plan <name>', 'whose retention is used, on what it is about')))
    .option('--dry-run', 'only list what would go, and why')
    .option('--yes', 'do not ask')
    .addHelpText('after', `\nA plan does the same for each project after each of its backups. ${trashHint}`)
    .action(async (options: PruneOptions, command: Command) => {
      await runWithApp(command, (session) => prune(session, options));
    });

  for (const pinned of [true, false]) {
    const pin = archive
      .command(pinned ? 'pin' : 'unpin')
      .description(pinned ? 'keep an archive whatever a plan says' : 'let plans decide on an archive again')
      .addArgument(archiveArgument());
    if (pinned) pin.option('--note <text>', 'why');
    pin.action(async (typed: string, options: { note?: string }, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const reference = archiveReference(typed);
        const request = { archive: reference, pinned, note: options.note ?? null };
        const changed = await client.call('archive.setPinned', request);
        const says = pinned ? 'is pinned: no plan removes it' : 'is not pinned: plans decide on it';
        terminal.result(changed, () => `${changed.summary.path} ${says}.`);
        return exitCodes.done;
      });
    });
  }

  trashCommands(archive.command('trash').description('archives that were removed, and bringing them back'));
}

function trashCommands(trash: Command): void {
  trash
    .command('list')
    .description('what is in the trash folder, and until when it can be brought back')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const found = await client.call('archive.trash', {});
        terminal.result(found, () => trashText(found));
        return exitCodes.done;
      });
    });

  trash
    .command('add')
    .description('move one archive to the trash folder, whatever plans say')
    .addArgument(archiveArgument())
    .action(async (typed: string, _options: unknown, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const moved = await client.call('archive.moveToTrash', { archive: archiveReference(typed) });
        terminal.result(
          moved,
          () =>
            `${moved.path} went to the trash folder; until ${formatTime(moved.until)} "packhorse archive trash restore" brings it back.`,
        );
        return exitCodes.done;
      });
    });

  trash
    .command('restore')
    .description('bring an archive back, pinned')
    .argument('<archive>', 'at least 8 digits of the SHA-256, or its path')
    .action(async (typed: string, _options: unknown, command: Command) => {
      await runWithApp(command, async ({ client, terminal }) => {
        const restore = (trashed: string) => client.call('archive.restore', { trashed });
        const restored = await restore(archiveReference(typed)).catch((thrown: unknown) => {
          const error = AppError.from(thrown);
          if (error.code !== 'archive-missing') throw error;
          // A path relative to the current folder, as typed before the removal: no file exists there now.
          return restore(userPath(typed)).catch(() => {
            throw error;
          });
        });
        const { path } = restored.summary;
        terminal.result(
          restored,
          () =>
            `${path} is back, and pinned so that no plan removes it again; "packhorse archive unpin" undoes that.`,
        );
        return exitCodes.done;
      });
    });

  trash
    .command('empty')
    .description('remove all that is in the trash folder for good')
    .option('--yes', 'do not ask')
    .action(async (options: { yes?: boolean }, command: Command) => {
      await runWithApp(command, async (session) => {
        const action = { action: 'trash.empty', instance: '', project: null } as const;
        const confirmation = await confirmed(session, action, options);
        const emptied = await session.client.call('archive.emptyTrash', { confirmation });
        session.terminal.result(emptied, () =>
          emptied.bytes === 0 ? 'The trash folder was empty.' : `${formatBytes(emptied.bytes)} were removed.`,
        );
        return exitCodes.done;
      });
    });
}

interface PruneOptions {
  plan: string;
  dryRun?: boolean;
  yes?: boolean;
}

async function prune(session: Session, options: PruneOptions): Promise<ExitCode> {
  const { client, terminal } = session;
  const { id, retention } = (await planOf(session, options.plan)).plan;
  const preview = await client.call('plan.prunePreview', { id, retention });
  if (options.dryRun === true) {
    terminal.result(preview, () => previewText(preview));
    return exitCodes.done;
  }
  const going = preview.projects.flatMap(({ archives }) => archives.filter(({ keep }) => !keep));
  if (going.length > 0) {
    terminal.note(previewText(preview));
    if (options.yes !== true) await confirmInTerminal(session, 'Move them to the trash folder? [y/N] ');
  }
  const pruned = await client.call('archive.prune', { planId: id, shown: going.map((one) => one.id) });
  terminal.result({ ...preview, ...pruned }, () =>
    [
      pruned.movedCount === 0
        ? 'Nothing went.'
        : `${plural(pruned.movedCount, 'archive')} (${formatBytes(pruned.movedBytes)}) went to the trash folder. ${trashHint}`,
      ...pruned.failed.map(({ path, error }) => `${path} stayed: ${errorText(error).what}`),
    ].join('\n'),
  );
  return pruned.failed.length === 0 ? exitCodes.done : exitCodes.partly;
}

/** Returns the effect of a retention for each project and in total. */
export function previewText(preview: CallReply<'plan.prunePreview'>): string {
  return [listText(preview), totalText(preview)].filter((part) => part !== '').join('\n\n');
}

function listText({ projects, absentCount }: CallReply<'plan.prunePreview'>): string {
  if (projects.length === 0 && absentCount === 0) return 'No archive is held of what this plan is about.';
  return projects
    .map(({ project, archives }) => {
      const rows = archives.map(({ id, storedAt, sizeBytes, proof, damaged, keep, reason }) => [
        `  ${formatTime(storedAt)}`,
        formatBytes(sizeBytes),
        damaged === null ? (proof?.level ?? null) : 'damaged',
        provenText(damaged?.at ?? proof?.at),
        keep ? 'stays' : 'goes',
        lowerFirst(retentionReasonText[reason]),
        id,
      ]);
      return `${project}\n${table(['  STORED', 'SIZE', 'PROOF', 'OF', '', 'WHY', 'ARCHIVE'], rows)}`;
    })
    .join('\n\n');
}

const provenText = (at: string | undefined): string | null =>
  at === undefined ? null : formatTime(at).slice(0, 10);

/** Returns how many archives would be removed, in one sentence. */
export function totalText(preview: CallReply<'plan.prunePreview'>): string {
  const { projects, removedCount, removedBytes, absentCount } = preview;
  const absent = `${plural(absentCount, 'archive')} ${absentCount === 1 ? 'is' : 'are'} not there. Is the disk of the archive folder mounted?`;
  if (absentCount > 0 && projects.length === 0) return absent;
  const more = absentCount === 0 ? '' : ` ${absent}`;
  const total = projects.reduce((sum, { archives }) => sum + archives.length, 0);
  return removedCount === 0
    ? `All ${total} stay.${more}`
    : `${removedCount} of ${plural(total, 'archive')} (${formatBytes(removedBytes)}) would go to the trash folder.${more}`;
}

function trashText({ archives, bytes }: CallReply<'archive.trash'>): string {
  if (bytes === 0) return 'The trash folder is empty.';
  const rows = archives.map((one) => [
    formatTime(one.storedAt),
    one.instanceName,
    one.fullPath,
    formatBytes(one.sizeBytes),
    one.sha256.slice(0, 12),
    one.trashed === null ? null : formatTime(one.trashed.until),
    // Archives below several roots may have the same path.
    archives.some((other) => other !== one && other.path === one.path) ? one.absolutePath : one.path,
  ]);
  const lines =
    rows.length === 0
      ? ['No archive that could be brought back.']
      : [table(['STORED', 'INSTANCE', 'PROJECT', 'SIZE', 'SHA-256', 'REMOVED FOR GOOD', 'PATH'], rows)];
  return [...lines, '', `The trash folder holds ${formatBytes(bytes)}.`].join('\n');
}
