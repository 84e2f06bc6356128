/**
 * @file Opens the catalogue in any state. A damaged or missing one is replaced by its newest good copy, or by an empty
 * one; a damaged one is set aside. The caller then rebuilds the index of archives from the store; this file does
 * not read the store. The state of a recovery is kept in its own file, so that after any interruption the next opening
 * continues it.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';
import type { Clock } from '../../platform/clock.ts';
import { withFileLock } from '../../platform/file-lock.ts';
import { copiesOf, moveDamagedCatalogue } from './catalogue-copies.ts';
import { openCatalogue } from '../database.ts';
import type { Catalogue } from '../database.ts';

const recoverySchema = z.object({
  /** Null if there was no catalogue to set aside. */
  setAsideAs: z.string().nullable(),
  /** Null if no copy was usable: the history of jobs is lost, and the user must be informed. */
  restoredFrom: z.string().nullable(),
  /** How many open jobs of the copy were marked as failed; null before that. */
  givenUp: z.number().nullable(),
});
export type Recovery = z.infer<typeof recoverySchema>;

const emptyRecovery: Recovery = { setAsideAs: null, restoredFrom: null, givenUp: null };

/**
 * Like `openCatalogue`, but recovers a damaged catalogue, and a missing one if copies of it remain. If two processes
 * find the damage, only one recovers it. `recovery` is null unless a recovery still waits for `endRecovery`. Throws
 * `disk-failed`, `disk-denied` or `disk-full` if the disk fails meanwhile.
 */
export async function openOrRecoverCatalogue(options: {
  path: string;
  clock: Clock;
}): Promise<{ catalogue: Catalogue; recovery: Recovery | null }> {
  const { path, clock } = options;
  try {
    const catalogue = openIfUsable(path, clock);
    if (catalogue !== null) return { catalogue, recovery: recoveryOf(path) };
    return await withFileLock(`${path}.recovery`, clock, () => recover(path, clock));
  } catch (thrown) {
    throw diskError(thrown, path);
  }
}

/** Runs under the lock. After any interruption, including a disk failure, the next opening repeats it. */
function recover(path: string, clock: Clock): { catalogue: Catalogue; recovery: Recovery | null } {
  const recoveredCatalogue = openIfUsable(path, clock);
  if (recoveredCatalogue !== null) return { catalogue: recoveredCatalogue, recovery: recoveryOf(path) };
  // An interrupted recovery may already have set the catalogue aside.
  const setAsideAs = moveDamagedCatalogue(path, clock.now()) ?? recoveryOf(path)?.setAsideAs ?? null;
  for (const copy of copiesOf(path)) {
    const recovery = { setAsideAs, restoredFrom: copy, givenUp: null };
    // A killed recovery leaves a file as large as the catalogue; the next one overwrites it.
    const part = `${path}.part`;
    const restore = (): void => {
      copyFileSync(copy, part);
      markRecovery(path, recovery);
    };
    replaceFileSync(path, restore, part);
    // A copy from before the oldest supported version is unusable, and stays where it is.
    const catalogue = openIfUsable(path, clock, ['catalogue-damaged', 'catalogue-foreign']);
    if (catalogue !== null) return { catalogue, recovery };
    moveDamagedCatalogue(path, clock.now());
  }
  const recovery = { setAsideAs, restoredFrom: null, givenUp: 0 };
  markRecovery(path, recovery);
  return { catalogue: openCatalogue({ path, clock }), recovery };
}

/** Returns the recovery in progress, of this process or an earlier one; null if there is none. */
export function recoveryOf(path: string): Recovery | null {
  const file = recoveryFileOf(path);
  if (!existsSync(file)) return null;
  try {
    return recoverySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return emptyRecovery;
  }
}

/** Records that the catalogue may lack archives of the store, until `endRecovery`. */
export function markRecovery(path: string, recovery: Recovery): void {
  replaceFileSync(recoveryFileOf(path), JSON.stringify(recovery));
}

/** Must be called once the store was read to its end. */
export function endRecovery(path: string): void {
  rmSync(recoveryFileOf(path), { force: true });
}

const recoveryFileOf = (path: string): string => `${path}.rescan-due`;

/** Returns null for a damaged catalogue, and for a missing or empty one with copies: a new one would hide the loss. */
function openIfUsable(
  path: string,
  clock: Clock,
  unusableCodes: readonly ErrorCode[] = ['catalogue-damaged'],
): Catalogue | null {
  try {
    const isGone = !existsSync(path) || statSync(path).size === 0;
    return isGone && copiesOf(path).length > 0 ? null : openCatalogue({ path, clock });
  } catch (error) {
    if (error instanceof AppError && unusableCodes.includes(error.code)) return null;
    throw error;
  }
}
