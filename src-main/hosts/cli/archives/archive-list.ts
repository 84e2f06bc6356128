/** @file `packhorse archive list` and `projects`: the stored archives. */
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import type { Session } from '../running/session.ts';
import { formatTime, joinLines, limitReachedLine, tableOf } from '../terminal/format.ts';
import { collectByCursor, collectByOffset } from '../../reply-pages.ts';
import { conditionLine } from './inspection-text.ts';
import type { AppCommand } from '../running/app-command.ts';

/** Archives stay when their instance is removed, so an instance is unknown only if it has no archives either. */
async function assertKnownInstance({ client }: Session, name: string): Promise<void> {
  const { instances } = await client.call('instance.list', {});
  if (instances.some((known) => known.name === name)) return;
  const request = { instance: name, project: null, before: null, limit: 1 };
  if ((await client.call('archive.list', request)).archives.length > 0) return;
  throw new AppError('instance-unknown', name, { details: { name } });
}

function emptyListText(instance: string | null, project: string | null): string {
  if (instance === null && project === null) return 'Nothing is stored yet.';
  const filter = [
    ...(project === null ? [] : [`of the project "${project}"`]),
    ...(instance === null ? [] : [`of the instance "${instance}"`]),
  ];
  return `No archive ${filter.join(' ')} is stored.`;
}

function listText(archives: readonly ArchiveSummary[]): string {
  const folders = shortNames(archives.map(folderOf));
  const showsFolders = folders.size > 1;
  return tableOf(archives, (stored) => ({
    // For an archive that was adopted or found on an instance, `storedAt` is the time of its export.
    EXPORTED: formatTime(stored.storedAt),
    INSTANCE: stored.instanceName,
    PROJECT: `${stored.fullPath}${stored.projectId === null ? ' (identity unknown)' : ''}`,
    SIZE: formatBytes(stored.sizeBytes),
    PROOF: stored.absent ? 'absent' : stored.damaged === null ? (stored.proof?.level ?? null) : null,
    VERDICT: verdictText(stored),
    PIN: stored.pinned ? 'pinned' : '',
    ...(showsFolders && { FOLDER: folders.get(folderOf(stored)) ?? null }),
    'SHA-256': stored.sha256.slice(0, 12),
  }));
}

const projectsText = (projects: CallReply<'archive.projects'>['projects']): string =>
  tableOf(projects, ({ instanceName, fullPath, archives, bytes, newest }) => ({
    INSTANCE: instanceName,
    PROJECT: fullPath,
    ARCHIVES: archives,
    SIZE: formatBytes(bytes),
    NEWEST: formatTime(newest.storedAt),
  }));

/** Adds the date of the last verification if the archive is missing now, because the verdict is from that date. */
function verdictText({ absent, condition, findings, proof, storedAt }: ArchiveSummary): string {
  const text = conditionLine(condition, findings);
  if (!absent || condition === 'damaged') return text;
  return `${text} when last read, ${formatTime(proof?.at ?? storedAt).slice(0, 10)}`;
}

const folderOf = ({ absolutePath, path }: ArchiveSummary): string =>
  absolutePath.slice(0, absolutePath.length - path.length - 1);

/** Maps each folder to the shortest end of its path that no other folder has. */
function shortNames(folders: readonly string[]): Map<string, string> {
  const all = [...new Set(folders)];
  const parts = (folder: string): string[] => folder.split(/[/\\]/);
  const end = (folder: string, count: number): string => parts(folder).slice(-count).join('/');
  return new Map(
    all.map((folder) => {
      let count = 1;
      while (
        count < parts(folder).length &&
        all.some((other) => other !== folder && end(other, count) === end(folder, count))
      ) {
        count += 1;
      }
      return [folder, end(folder, count)];
    }),
  );
}

export function registerArchiveLists(archive: AppCommand): void {
  archive
    .subcommand('list', 'stored archives, newest first')
    .option('--instance <name>')
    .option('--project <project>', 'full path or id')
    .limitOption(100)
    .withApp(async (session, options: { instance?: string; project?: string; limit: number }) => {
      const { client, terminal } = session;
      const { instance = null, project = null } = options;
      const { entries: archives, next } = await collectByCursor(options.limit, 'archives', (limit, before) =>
        client.call('archive.list', { instance, project, before, limit }),
      );
      if (archives.length === 0 && instance !== null) await assertKnownInstance(session, instance);
      terminal.result({ archives, next }, () =>
        archives.length === 0
          ? emptyListText(instance, project)
          : joinLines(listText(archives), next !== null && ['', limitReachedLine]),
      );
    });

  archive
    .subcommand('projects', 'projects with archives, also of instances that are no longer known')
    .option('--search <text>', 'part of the path')
    .limitOption(100)
    .withApp(async ({ client, terminal }, options: { search?: string; limit: number }) => {
      const { projects, total } = await collectByOffset(options.limit, 'projects', (range) =>
        client.call('archive.projects', { search: options.search ?? null, ...range }),
      );
      terminal.result({ projects, total }, () =>
        projects.length === 0
          ? 'No archive is stored.'
          : joinLines(projectsText(projects), projects.length < total && ['', limitReachedLine]),
      );
    });
}
