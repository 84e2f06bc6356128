/** @file The settings of an instance's administrators that affect exports and imports (gitlab-facts 4). */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';

const settingsWire = z.object({
  import_sources: z.array(z.string()).nullish(),
  project_export_enabled: z.boolean().nullish(),
  max_import_size: z.number().nullish(),
  max_export_size: z.number().nullish(),
  max_decompressed_archive_size: z.number().nullish(),
  restricted_visibility_levels: z.array(z.string()).nullish(),
});

/**
 * `GET /application/settings`, administrators, 200, 403. Returns null for other accounts. A setting is null, and
 * `restrictedVisibilities` is empty, if an older instance does not report it. Sizes in bytes (the API gives MiB), 0 for
 * no limit.
 */
export async function applicationSettings(client: InstanceClient, { signal }: Cancellable = {}) {
  const response = await valueOnError(
    { forbidden: null, 'not-found': null, 'token-scope': null },
    client.getJson('application/settings', settingsWire, { signal, requiresAccount: true }),
  );
  if (response === null) return null;
  const { data } = response;
  return {
    /** Sources that projects may be imported from; `gitlab_project` is an export file. */
    importSources: data.import_sources ?? null,
    exportEnabled: data.project_export_enabled ?? null,
    maxImportBytes: bytesOf(data.max_import_size),
    maxExportBytes: bytesOf(data.max_export_size),
    maxUnpackedBytes: bytesOf(data.max_decompressed_archive_size),
    /** Visibilities that only administrators may use. */
    restrictedVisibilities: data.restricted_visibility_levels ?? [],
  };
}

const bytesOf = (mebibytes: number | null | undefined): number | null =>
  typeof mebibytes === 'number' ? mebibytes * 2 ** 20 : null;
