/** @file Counts the commits of a git bundle by walking the entries of its pack, without git. */
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { sizeOf, type FileBytes } from './project-content.ts';

/** A larger repository is reported with 0 commits, like on a real server that has not counted them yet. */
const maxCountedBytes = 4 << 20;

const commitType = 1;
const tagType = 4;
const offsetDelta = 6;
const referenceDelta = 7;

const commitCounts = new WeakMap<object, number>();

/** Returns the number of commits; 0 without a bundle, for a large bundle, and for an unreadable bundle. */
export function countCommits(bundle: FileBytes | undefined): number {
  if (bundle === undefined) return 0;
  const known = commitCounts.get(bundle);
  if (known !== undefined) return known;
  const isLarge = sizeOf(bundle) > maxCountedBytes;
  const count = isLarge ? 0 : countInBundle(Buffer.isBuffer(bundle) ? bundle : readFileSync(bundle.path));
  commitCounts.set(bundle, count);
  return count;
}

function countInBundle(bundle: Buffer): number {
  try {
    return countEntries(bundle.subarray(bundle.indexOf('\n\nPACK') + 2));
  } catch {
    return 0;
  }
}

/**
 * An entry has a header and a compressed body. A delta has a reference to its base before the body. The end of the
 * body is known only after inflating it.
 */
function countEntries(pack: Buffer): number {
  const typeAt = new Map<number, number>();
  let offset = 12;
  for (let left = pack.readUInt32BE(8); left > 0; left -= 1) {
    const start = offset;
    let byte = pack.readUInt8(offset++);
    let type = (byte >> 4) & 7;
    while ((byte & 0x80) !== 0) byte = pack.readUInt8(offset++);
    if (type === offsetDelta) {
      byte = pack.readUInt8(offset++);
      let distance = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = pack.readUInt8(offset++);
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      type = typeAt.get(start - distance) ?? tagType;
    } else if (type === referenceDelta) offset += 20;
    typeAt.set(start, type);
    offset += compressedLength(pack.subarray(offset));
  }
  return [...typeAt.values()].filter((type) => type === commitType).length;
}

function compressedLength(bytes: Buffer): number {
  const { engine } = inflateSync(bytes, { info: true }) as unknown as { engine: { bytesWritten: number } };
  return engine.bytesWritten;
}
