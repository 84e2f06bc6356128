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
  #compressed: Buffer | null = null;

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

/** A comparison reads three lists at the same time, and single records of others. */
const maxRecentBlocks = 8;
/** The blocks that were read last, each with its texts and those of its values that were parsed. */
const recent = new Map<Block, { texts: string[]; values: unknown[] }>();

const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

function valueAt(block: Block, index: number): unknown {
  const known = recent.get(block) ?? decompressed(block);
  if (known === null) return parse(block.textAt(index));
  // The block that was read last comes last.
  recent.delete(block);
  recent.set(block, known);
  return (known.values[index] ??= parse(known.texts[index] ?? ''));
}

function decompressed(block: Block): { texts: string[]; values: unknown[] } | null {
  const texts = block.decompress();
  if (texts === null) return null;
  const [oldest] = recent.keys();
  if (recent.size >= maxRecentBlocks && oldest !== undefined) recent.delete(oldest);
  return { texts, values: [] };
}
