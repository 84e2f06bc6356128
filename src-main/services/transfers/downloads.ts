/**
 * @file Saves files outside the store for the user. A file is written next to its final path, flushed, then renamed. No
 * file is replaced.
 */
import { stat } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join } from 'node:path';
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { startInspection } from '../../archive/inspect.ts';
import type { FileSink } from './downloaded-file.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { fileExistsError, moveWithoutReplacing } from '../../platform/disk/durable-file.ts';
import { makePrivateFolder } from '../../platform/private-folder.ts';
import { DownloadedFile, type ByteConsumer } from './downloaded-file.ts';

/** Writes the bytes of a file to `sink`, awaits each call, and resolves after the last byte. */
export type FetchToSink = (sink: FileSink) => Promise<void>;

/**
 * `path` is absolute: an existing folder or a file. Null means the downloads folder. `name` is the file name in a
 * folder.
 */
export interface Destination {
  path: string | null;
  name: string;
}

/** Saves files outside the store for the user. An interrupted download leaves no file. */
export type Downloads = ReturnType<typeof createDownloads>;

/** File systems allow 255 bytes; the rest is reserved for a number. */
const maxBytes = 200;
const maxEndingLength = 16;

/** Returns a file name that is valid on Linux, macOS and Windows, for any name from a server. */
export function safeFileName(rawName: string): string {
  const plain = rawName
    // Control characters, and characters that reverse text or separate folders or streams.
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029<>:"/\\|?*]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  const name = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain;
  if (name === '') return 'file';
  const ending = endingOf(name);
  let stem = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(stem + character + ending) > maxBytes) break;
    stem += character;
  }
  return stem.replace(/[. ]+$/, '') + ending;
}

/** Returns `.tar.gz` or the part from the last dot; empty if that part is no file type. */
function endingOf(name: string): string {
  if (name.endsWith('.tar.gz')) return '.tar.gz';
  const ending = extname(name);
  return ending.length <= maxEndingLength ? ending : '';
}

export function createDownloads(folder: string) {
  async function saveFile<Result>(
    destination: Destination,
    fetch: (file: FileSink) => Promise<void>,
    startReading: () => ByteConsumer<Result>,
  ): Promise<{ path: string; sizeBytes: number; result: Result }> {
    const target = await resolveTarget(folder, destination);
    let download: DownloadedFile<Result> | null = null;
    try {
      download = await DownloadedFile.createIn(target.folder, startReading);
      await fetch(download);
      const { path: partialPath, ...received } = await download.end();
      return { ...received, path: await renamePartialFile(partialPath, target) };
    } catch (thrown) {
      await download?.abandon();
      throw diskError(thrown, target.folder);
    }
  }

  return {
    /** Never replaces a file. In a folder, another name is used; for a file path, throws `already-exists`. */
    async save(destination: Destination, fetch: FetchToSink) {
      const { path, sizeBytes } = await saveFile(destination, fetch, () => noReader);
      return { path, sizeBytes };
    },
    /**
     * Like `save`, but inspects the archive during the download. An unusable archive fails with `archive-corrupt` and
     * is not saved.
     */
    async saveArchive(destination: Destination, fetch: FetchToSink) {
      const { path, result } = await saveFile(destination, fetch, archiveReader);
      const { sizeBytes, sha256, verdict, findings } = result;
      return { path, sizeBytes, sha256, verdict, findings };
    },
  };
}

const noop = (): Promise<void> => Promise.resolve();
const noReader: ByteConsumer<void> = { write: noop, finish: noop, abort: noop };

function archiveReader(): ByteConsumer<Inspection> {
  const session = startInspection();
  return {
    write: (chunk) => session.write(chunk),
    finish: async () => assertUsable(await session.finish()),
    abort: () => session.abort(),
  };
}

function assertUsable(inspection: Inspection): Inspection {
  if (inspection.verdict !== 'unusable') return inspection;
  const worst = inspection.findings.find(({ severity }) => severity === 'error');
  throw new AppError('archive-corrupt', worst?.message ?? 'The downloaded file is not a readable archive.');
}

interface SaveTarget {
  folder: string;
  names: Iterable<string>;
  existsError: AppError;
}

async function resolveTarget(defaultFolder: string, { path, name }: Destination): Promise<SaveTarget> {
  if (path === null) {
    try {
      makePrivateFolder(defaultFolder);
    } catch (thrown) {
      throw diskError(thrown, defaultFolder);
    }
    return targetInFolder(defaultFolder, name);
  }
  if (!isAbsolute(path)) throw new AppError('invalid-input', `"${path}" is not a full path.`);
  if (await isFolder(path)) return targetInFolder(path, name);
  const folder = dirname(path);
  if (/[/\\]$/.test(path) || !(await isFolder(folder))) {
    throw new AppError('invalid-input', `There is no folder ${/[/\\]$/.test(path) ? path : folder}.`);
  }
  return {
    folder,
    names: [path.slice(folder.length).replace(/^[/\\]+/, '')],
    existsError: fileExistsError(path),
  };
}

function targetInFolder(folder: string, rawName: string): SaveTarget {
  const name = safeFileName(rawName);
  const ending = endingOf(name);
  const stem = name.slice(0, name.length - ending.length);
  const names = function* (): Generator<string> {
    yield name;
    for (let suffix = 2; suffix < 1000; suffix += 1) yield `${stem} (${suffix})${ending}`;
  };
  return { folder, names: names(), existsError: fileExistsError(join(folder, name)) };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function renamePartialFile(
  partialPath: string,
  { folder, names, existsError }: SaveTarget,
): Promise<string> {
  for (const name of names) {
    const path = join(folder, name);
    try {
      await moveWithoutReplacing(partialPath, path);
      return path;
    } catch (thrown) {
      if (AppError.from(thrown).code !== 'already-exists') throw thrown;
    }
  }
  throw existsError;
}
