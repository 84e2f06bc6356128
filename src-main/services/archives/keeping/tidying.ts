/**
 * @file Removes the remains of interrupted work from all roots, and archives that have been in the trash for long
 * enough.
 */
import type { Log } from '../../../platform/log.ts';
import type { ArchiveRegister } from '../archive-register.ts';
import type { ArchiveRoots } from '../folders/archive-roots.ts';
import type { RecordAccess } from '../record-access.ts';

export async function purgeExpiredTrash(roots: ArchiveRoots, log: Log): Promise<void> {
  for (const { store } of await roots.refreshPresence()) {
    for (const path of await store.sweepTrash()) {
      log.info({ path }, 'an archive was permanently removed from the trash folder');
    }
  }
}

/**
 * Removes the remains of interrupted work, and indexes archives without a row. Must run before this process runs jobs.
 */
export async function tidyAfterInterruption(deps: {
  roots: ArchiveRoots;
  register: ArchiveRegister;
  records: RecordAccess;
  log: Log;
}): Promise<void> {
  const { roots, register, records, log } = deps;
  for (const { store } of await roots.refreshPresence()) {
    for (const path of await store.sweep()) {
      log.warn({ path }, 'removed the remains of interrupted work');
    }
  }
  for (const path of await register.indexArchivesWithoutRow()) {
    log.warn({ path }, 'indexed an archive that had no row');
  }
  for (const name of await records.sweep()) {
    log.info({ name }, 'removed a record index that belongs to no archive');
  }
  await purgeExpiredTrash(roots, log);
}
