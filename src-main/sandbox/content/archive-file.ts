/**
 * @file Writes export archives in GitLab's format, and reads them with node-tar. Shares no code with the product's
 * archive reader.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { Header, Parser, Pax, type ReadEntry } from 'tar';
import { relationsInOrder, sizeOf, type FileBytes, type ProjectContent } from './project-content.ts';

const minJoinedBytes = 1 << 16;

export interface ExportMetadata {
  gitlabVersion: string;
  revision: string;
  /** Modification time of every member, epoch milliseconds. */
  time: number;
}

/** Writes an archive. The same content and stamp give the same bytes. */
export async function writeArchive(
  path: string,
  content: ProjectContent,
  stamp: ExportMetadata,
): Promise<void> {
  const blocks = Readable.from(joinBlocks(tarBlocks(content, stamp)), { objectMode: false });
  // The fastest level, because a sandbox's archive is read once or twice and deleted.
  await pipeline(blocks, createGzip({ level: 1, chunkSize: 1 << 18 }), createWriteStream(path));
}

/** Joins small blocks, because passing a block to the thread that compresses takes longer than compressing it. */
async function* joinBlocks(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const block of blocks) {
    waiting.push(block);
    waitingBytes += block.length;
    if (waitingBytes < minJoinedBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
  }
  yield Buffer.concat(waiting);
}

async function* tarBlocks(content: ProjectContent, stamp: ExportMetadata): AsyncGenerator<Buffer> {
  const time = new Date(stamp.time);
  const folders = new Set<string>();
  for (const [name, bytes] of membersInOrder(content, stamp)) {
    for (const folder of foldersOf(name)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      yield header({ path: `./${folder}`, type: 'Directory', mode: 0o700, size: 0, mtime: time });
    }
    if (bytes === null) continue;
    const size = sizeOf(bytes);
    yield header({ path: `./${name}`, type: 'File', mode: 0o644, size, mtime: time });
    if (Buffer.isBuffer(bytes)) yield bytes;
    else yield* createReadStream(bytes.path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
    yield Buffer.alloc((512 - (size % 512)) % 512);
  }
  yield Buffer.alloc(1024);
}

/** Yields each member with its bytes; null for a folder that exists even when empty. */
function* membersInOrder(
  content: ProjectContent,
  stamp: ExportMetadata,
): Generator<readonly [string, FileBytes | null]> {
  yield ['snippets/', null];
  yield ['VERSION', Buffer.from('0.2.4')];
  yield ['GITLAB_VERSION', Buffer.from(stamp.gitlabVersion)];
  yield ['GITLAB_REVISION', Buffer.from(stamp.revision)];
  if (!content.otherFiles.has('lfs-objects.json')) yield ['lfs-objects.json', Buffer.from('{}')];
  for (const name of [...content.otherFiles.keys()].sort())
    yield [name, content.otherFiles.get(name) ?? null];
  yield ['tree/project.json', Buffer.from(JSON.stringify(content.attributes))];
  yield ['tree/project/', null];
  for (const name of relationsInOrder(content)) {
    yield [`tree/project/${name}.ndjson`, content.relations.get(name) ?? null];
  }
}

function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)];
}

function header(fields: Required<Pick<Header, 'path' | 'type' | 'mode' | 'size' | 'mtime'>>): Buffer {
  const block = Buffer.alloc(512);
  const plain = new Header({ ...fields, uid: 998, gid: 998, uname: 'git', gname: 'git' });
  // `encode` returns true if a field did not fit, so that a pax header must precede.
  if (!plain.encode(block)) return block;
  return Buffer.concat([new Pax({ path: fields.path, size: fields.size }).encode(), block]);
}

export interface UnpackedArchive {
  /** Maps a name without `./` to its bytes. AppleDouble files and `.DS_Store` are excluded, as GitLab ignores them. */
  members: Map<string, FileBytes>;
  symbolicLinks: string[];
  hardLinks: string[];
  /** True if a folder `tree` exists, even an empty one. */
  hasTree: boolean;
  /** Folders below `tree` that have the name of a file there. */
  foldersNamedLikeFiles: string[];
  /** True if reading failed before the end. `members` then has the members before the damage. */
  isDamaged: boolean;
}

/**
 * Reads as much of an archive as possible: GitLab ignores the exit codes of the programs that unpack it (gitlab-facts
 * 7). Members of `tree/` and documents of the root are kept in memory. All others are written below `folder` under
 * numbered names, so that no name from the archive is used on the disk. Rejects if the file cannot be read.
 */
export async function readArchive(path: string, folder: string): Promise<UnpackedArchive> {
  const unpacked = await unpack(path, folder, 0, createGunzip({ chunkSize: 1 << 18 }));
  const headerLength = unpacked.isDamaged ? await gzipHeaderLength(path) : null;
  // The second pass inflates without a checksum, because zlib drops the last data before an error if it verifies one.
  if (headerLength === null) return unpacked;
  return unpack(path, folder, headerLength, createInflateRaw({ chunkSize: 1 << 18 }), true);
}

async function gzipHeaderLength(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const flags = buffer[3] ?? 0;
    if (bytesRead < 10 || buffer.readUInt16BE(0) !== 0x1f8b || (flags & 0b10110) !== 0) return null;
    return (flags & 0b1000) === 0 ? 10 : buffer.indexOf(0, 10) + 1;
  } finally {
    await file.close();
  }
}

async function unpack(
  path: string,
  folder: string,
  startOffset: number,
  inflater: Gunzip | InflateRaw,
  isDamaged = false,
): Promise<UnpackedArchive> {
  const unpacked: UnpackedArchive = {
    members: new Map(),
    symbolicLinks: [],
    hardLinks: [],
    hasTree: false,
    foldersNamedLikeFiles: [],
    isDamaged,
  };
  const writes: Promise<void>[] = [];
  const keep = async (entry: ReadEntry, name: string): Promise<void> => {
    const bytes = await entry.concat();
    unpacked.members.set(name, bytes.subarray(0, unpackedSize(bytes.length, entry.size)));
  };
  const spool = async (entry: ReadEntry, name: string): Promise<void> => {
    const file = join(folder, `member-${writes.length}`);
    await pipeline(entry, createWriteStream(file));
    const written = (await stat(file)).size;
    const size = unpackedSize(written, entry.size);
    if (size < written) await truncate(file, size);
    unpacked.members.set(name, { path: file, size });
  };
  const onReadEntry = (entry: ReadEntry): void => {
    const name = entry.path.replace(/^(\.\/)+/, '');
    const last = name.split('/').at(-1) ?? '';
    if (/^tree(?:\/|$)/.test(name)) unpacked.hasTree = true;
    if (entry.type === 'Directory' && /^tree\/.*json\/?$/.test(name))
      unpacked.foldersNamedLikeFiles.push(name);
    if (entry.type === 'SymbolicLink') unpacked.symbolicLinks.push(name);
    if (entry.type === 'Link') unpacked.hardLinks.push(name);
    const isFile = entry.type === 'File' || entry.type === 'OldFile';
    if (!isFile || last.startsWith('._') || last === '.DS_Store') {
      entry.resume();
      return;
    }
    const isSmall = name.startsWith('tree/') || (!name.includes('/') && !name.endsWith('.bundle'));
    writes.push(isSmall ? keep(entry, name) : spool(entry, name));
  };
  const parser = new Parser({
    onReadEntry,
    onwarn: () => {
      unpacked.isDamaged = true;
    },
  });
  const ended = new Promise<void>((resolve) => parser.on('end', resolve));
  const failures: Error[] = [];
  const file = createReadStream(path, { start: startOffset });
  file.pipe(inflater);
  file.on('error', (error) => {
    failures.push(error);
    inflater.destroy(error);
  });
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      if (!parser.write(piece)) await new Promise<void>((resolve) => parser.once('drain', resolve));
    }
  } catch {
    unpacked.isDamaged = true;
  }
  file.destroy();
  parser.end();
  await ended;
  await Promise.all(writes);
  if (failures[0] !== undefined) throw failures[0];
  return unpacked;
}

/** For a truncated member, tar writes the complete blocks that it read. */
function unpackedSize(readSize: number, declaredSize: number): number {
  return readSize < declaredSize ? readSize - (readSize % 512) : readSize;
}
