/** @file The archives in the store: lists, finds, describes and pins them for users. */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import {
  effectiveProof,
  type ArchiveSummary,
  type Manifest,
  type StateFile,
} from '../../../src-contract/archives/archive.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { IndexedArchive } from '../../catalogue/archives/archive-rows.ts';
import type { ProjectsWithArchives } from '../../catalogue/archives/projects-with-archives.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import { Service } from '../service.ts';
import { ambiguousArchiveError } from './ambiguous-archive-error.ts';
import type { ArchiveRegister } from './archive-register.ts';
import type { ArchiveCollection } from './archive-collection.ts';

/** The archive of a reference: a stored archive with its summary, or any file. `path` is absolute. */
export interface ResolvedArchive {
  path: string;
  stored: ArchiveSummary | null;
  /** Other stored archives that the reference matches: the same bytes, or the same path in another root. */
  others: ArchiveSummary[];
}

export interface StoredArchivesDeps extends ArchiveCollection {
  projectsWithArchives: Pick<ProjectsWithArchives, 'page'>;
  register: ArchiveRegister;
}

export class StoredArchives extends Service<StoredArchivesDeps> {
  async list({ instance, project, before, limit }: ParsedRequest<'archive.list'>): Promise<ArchiveSummary[]> {
    await this.deps.roots.refreshPresence();
    // A full path is never a number, because it has a slash.
    const isId = project !== null && /^\d+$/.test(project);
    return this.deps.index.list({
      instance,
      fullPath: isId ? null : project,
      projectId: isId ? Number(project) : null,
      limit,
      before,
    });
  }

  async projects(
    filter: ParsedRequest<'archive.projects'>,
  ): Promise<ReturnType<ProjectsWithArchives['page']>> {
    await this.deps.roots.refreshPresence();
    return this.deps.projectsWithArchives.page(filter);
  }

  /**
   * Finds an archive by a file path, a path in the store, an id, or at least 8 digits of a SHA-256. Returns the newest
   * present copy if there are several. Throws `archive-missing`, and `archive-ambiguous` if the digits match different
   * hashes.
   */
  async resolve(reference: string): Promise<ResolvedArchive> {
    const { roots, index, register } = this.deps;
    await roots.refreshPresence();
    if (isAbsolute(reference)) {
      const found = await lstat(reference).catch(() => null);
      if (found === null) throw missing(reference, `There is no file ${reference}.`);
      return { path: reference, stored: register.findByAbsolutePath(reference), others: [] };
    }
    const matches = matchingArchives(index, reference);
    const stored = matches.find(({ absent }) => !absent) ?? matches[0];
    if (stored === undefined) {
      const hint = /^[0-9a-f]{1,7}$/i.test(reference) ? ' A SHA-256 needs at least 8 digits.' : '';
      throw missing(reference, `There is no file and no stored archive "${reference}".${hint}`);
    }
    return { path: stored.absolutePath, stored, others: matches.filter(({ id }) => id !== stored.id) };
  }

  /** Like `resolve`. Also throws `archive-damaged` for a stored archive that was found damaged. */
  async resolveUndamaged(reference: string): Promise<ResolvedArchive> {
    const archive = await this.resolve(reference);
    if (archive.stored === null || archive.stored.damaged === null) return archive;
    const { path, damaged } = archive.stored;
    throw new AppError('archive-damaged', `The archive ${path} is damaged. ${damaged.reason}`);
  }

  /** Returns whether the path, with links resolved, is in an archive folder. The file itself may be missing. */
  async isInStore(path: string): Promise<boolean> {
    const place = this.deps.roots.locationOf(path);
    if (place === null) return false;
    const real = await realpath(path).catch(() => null);
    // A missing file needs no further check, because it cannot be read.
    return real === null || isInside(real, await requireRealPath(place.root.path));
  }

  /** Returns the real path of an existing file below one of the roots. Throws `archive-missing`, `archive-unsafe`. */
  async realPathOf({ id }: ArchiveSummary): Promise<string> {
    const { store, path } = this.deps.register.locationOf(id);
    const [place, root] = [
      await requireRealPath(await store.locate(path)),
      await requireRealPath(store.root),
    ];
    if (isInside(place, root)) return place;
    throw new AppError('archive-unsafe', 'The archive is a link to a file outside its folder.', {
      details: { path },
    });
  }

  async describe({ id }: ArchiveSummary): Promise<{ manifest: Manifest; state: StateFile }> {
    const { store, path } = this.deps.register.locationOf(id);
    const state = await store.readState(path);
    return {
      manifest: await store.readManifest(path),
      state: { ...state, proofs: state.proofs.map(effectiveProof) },
    };
  }

  /** If `note` is null, the stored note stays. */
  async setPinned({ id }: ArchiveSummary, pinned: boolean, note: string | null): Promise<void> {
    const { index, register } = this.deps;
    await register.updateState(id, (state) => ({
      ...state,
      pinned,
      note: note === '' ? null : (note ?? state.note),
    }));
    index.markPinned(id, pinned);
    register.announceChange(id);
  }

  duplicatesOf({ id, sha256 }: ArchiveSummary): ArchiveSummary[] {
    return this.deps.index.findByFullSha(sha256).filter((other) => other.id !== id);
  }
}

/** Finds archives by path in a root, id or hash. Throws `archive-ambiguous` if the digits match different hashes. */
function matchingArchives(index: ArchiveIndex, reference: string): IndexedArchive[] {
  const atPath = index.allAtPath(reference);
  if (atPath.length > 0) return atPath;
  const known = index.find(reference);
  if (known !== null) return [known];
  const matching = /^[0-9a-f]{8,64}$/i.test(reference) ? index.findBySha(reference) : [];
  if (matching.every(({ sha256 }) => sha256 === matching[0]?.sha256)) return matching;
  throw ambiguousArchiveError(reference, matching);
}

const missing = (reference: string, message: string): AppError =>
  new AppError('archive-missing', message, { details: { reference } });

const isInside = (place: string, folder: string): boolean => place.startsWith(`${folder}${sep}`);

async function requireRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => {
    throw new AppError('archive-missing', `There is no file ${path}.`);
  });
}
