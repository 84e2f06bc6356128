/**
 * @file Estimates when an export file of unknown origin was made. GitLab writes all files just before it packs them,
 * so the newest time among the first ones is a good estimate. The estimate is used for sorting and proves nothing.
 */
import type { FileHandle } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { blockSize, mtimeOf, isZeroBlock, parseHeader } from './reader/tar-header.ts';

/** The newest member time is searched in this many packed bytes. They inflate to at most about four megabytes. */
export const exportTimeBytes = 4096;
/**
 * GitLab 8.9, the first version that exported projects, was released in June 2016. An earlier time means that the time
 * was omitted or lost.
 */
const earliest = Date.UTC(2016, 5, 1);

export interface ExportTimeEstimate {
  /** Epoch milliseconds. */
  epochMs: number;
  basis: 'members' | 'file';
}

/**
 * Returns the estimated time; null unless a tar member or the file has a time between the first release with exports
 * and `now`.
 */
export async function estimateExportTime(file: FileHandle, now: number): Promise<ExportTimeEstimate | null> {
  const start = Buffer.alloc(exportTimeBytes);
  const { bytesRead } = await file.read(start, 0, exportTimeBytes, 0);
  const memberTime = newestMemberTime(start.subarray(0, bytesRead), now);
  if (memberTime !== null) return { epochMs: memberTime, basis: 'members' };
  const modifiedAt = Math.floor((await file.stat()).mtimeMs);
  return isPossibleExportTime(modifiedAt, now) ? { epochMs: modifiedAt, basis: 'file' } : null;
}

/** Returns whether the time is between the first release with exports and `now`. All times are epoch milliseconds. */
export const isPossibleExportTime = (at: number, now: number): boolean => at >= earliest && at <= now;

/**
 * Returns the newest possible time of the tar members in the first packed bytes of an archive, in epoch milliseconds;
 * null if there is none.
 */
export function newestMemberTime(packed: Uint8Array, now: number): number | null {
  const times = memberTimes(packed).filter((at) => isPossibleExportTime(at, now));
  return times.length > 0 ? Math.max(...times) : null;
}

/** Returns the times of the tar members in the packed bytes, in epoch milliseconds; none if this is no archive. */
function memberTimes(packed: Uint8Array): number[] {
  const times: number[] = [];
  try {
    const unpacked = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    for (let at = 0; at + blockSize <= unpacked.length;) {
      const block = unpacked.subarray(at, at + blockSize);
      if (isZeroBlock(block)) break;
      times.push(mtimeOf(block) * 1000);
      const { type, size } = parseHeader(block);
      // The next member follows a folder directly, whatever its size field says, as in GNU tar.
      at += blockSize + (type === '5' ? 0 : Math.ceil(size / blockSize) * blockSize);
    }
  } catch {
    // A complete reading reports the damage.
  }
  return times;
}
