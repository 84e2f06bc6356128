/**
 * @file Finds records that share an iid or a title. The first pass stores a four-byte hash of each key; the second
 * compares keys with equal hashes.
 */
import type { RecordContext } from './record-checks.ts';
import type { RecordIndex } from './record-index.ts';
import type { RecordKeys } from './record-keys.ts';
import { rulesByRelation } from './record-rules.ts';

/** Returns whether two records of the relation must not share an iid or a title. */
export function hasUniqueKeys(relation: string): boolean {
  const { iid, mergesTitles } = rulesByRelation.get(relation) ?? {};
  return iid !== undefined || mergesTitles === true;
}

/** Maximum number of repeated keys that are kept. No genuine export has more, and their texts cost memory. */
const maxRepeatedKeys = 50_000;

export interface Duplicates {
  context: Required<Pick<RecordContext, 'linesWithIid' | 'linesWithTitle'>>;
  /** False if there are more repeated keys than are kept. */
  isComplete: boolean;
}

/**
 * Returns the first two lines of each repeated iid and title, and no lines for other keys. Rejects with `IndexDamaged`.
 */
export async function findDuplicates(
  index: RecordIndex,
  { name: relation, records }: { name: string; records: number },
): Promise<Duplicates> {
  const { iid, mergesTitles } = rulesByRelation.get(relation) ?? {};
  const uniqueKeysOf = (keys: RecordKeys | null): (number | string)[] => {
    const found: (number | string)[] = [];
    if (iid !== undefined && typeof keys?.iid === 'number') found.push(keys.iid);
    if (mergesTitles === true && typeof keys?.title === 'string') found.push(keys.title);
    return found;
  };
  const keysPerRecord = (iid === undefined ? 0 : 1) + (mergesTitles === true ? 1 : 0);
  const hashes = new Uint32Array(keysPerRecord * records);
  let count = 0;
  for await (const { keys } of index.keys(relation)) {
    for (const key of uniqueKeysOf(keys)) hashes[count++] = hashOf(key);
  }
  const { repeated, isComplete } = findRepeatedHashes(hashes.subarray(0, count).sort());
  const lines = new Map<unknown, number[]>();
  if (repeated.size > 0) {
    for await (const { line, keys } of index.keys(relation)) {
      for (const key of uniqueKeysOf(keys)) {
        if (!repeated.has(hashOf(key))) continue;
        const keyLines = lines.get(key);
        if (keyLines === undefined) lines.set(key, [line]);
        else if (keyLines.length < 2) keyLines.push(line);
      }
    }
  }
  const linesOf = (key: unknown): readonly number[] => lines.get(key) ?? [];
  return { context: { linesWithIid: linesOf, linesWithTitle: linesOf }, isComplete };
}

function findRepeatedHashes(sortedHashes: Uint32Array): {
  repeated: ReadonlySet<number>;
  isComplete: boolean;
} {
  const repeated = new Set<number>();
  for (let index = 1; index < sortedHashes.length; index++) {
    if (sortedHashes[index] !== sortedHashes[index - 1]) continue;
    if (repeated.size === maxRepeatedKeys) return { repeated, isComplete: false };
    repeated.add(sortedHashes[index] as number);
    // Skips further hashes of the same key.
    while (sortedHashes[index + 1] === sortedHashes[index]) index++;
  }
  return { repeated, isComplete: true };
}

/** Returns the FNV-1a hash of a text; multiplies a number by Knuth's factor. */
function hashOf(key: number | string): number {
  if (typeof key === 'number') return Math.imul(key, 0x9e3779b1) >>> 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
