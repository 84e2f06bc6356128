/** @file Builds the services for backups, exports, imports and downloads. */
import type { Lease } from '../../catalogue/lease.ts';
import type { RateLimiter } from '../../jobs/running/rate-limiter.ts';
import type { Power } from '../../platform/power.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Backups, type BackupDeps } from './backups.ts';
import { createDownloads } from './downloads.ts';
import { Exports } from './exports.ts';
import { ImportStatusReader, type ImportStatusDeps } from './import-status.ts';
import { Imports, type ImportDeps } from './imports.ts';
import { createPacedDownloads } from './paced-downloads.ts';
import { SecretAddresses } from './secret-addresses.ts';

interface Deps
  extends
    Pick<SharedDeps, 'clock' | 'paths'>,
    BackupDeps,
    ImportStatusDeps,
    Omit<ImportDeps, 'secretAddresses'> {
  lease: Lease;
  secrets: Secrets;
  power: Power;
  rateLimiter: RateLimiter;
}

export type TransferServices = ReturnType<typeof createTransferServices>;

export function createTransferServices(deps: Deps) {
  const { paths, lease, secrets } = deps;
  const downloads = createDownloads(paths.downloads);
  const pacedDownloads = createPacedDownloads(deps);
  const secretAddresses = new SecretAddresses(secrets, lease);
  const all = { ...deps, downloads, pacedDownloads, secretAddresses };
  return {
    ...{ downloads, pacedDownloads, secretAddresses },
    backups: new Backups(deps),
    imports: new Imports(all),
    importStatus: new ImportStatusReader(deps),
    exports: new Exports(all),
  };
}
