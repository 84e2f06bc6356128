/**
 * @file `packhorse archive prune`, `pin`, `unpin` and `trash …`: decide which archives are kept, and restore removed
 * archives.
 */
import type { CallReply } from '../../../../src-contract/calls.ts';
import { trashDays } from '../../../../src-contract/bounds.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { retentionReasonText } from '../../../../src-contract/words/plans/retention.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { archiveReference } from './archive-reference.ts';
import { confirmInTerminal, requestConfirmation } from '../terminal/confirm.ts';
import { joinLines, formatTime, plural, tableOf, timeOrNone } from '../terminal/format.ts';
import { archiveArgument } from '../terminal/options.ts';
import { findPlan } from '../plans/plan-reference.ts';
import type { Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

const trashHint = `For ${trashDays} days "packhorse archive trash restore" restores removed archives; then they are deleted for good.`;

export function archiveRetentionCommands(archive: AppCommand): void {
  archive
    .subcommand('prune', 'move archives that a plan does not keep to the trash folder')
    .neededOption('--plan <name>', 'the plan whose retention is applied to its projects')
    .option('--dry-run', 'only list what would be removed, and why')
    .option('--yes', 'skip the confirmation')
    .helpNote(`A plan does the same for each project after each of its backups. ${trashHint}`)
    .withApp((session, options: PruneOptions) => prune(session, options));

  for (const pinned of [true, false]) {
    const pin = archive
      .subcommand(
        pinned ? 'pin' : 'unpin',
        pinned ? 'keep an archive whatever a plan says' : 'let plans remove an archive again',
      )
      .addArgument(archiveArgument());
    if (pinned) pin.option('--note <text>', 'the reason');
    pin.withApp(async ({ client, terminal }, typed: string, options: { note?: string }) => {
      const reference = archiveReference(typed);
      const request = { archive: reference, pinned, note: options.note ?? null };
      const changed = await client.call('archive.setPinned', request);
      const stateText = pinned ? 'is pinned: no plan removes it' : 'is not pinned: plans may remove it';
      terminal.result(changed, () => `${changed.summary.path} ${stateText}.`);
    });
  }

  trashCommands(archive.subcommand('trash', 'removed archives, and restoring them'));
}

function trashCommands(trash: AppCommand): void {
  trash
    .subcommand('list', 'archives in the trash folder, and until when they can be restored')
    .withApp(async ({ client, terminal }) => {
      const found = await client.call('archive.trash', {});
      terminal.result(found, () => trashText(found));
    });

  trash
    .subcommand('add', 'move one archive to the trash folder, whatever plans say')
    .addArgument(archiveArgument())
    .withApp(async ({ client, terminal }, typed: string) => {
      const moved = await client.call('archive.moveToTrash', { archive: archiveReference(typed) });
      const until = formatTime(moved.until);
      const text = `${moved.path} was moved to the trash folder; until ${until} "packhorse archive trash restore" restores it.`;
      terminal.result(moved, () => text);
    });

  trash
    .subcommand('restore', 'restore an archive, and pin it')
    .argument('<archive>', 'at least 8 digits of the SHA-256, or its path')
    .withApp(async ({ client, terminal }, typed: string) => {
      const restore = (trashed: string) => client.call('archive.restore', { trashed });
      const restored = await restore(archiveReference(typed)).catch((thrown: unknown) => {
        const error = AppError.from(thrown);
        if (error.code !== 'archive-missing') throw error;
        // The user may have typed the former path, relative to the current folder. No file exists there now.
        return restore(resolveUserPath(typed)).catch(() => {
          throw error;
        });
      });
      const { path } = restored.summary;
      const text = `${path} is restored, and pinned so that no plan removes it again; "packhorse archive unpin" unpins it.`;
      terminal.result(restored, () => text);
    });

  trash
    .subcommand('empty', 'delete everything in the trash folder for good')
    .option('--yes', 'skip the confirmation')
    .withApp(async (session, options: { yes?: boolean }) => {
      const action = { action: 'trash.empty', instance: '', project: null } as const;
      const confirmation = await requestConfirmation(session, action, options);
      const emptied = await session.client.call('archive.emptyTrash', { confirmation });
      session.terminal.result(emptied, () =>
        emptied.bytes === 0 ? 'The trash folder was empty.' : `${formatBytes(emptied.bytes)} were removed.`,
      );
    });
}

interface PruneOptions {
  plan: string;
  dryRun?: boolean;
  yes?: boolean;
}

async function prune(session: Session, options: PruneOptions): Promise<ExitCode> {
  const { client, terminal } = session;
  const { id, retention } = (await findPlan(session, options.plan)).plan;
  const preview = await client.call('plan.prunePreview', { id, retention });
  if (options.dryRun === true) {
    terminal.result(preview, () => previewText(preview));
    return exitCodes.done;
  }
  const toRemove = preview.projects.flatMap(({ archives }) => archives.filter(({ keep }) => !keep));
  if (toRemove.length > 0) {
    terminal.note(previewText(preview));
    if (options.yes !== true) await confirmInTerminal(session, 'Move them to the trash folder? [y/N] ');
  }
  const pruned = await client.call('archive.prune', { planId: id, shown: toRemove.map((one) => one.id) });
  terminal.result({ ...preview, ...pruned }, () =>
    joinLines(
      pruned.movedCount === 0
        ? 'Nothing was moved.'
        : `${plural(pruned.movedCount, 'archive')} (${formatBytes(pruned.movedBytes)}) moved to the trash folder. ${trashHint}`,
      pruned.failed.map(({ path, error }) => `${path} was not moved: ${errorText(error).what}`),
    ),
  );
  return pruned.failed.length === 0 ? exitCodes.done : exitCodes.partly;
}

export function previewText(preview: CallReply<'plan.prunePreview'>): string {
  return [listText(preview), totalText(preview)].filter((part) => part !== '').join('\n\n');
}

function listText({ projects, absentCount }: CallReply<'plan.prunePreview'>): string {
  if (projects.length === 0 && absentCount === 0) return 'No archive of the projects of this plan is stored.';
  return projects
    .map(({ project, archives }) => {
      const rows = tableOf(archives, ({ id, storedAt, sizeBytes, proof, damaged, keep, reason }) => ({
        '  STORED': `  ${formatTime(storedAt)}`,
        SIZE: formatBytes(sizeBytes),
        PROOF: damaged === null ? (proof?.level ?? null) : 'damaged',
        CHECKED: timeOrNone(damaged?.at ?? proof?.at ?? null)?.slice(0, 10) ?? null,
        '': keep ? 'kept' : 'removed',
        WHY: lowerFirst(retentionReasonText[reason]),
        ARCHIVE: id,
      }));
      return `${project}\n${rows}`;
    })
    .join('\n\n');
}

export function totalText(preview: CallReply<'plan.prunePreview'>): string {
  const { projects, removedCount, removedBytes, absentCount } = preview;
  const absent = `${plural(absentCount, 'archive')} ${absentCount === 1 ? 'is' : 'are'} not there. Is the disk of the archive folder mounted?`;
  if (absentCount > 0 && projects.length === 0) return absent;
  const more = absentCount === 0 ? '' : ` ${absent}`;
  const total = projects.reduce((sum, { archives }) => sum + archives.length, 0);
  return removedCount === 0
    ? `${plural(total, 'archive')} ${total === 1 ? 'is' : 'are'} kept, none is removed.${more}`
    : `${removedCount} of ${plural(total, 'archive')} (${formatBytes(removedBytes)}) would be moved to the trash folder.${more}`;
}

function trashText({ archives, bytes }: CallReply<'archive.trash'>): string {
  if (bytes === 0) return 'The trash folder is empty.';
  const rows = tableOf(archives, (one) => ({
    STORED: formatTime(one.storedAt),
    INSTANCE: one.instanceName,
    PROJECT: one.fullPath,
    SIZE: formatBytes(one.sizeBytes),
    'SHA-256': one.sha256.slice(0, 12),
    'REMOVED FOR GOOD': timeOrNone(one.trashed?.until ?? null),
    // Archives below several roots may have the same path.
    PATH: archives.some((other) => other !== one && other.path === one.path) ? one.absolutePath : one.path,
  }));
  const lines = archives.length === 0 ? 'No archive can be restored.' : rows;
  return joinLines(lines, '', `The trash folder contains ${formatBytes(bytes)}.`);
}
