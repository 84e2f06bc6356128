/**
 * @file Keeps many small values compressed in memory, such as the contents of all records of a project. A value must be
 * representable in JSON.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * Returns a copy of the object with the fields of `values`. These are compressed, and parsed again whenever they are read.
 * Callers read neighbours one after the other, because values are compressed together in the order in which they were
 * packed. A spread of the result has ordinary fields.
 */
export function withPacked<T extends object, V extends object>(object: T, values: V): T & V {
  const packed = { ...object };
  Object.defineProperty(packed, place, { value: placeOf(values) });
  for (const name of Object.keys(values)) Object.defineProperty(packed, name, accessorOf(name));
  return packed as T & V;
}

const place = Symbol('place');

interface Place {
  block: Block;
  index: number;
}

/** Objects with the same fields share these accessors, so that V8 needs no hidden class for each object. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known !== undefined) return known;
  const accessor: PropertyDescriptor & ThisType<{ [place]: Place }> = {
    enumerable: true,
    get() {
      return valuesAt(this[place])[name];
    },
  };
  accessors.set(name, accessor);
  return accessor;
}

/** Small texts of similar records compress well only together. */
const blockLength = 64 * 1024;

class Block {
  #texts: string[] = [];
  #length = 0;
  #compressed: Buffer | null = null;

  /** Adds a text without line breaks. Returns its index. */
  add(text: string): number {
    this.#length += text.length;
    return this.#texts.push(text) - 1;
  }

  get isFull(): boolean {
    return this.#length >= blockLength;
  }

  compress(): void {
    const compressed = zstdCompressSync(this.#texts.join('\n'));
    // A copy, because the buffer of zlib is larger than its contents.
    this.#compressed = Buffer.allocUnsafeSlow(compressed.length);
    compressed.copy(this.#compressed);
    this.#texts = [];
  }

  /** Returns the texts of a compressed block; null for one that is not full yet. */
  decompress(): string[] | null {
    return this.#compressed && zstdDecompressSync(this.#compressed).toString().split('\n');
  }

  textAt(index: number): string {
    return this.#texts[index] ?? '';
  }
}

let openBlock = new Block();

function placeOf(values: object): Place {
  const block = openBlock;
  const index = block.add(JSON.stringify(values));
  if (block.isFull) {
    block.compress();
    openBlock = new Block();
  }
  return { block, index };
}

type Values = Readonly<Record<string, unknown>>;

/** A comparison reads three lists at the same time, and single records of others. */
const maxRecentBlocks = 8;
/** The blocks that were read last, each with its texts and those of its values that were parsed. */
const recent = new Map<Block, { texts: string[]; values: Values[] }>();

function valuesAt({ block, index }: Place): Values {
  const known = recent.get(block) ?? decompressed(block);
  if (known === null) return JSON.parse(block.textAt(index)) as Values;
  // The block that was read last comes last.
  recent.delete(block);
  recent.set(block, known);
  return (known.values[index] ??= JSON.parse(known.texts[index] ?? '') as Values);
}

function decompressed(block: Block): { texts: string[]; values: Values[] } | null {
  const texts = block.decompress();
  if (texts === null) return null;
  const [oldest] = recent.keys();
  if (recent.size >= maxRecentBlocks && oldest !== undefined) recent.delete(oldest);
  return { texts, values: [] };
}
