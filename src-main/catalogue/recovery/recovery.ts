/**
 * @file Opens the catalogue whatever state it is in: one that is damaged is set aside and replaced by its newest good copy, or
 * by an empty one, and one that is gone likewise. The index of archives is then rebuilt from the store by whoever asked; here
 * nothing knows the store. What is under way stands in a file of its own, so that whatever interrupts it, the next opening
 * goes on with it.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';
import type { Clock } from '../../platform/clock.ts';
import { withFileLock } from '../../platform/file-lock.ts';
import { copiesOf, setAside } from './copies.ts';
import { openCatalogue } from '../database.ts';
import type { Catalogue } from '../database.ts';

const recoverySchema = z.object({
  /** Null: there was no catalogue to set aside. */
  setAsideAs: z.string().nullable(),
  /** Null when no copy could be used: the history of jobs is lost, and that must be said. */
  restoredFrom: z.string().nullable(),
  /** How many jobs were open in the copy and were given up; null until that was done. */
  givenUp: z.number().nullable(),
});
export type Recovery = z.infer<typeof recoverySchema>;

const nothingKnown: Recovery = { setAsideAs: null, restoredFrom: null, givenUp: null };

/**
 * Like `openCatalogue`, but recovers a damaged catalogue, and one of which only copies are left. Two processes that find the
 * damage make one recovery. `recovery` is null while no recovery is in progress: see `endRecovery`. Throws `disk-failed`,
 * `disk-denied` or `disk-full` when the disk fails meanwhile.
 */
export async function openOrRecoverCatalogue(options: {
  path: string;
  clock: Clock;
}): Promise<{ catalogue: Catalogue; recovery: Recovery | null }> {
  const { path, clock } = options;
  try {
    const sound = openIfSound(path, clock);
    if (sound !== null) return { catalogue: sound, recovery: recoveryOf(path) };
    return await withFileLock(`${path}.recovery`, clock, () => recover(path, clock));
  } catch (thrown) {
    throw diskError(thrown, path);
  }
}

/** Alone. Interrupted anywhere, also by a disk that fails, it is done again by the next opening. */
function recover(path: string, clock: Clock): { catalogue: Catalogue; recovery: Recovery | null } {
  const recoveredByAnother = openIfSound(path, clock);
  if (recoveredByAnother !== null) return { catalogue: recoveredByAnother, recovery: recoveryOf(path) };
  // One that was interrupted may have set aside what there was.
  const setAsideAs = setAside(path, clock.now()) ?? recoveryOf(path)?.setAsideAs ?? null;
  for (const copy of copiesOf(path)) {
    const recovery = { setAsideAs, restoredFrom: copy, givenUp: null };
    // A recovery that was killed leaves as many bytes as the catalogue has; the next one overwrites them.
    const part = `${path}.part`;
    const restore = (): void => {
      copyFileSync(copy, part);
      markRecovery(path, recovery);
    };
    replaceFileSync(path, restore, part);
    // A copy from before the oldest version that can be opened is of no use, and stays where it is.
    const catalogue = openIfSound(path, clock, ['catalogue-damaged', 'catalogue-foreign']);
    if (catalogue !== null) return { catalogue, recovery };
    setAside(path, clock.now());
  }
  const recovery = { setAsideAs, restoredFrom: null, givenUp: 0 };
  markRecovery(path, recovery);
  return { catalogue: openCatalogue({ path, clock }), recovery };
}

/** What is under way, of this process or one before; null: nothing. */
export function recoveryOf(path: string): Recovery | null {
  const file = markOf(path);
  if (!existsSync(file)) return null;
  try {
    return recoverySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return nothingKnown;
  }
}

/** From now on the catalogue is known to lack what the store may have, until `endRecovery`. */
export function markRecovery(path: string, recovery: Recovery): void {
  replaceFileSync(markOf(path), JSON.stringify(recovery));
}

/** To be told once the store was read to its end. */
export function endRecovery(path: string): void {
  rmSync(markOf(path), { force: true });
}

const markOf = (path: string): string => `${path}.rescan-due`;

/** Null for a damaged catalogue, and for one that is gone or empty although it has copies: a new one would hide the loss. */
function openIfSound(
  path: string,
  clock: Clock,
  unusable: readonly ErrorCode[] = ['catalogue-damaged'],
): Catalogue | null {
  try {
    const isGone = !existsSync(path) || statSync(path).size === 0;
    return isGone && copiesOf(path).length > 0 ? null : openCatalogue({ path, clock });
  } catch (error) {
    if (error instanceof AppError && unusable.includes(error.code)) return null;
    throw error;
  }
}
