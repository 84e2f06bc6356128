/** @file `packhorse archive verify`: verifies a stored archive again, with all its copies. */
import type { CallReply } from '../../../../src-contract/calls.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { showProgress } from '../running/session.ts';
import { archiveArgument } from '../terminal/options.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { archiveReference } from './archive-reference.ts';
import { findingLines, findingsExitCode } from './inspection-text.ts';
import type { AppCommand } from '../running/app-command.ts';
import { joinLines, type Line } from '../terminal/format.ts';

type Level = 'L1' | 'L2';
type VerifyReply = CallReply<'archive.verify'>;
type Copy = NonNullable<VerifyReply['copies']>[number];

export function archiveVerifyCommand(archive: AppCommand): void {
  archive
    .subcommand(
      'verify',
      'verify a stored archive and all its copies again: L1 compares the hash, L2 (default) also reads it to the end',
    )
    .addArgument(archiveArgument())
    .choiceOption('--level <level>', 'how thoroughly to verify it', ['L1', 'L2'], 'L2')
    .withApp(async (session, typed: string, { level }: { level: Level }) => {
      const request = { archive: archiveReference(typed), level };
      const progress = showProgress(session, 'Verifying');
      const verified = await session.client.call('archive.verify', request, progress);
      const all = [{ ...verified, error: null }, ...(verified.copies ?? [])];
      session.terminal.result(verified, () => verifiedText(all, level));
      return worstExitCode(all.map(exitOf));
    });
}

function verifiedText(all: readonly Copy[], level: Level): string {
  if (all.length === 1) return joinLines(all.flatMap((one) => linesOf(one, one.summary.path, level)));
  return joinLines(
    `${all.length} archives match:`,
    all.flatMap((one) => linesOf(one, one.summary.absolutePath, level)),
  );
}

function linesOf({ proof, damaged, findings, error, unrecorded }: Copy, path: string, level: Level): Line[] {
  if (error !== null) return [`NOT VERIFIED: ${path}: ${errorText(error, 'command-line').what}`];
  const verdict =
    damaged === null
      ? `${proof?.level ?? 'L1'}: ${path} is as it was stored${level === 'L2' ? ' and can be read to its end' : ''}.`
      : `DAMAGED: ${path}: ${damaged.reason}`;
  return [
    verdict,
    ...findingLines(findings),
    unrecorded !== undefined &&
      `The result could not be recorded beside the archive: ${errorText(unrecorded, 'command-line').what}`,
  ];
}

function exitOf({ damaged, findings, error }: Copy): ExitCode {
  if (error !== null) return exitCodes.partly;
  return damaged === null ? findingsExitCode(findings) : exitCodes.failed;
}

function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  return codes.includes(exitCodes.partly) ? exitCodes.partly : exitCodes.done;
}
