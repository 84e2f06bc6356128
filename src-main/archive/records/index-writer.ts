/**
 * @file Writes a record index while an archive is inspected, in the inspection's worker. A failure must never harm the
 * inspection: after any failure here, or on a full disk, the archive merely has no index.
 */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { constants, crc32, zstdCompress, zstdCompressSync } from 'node:zlib';
import { maxKeptBytes, maxKeysLength, writeNumber, type KeyCollector } from '../reader/key-collector.ts';
import {
  blockBytes,
  trailerOf,
  type IndexDirectory,
  type Piece,
  type RelationEntry,
} from './index-format.ts';

/** Unpacked bytes of a piece of rows: reading one takes a few milliseconds. */
const rowsBytes = 256 * 1024;
/** Maximum number of blocks that the thread pool packs at once. Further blocks are packed in this thread. */
const maxPackingBlocks = 2;
/** Free space that an index must leave for archives and everything else. */
const minFreeBytes = 1024 ** 3;
const blocksPerSpaceCheck = 64;

/** The index is a twentieth of the archive. Level 1 would make it a quarter smaller, but takes 50 % longer. */
const fastestOptions = { params: { [constants.ZSTD_c_compressionLevel]: -3 } };

export class RecordIndexWriter {
  readonly #part: string;
  readonly #fd: number;
  readonly #relations = new Map<string, RelationWriter>();
  readonly #freeBlocks: Buffer[] = [];
  /** Buffer for the rows of the current relation; members follow one another, so one is enough. */
  readonly rowBuffer = Buffer.allocUnsafeSlow(rowsBytes + maxKeysLength + 100);
  /** Buffer for the keys of the current record. */
  readonly keyBuffer = Buffer.allocUnsafeSlow(maxKeptBytes);
  #offset = 0;
  #isBroken = false;
  #isOpen = true;
  #packingCount = 0;
  #blockCount = 0;
  #onAllPacked: () => void = () => undefined;

  /** @param part the temporary file; its folder is created if missing. Throws the error of opening the file. */
  constructor(part: string) {
    this.#part = part;
    mkdirSync(dirname(part), { recursive: true, mode: 0o700 });
    this.#fd = openSync(part, 'wx', 0o600);
  }

  /** Returns null for a repeated relation: readers also use the first one. */
  addRelation(name: string): RelationWriter | null {
    if (this.#relations.has(name)) return null;
    const relation = new RelationWriter(name, this);
    this.#relations.set(name, relation);
    return relation;
  }

  /** Returns a buffer of `blockBytes`. */
  newBlock(): Buffer {
    return this.#freeBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  /** Takes back an unused block. */
  release(block: Buffer): void {
    this.#freeBlocks.push(block);
  }

  /** Packs and writes a block, which the caller must not use again. The order of the calls is the order in `pieces`. */
  addBlock(pieces: Piece[], block: Buffer, length: number): void {
    const index = pieces.push([0, 0, 0]) - 1;
    const bytes = block.subarray(0, length);
    const onPacked = (packed: Buffer): void => {
      pieces[index] = this.#write(packed);
      this.#freeBlocks.push(block);
    };
    if (this.#isBroken || this.#lacksSpace()) this.#isBroken = true;
    else if (this.#packingCount >= maxPackingBlocks) onPacked(zstdCompressSync(bytes, fastestOptions));
    else {
      this.#packingCount++;
      zstdCompress(bytes, fastestOptions, (error, packed) => {
        this.#packingCount--;
        if (error === null) onPacked(packed);
        else this.#isBroken = true;
        if (this.#packingCount === 0) this.#onAllPacked();
      });
    }
  }

  /** Packs and writes at once; for small pieces. */
  addPiece(bytes: Buffer): Piece {
    return this.#isBroken ? [0, 0, 0] : this.#write(zstdCompressSync(bytes, fastestOptions));
  }

  /**
   * Completes the index of the archive with that SHA-256 and renames the file to `path`. Returns false if no index
   * could be written.
   */
  async finish(sha256: string, layout: IndexDirectory['layout'], path: string): Promise<boolean> {
    const relations = [...this.#relations.values()].map(({ entry }) => entry);
    if (this.#packingCount > 0) {
      await new Promise<void>((resolve) => {
        this.#onAllPacked = resolve;
      });
    }
    // A relation that was not read to its end would look complete.
    if (relations.some(({ lines }) => lines === -1)) this.#isBroken = true;
    const directory = zstdCompressSync(
      JSON.stringify({ sha256, layout, relations } satisfies IndexDirectory),
    );
    const [offset] = this.#write(directory);
    this.#write(trailerOf(directory, offset));
    if (this.#isBroken) {
      this.abandon();
      return false;
    }
    try {
      this.#close();
      // Not flushed. If a power cut damages the index, its checksums show it, and the archive is read instead.
      renameSync(this.#part, path);
      return true;
    } catch {
      rmSync(this.#part, { force: true });
      return false;
    }
  }

  /** Removes the file; idempotent. */
  abandon(): void {
    this.#isBroken = true;
    this.#close();
    rmSync(this.#part, { force: true });
  }

  /** Closes the file only once, because another file of the process may since have the same descriptor. */
  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }

  #lacksSpace(): boolean {
    if (this.#blockCount++ % blocksPerSpaceCheck !== 0) return false;
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#part));
      return bavail * bsize < minFreeBytes;
    } catch {
      // The folder may be gone. The inspection continues without an index.
      return true;
    }
  }

  #write(bytes: Buffer): Piece {
    const piece: Piece = [this.#offset, bytes.length, crc32(bytes)];
    if (this.#isBroken) return piece;
    try {
      for (let position = 0; position < bytes.length;) position += writeSync(this.#fd, bytes, position);
      this.#offset += bytes.length;
    } catch {
      this.#isBroken = true;
    }
    return piece;
  }
}

/** Receives the records of one relation as they are read: first the bytes of a line, then its keys. */
export class RelationWriter {
  /** Complete after `end` was called and the writer has finished. */
  readonly entry: RelationEntry;
  /** The buffer for the `KeyCollector` of the relation. */
  readonly keyBuffer: Buffer;
  readonly #writer: RecordIndexWriter;
  #block: Buffer;
  #blockLength = 0;
  #line = 0;
  #lineStart = 0;
  readonly #rows: Buffer;
  #rowsLength = 0;
  #firstLine = 0;

  constructor(name: string, writer: RecordIndexWriter) {
    this.entry = { name, lines: -1, records: 0, bytes: 0, blocks: [], rows: [] };
    this.#writer = writer;
    this.keyBuffer = writer.keyBuffer;
    this.#block = writer.newBlock();
    this.#rows = writer.rowBuffer;
  }

  add(bytes: Buffer, from: number, to: number): void {
    for (let position = from; position < to;) {
      const copied = bytes.copy(this.#block, this.#blockLength, position, to);
      position += copied;
      this.#blockLength += copied;
      if (this.#blockLength === blockBytes) this.#flushBlock();
    }
    this.entry.bytes += to - from;
  }

  /** Ends a line, which consists of the bytes since the last call. */
  endLine(collector: Pick<KeyCollector, 'writeKeys'> | 'no record' | 'no keys'): void {
    const { bytes } = this.entry;
    const rows = this.#rows;
    let end = this.#rowsLength;
    if (end === 0) this.#firstLine = this.#line;
    rows[end] = end++ === 0 ? 0x5b : 0x2c;
    rows[end++] = 0x5b;
    for (const number of [this.#line, this.#lineStart, bytes - this.#lineStart]) {
      end = writeNumber(number, rows, end);
      rows[end++] = 0x2c;
    }
    if (collector === 'no record') end += rows.write('null', end);
    else if (collector === 'no keys') end += rows.write('{}', end);
    else end = collector.writeKeys(rows, end);
    rows[end++] = 0x5d;
    this.#rowsLength = end;
    this.#line++;
    this.#lineStart = bytes;
    if (end > rowsBytes) this.#flushRows();
  }

  /** Ends the relation. @param records the number of records that the inspection counted. */
  end(records: number): void {
    if (this.#blockLength > 0) this.#writer.addBlock(this.entry.blocks, this.#block, this.#blockLength);
    else this.#writer.release(this.#block);
    if (this.#rowsLength > 0) this.#flushRows();
    this.entry.records = records;
    this.entry.lines = this.#line;
  }

  #flushBlock(): void {
    this.#writer.addBlock(this.entry.blocks, this.#block, this.#blockLength);
    this.#block = this.#writer.newBlock();
    this.#blockLength = 0;
  }

  #flushRows(): void {
    this.#rows[this.#rowsLength++] = 0x5d;
    const piece = this.#writer.addPiece(this.#rows.subarray(0, this.#rowsLength));
    this.entry.rows.push({ firstLine: this.#firstLine, piece });
    this.#rowsLength = 0;
  }
}
