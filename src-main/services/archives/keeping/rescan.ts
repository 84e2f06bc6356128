/**
 * @file Rebuilds the index from the manifests in the store. Unreadable files are reported; the rows of absent roots
 * stay unchanged.
 */
import { join } from 'node:path';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { AppError } from '../../../../src-contract/errors.ts';
import type { IndexedArchive } from '../../../catalogue/archives/archive-rows.ts';
import { isoTime, type Clock } from '../../../platform/clock.ts';
import type { ArchiveOnDisk } from '../../../catalogue/archives/archive-rows.ts';
import type { ArchiveCollection } from '../archive-collection.ts';
import { completeState, goneReason, unreadableReason } from '../remembered-state.ts';

export interface RescanDeps extends ArchiveCollection {
  register(archive: ArchiveOnDisk): void;
  clock: Clock;
  signal: AbortSignal;
  onProgress(done: number): void;
}

const keyOf = ({ root, path }: { root: number; path: string }): string => `${root}\n${path}`;

/** Marks rows without an archive as damaged. Rows of archives that are now in another root are removed. */
export async function rescanStore(deps: RescanDeps): Promise<CallReply<'archive.rescan'>> {
  const { roots, index, clock, signal } = deps;
  const seenKeys = new Set<string>();
  const hashes = new Map<string, string>();
  const unreadable = new Map<string, { path: string; error: AppError }>();
  let found = 0;
  let added = 0;
  const missingPaths: string[] = [];
  const absentArchives: IndexedArchive[] = [];
  const withoutManifest: string[] = [];
  const presentRoots = await roots.refreshPresence();
  for (const { number, path, store } of presentRoots) {
    const onUnreadable = (unreadablePath: string, error: AppError): void => {
      unreadable.set(keyOf({ root: number, path: unreadablePath }), { path: unreadablePath, error });
    };
    for await (const stored of store.list(onUnreadable)) {
      signal.throwIfAborted();
      const archive = { ...stored, root: number };
      seenKeys.add(keyOf(archive));
      if (stored.missing) missingPaths.push(join(path, ...stored.path.split('/')));
      const row = index.findByPath(stored.path, number);
      if (!stored.missing) {
        found += 1;
        hashes.set(stored.path, stored.manifest.sha256);
        if (row === null) added += 1;
      }
      deps.register({ ...archive, state: completeState(stored, row), rootNumber: number });
      deps.onProgress(found + missingPaths.length);
    }
    for await (const untrackedFile of store.untrackedFiles()) withoutManifest.push(untrackedFile);
  }
  // A root that became absent during the scan looked empty, but its archives are not gone.
  const rootsAfterScan = await roots.refreshPresence();
  const forgottenNumbers = roots.forgottenNumbers();
  /** Rows of archives that are in another root now, or in one that was forgotten. */
  const outdatedIds: string[] = [];
  const checkRow = (row: IndexedArchive): void => {
    if (seenKeys.has(keyOf(row))) return;
    // A restored older catalogue may still have this row.
    if (forgottenNumbers.has(row.root)) {
      outdatedIds.push(row.id);
      return;
    }
    const reason = unreadable.get(keyOf(row))?.error.message;
    // If two roots are the same folder, the archive was found in the first root.
    const isRootPresent =
      rootsAfterScan.some(({ number }) => number === row.root) || roots.isDuplicate(row.root);
    if (isRootPresent && reason === undefined && hashes.get(row.path) === row.sha256) {
      outdatedIds.push(row.id);
      return;
    }
    if (!isRootPresent) {
      absentArchives.push(row);
      return;
    }
    if (reason === undefined) missingPaths.push(row.absolutePath);
    const damageReason = reason === undefined ? goneReason : unreadableReason(reason);
    index.markDamaged(row.id, { at: isoTime(clock.now()), reason: damageReason });
  };
  for (let cursor: string | undefined; ;) {
    signal.throwIfAborted();
    const page = index.list({ limit: 500, before: cursor });
    page.forEach(checkRow);
    cursor = page.at(-1)?.id;
    if (cursor === undefined) break;
  }
  for (const id of outdatedIds) index.remove(id);
  return {
    found,
    added,
    missing: missingPaths.length + absentArchives.length,
    missingArchives: missingPaths,
    absentFolders: [...Map.groupBy(absentArchives, ({ root }) => roots.pathOf(root))].map(([path, rows]) => ({
      path,
      archives: rows.map(({ absolutePath }) => absolutePath),
    })),
    unreadable: [...unreadable.values()].map(({ path, error }) => ({ path, error: error.toData() })),
    withoutManifest,
  };
}
