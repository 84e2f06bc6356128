/** @file `packhorse archive …`: stored archives, and reading any export file. */
import type { Command } from 'commander';
import { errorText } from '../../../../src-preload/contract/error-messages.ts';
import { AppError } from '../../../../src-preload/contract/errors.ts';
import { inspectArchiveFile } from '../../../app/archives/archive-file.ts';
import { systemClock } from '../../../platform/clock.ts';
import { archiveReference, existingFile } from './archive-reference.ts';
import type { CallReply } from '../../../../src-preload/contract/calls.ts';
import {
  identityOf,
  type ArchiveSummary,
  type Finding,
  type Inspection,
} from '../../../../src-preload/contract/archive.ts';
import { keepingCommands } from './archive-keeping.ts';
import { archiveLintCommand } from './archive-lint.ts';
import { archiveRecordCommand } from './archive-record.ts';
import { archiveTrimCommand } from './archive-trim.ts';
import { archiveAdoptCommand, archiveIdentifyCommand } from './archive-adopt.ts';
import { formatBytes, formatTime, plural, table } from '../terminal/format.ts';
import { archiveArgument, choice, limitOption } from '../terminal/options.ts';
import { inPages } from '../terminal/pages.ts';
import { run, runWithApp, showProgress, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

/** A file is read without opening, or even making, a data folder. */
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

/** Anything but `info` is a reason to look before relying on the archive: records that are missing, odd members. */
const findingsCode = (findings: Finding[]): ExitCode =>
  findings.some(({ severity }) => severity !== 'info') ? exitCodes.partly : exitCodes.done;

/** Whatever was said of it when it was stored, a damaged archive is nothing else. */
function verdictText(verdict: Inspection['verdict'], findings: number, damaged: boolean): string {
  if (damaged) return 'damaged';
  return findings === 0 ? verdict : `${verdict}, ${plural(findings, 'finding')}`;
}

export const findingLines = (findings: Finding[]): string[] =>
  findings.map(
    (finding) =>
      `  ${finding.severity.padEnd(7)}  ${finding.code}  ${finding.message}${finding.where === null ? '' : ` (${finding.where})`}`,
  );

function inspectionText(inspection: Inspection, damaged = false): string {
  const relations = Object.entries(inspection.relations).filter(([, count]) => count > 0);
  const bundles = inspection.bundles.map(
    (bundle) =>
      `  ${bundle.member}: ${plural(bundle.branches, 'branch', 'branches')}, ${plural(bundle.tags, 'tag')}, ${bundle.objects ?? '?'} objects`,
  );
  return [
    `verdict    ${verdictText(inspection.verdict, inspection.findings.length, damaged)}`,
    `layout     ${inspection.layout ?? 'unknown'}, format ${inspection.version ?? 'not said'}, GitLab ${inspection.gitlabVersion ?? 'not said'}`,
    `size       ${formatBytes(inspection.sizeBytes)}, unpacked ${formatBytes(inspection.unpackedBytes)}, ${plural(inspection.members, 'member')}`,
    `SHA-256    ${inspection.sha256}`,
    `uploads    ${inspection.uploads}, LFS objects ${inspection.lfsObjects}`,
    '',
    relations.length === 0
      ? 'It holds no records.'
      : table(
          ['RELATION', 'RECORDS', 'NOTES'],
          relations.map(([name, count]) => [name, count, inspection.notes[name] ?? null]),
        ),
    ...(bundles.length > 0 ? ['', 'repositories', ...bundles] : []),
    '',
    ...(inspection.findings.length > 0
      ? ['findings', ...findingLines(inspection.findings)]
      : [damaged ? 'Nothing was to remark when it was stored.' : 'Nothing to remark.']),
  ].join('\n');
}

type HeldProject = CallReply<'archive.projects'>['projects'][number];

/** Archives stay when their instance is removed, so only one that has none either is unknown. */
async function refuseUnknown({ client }: Session, name: string): Promise<void> {
  const { instances } = await client.call('instance.list', {});
  if (instances.some((known) => known.name === name)) return;
  const any = { instance: name, project: null, before: null, limit: 1 };
  if ((await client.call('archive.list', any)).archives.length > 0) return;
  throw new AppError('instance-unknown', name, { details: { name } });
}

function nothingText(instance: string | null, project: string | null): string {
  if (instance === null && project === null) return 'Nothing is stored yet.';
  const filter = [
    ...(project === null ? [] : [`of the project "${project}"`]),
    ...(instance === null ? [] : [`of the instance "${instance}"`]),
  ];
  return `No archive ${filter.join(' ')} is stored.`;
}

/** Of many files the first few are named; `--json` names all. */
function strangerLines(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, 10).map((file) => `  ${file}`);
  const more = files.length - named.length;
  return [
    `${plural(files.length, 'file')} without a manifest; adopt what is an export of yours with "packhorse archive adopt".`,
    ...named,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** A reference by the hash means any of them; nothing is to be taken for the only one. */
function alikeLines(sha256: string, alike: ArchiveSummary[] = []): string[] {
  if (alike.length === 0) return [];
  return [
    `${alike.length + 1} archives hold the same bytes (SHA-256 ${sha256.slice(0, 12)}). This is one of them; the ${alike.length === 1 ? 'other is' : 'others are'}:`,
    ...alike.map((one) => `  ${one.path} (${one.fullPath}, ${formatTime(one.storedAt)})`),
    '',
  ];
}

export function archiveCommand(program: Command): void {
  const archive = program.command('archive').description('stored archives, and reading any export file');

  archive
    .command('list')
    .description('stored archives, newest first')
    .option('--instance <name>')
    .option('--project <project>', 'full path or id')
    .addOption(limitOption(100))
    .action(async (options: { instance?: string; project?: string; limit: number }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { instance = null, project = null } = options;
        const { entries: archives, next } = await inPages(options.limit, async (limit, before) => {
          const page = await session.client.call('archive.list', { instance, project, before, limit });
          return { entries: page.archives, next: page.next };
        });
        if (archives.length === 0 && instance !== null) await refuseUnknown(session, instance);
        const listed = { archives, next };
        session.terminal.result(listed, () => {
          if (listed.archives.length === 0) return nothingText(instance, project);
          const rows = listed.archives.map((stored) => [
            formatTime(stored.storedAt),
            stored.instanceName,
            `${stored.fullPath}${stored.projectId === null ? ' (identity unknown)' : ''}`,
            formatBytes(stored.sizeBytes),
            stored.absent ? 'absent' : stored.damaged === null ? (stored.proof?.level ?? null) : null,
            verdictText(stored.verdict, stored.findings, stored.damaged !== null),
            stored.sha256.slice(0, 12),
          ]);
          const more = listed.next === null ? '' : '\n\nThere are more; see --limit.';
          return `${table(['STORED', 'INSTANCE', 'PROJECT', 'SIZE', 'PROOF', 'VERDICT', 'SHA-256'], rows)}${more}`;
        });
        return exitCodes.done;
      });
    });

  archive
    .command('projects')
    .description('projects of which archives are held, also of instances that are no longer known')
    .option('--search <text>', 'part of the path')
    .addOption(limitOption(100))
    .action(async (options: { search?: string; limit: number }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { search = null } = options;
        let total = 0;
        const { entries: projects } = await inPages<HeldProject>(options.limit, async (limit, from) => {
          const offset = Number(from ?? 0);
          const page = await session.client.call('archive.projects', { search, offset, limit });
          ({ total } = page);
          const end = offset + page.projects.length;
          return { entries: page.projects, next: end < total && end > offset ? String(end) : null };
        });
        session.terminal.result({ projects, total }, () => {
          if (projects.length === 0) return 'No archive is held.';
          const rows = projects.map((held) => [
            held.instanceName,
            held.fullPath,
            held.archives,
            formatBytes(held.bytes),
            formatTime(held.newest.storedAt),
          ]);
          const more = projects.length < total ? '\n\nThere are more; see --limit.' : '';
          return `${table(['INSTANCE', 'PROJECT', 'ARCHIVES', 'SIZE', 'NEWEST'], rows)}${more}`;
        });
        return exitCodes.done;
      });
    });

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

  archive
    .command('verify')
    .description('prove a stored archive again: L1 its hash, L2 (default) read to the end')
    .addArgument(archiveArgument())
    .addOption(choice('--level <level>', 'how far to prove it', ['L1', 'L2']).default('L2'))
    .action(async (typed: string, options: { level: 'L1' | 'L2' }, command: Command) => {
      await runWithApp(command, async (session) => {
        const { level } = options;
        const verified = await session.client.call(
          'archive.verify',
          { archive: archiveReference(typed), level },
          showProgress(session, 'Verifying'),
        );
        session.terminal.result(verified, () => {
          const { damaged, proof } = verified;
          const verdict =
            damaged === null
              ? `${proof?.level ?? 'L1'}: ${verified.summary.path} is as it was stored${level === 'L2' ? ' and can be read to its end' : ''}.`
              : `DAMAGED: ${verified.summary.path}: ${damaged.reason}`;
          return [verdict, ...findingLines(verified.findings)].join('\n');
        });
        return verified.damaged === null ? findingsCode(verified.findings) : exitCodes.failed;
      });
    });

  archiveRecordCommand(archive);
  archiveLintCommand(archive);
  archiveTrimCommand(archive);
  keepingCommands(archive);
  archiveAdoptCommand(archive);
  archiveIdentifyCommand(archive);

  archive
    .command('rescan')
    .description('rebuild the index from the manifests in the store')
    .action(async (_options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const onProgress = showProgress(session, 'Archives');
        const scanned = await session.client.call('archive.rescan', {}, onProgress);
        session.terminal.result(scanned, () =>
          [
            `${plural(scanned.found, 'archive')} found, ${scanned.added} added, ${scanned.missing} missing.`,
            ...scanned.unreadable.map(({ path, error }) => `${path}: ${errorText(error).what}`),
            ...strangerLines(scanned.withoutManifest),
          ].join('\n'),
        );
        const whole = scanned.missing === 0 && scanned.unreadable.length === 0;
        return whole ? exitCodes.done : exitCodes.partly;
      });
    });
}
