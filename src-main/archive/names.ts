/**
 * @file Where an archive stands below the root, for any instance and any project path, also hostile ones. The names are
 * ours alone; nothing a server offers as a file name is used. Every name is valid on Linux, macOS and Windows.
 */
import { createHash } from 'node:crypto';

export interface ArchiveIdentity {
  instanceUrl: string;
  fullPath: string;
  /** Null: not known. */
  projectId: number | null;
  /** Epoch milliseconds. */
  at: number;
}

const maxSegmentLength = 80;
/** Leaves room for a root and the file's own name within the 260 characters of a Windows path. */
const maxFolderLength = 150;

// Device names of Windows, also with an extension; and what must not begin or end a name there or hide it elsewhere.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const escapeByte = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** One folder name: everything but letters, digits, `_`, `-` and inner dots is written as `%XX`. */
function segment(text: string): string {
  const escaped = Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(character) ? character : escapeByte(byte);
  })
    .join('')
    .replace(/^[.]+|[.]+$/g, (dots) => '%2E'.repeat(dots.length));
  const name = reserved.test(escaped) ? escapeByte(escaped.charCodeAt(0)) + escaped.slice(1) : escaped;
  if (name === '') return '%';
  return name.length <= maxSegmentLength ? name : `${name.slice(0, 48)}~${digestOf(text)}`;
}

function instanceFolder(instanceUrl: string): string {
  const { hostname, port, pathname } = new URL(instanceUrl);
  const base = pathname.split('/').filter((part) => part !== '');
  return segment([hostname, ...(port === '' ? [] : [port]), ...base].join('-'));
}

/** `20261120T094512123Z`: UTC to the millisecond, sorted by name as by time. */
function timeStamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:.]/g, '');
}

/** `<host>[-<port>][-<base path>]/<full/path>/<UTC time>-<project id>_export.tar.gz`, with `/` on every system; `unknown` for an id that is. */
export function archivePath({ instanceUrl, fullPath, projectId, at }: ArchiveIdentity): string {
  const file = `${timeStamp(at)}-${projectId ?? 'unknown'}_export.tar.gz`;
  const host = instanceFolder(instanceUrl);
  const folder = fullPath.split('/').map(segment).join('/');
  const short =
    folder.length <= maxFolderLength
      ? folder
      : `${folder.slice(-40).replaceAll('/', '-')}~${digestOf(fullPath)}`;
  return `${host}/${short.replace(/^[.-]+/, '')}/${file}`;
}

export const manifestSuffix = '.manifest.json';
export const stateSuffix = '.state.json';
export const trashFolder = '.trash';
/** Stands in the root while somebody commits, changes a state file or sweeps. */
export const lockFile = '.lock';

const archiveName = String.raw`\d{8}T\d{9}Z-(?:\d+|unknown)_export\.tar\.gz`;
const ownName = new RegExp(`^${archiveName}$`);
/** The temporary names that `partPath` of `durable-file.ts` makes for an archive and its sidecars; `sweep` finds them by it. */
const ownPart = new RegExp(
  `^(.*${archiveName})(?:\\.manifest\\.json|\\.state\\.json)?\\.[0-9a-f]{12}\\.part$`,
);

/** Whether a file's name is one that `archivePath` gives; others in the root are not ours and are left alone. */
export function isArchiveName(name: string): boolean {
  return ownName.test(name);
}

/** Whether a file is called as a packed export is, whoever made it. */
export function isExportName(name: string): boolean {
  return name.endsWith('.tar.gz') && !name.startsWith('.');
}

/** The path of the archive that a `partPath` belongs to, also one of its manifest or state file; null for other files. */
export function archiveOfPart(path: string): string | null {
  return ownPart.exec(path)?.[1] ?? null;
}

/** The name of a file about one project, without an ending, for any project path; no two ids have the same. */
export function projectFileName(fullPath: string, projectId: number): string {
  const whole = fullPath
    .split('/')
    .map(segment)
    .join('-')
    .replace(/^[.-]+/, '');
  const short = whole.length <= maxSegmentLength ? whole : `${whole.slice(0, 48)}~${digestOf(fullPath)}`;
  return `${short}-${projectId}`;
}

/** The name of a folder that is about something with a name, as it was at a time; the time tells names apart that become the same. */
export function datedFolderName(kind: string, name: string, at: number): string {
  return `${kind}-${segment(name.replaceAll(' ', '_'))}-${timeStamp(at)}`;
}
