/** @file Finds the stored archive that a request refers to. */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Services } from '../../services/services.ts';
import { ambiguous } from '../../services/archives/ambiguous.ts';

/**
 * Returns all archives in the store that the reference matches, first the one to read; throws `archive-missing` for any
 * other reference.
 */
export async function storedArchives(
  services: Services,
  reference: string,
): Promise<[ArchiveSummary, ...ArchiveSummary[]]> {
  const { stored, others } = await services.archives.resolve(reference);
  if (stored !== null) return [stored, ...others];
  throw new AppError('archive-missing', `${reference} is not an archive in the store.`, {
    details: { reference },
  });
}

/** Returns the archive in the store to read, any of its copies; throws `archive-missing` for any other reference. */
export async function storedArchive(services: Services, reference: string): Promise<ArchiveSummary> {
  const [stored] = await storedArchives(services, reference);
  return stored;
}

/** Returns the archive in the store to change; also throws `archive-ambiguous` where the reference matches several. */
export async function archiveToChange(services: Services, reference: string): Promise<ArchiveSummary> {
  const [stored, ...others] = await storedArchives(services, reference);
  if (others.length > 0) throw ambiguous(reference, [stored, ...others]);
  return stored;
}
