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
/** Maximum number of blocks that the thread pool packs at once. Beyond that, blocks are packed here. */
const packedAhead = 2;
/** Free space that an index must leave for archives and everything else. */
const leftFree = 1024 ** 3;
const blocksPerSpaceCheck = 64;

/** The index is a twentieth of the archive. Level 1 would make it a quarter smaller, but takes 50 % longer. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: -3 } };

export class RecordIndexWriter {
  readonly #part: string;
  readonly #file: number;
  readonly #relations = new Map<string, RelationWriter>();
  readonly #free: Buffer[] = [];
  /** Buffer for the rows of the current relation; members follow one another, so one is enough. */
  readonly rowBuffer = Buffer.allocUnsafeSlow(rowsBytes + maxKeysLength + 100);
  /** Buffer for the keys of the current record. */
  readonly keyBuffer = Buffer.allocUnsafeSlow(maxKeptBytes);
  #offset = 0;
  #isBroken = false;
  #isOpen = true;
  #packing = 0;
  #blocks = 0;
  #allPacked: () => void = () => undefined;

  /** @param part the temporary file; its folder is created if missing. Throws the error of opening the file. */
  constructor(part: string) {
    this.#part = part;
    mkdirSync(dirname(part), { recursive: true, mode: 0o700 });
    this.#file = openSync(part, 'wx', 0o600);
  }

  /** Returns null for a repeated relation: readers also use the first one. */
  relation(name: string): RelationWriter | null {
    if (this.#relations.has(name)) return null;
    const relation = new RelationWriter(name, this);
    this.#relations.set(name, relation);
    return relation;
  }

  /** Returns a buffer of `blockBytes`. */
  newBlock(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  /** Takes back an unused block. */
  release(block: Buffer): void {
    this.#free.push(block);
  }

  /** Takes over a block, packs and writes it, and sets its entry in `pieces`, in the order of the calls. */
  addBlock(pieces: Piece[], block: Buffer, length: number): void {
    const place = pieces.push([0, 0, 0]) - 1;
    const bytes = block.subarray(0, length);
    const written = (packed: Buffer): void => {
      pieces[place] = this.#write(packed);
      this.#free.push(block);
    };
    if (this.#isBroken || this.#lacksSpace()) this.#isBroken = true;
    else if (this.#packing >= packedAhead) written(zstdCompressSync(bytes, fastest));
    else {
      this.#packing++;
      zstdCompress(bytes, fastest, (error, packed) => {
        this.#packing--;
        if (error === null) written(packed);
        else this.#isBroken = true;
        if (this.#packing === 0) this.#allPacked();
      });
    }
  }

  /** Packs and writes at once; for small pieces. */
  addPiece(bytes: Buffer): Piece {
    return this.#isBroken ? [0, 0, 0] : this.#write(zstdCompressSync(bytes, fastest));
  }

  /**
   * Completes the index of the archive with that SHA-256 and renames the file to `name`. Returns false if no index
   * could be written.
   */
  async finish(sha256: string, layout: IndexDirectory['layout'], name: string): Promise<boolean> {
    const relations = [...this.#relations.values()].map(({ entry }) => entry);
    if (this.#packing > 0) {
      await new Promise<void>((resolve) => {
        this.#allPacked = resolve;
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
      // Not flushed: checksums reveal damage by a power cut, and the archive is read instead.
      renameSync(this.#part, name);
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
    closeSync(this.#file);
  }

  #lacksSpace(): boolean {
    if (this.#blocks++ % blocksPerSpaceCheck !== 0) return false;
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#part));
      return bavail * bsize < leftFree;
    } catch {
      // The folder may be gone. The inspection continues without an index.
      return true;
    }
  }

  #write(bytes: Buffer): Piece {
    const piece: Piece = [this.#offset, bytes.length, crc32(bytes)];
    if (this.#isBroken) return piece;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
      this.#offset += bytes.length;
    } catch {
      this.#isBroken = true;
    }
    return piece;
  }
}

/** Receives the records of one relation during the pass: first the bytes, then the description of the line. */
export class RelationWriter {
  /** Complete after `end` was called and the writer has finished. */
  readonly entry: RelationEntry;
  /** The buffer for the `KeyCollector` of the relation. */
  readonly keyBuffer: Buffer;
  readonly #writer: RecordIndexWriter;
  #block: Buffer;
  #filled = 0;
  #line = 0;
  #lineStart = 0;
  readonly #rows: Buffer;
  #rowsFilled = 0;
  #rowsFrom = 0;

  constructor(name: string, writer: RecordIndexWriter) {
    this.entry = { name, lines: -1, records: 0, bytes: 0, blocks: [], rows: [] };
    this.#writer = writer;
    this.keyBuffer = writer.keyBuffer;
    this.#block = writer.newBlock();
    this.#rows = writer.rowBuffer;
  }

  add(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to;) {
      const copied = bytes.copy(this.#block, this.#filled, at, to);
      at += copied;
      this.#filled += copied;
      if (this.#filled === blockBytes) this.#blockEnds();
    }
    this.entry.bytes += to - from;
  }

  /** Ends a line, which consists of the bytes since the last call. */
  endLine(keyBuffer: Pick<KeyCollector, 'writeKeys'> | 'no record' | 'no keys'): void {
    const { bytes } = this.entry;
    const rows = this.#rows;
    let end = this.#rowsFilled;
    if (end === 0) this.#rowsFrom = this.#line;
    rows[end] = end++ === 0 ? 0x5b : 0x2c;
    rows[end++] = 0x5b;
    for (const number of [this.#line, this.#lineStart, bytes - this.#lineStart]) {
      end = writeNumber(number, rows, end);
      rows[end++] = 0x2c;
    }
    if (keyBuffer === 'no record') end += rows.write('null', end);
    else if (keyBuffer === 'no keys') end += rows.write('{}', end);
    else end = keyBuffer.writeKeys(rows, end);
    rows[end++] = 0x5d;
    this.#rowsFilled = end;
    this.#line++;
    this.#lineStart = bytes;
    if (end > rowsBytes) this.#rowsEnd();
  }

  /** Ends the relation. @param records the number of records that the inspection counted. */
  end(records: number): void {
    if (this.#filled > 0) this.#writer.addBlock(this.entry.blocks, this.#block, this.#filled);
    else this.#writer.release(this.#block);
    if (this.#rowsFilled > 0) this.#rowsEnd();
    this.entry.records = records;
    this.entry.lines = this.#line;
  }

  #blockEnds(): void {
    this.#writer.addBlock(this.entry.blocks, this.#block, this.#filled);
    this.#block = this.#writer.newBlock();
    this.#filled = 0;
  }

  #rowsEnd(): void {
    this.#rows[this.#rowsFilled++] = 0x5d;
    const piece = this.#writer.addPiece(this.#rows.subarray(0, this.#rowsFilled));
    this.entry.rows.push({ firstLine: this.#rowsFrom, piece });
    this.#rowsFilled = 0;
  }
}
