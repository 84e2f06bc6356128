/**
 * @file `packhorse archive adopt` and `identify`: adopt export files from elsewhere, and assign them to their projects.
 */
import { lstatSync, readdirSync, readFileSync, statSync, unlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { diskError } from '../../../platform/disk/disk-errors.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { archiveReference } from './archive-reference.ts';
import { joinLines, formatTime, plural, type Line } from '../terminal/format.ts';
import { archiveArgument, usageError } from '../terminal/options.ts';
import { projectsFromMap } from '../projects/project-map.ts';
import { showProgress, useTokenOption, type TokenOptions } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

interface AdoptOptions extends TokenOptions {
  instance: string;
  project?: string;
  map?: string;
  move?: boolean;
}

interface IdentifyOptions extends TokenOptions {
  instance: string;
  project: string;
}

type AdoptReply = CallReply<'archive.adopt'>;
type AdoptedFile = AdoptReply['files'][number] & {
  /** True if the original was deleted. If the original was to be deleted but was kept, `left` gives the reason. */
  moved: boolean;
  left: string | null;
};

/**
 * Returns the absolute path of each typed file, and of all exports in each typed folder. Throws before any file is
 * adopted.
 */
function resolveFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((name) => {
    const path = resolveUserPath(name);
    if (!statsOf(path).isDirectory()) return [path];
    const exports = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.tar.gz'))
      .map((entry) => join(path, entry.name));
    if (exports.length === 0) throw new AppError('invalid-input', `There is no *.tar.gz in ${path}.`);
    return exports.sort();
  });
  return [...new Set(files)];
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (thrown) {
    const isAbsent = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) throw new AppError('invalid-input', `There is no file ${path}.`);
    throw diskError(thrown, path);
  }
}

function projectsOf(files: readonly string[], { project, map }: AdoptOptions): string[] {
  if ((project === undefined) === (map === undefined)) {
    throw usageError('Give the project with --project, or several projects with --map.');
  }
  if (map === undefined) return files.map(() => project ?? '');
  const path = resolveUserPath(map);
  statsOf(path);
  return projectsFromMap(readFileSync(path, 'utf8'), dirname(path), files);
}

/** Deletes the original if it is still the file that was copied. @returns the reason if it was kept, else null. */
function removeOriginal(file: string, expected: Stats): string | null {
  try {
    const actual = lstatSync(file);
    if (actual.ino !== expected.ino || actual.size !== expected.size || actual.mtimeMs !== expected.mtimeMs) {
      return 'it changed meanwhile';
    }
    unlinkSync(file);
    return null;
  } catch (thrown) {
    return AppError.from(diskError(thrown, file)).message;
  }
}

/**
 * Returns the project in the name of an export file if it differs from `fullPath`, else null. The name is only a hint.
 */
function suggestion(file: string, fullPath: string): string | null {
  const name = /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d{3}_(.+)_export\.tar\.gz$/.exec(basename(file))?.[1];
  const expected = fullPath.replaceAll('/', '_').toLowerCase();
  return name === undefined || expected.startsWith(name.toLowerCase()) ? null : name;
}

const dateOriginTexts = {
  members: 'made',
  file: 'made (date of the file)',
  adoption: 'made at an unknown time; adopted',
};

function fileLines(entry: AdoptedFile): Line[] {
  const { file, outcome, archive, error, datedBy, findings } = entry;
  if (outcome === 'refused' || archive === null) {
    return [`REFUSED  ${file}: ${error === null ? '' : errorText(error).what}`];
  }
  const outcomeText = outcome === 'present' ? 'PRESENT' : entry.moved ? 'MOVED' : 'ADOPTED';
  const dateText = `${datedBy === null ? 'stored' : dateOriginTexts[datedBy]} ${formatTime(archive.storedAt)}`;
  const hint = suggestion(file, archive.fullPath);
  return [
    `${outcomeText.padEnd(7)}  ${file} → ${archive.path} (${archive.fullPath}, ${dateText})`,
    ...findings.map(({ severity, code, message }) => `         ${severity}  ${code}  ${message}`),
    entry.left !== null && `         The original was not removed: ${entry.left}`,
    hint !== null && `         Its name suggests another project: ${hint}`,
  ];
}

function projectLines({ projects }: AdoptReply): string[] {
  return projects
    .filter(({ projectId }) => projectId === null)
    .map(
      ({ fullPath, why }) =>
        `The id of ${fullPath} is not known${why === null ? '' : ` (${errorText(why).what.replace(/\.$/, '')})`}. Its archives have an unknown identity, so retention removes none of them. Set the identity later with "packhorse archive identify".`,
    );
}

function totalsText(adopted: number, present: number, refused: number): string {
  const presentText = `${plural(present, 'file')} ${present === 1 ? 'is' : 'are'} in the store already`;
  return (
    [
      adopted === 0 ? 'No archive was adopted' : `${plural(adopted, 'archive')} adopted`,
      ...(present === 0 ? [] : [presentText]),
      ...(refused === 0 ? [] : [`${plural(refused, 'file')} refused`]),
    ].join(', ') + '.'
  );
}

function exitCode({ projects }: AdoptReply, files: readonly AdoptedFile[]): ExitCode {
  const refused = files.filter(({ outcome }) => outcome === 'refused').length;
  if (refused === files.length) return exitCodes.failed;
  const hasProblem = files.some(
    ({ findings, left }) => left !== null || findings.some(({ severity }) => severity !== 'info'),
  );
  const isFine = refused === 0 && !hasProblem && projects.every(({ projectId }) => projectId !== null);
  return isFine ? exitCodes.done : exitCodes.partly;
}

export function archiveIdentifyCommand(archive: AppCommand): void {
  archive
    .subcommand('identify', 'assign an adopted archive of unknown identity to its project')
    .addArgument(archiveArgument())
    .neededOption('--instance <name>', 'the instance it was exported from')
    .neededOption('--project <path>', 'full path of the project there')
    .tokenOptions()
    .withToken(async ({ client, terminal }, paths: string, { instance, project }: IdentifyOptions) => {
      const request = { archive: archiveReference(paths), instance, fullPath: project };
      const reply = await client.call('archive.identify', request);
      terminal.result(reply, () => {
        const { path, instanceName, fullPath, projectId } = reply.summary;
        return `${path} now belongs to ${fullPath} on ${instanceName} (id ${projectId ?? '?'}). Plans count it among the archives of that project, and do not remove it for 30 days.`;
      });
    });
}

export function archiveAdoptCommand(archive: AppCommand): void {
  archive
    .subcommand('adopt', 'copy export files from elsewhere into the store, after reading them to the end')
    .argument('<file-or-folder...>', 'export files, or folders with *.tar.gz files')
    .neededOption('--instance <name>', 'the instance they were exported from')
    .option('--project <path>', 'full path of the project, if all files are exports of one project')
    .option('--map <file>', 'instead, a CSV file with the header "file,project" and a line for each file')
    .option('--move', 'delete each file after its copy was read back from the disk')
    .tokenOptions()
    .withApp(async (session, paths: string[], options: AdoptOptions) => {
      const files = resolveFiles(paths);
      const projects = projectsOf(files, options);
      const statsByFile = new Map(files.map((file) => [file, lstatSync(file)]));
      await useTokenOption(session, options.instance, options);
      const { instance, move = false } = options;
      const request = {
        instance,
        files: files.map((file, index) => ({ file, fullPath: projects[index] ?? '' })),
        prove: move,
      };
      const reply = await session.client.call('archive.adopt', request, showProgress(session, 'Adopting'));
      const entries = reply.files.map((entry): AdoptedFile => {
        const stats = statsByFile.get(entry.file);
        const shouldRemove = move && entry.proven && stats !== undefined;
        const left = shouldRemove ? removeOriginal(entry.file, stats) : null;
        return { ...entry, moved: shouldRemove && left === null, left };
      });
      session.terminal.result({ projects: reply.projects, files: entries }, () => {
        const count = (outcome: AdoptedFile['outcome']): number =>
          entries.filter((entry) => entry.outcome === outcome).length;
        return joinLines(
          entries.flatMap(fileLines),
          projectLines(reply),
          totalsText(count('adopted'), count('present'), count('refused')),
        );
      });
      return exitCode(reply, entries);
    });
}
