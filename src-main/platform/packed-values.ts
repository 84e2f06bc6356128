/**
 * @file Keeps many small values compressed in memory, such as the contents of all records of a project. A value must be
 * representable in JSON.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * Returns a copy of the object with the fields of `values`. These are compressed, and each is parsed again when it is
 * read. Callers read neighbours one after the other, because values are compressed together in the order in which they
 * were packed. A spread of the result has ordinary fields.
 */
export function withPacked<T extends object, V extends object>(object: T, values: V): T & V {
  const packed: object = new Packed(object, values);
  return packed as T & V;
}

/** V8 stores the fields of a class inside the object. A property that is added later would take a second object. */
class Packed {
  readonly #block: Block;
  /** The index of the first value. */
  readonly #index: number;

  constructor(object: object, values: object) {
    this.#block = openBlock;
    this.#index = openBlock.length;
    Object.assign(this, object);
    for (const [offset, [name, value]] of Object.entries(values).entries()) {
      openBlock.add(JSON.stringify(value));
      Object.defineProperty(this, name, accessorOf(name, offset));
    }
    if (!openBlock.isFull) return;
    openBlock.compress();
    openBlock = new Block();
  }

  static valueOf(packed: Packed, offset: number): unknown {
    return valueAt(packed.#block, packed.#index + offset);
  }
}

/** Objects with the same fields share these accessors, so that V8 needs no hidden class for each object. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(name: string, offset: number): PropertyDescriptor {
  const key = `${offset} ${name}`;
  const known = accessors.get(key);
  if (known !== undefined) return known;
  const accessor: PropertyDescriptor & ThisType<Packed> = {
    enumerable: true,
    get() {
      return Packed.valueOf(this, offset);
    },
  };
  accessors.set(key, accessor);
  return accessor;
}

/** Small texts of similar records compress well only together. */
const blockLength = 64 * 1024;

class Block {
  #texts: string[] = [];
  #characters = 0;
  /** The compressed bytes, and the length of the others. */
  #compressed: { bytes: Uint8Array; length: number } | null = null;

  /** Adds a text without line breaks. An undefined value has an empty one. */
  add(text = ''): void {
    this.#characters += text.length;
    this.#texts.push(text);
  }

  get length(): number {
    return this.#texts.length;
  }

  get isFull(): boolean {
    return this.#characters >= blockLength;
  }

  compress(): void {
    const bytes = Buffer.from(this.#texts.join('\n'));
    const compressed = zstdCompressSync(bytes);
    this.#compressed = { bytes: copyToSlab(compressed), length: bytes.length };
    release(bytes);
    this.#texts = [];
  }

  /** Returns the bytes of a compressed block; null for one that is not full yet. */
  decompress(): Buffer<ArrayBuffer> | null {
    if (this.#compressed === null) return null;
    const { bytes, length } = this.#compressed;
    // One byte more than the result, because Node would add a second buffer to a full one.
    return zstdDecompressSync(bytes, { chunkSize: length + 1 });
  }

  textAt(index: number): string {
    return this.#texts[index] ?? '';
  }
}

let openBlock = new Block();

/**
 * Frees the memory of a buffer at once, because V8 would let tens of megabytes of such buffers accumulate. A small buffer
 * shares its memory with others and cannot be released; one with the texts of a full block is never small.
 */
function release({ buffer }: Buffer<ArrayBuffer>): void {
  buffer.transfer(0);
}

const slabBytes = 1024 * 1024;
let slab = new Uint8Array(0);
let slabUsed = 0;

/** Returns a copy inside a large buffer. Many small ones between those of replies would fragment the memory. */
function copyToSlab(bytes: Uint8Array): Uint8Array {
  if (slabUsed + bytes.length > slab.length) {
    slab = new Uint8Array(Math.max(slabBytes, bytes.length));
    slabUsed = 0;
  }
  const copy = slab.subarray(slabUsed, slabUsed + bytes.length);
  copy.set(bytes);
  slabUsed += bytes.length;
  return copy;
}

/** A comparison reads three lists at the same time, and single records of others. */
const maxRecentBlocks = 8;
/** The blocks that were read last. */
const recent = new Map<Block, OpenedBlock>();

/**
 * A decompressed block. Its texts stay outside of V8's heap until they are parsed. On the heap, they would survive the
 * first collections, and then accumulate until the next full one.
 */
class OpenedBlock {
  readonly #bytes: Buffer<ArrayBuffer>;
  /** Where each text ends. */
  readonly #ends: number[] = [];
  #lastIndex = -1;
  #lastValue: unknown;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.#bytes = bytes;
    for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, end + 1))
      this.#ends.push(end);
    this.#ends.push(bytes.length);
  }

  valueAt(index: number): unknown {
    if (index === this.#lastIndex) return this.#lastValue;
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1;
    this.#lastValue = parse(this.#bytes.toString('utf8', start, this.#ends[index]));
    this.#lastIndex = index;
    return this.#lastValue;
  }

  close(): void {
    release(this.#bytes);
  }
}

const lineBreak = 0x0a;
const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

function valueAt(block: Block, index: number): unknown {
  const opened = recent.get(block) ?? open(block);
  if (opened === null) return parse(block.textAt(index));
  // The block that was read last comes last.
  recent.delete(block);
  recent.set(block, opened);
  return opened.valueAt(index);
}

function open(block: Block): OpenedBlock | null {
  const bytes = block.decompress();
  if (bytes === null) return null;
  const [oldest] = recent;
  if (recent.size >= maxRecentBlocks && oldest !== undefined) {
    recent.delete(oldest[0]);
    oldest[1].close();
  }
  return new OpenedBlock(bytes);
}
