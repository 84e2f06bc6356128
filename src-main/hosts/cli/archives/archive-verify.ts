/** @file `packhorse archive verify`: verifies a stored archive again, with all its copies. */
import type { CallReply } from '../../../../src-contract/calls.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { canBeRead } from '../../../../src-contract/archives/archive-quality.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { conditionText } from '../../../../src-contract/words/states.ts';
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

function linesOf(copy: Copy, path: string, level: Level): Line[] {
  const { damaged, findings, error, unrecorded } = copy;
  if (error !== null) return [`NOT VERIFIED: ${path}: ${errorText(error, 'command-line').what}`];
  return [
    damaged === null ? verdictLine(copy, path, level) : `DAMAGED: ${path}: ${damaged.reason}`,
    ...findingLines(findings),
    unrecorded !== undefined &&
      `The result could not be recorded beside the archive: ${errorText(unrecorded, 'command-line').what}`,
  ];
}

function verdictLine({ proof, summary: { condition } }: Copy, path: string, level: Level): string {
  const readText = level === 'L2' && canBeRead(condition) ? ' and can be read to its end' : '';
  const conditionWord = lowerFirst(conditionText[condition].text);
  const problemText = condition === 'complete' ? '' : `, but it is ${conditionWord}`;
  return `${proof?.level ?? 'L1'}: ${path} is as it was stored${readText}${problemText}.`;
}

function exitOf({ summary, damaged, findings, error }: Copy): ExitCode {
  if (error !== null) return exitCodes.partly;
  return damaged === null && summary.condition !== 'unusable' ? findingsExitCode(findings) : exitCodes.failed;
}

function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  return codes.includes(exitCodes.partly) ? exitCodes.partly : exitCodes.done;
}
