/** @file `packhorse archive …`: shows stored archives, and reads any export file. */
import { inspectArchiveFile } from '../../../services/archives/archive-file.ts';
import { archiveReference, readArchive } from './archive-reference.ts';
import {
  knownReading,
  projectOfArchive,
  type ArchiveSummary,
} from '../../../../src-contract/archives/archive.ts';
import { archiveRetentionCommands } from './archive-keeping.ts';
import { registerArchiveLists } from './archive-list.ts';
import { archiveLintCommand } from './archive-lint.ts';
import { registerArchiveRecord } from './archive-record.ts';
import { archiveRescanCommand } from './archive-rescan.ts';
import { archiveTrimCommand } from './archive-trim.ts';
import { archiveVerifyCommand } from './archive-verify.ts';
import { archiveAdoptCommand, archiveIdentifyCommand } from './archive-adopt.ts';
import { findingsExitCode, inspectionText } from './inspection-text.ts';
import { joinLines, formatTime, table } from '../terminal/format.ts';
import { archiveArgument } from '../terminal/options.ts';
import { showProgress } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';

/** Returns lines about the other archives with the same hash: a reference by hash may mean any of them. */
function alikeLines(sha256: string, alike: ArchiveSummary[] = []): string[] {
  if (alike.length === 0) return [];
  return [
    `${alike.length + 1} archives have the same bytes (SHA-256 ${sha256.slice(0, 12)}). This is one of them; the ${alike.length === 1 ? 'other is' : 'others are'}:`,
    ...alike.map((one) => `  ${one.absolutePath} (${one.fullPath}, ${formatTime(one.storedAt)})`),
    '',
  ];
}

function archiveText({ manifest, state, summary, alike }: CallReply<'archive.show'>): string {
  const { project, instance } = projectOfArchive(manifest, state);
  const { adopted, receivedAt, inspection, sourceCounts } = manifest;
  const identity =
    project.id === null ? 'identity unknown: see "packhorse archive identify"' : `id ${project.id}`;
  const dateText = `${adopted === undefined && receivedAt === undefined ? 'stored' : 'made'} ${formatTime(manifest.storedAt)}`;
  const counts = Object.entries(sourceCounts?.after.counts ?? {});
  const proofs = state.proofs.map(({ level, at, detail }) =>
    `${level} ${formatTime(at)} ${detail ?? ''}`.trimEnd(),
  );
  const { pinned, note, damaged, laterReading } = state;
  return joinLines(
    alikeLines(summary.sha256, alike),
    summary.absolutePath,
    `${project.fullPath} (${identity}) of ${instance.url}, ${dateText}`,
    adopted !== undefined && `adopted ${formatTime(adopted.at)} from the file ${adopted.fileName}`,
    receivedAt !== undefined && `found on the instance and stored ${formatTime(receivedAt)}`,
    '',
    laterReading !== undefined &&
      `A later reading, ${formatTime(laterReading.at)}, found more problems than the first one.`,
    inspectionText({ ...inspection, ...knownReading(manifest, state) }, damaged !== null),
    counts.length > 0 && ['', table(['IN THE SOURCE', 'COUNT'], counts)],
    '',
    (pinned || note !== null) && `pinned     ${pinned ? 'yes' : 'no'}${note === null ? '' : `: ${note}`}`,
    `proofs     ${proofs.length === 0 ? 'none' : proofs.join('; ')}`,
    damaged !== null && `damaged    ${formatTime(damaged.at)}: ${damaged.reason}`,
  );
}

export function registerArchive(program: AppCommand): void {
  const archive = program.subcommand('archive', 'stored archives, and reading any export file');

  registerArchiveLists(archive);

  archive
    .subcommand('show', 'manifest, proofs and notes of a stored archive')
    .addArgument(archiveArgument())
    .withApp(async ({ client, terminal }, reference: string) => {
      const reply = await client.call('archive.show', { archive: archiveReference(reference) });
      terminal.result(reply, () => archiveText(reply));
      const isUnusable = knownReading(reply.manifest, reply.state).verdict === 'unusable';
      return reply.state.damaged === null && !isUnusable ? exitCodes.done : exitCodes.failed;
    });

  archive
    .subcommand(
      'inspect',
      'read an export archive to its end and list its contents; for a file, no data folder is needed',
    )
    .addArgument(archiveArgument())
    .action(async (reference: string, _options: unknown, command: AppCommand) => {
      await readArchive(command, reference, {
        readFile: inspectArchiveFile,
        readStored: (session) =>
          session.client.call('archive.inspect', { archive: reference }, showProgress(session, 'Reading')),
        text: (inspection) => inspectionText(inspection),
        exitOf: ({ verdict, findings }) =>
          verdict === 'unusable' ? exitCodes.failed : findingsExitCode(findings),
      });
    });

  archiveVerifyCommand(archive);
  registerArchiveRecord(archive);
  archiveLintCommand(archive);
  archiveTrimCommand(archive);
  archiveRetentionCommands(archive);
  archiveAdoptCommand(archive);
  archiveIdentifyCommand(archive);
  archiveRescanCommand(archive);
}
