/** @file Builds valid and invalid gzip streams (RFC 1952) byte by byte, and feeds them to the inflater in chunks. */
import { crc32, deflateRawSync } from 'node:zlib';
import { defaultReadLimits, type ReadLimits } from '../../../src-main/archive/limits.ts';
import { Inflater } from '../../../src-main/archive/reader/inflater.ts';

export interface InflateResult {
  code: string | null;
  inflatedBytes: number;
  sum: number;
}

export async function inflate(
  pieces: readonly Uint8Array[],
  limits: Partial<ReadLimits> = {},
): Promise<InflateResult> {
  let [inflatedBytes, sum] = [0, 0];
  const inflater = new Inflater({ ...defaultReadLimits, ...limits }, (bytes) => {
    inflatedBytes += bytes.length;
    sum = crc32(bytes, sum);
  });
  try {
    for (const piece of pieces) await inflater.write(piece);
    return { code: (await inflater.finish())?.code ?? null, inflatedBytes, sum };
  } finally {
    inflater.destroy();
  }
}

/** Returns the result of a complete stream with this content. */
export const completeResult = (content: Uint8Array): InflateResult => ({
  code: null,
  inflatedBytes: content.length,
  sum: crc32(content),
});

export const splitAt = (bytes: Buffer, ...places: number[]): Buffer[] =>
  [0, ...places].map((from, at) => bytes.subarray(from, places[at]));

export const chunksOf = (bytes: Buffer, size: number): Buffer[] =>
  splitAt(bytes, ...Array.from({ length: Math.ceil(bytes.length / size) - 1 }, (_, at) => (at + 1) * size));

export interface GzipHeader {
  text?: boolean;
  /** The header gets its own checksum. */
  headerSum?: boolean;
  extra?: Buffer;
  name?: string;
  comment?: string;
  /** Seconds since 1970. */
  changedAt?: number;
}

export const trailerOf = (sum: number, length: number): Buffer => {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return trailer;
};

export function headerOf({ text, headerSum, extra, name, comment, changedAt }: GzipHeader = {}): Buffer {
  const flags = [text, headerSum, extra !== undefined, name !== undefined, comment !== undefined];
  const fixed = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  fixed[3] = flags.reduce((sum, isSet, bit) => sum + (isSet === true ? 1 << bit : 0), 0);
  fixed.writeUInt32LE(changedAt ?? 0, 4);
  const extraLength = Buffer.alloc(extra === undefined ? 0 : 2);
  if (extra !== undefined) extraLength.writeUInt16LE(extra.length);
  const texts = [name, comment].filter((part) => part !== undefined).map((part) => `${part}\0`);
  const header = Buffer.concat([
    fixed,
    extraLength,
    extra ?? Buffer.alloc(0),
    Buffer.from(texts.join(''), 'latin1'),
  ]);
  if (headerSum !== true) return header;
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(header) & 0xffff);
  return Buffer.concat([header, sum]);
}

/** Returns one member; `deflated` replaces the output that zlib makes by default. */
export const gzipMember = (
  content: Buffer,
  header: GzipHeader = {},
  deflated: Buffer = deflateRawSync(content),
): Buffer => Buffer.concat([headerOf(header), deflated, trailerOf(crc32(content), content.length)]);
