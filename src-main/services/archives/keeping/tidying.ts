/**
 * @file Clears the remains of interrupted work, and archives pruned long ago, from all roots.
 */
import type { Log } from '../../../platform/log.ts';
import type { ArchiveRoots } from '../folders/archive-roots.ts';

export interface StoreCleanup {
  /** Runs before this process runs jobs: also indexes archives that were stored without their row. */
  afterInterruption(): Promise<void>;
  /** Deletes archives for good that were pruned long ago. */
  trash(): Promise<void>;
}

export function createStoreCleanup(parts: {
  roots: ArchiveRoots;
  /** Returns the paths of those that it indexed. */
  indexForgotten(): Promise<string[]>;
  /** Deletes record indexes that belong to no archive in the store; returns their names. */
  sweepIndexes(): Promise<string[]>;
  log: Log;
}): StoreCleanup {
  const { roots, log } = parts;
  const trash = async (): Promise<void> => {
    for (const { store } of await roots.look()) {
      for (const path of await store.sweepTrash()) {
        log.info({ path }, 'removed for good what was pruned long ago');
      }
    }
  };
  return {
    async afterInterruption() {
      for (const { store } of await roots.look()) {
        for (const path of await store.sweep()) {
          log.warn({ path }, 'removed what interrupted work left behind');
        }
      }
      for (const path of await parts.indexForgotten()) {
        log.warn({ path }, 'indexed an archive that had no row');
      }
      for (const name of await parts.sweepIndexes()) {
        log.info({ name }, 'removed a record index that belongs to no archive');
      }
      await trash();
    },
    trash,
  };
}
