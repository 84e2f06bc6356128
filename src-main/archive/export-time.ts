/**
 * @file Estimates when an export file of unknown origin was made. GitLab writes all files just before it packs them,
 * so the newest time among the first ones is a good estimate. The estimate is used for sorting and proves nothing.
 * Pure.
 */
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
 * Returns the estimated time; null unless a tar member or the file has a time between the first release with exports and
 * `now`. Members come first, because a file may be stored, copied or uploaded long after the export.
 * @param packed the first bytes of the archive. @param modifiedAt the time of the file; null if unknown.
 */
export function estimateExportTime(
  packed: Uint8Array,
  modifiedAt: number | null,
  now: number,
): ExportTimeEstimate | null {
  const memberTime = newestMemberTime(packed, now);
  if (memberTime !== null) return { epochMs: memberTime, basis: 'members' };
  return modifiedAt !== null && isPossible(modifiedAt, now) ? { epochMs: modifiedAt, basis: 'file' } : null;
}

/** Returns whether the time is between the first release with exports and `now`. All times are epoch milliseconds. */
const isPossible = (at: number, now: number): boolean => at >= earliest && at <= now;

/**
 * Returns the newest possible time of the tar members in the first packed bytes of an archive, in epoch milliseconds;
 * null if there is none.
 */
function newestMemberTime(packed: Uint8Array, now: number): number | null {
  const times = memberTimes(packed).filter((at) => isPossible(at, now));
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
