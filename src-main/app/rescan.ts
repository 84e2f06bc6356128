/** @file The index rebuilt from the manifests in the store. What cannot be read is named, never passed over. */
import type { Manifest, StateFile } from '../../src-preload/contract/archive.ts';
import type { CallReply } from '../../src-preload/contract/calls.ts';
import type { AppError } from '../../src-preload/contract/errors.ts';
import type { ArchiveStore } from '../archive/store.ts';
import type { ArchiveIndex } from '../catalogue/archives.ts';
import { isoTime, type Clock } from '../platform/clock.ts';

export type Indexed = { path: string; manifest: Manifest; state: StateFile };

/** `register` writes the row of one archive. Rows without an archive stay and are marked as damaged. */
export async function rescanStore(
  store: ArchiveStore,
  index: ArchiveIndex,
  register: (archive: Indexed) => void,
  clock: Clock,
): Promise<CallReply<'archive.rescan'>> {
  const seen = new Set<string>();
  const unreadable = new Map<string, AppError>();
  let found = 0;
  let added = 0;
  let missing = 0;
  const onUnreadable = (path: string, error: AppError): void => {
    unreadable.set(path, error);
  };
  for await (const stored of store.list(onUnreadable)) {
    seen.add(stored.path);
    if (stored.missing) missing += 1;
    else {
      found += 1;
      if (index.findByPath(stored.path) === null) added += 1;
    }
    register(stored);
  }
  for (let before: string | undefined; ;) {
    const page = index.list({ limit: 500, before });
    for (const row of page.filter(({ path }) => !seen.has(path))) {
      const reason = unreadable.get(row.path)?.message;
      if (reason === undefined) missing += 1;
      const damaged = { at: isoTime(clock.now()), reason: reason ?? 'The file is no longer in the store.' };
      index.markDamaged(row.id, damaged);
    }
    before = page.at(-1)?.id;
    if (before === undefined) break;
  }
  return {
    found,
    added,
    missing,
    unreadable: [...unreadable].map(([path, error]) => ({ path, error: error.toData() })),
  };
}
