/** @file Finds the stored archive that a request refers to. */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Services } from '../../services/services.ts';
import { ambiguousArchiveError } from '../../services/archives/ambiguous-archive-error.ts';

/**
 * Returns all stored archives that the reference matches. The first is the archive to read. Throws `archive-missing`.
 */
export async function findStoredArchives(
  services: Services,
  reference: string,
): Promise<[ArchiveSummary, ...ArchiveSummary[]]> {
  const { stored, others } = await services.archives.resolve(reference);
  if (stored !== null) return [stored, ...others];
  throw new AppError('archive-missing', `${reference} is not an archive in the store.`, {
    details: { reference },
  });
}

/** Returns the stored archive to read. If several copies match, it may be any of them. Throws `archive-missing`. */
export async function findStoredArchive(services: Services, reference: string): Promise<ArchiveSummary> {
  const [stored] = await findStoredArchives(services, reference);
  return stored;
}

/**
 * Returns the stored archive to change. Throws `archive-missing`, and `archive-ambiguous` if several archives match.
 */
export async function findSingleStoredArchive(
  services: Services,
  reference: string,
): Promise<ArchiveSummary> {
  const [stored, ...others] = await findStoredArchives(services, reference);
  if (others.length > 0) throw ambiguousArchiveError(reference, [stored, ...others]);
  return stored;
}
