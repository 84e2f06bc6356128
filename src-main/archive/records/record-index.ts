/**
 * @file Reads a record index: the relations of an archive, the keys of their records, and single records, without the
 * archive. Every piece is verified: a damaged index throws `IndexDamaged` and must be written again.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, zstdDecompress } from 'node:zlib';
import type { ArchiveRecord } from '../../../src-contract/archives/archive.ts';
import { maxRecordTextBytes, createRecord } from '../reader/record-picker.ts';
import { indexFile, removeRecordIndex } from './index-files.ts';
import {
  blockBytes,
  readTrailer,
  trailerBytes,
  type IndexDirectory,
  type Piece,
  type RelationEntry,
} from './index-format.ts';
import type { KeyRow, RecordKeys } from './record-keys.ts';

const decompress = promisify(zstdDecompress);

/** A piece of the index does not match its checksum. The caller closes the index, removes it and reads the archive. */
export class IndexDamaged extends Error {
  constructor() {
    super('The record index is damaged.');
  }
}

export type RelationSize = Pick<RelationEntry, 'name' | 'records' | 'lines'>;

export interface RecordIndex {
  /** SHA-256 of the archive. */
  readonly sha256: string;
  readonly layout: 'ndjson' | 'legacy' | null;
  /**
   * Returns the sizes of all relations. `records` counts as an inspection does: lines (legacy: elements) that are
   * neither blank nor `null`. `lines` counts all.
   */
  relations(): RelationSize[];
  /** Returns the size of one relation; null if the archive lacks the relation. */
  relation(name: string): RelationSize | null;
  /** Yields rows by line, a few hundred in memory; none for a missing relation. Rejects with `IndexDamaged`. */
  keys(relation: string): AsyncGenerator<KeyRow, void, undefined>;
  /** Returns one row; null beyond the relation's end. Rejects with `IndexDamaged`. */
  row(relation: string, line: number): Promise<KeyRow | null>;
  /** Like `readRecords`: text up to 1 MiB, parsed unless cut; null beyond the end. Rejects with `IndexDamaged`. */
  record(relation: string, line: number): Promise<ArchiveRecord | null>;
  /** Returns all bytes of one record of any length; null beyond the relation's end. Cheapest in order of lines. */
  bytes(relation: string, line: number): Promise<Buffer | null>;
  /**
   * Yields the same bytes in pieces of at most `blockBytes`, one in memory at a time; none beyond the relation's end.
   */
  pieces(relation: string, line: number): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
}

/**
 * Opens the index of the archive with that SHA-256. Returns null if there is no usable one: none was written, or it is
 * truncated, of another version or of another archive. An unusable file is removed.
 */
export async function openRecordIndex(folder: string, sha256: string): Promise<RecordIndex | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(indexFile(folder, sha256), flags).catch(() => null);
  if (file === null) return null;
  const directory = await readDirectory(file).catch(() => null);
  if (directory?.sha256 === sha256) return new OpenIndex(file, directory);
  await file.close();
  await removeRecordIndex(folder, sha256);
  return null;
}

async function readDirectory(file: FileHandle): Promise<IndexDirectory | null> {
  const { size } = await file.stat();
  const found = readTrailer(await readExactly(file, size - trailerBytes, trailerBytes), size);
  if (found === null) return null;
  const packed = await readExactly(file, found.offset, found.length);
  if (!createHash('sha256').update(packed).digest().equals(found.sha256)) return null;
  // A directory with this checksum was written by this version of the writer.
  return JSON.parse((await decompress(packed)).toString()) as IndexDirectory;
}

async function readExactly(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, from);
  if (bytesRead !== length) throw new IndexDamaged();
  return bytes;
}

type RowChunk = RelationEntry['rows'][number];
type StoredRow = [line: number, offset: number, length: number, keys: RecordKeys | null];

class OpenIndex implements RecordIndex {
  readonly sha256: string;
  readonly layout: RecordIndex['layout'];
  readonly #file: FileHandle;
  readonly #relations: ReadonlyMap<string, RelationEntry>;
  /** The last block and the last rows that were read, because callers usually read neighbours one after the other. */
  #lastBlock: { piece: Piece; bytes: Promise<Buffer> } | null = null;
  #lastRows: { piece: Piece; rows: Promise<StoredRow[]> } | null = null;

  constructor(file: FileHandle, directory: IndexDirectory) {
    this.sha256 = directory.sha256;
    this.layout = directory.layout;
    this.#file = file;
    this.#relations = new Map(directory.relations.map((entry) => [entry.name, entry]));
  }

  relations(): RelationSize[] {
    const entries = [...this.#relations.values()].filter(({ name }) => !name.includes('/'));
    return entries.map(({ name, records, lines }) => ({ name, records, lines }));
  }

  relation(wanted: string): RelationSize | null {
    const entry = wanted.includes('/') ? undefined : this.#relations.get(wanted);
    return entry === undefined ? null : { name: entry.name, records: entry.records, lines: entry.lines };
  }

  async *keys(relation: string): AsyncGenerator<KeyRow, void, undefined> {
    for (const { piece } of this.#relations.get(relation)?.rows ?? []) {
      for (const row of await this.#readRows(piece)) yield toKeyRow(row);
    }
  }

  async row(relation: string, line: number): Promise<KeyRow | null> {
    const found = await this.#find(relation, line);
    return found === null ? null : toKeyRow(found.row);
  }

  async record(relation: string, line: number): Promise<ArchiveRecord | null> {
    const found = await this.#find(relation, line);
    if (found === null) return null;
    const [, offset, length] = found.row;
    if (length === 0 && this.layout === 'legacy') return null;
    const content = await this.#content(found.entry, offset, Math.min(length, maxRecordTextBytes));
    return createRecord({ relation, line }, [content], length > maxRecordTextBytes);
  }

  async bytes(relation: string, line: number): Promise<Buffer | null> {
    const found = await this.#find(relation, line);
    return found === null ? null : this.#content(found.entry, found.row[1], found.row[2]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async *pieces(relation: string, line: number): AsyncGenerator<Buffer, void, undefined> {
    const found = await this.#find(relation, line);
    if (found === null) return;
    const [, offset, length] = found.row;
    for (let at = offset; at < offset + length;) {
      const part = await this.#part(found.entry, at, offset + length);
      yield part;
      at += part.length;
    }
  }

  async #find(relation: string, line: number): Promise<{ entry: RelationEntry; row: StoredRow } | null> {
    const entry = this.#relations.get(relation);
    if (entry === undefined || line >= entry.lines) return null;
    const chunk = chunkOf(entry.rows, line);
    const row = chunk && (await this.#readRows(chunk.piece))[line - chunk.firstLine];
    return row === undefined ? null : { entry, row };
  }

  async #content(entry: RelationEntry, offset: number, length: number): Promise<Buffer> {
    const first = length === 0 ? Buffer.alloc(0) : await this.#part(entry, offset, offset + length);
    if (first.length === length) return first;
    const content = Buffer.allocUnsafeSlow(length);
    let filled = first.copy(content);
    while (filled < length) {
      filled += (await this.#part(entry, offset + filled, offset + length)).copy(content, filled);
    }
    return content;
  }

  /** Returns the bytes from `from` to the end of their block, or to `to`. */
  async #part(entry: RelationEntry, from: number, to: number): Promise<Buffer> {
    const piece = entry.blocks[Math.floor(from / blockBytes)];
    const inBlock = from % blockBytes;
    const part = piece && (await this.#readBlock(piece)).subarray(inBlock, inBlock + to - from);
    if (part === undefined || part.length === 0) throw new IndexDamaged();
    return part;
  }

  #readBlock(piece: Piece): Promise<Buffer> {
    if (this.#lastBlock?.piece !== piece) this.#lastBlock = { piece, bytes: this.#read(piece) };
    return this.#lastBlock.bytes;
  }

  #readRows(piece: Piece): Promise<StoredRow[]> {
    if (this.#lastRows?.piece !== piece) {
      const rows = this.#read(piece).then((text) => JSON.parse(text.toString()) as StoredRow[]);
      this.#lastRows = { piece, rows };
    }
    return this.#lastRows.rows;
  }

  async #read([offset, length, crc]: Piece): Promise<Buffer> {
    const packed = await readExactly(this.#file, offset, length);
    if (crc32(packed) !== crc) throw new IndexDamaged();
    return decompress(packed);
  }
}

/** Returns the last chunk that begins at or before the line. */
function chunkOf(chunks: readonly RowChunk[], line: number): RowChunk | undefined {
  let [from, to] = [0, chunks.length - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((chunks[middle]?.firstLine ?? Infinity) <= line) from = middle;
    else to = middle - 1;
  }
  return chunks[from];
}

const toKeyRow = ([line, , length, keys]: StoredRow): KeyRow => ({ line, length, keys });
