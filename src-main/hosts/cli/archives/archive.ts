/** @file `packhorse archive …`: shows stored archives, and reads any export file. */
import type { Command } from 'commander';
import { inspectArchiveFile } from '../../../services/archives/archive-file.ts';
import { systemClock } from '../../../platform/clock.ts';
import { archiveReference, existingFile } from './archive-reference.ts';
import {
  identityOf,
  type ArchiveSummary,
  type Inspection,
} from '../../../../src-contract/archives/archive.ts';
import { keepingCommands } from './archive-keeping.ts';
import { archiveListCommands } from './archive-list.ts';
import { archiveLintCommand } from './archive-lint.ts';
import { archiveRecordCommand } from './archive-record.ts';
import { archiveRescanCommand } from './archive-rescan.ts';
import { archiveTrimCommand } from './archive-trim.ts';
import { archiveVerifyCommand } from './archive-verify.ts';
import { archiveAdoptCommand, archiveIdentifyCommand } from './archive-adopt.ts';
import { findingsCode, inspectionText } from './inspection-text.ts';
import { formatTime, table } from '../terminal/format.ts';
import { archiveArgument } from '../terminal/options.ts';
import { run, runWithApp, showProgress } from '../running/session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

/** A file is read without opening or creating a data folder. */
async function inspect(command: Command, typed: string): Promise<void> {
  const show = (terminal: Terminal, inspection: Inspection): ExitCode => {
    terminal.result(inspection, () => inspectionText(inspection));
    return inspection.verdict === 'unusable' ? exitCodes.failed : findingsCode(inspection.findings);
  };
  const file = existingFile(typed);
  if (file === null) {
    await runWithApp(command, async (session) => {
      const onProgress = showProgress(session, 'Reading');
      return show(
        session.terminal,
        await session.client.call('archive.inspect', { archive: typed }, onProgress),
      );
    });
    return;
  }
  await run(command, async (terminal, signal) => {
    const redraw = showProgress({ terminal, clock: systemClock }, 'Reading');
    const onProgress = (done: number, total: number): void => {
      redraw({ step: 'read', unit: 'bytes', done, total });
    };
    return show(terminal, await inspectArchiveFile(file, { signal, onProgress }));
  });
}

/** Returns lines about the other archives with the same hash: a reference by hash may mean any of them. */
function alikeLines(sha256: string, alike: ArchiveSummary[] = []): string[] {
  if (alike.length === 0) return [];
  return [
    `${alike.length + 1} archives hold the same bytes (SHA-256 ${sha256.slice(0, 12)}). This is one of them; the ${alike.length === 1 ? 'other is' : 'others are'}:`,
    ...alike.map((one) => `  ${one.absolutePath} (${one.fullPath}, ${formatTime(one.storedAt)})`),
    '',
  ];
}

export function archiveCommand(program: Command): void {
  const archive = program.command('archive').description('stored archives, and reading any export file');

  archiveListCommands(archive);

  archive
    .command('show')
    .description('manifest, proofs and notes of a stored archive')
    .addArgument(archiveArgument())
    .action(async (typed: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const shown = await session.client.call('archive.show', { archive: archiveReference(typed) });
        session.terminal.result(shown, () => {
          const { manifest, state, alike } = shown;
          const owner = identityOf(manifest, state);
          const { inspection } = manifest;
          const findings = [...inspection.findings, ...manifest.findings];
          const proofs = state.proofs.map((proof) =>
            `${proof.level} ${formatTime(proof.at)} ${proof.detail ?? ''}`.trimEnd(),
          );
          const { sourceCounts } = manifest;
          const counts = sourceCounts === null ? [] : Object.entries(sourceCounts.after.counts);
          return [
            ...alikeLines(shown.summary.sha256, alike),
            shown.summary.absolutePath,
            `${owner.project.fullPath} (${owner.project.id === null ? 'identity unknown: see "packhorse archive identify"' : `id ${owner.project.id}`}) of ${owner.instance.url}, ${manifest.adopted === undefined ? 'stored' : 'made'} ${formatTime(manifest.storedAt)}`,
            ...(manifest.adopted === undefined
              ? []
              : [`adopted ${formatTime(manifest.adopted.at)} from the file ${manifest.adopted.fileName}`]),
            '',
            inspectionText({ ...inspection, findings }, state.damaged !== null),
            ...(counts.length > 0
              ? [
                  '',
                  table(
                    ['SOURCE HELD', 'COUNT'],
                    counts.map(([name, count]) => [name, count]),
                  ),
                ]
              : []),
            '',
            ...(state.pinned || state.note !== null
              ? [`pinned     ${state.pinned ? 'yes' : 'no'}${state.note === null ? '' : `: ${state.note}`}`]
              : []),
            `proofs     ${proofs.length === 0 ? 'none' : proofs.join('; ')}`,
            ...(state.damaged === null
              ? []
              : [`damaged    ${formatTime(state.damaged.at)}: ${state.damaged.reason}`]),
          ].join('\n');
        });
        return shown.state.damaged === null ? exitCodes.done : exitCodes.failed;
      });
    });

  archive
    .command('inspect')
    .description('read an export archive to its end and say what it holds; a file needs no data folder')
    .addArgument(archiveArgument())
    .action(async (typed: string, _options: unknown, command: Command) => {
      await inspect(command, typed);
    });

  archiveVerifyCommand(archive);
  archiveRecordCommand(archive);
  archiveLintCommand(archive);
  archiveTrimCommand(archive);
  keepingCommands(archive);
  archiveAdoptCommand(archive);
  archiveIdentifyCommand(archive);
  archiveRescanCommand(archive);
}
