/**
 * @file Archives in the trash folders of all roots, for the bridge: lists, adds and restores them, and empties the
 * trash.
 */
import { join } from 'node:path';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { trashRetentionMs, type TrashedArchive } from '../../../archive/trash.ts';
import { ambiguousArchiveError } from '../ambiguous-archive-error.ts';
import { isoTime, type Clock } from '../../../platform/clock.ts';
import type { ArchiveRegister } from '../archive-register.ts';
import type { ArchiveRoot, ArchiveRoots } from '../folders/archive-roots.ts';
import type { ArchivesForPruning } from './pruning.ts';

interface Deps {
  roots: ArchiveRoots;
  register: ArchiveRegister;
  archivesForPruning: ArchivesForPruning;
  clock: Clock;
}

const absolutePathsOf = (root: ArchiveRoot, path: string): string[] =>
  [root.store.trash, root.path].map((folder) => join(folder, ...path.split('/')));

const trashView = (root: ArchiveRoot, { path, manifest, identity, trashed }: TrashedArchive) => ({
  path,
  absolutePath: join(root.store.trash, ...path.split('/')),
  instanceName: identity.instance.name,
  fullPath: identity.project.fullPath,
  sha256: manifest.sha256,
  sizeBytes: manifest.sizeBytes,
  storedAt: manifest.storedAt,
  trashed:
    trashed === null ? null : { ...trashed, until: isoTime(Date.parse(trashed.at) + trashRetentionMs) },
});

export function createTrash(deps: Deps) {
  const { roots } = deps;
  async function all(): Promise<{ root: ArchiveRoot; archive: TrashedArchive }[]> {
    const found: { root: ArchiveRoot; archive: TrashedArchive }[] = [];
    for (const root of await roots.refreshPresence()) {
      for await (const archive of root.store.listTrashed()) found.push({ root, archive });
    }
    return found;
  }
  const bytes = async (): Promise<number> => {
    const presentRoots = await roots.refreshPresence();
    const each = await Promise.all(presentRoots.map(({ store }) => store.trashBytes()));
    return each.reduce((sum, one) => sum + one, 0);
  };

  return {
    async list(): Promise<CallReply<'archive.trash'>> {
      const archives = (await all()).map(({ root, archive }) => trashView(root, archive));
      const newestFirst = archives.toSorted((a, b) => (a.storedAt < b.storedAt ? 1 : -1));
      return { archives: newestFirst, bytes: await bytes() };
    },
    /**
     * Moves an archive to the trash. @returns until when it can be restored. Throws `job-busy`, and `invalid-input` for
     * a pinned archive.
     */
    async put({ id, path, pinned }: ArchiveSummary) {
      if (pinned)
        throw new AppError('invalid-input', `The archive ${path} is pinned; unpin it first.`, {
          details: { wrong: 'state' },
        });
      const at = deps.clock.now();
      if (!(await deps.archivesForPruning.moveToTrash(id, 'Moved here by hand'))) {
        throw new AppError(
          'job-busy',
          `A job that has not ended needs the archive ${path}, or it was pinned meanwhile.`,
        );
      }
      return isoTime(at + trashRetentionMs);
    },
    /**
     * Restores an archive by its path in the store, or at least 8 digits of its SHA-256. @returns its id. Throws
     * `archive-missing`, `archive-ambiguous`.
     */
    async restore(reference: string) {
      const bySha = /^[0-9a-f]{8,64}$/i.test(reference) ? reference.toLowerCase() : null;
      const matching = (await all()).filter(
        ({ root, archive: { path, manifest } }) =>
          path === reference ||
          absolutePathsOf(root, path).includes(reference) ||
          (bySha !== null && manifest.sha256.startsWith(bySha)),
      );
      const [found, ...others] = matching;
      if (found === undefined) {
        const message = `No archive "${reference}" is in the trash folder.`;
        throw new AppError('archive-missing', message, { details: { reference, trash: true } });
      }
      if (others.length > 0) {
        const candidates = matching.map(({ root, archive }) => trashView(root, archive));
        throw ambiguousArchiveError(reference, candidates, ' in the trash folder');
      }
      const { root, archive } = found;
      await root.store.restore(archive.path);
      return (await deps.register.register(root, archive.path, archive.manifest)).id;
    },
    bytes,
    /** Deletes the contents of the trash permanently. @returns the number of deleted bytes. */
    async empty() {
      let removed = 0;
      for (const { store } of await roots.refreshPresence()) removed += await store.emptyTrash();
      return removed;
    },
  };
}
