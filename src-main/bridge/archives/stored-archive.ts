/** @file Which stored archive a request refers to. */
import type { ArchiveSummary } from '../../../src-preload/contract/archive.ts';
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { BridgePorts } from '../ports.ts';

/** The archive in the store that is referred to; throws `archive-missing` for anything else. */
export async function storedArchive(ports: BridgePorts, reference: string): Promise<ArchiveSummary> {
  const resolved = await ports.archives.resolve(reference);
  if (resolved.stored !== null) return resolved.stored;
  throw new AppError('archive-missing', `${reference} is not an archive in the store.`);
}
