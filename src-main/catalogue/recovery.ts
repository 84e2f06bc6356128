/**
 * @file Opens the catalogue whatever state it is in: a damaged one is set aside and replaced by its newest good copy, or
 * by an empty one. The index of archives is then rebuilt from the store by whoever asked; here nothing knows the store.
 */
import { copyFileSync } from 'node:fs';
import { AppError } from '../../src-preload/contract/errors.ts';
import { commitFile } from '../platform/atomic-file.ts';
import type { Clock } from '../platform/clock.ts';
import { withFileLock } from '../platform/file-lock.ts';
import { copiesOf, setAside } from './copies.ts';
import { openCatalogue } from './database.ts';
import type { Catalogue } from './database.ts';

/** `restoredFrom` is null when no copy could be used: the history of jobs is lost, and that must be said. */
export interface Recovery {
  setAsideAs: string;
  restoredFrom: string | null;
}

/** As `openCatalogue`, but `catalogue-damaged` leads to a recovery. Two processes that find the damage make one. */
export async function openOrRecoverCatalogue(options: {
  path: string;
  clock: Clock;
}): Promise<{ catalogue: Catalogue; recovery: Recovery | null }> {
  const { path, clock } = options;
  const sound = openUnlessDamaged(path, clock);
  if (sound !== null) return { catalogue: sound, recovery: null };
  return withFileLock(`${path}.recovery`, clock, () => {
    const recoveredByAnother = openUnlessDamaged(path, clock);
    if (recoveredByAnother !== null) return { catalogue: recoveredByAnother, recovery: null };
    const setAsideAs = setAside(path, clock.now());
    for (const copy of copiesOf(path)) {
      copyFileSync(copy, `${path}.part`);
      commitFile(`${path}.part`, path);
      const catalogue = openUnlessDamaged(path, clock);
      if (catalogue !== null) return { catalogue, recovery: { setAsideAs, restoredFrom: copy } };
      setAside(path, clock.now());
    }
    return { catalogue: openCatalogue({ path, clock }), recovery: { setAsideAs, restoredFrom: null } };
  });
}

function openUnlessDamaged(path: string, clock: Clock): Catalogue | null {
  try {
    return openCatalogue({ path, clock });
  } catch (error) {
    if (error instanceof AppError && error.code === 'catalogue-damaged') return null;
    throw error;
  }
}
