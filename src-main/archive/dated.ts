/**
 * @file When an export file of unknown origin was made: GitLab writes all of its members just before it packs them, so the newest of
 * the first ones tells. A hint for sorting; nothing is proven by it.
 */
import type { FileHandle } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { blockSize, changedAt, isZeroBlock, parseHeader } from './reader/tar-header.ts';

/** At most some four megabytes come out of so little. */
const packedBytes = 4096;
/** GitLab 8.9, the first that exported projects, came in June 2016; an earlier time was left out or lost on the way. */
const earliest = Date.UTC(2016, 5, 1);

export interface Dated {
  /** Epoch milliseconds. */
  at: number;
  by: 'members' | 'file';
}

/** Null when neither the members nor the file have a time that can be: after the first exports, and not after `now`. */
export async function datedExport(file: FileHandle, now: number): Promise<Dated | null> {
  const isPossible = (at: number): boolean => at >= earliest && at <= now;
  const start = Buffer.alloc(packedBytes);
  const { bytesRead } = await file.read(start, 0, packedBytes, 0);
  const members = memberTimes(start.subarray(0, bytesRead)).filter(isPossible);
  if (members.length > 0) return { at: Math.max(...members), by: 'members' };
  const changed = Math.floor((await file.stat()).mtimeMs);
  return isPossible(changed) ? { at: changed, by: 'file' } : null;
}

/** Of the members whose headers the packed bytes hold, in epoch milliseconds; none where this is no archive. */
function memberTimes(packed: Buffer): number[] {
  const times: number[] = [];
  try {
    const unpacked = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    for (let at = 0; at + blockSize <= unpacked.length;) {
      const block = unpacked.subarray(at, at + blockSize);
      if (isZeroBlock(block)) break;
      times.push(changedAt(block) * 1000);
      at += blockSize + Math.ceil(parseHeader(block).size / blockSize) * blockSize;
    }
  } catch {
    // What it is will be said by whoever reads it to its end.
  }
  return times;
}
