/** @file The settings of an instance's administrators that affect exports and imports (gitlab-facts 4). */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';

const settingsWire = z.object({
  import_sources: z.array(z.string()).nullish(),
  project_export_enabled: z.boolean().nullish(),
  max_import_size: z.number().nullish(),
  max_export_size: z.number().nullish(),
  max_decompressed_archive_size: z.number().nullish(),
  restricted_visibility_levels: z.array(z.string()).nullish(),
});

/** Null for a setting that an older instance does not report. Sizes in bytes, 0 for no limit. */
export interface ApplicationSettings {
  /** Sources that projects may be imported from; `gitlab_project` is an export file. */
  importSources: string[] | null;
  exportEnabled: boolean | null;
  maxImportBytes: number | null;
  maxExportBytes: number | null;
  maxUnpackedBytes: number | null;
  /** Visibilities that only administrators may use. */
  restrictedVisibilities: string[];
}

/** Only administrators may read the settings. */
const unreadable: readonly ErrorCode[] = ['forbidden', 'not-found', 'token-scope'];

/**
 * `GET /application/settings`, administrators, 200, 403. Returns null for other accounts. The API gives sizes in MiB.
 */
export async function applicationSettings(
  client: InstanceClient,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ApplicationSettings | null> {
  try {
    const { data } = await client.getJson('application/settings', settingsWire, { signal, signedIn: true });
    return {
      importSources: data.import_sources ?? null,
      exportEnabled: data.project_export_enabled ?? null,
      maxImportBytes: bytesOf(data.max_import_size),
      maxExportBytes: bytesOf(data.max_export_size),
      maxUnpackedBytes: bytesOf(data.max_decompressed_archive_size),
      restrictedVisibilities: data.restricted_visibility_levels ?? [],
    };
  } catch (thrown) {
    if (thrown instanceof AppError && unreadable.includes(thrown.code)) return null;
    throw thrown;
  }
}

const bytesOf = (mebibytes: number | null | undefined): number | null =>
  mebibytes === null || mebibytes === undefined ? null : mebibytes * 2 ** 20;
