/**
 * @file The path of an archive below the root, for any instance and any project path, including hostile ones. All names
 * are ours; a file name from a server is never used. Every name is valid on Linux, macOS and Windows.
 */
import { createHash } from 'node:crypto';

export interface ArchiveIdentity {
  instanceUrl: string;
  fullPath: string;
  /** Null if unknown. */
  projectId: number | null;
  /** Epoch milliseconds. */
  receivedAt: number;
}

const maxSegmentLength = 80;
/** Leaves room for a root and the file's own name within the 260 characters of a Windows path. */
const maxFolderLength = 150;

// Windows device names, with or without an extension.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const escapeByte = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Encodes one folder name: everything except letters, digits, `_`, `-` and inner dots becomes `%XX`. */
function encodeSegment(text: string): string {
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
  return encodeSegment([hostname, ...(port === '' ? [] : [port]), ...base].join('-'));
}

/** `20261120T094512123Z`: UTC in milliseconds; sorting by name is sorting by time. */
function timeStamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:.]/g, '');
}

/** `<host>[-<port>][-<base path>]/<full/path>/<UTC time>-<project id>_export.tar.gz`; an unknown id is `unknown`. */
export function archivePath({ instanceUrl, fullPath, projectId, receivedAt }: ArchiveIdentity): string {
  const file = `${timeStamp(receivedAt)}-${projectId ?? 'unknown'}_export.tar.gz`;
  const host = instanceFolder(instanceUrl);
  const folder = fullPath.split('/').map(encodeSegment).join('/');
  const shortFolder =
    folder.length <= maxFolderLength
      ? folder
      : `${folder.slice(-40).replaceAll('/', '-')}~${digestOf(fullPath)}`;
  return `${host}/${shortFolder.replace(/^[.-]+/, '')}/${file}`;
}

export const manifestSuffix = '.manifest.json';
export const stateSuffix = '.state.json';
export const trashFolder = '.trash';
/** The lock file in the root during commits, changes of state files and sweeps. */
export const lockFile = '.lock';

const archiveName = String.raw`\d{8}T\d{9}Z-(?:\d+|unknown)_export\.tar\.gz`;
const archiveNamePattern = new RegExp(`^${archiveName}$`);
/** The names that `partPath` of `durable-file.ts` gives to an archive and its sidecars; `sweep` finds them. */
const partPathPattern = new RegExp(
  `^(.*${archiveName})(?:\\.manifest\\.json|\\.state\\.json)?\\.[0-9a-f]{12}\\.part$`,
);

/** Returns whether `archivePath` produces such a name. Other files in the root are not ours and stay untouched. */
export function isArchiveName(name: string): boolean {
  return archiveNamePattern.test(name);
}

/** Returns whether a file has the name of a packed export, made by Packhorse or not. */
export function isExportName(name: string): boolean {
  return name.endsWith('.tar.gz') && !name.startsWith('.');
}

/** Returns the path of the archive that a `.part` file belongs to; null if the path is not that of such a file. */
export function archiveOfPart(path: string): string | null {
  return partPathPattern.exec(path)?.[1] ?? null;
}

/** Returns a file name without extension for one project, for any project path. Different ids give different names. */
export function projectFileName(fullPath: string, projectId: number): string {
  const name = fullPath
    .split('/')
    .map(encodeSegment)
    .join('-')
    .replace(/^[.-]+/, '');
  const shortName = name.length <= maxSegmentLength ? name : `${name.slice(0, 48)}~${digestOf(fullPath)}`;
  return `${shortName}-${projectId}`;
}

/** Returns a folder name for a named subject at a time. The time distinguishes names that are equal after encoding. */
export function datedFolderName(kind: string, name: string, at: number): string {
  return `${kind}-${encodeSegment(name.replaceAll(' ', '_'))}-${timeStamp(at)}`;
}
