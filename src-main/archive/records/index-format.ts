/**
 * @file The file format of a record index: pieces of zstd, then the directory (JSON in zstd), then a trailer of fixed
 * length with the position and SHA-256 of the directory. Each relation's records are stored one after the other without
 * line ends, in blocks of equal unpacked length. Blocks do not align with records, so a record of any length costs no
 * more memory than two blocks while it is written; rows give the position of each record. The directory has a CRC-32 of
 * every piece. A file with another version is never read; it is written again. Shared with the worker; imports little.
 */
import { createHash } from 'node:crypto';

export const indexVersion = 7;
/** Unpacked bytes of a block. Unpacking one block takes a few milliseconds, which is the cost of finding a record. */
export const blockBytes = 1024 * 1024;

/** Offset in the file, packed bytes, CRC-32 of the packed bytes. */
export type Piece = [offset: number, length: number, crc: number];

export interface RelationEntry {
  name: string;
  /** `lines` includes blank ones. `records` is the inspection's count, `bytes` their unpacked size. */
  lines: number;
  records: number;
  bytes: number;
  /** Block n holds the bytes from n × `blockBytes`. */
  blocks: Piece[];
  /** JSON arrays of `[line, offset, length, keys]`, in order of lines. */
  rows: { firstLine: number; piece: Piece }[];
}

export interface IndexDirectory {
  /** SHA-256 of the archive. */
  sha256: string;
  layout: 'ndjson' | 'legacy' | null;
  relations: RelationEntry[];
}

const magic = Buffer.from('PHRECIDX');
/** Offset (8), length (4), version (4), SHA-256 of the packed directory (32), magic (8). */
export const trailerBytes = 56;

export function trailerOf(directory: Buffer, offset: number): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  trailer.writeBigUInt64LE(BigInt(offset), 0);
  trailer.writeUInt32LE(directory.length, 8);
  trailer.writeUInt32LE(indexVersion, 12);
  createHash('sha256').update(directory).digest().copy(trailer, 16);
  magic.copy(trailer, 48);
  return trailer;
}

/** Returns position and hash of the directory in a file of that size; null if this is no index of this version. */
export function readTrailer(
  trailer: Buffer,
  fileBytes: number,
): { offset: number; length: number; sha256: Buffer } | null {
  if (trailer.length !== trailerBytes || !trailer.subarray(48).equals(magic)) return null;
  if (trailer.readUInt32LE(12) !== indexVersion) return null;
  const offset = Number(trailer.readBigUInt64LE(0));
  const length = trailer.readUInt32LE(8);
  return offset + length + trailerBytes === fileBytes
    ? { offset, length, sha256: trailer.subarray(16, 48) }
    : null;
}
