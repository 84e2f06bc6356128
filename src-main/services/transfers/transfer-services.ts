/** @file Builds the services for backups, exports, imports and downloads. */
import type { Lease } from '../../catalogue/lease.ts';
import type { RateLimiter } from '../../jobs/running/rate-limiter.ts';
import type { Power } from '../../platform/power.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SharedDependencies } from '../shared-parts.ts';
import { Backups, type BackupParts } from './backups.ts';
import { createDownloads } from './downloads.ts';
import { Exports } from './exports.ts';
import { ImportStatusReader, type ImportStatusParts } from './import-status.ts';
import { Imports, type ImportParts } from './imports.ts';
import { createPacedDownloads } from './paced-downloads.ts';
import { SecretAddresses } from './secret-addresses.ts';

interface Parts
  extends
    Pick<SharedDependencies, 'clock' | 'paths'>,
    BackupParts,
    ImportStatusParts,
    Omit<ImportParts, 'secretAddresses'> {
  lease: Lease;
  secrets: Secrets;
  power: Power;
  rateLimiter: RateLimiter;
}

export type TransferServices = ReturnType<typeof createTransferServices>;

export function createTransferServices(parts: Parts) {
  const { paths, lease, secrets } = parts;
  const downloads = createDownloads(paths.downloads);
  const pacedDownloads = createPacedDownloads(parts);
  const secretAddresses = new SecretAddresses(secrets, lease);
  const all = { ...parts, downloads, pacedDownloads, secretAddresses };
  return {
    ...{ downloads, pacedDownloads, secretAddresses },
    backups: new Backups(parts),
    imports: new Imports(all),
    importStatus: new ImportStatusReader(parts),
    exports: new Exports(all),
  };
}
