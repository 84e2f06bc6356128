/** @file Imports a project from an uploaded archive, and reads the status of any import (gitlab-facts 7). */
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import { importStates, type ImportStatus } from '../../../src-contract/transfers/import.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { multipartBody } from './multipart.ts';
import { overrideFields } from './override-fields.ts';
import { projectCallOptions, type IdOrPath, projectPath } from '../projects/project-wire.ts';

const countsWire = z.record(z.string(), z.number()).nullish();

const failureWire = z.object({
  id: z.number().int(),
  created_at: z.string(),
  exception_class: z.string().nullish(),
  exception_message: z.string().nullish(),
  source: z.string().nullish(),
  relation_name: z.string().nullish(),
  line_number: z.number().int().nullish(),
});

export const importWire = z.object({
  id: z.number().int(),
  path_with_namespace: z.string(),
  import_status: z.string(),
  import_type: z.string().nullish(),
  import_error: z.string().nullish(),
  correlation_id: z.string().nullish(),
  failed_relations: z.array(failureWire).nullish(),
  stats: z.object({ fetched: countsWire, imported: countsWire }).nullish(),
});

export interface ImportUpload extends Cancellable {
  /** Absolute path of the archive; its size and hash are verified during the upload. */
  path: string;
  expectedSha256: string;
  sizeBytes: number;
  /** File name sent to the server; must end in `.gz`. */
  fileName: string;
  namespace: string;
  /** Last part of the new project's path. */
  projectPath: string;
  name?: string | null;
  overwrite: boolean;
  /** Attributes of a project that take precedence over those in the archive. */
  overrideParams: Record<string, string>;
  onProgress?: (sentBytes: number) => void;
}

/**
 * Uploads an archive and starts its import. `POST /projects/import`, Maintainer of the namespace, 201; 400
 * `import-refused` or `path-taken`, 403 `import-disabled`, 404 `namespace-missing`, 413 `upload-too-large`, 422, 429
 * (gitlab-facts 15.2). Sent once. After any error except a 4xx or `archive-changed`, the target must be checked;
 * `details.sentAll: false` rules out an import. Throws `archive-changed` if the file is not the expected file; the
 * server then never gets a complete body. [Note: POST is not idempotent]
 */
export async function importFile(client: InstanceClient, upload: ImportUpload): Promise<ImportStatus> {
  const fields: Array<readonly [string, string]> = [
    ['path', upload.projectPath],
    ['namespace', upload.namespace],
    ['overwrite', String(upload.overwrite)],
    ...overrideFields(upload.overrideParams),
  ];
  if (upload.name !== undefined && upload.name !== null) fields.push(['name', upload.name]);
  const body = multipartBody(fields, {
    field: 'file',
    path: upload.path,
    fileName: upload.fileName,
    sizeBytes: upload.sizeBytes,
    sha256: upload.expectedSha256,
  });
  const details = { namespace: upload.namespace, project: `${upload.namespace}/${upload.projectPath}` };
  const { data } = await client.upload('POST', 'projects/import', body, importWire, {
    signal: upload.signal,
    subject: 'import',
    details,
    ...(upload.onProgress && { onProgress: upload.onProgress }),
  });
  return toImportStatus(data, details);
}

/**
 * Returns the status of any import into a project, even if another client started it. `GET /projects/:id/import`, any
 * reader (the error only for Maintainer), 200, 404 (gitlab-facts 15.2). Throws `unknown-state` for an unknown state.
 */
export async function importStatus(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { signal }: Cancellable = {},
): Promise<ImportStatus> {
  const callOptions = projectCallOptions(idOrPath);
  const { data } = await client.getJson(`${projectPath(idOrPath)}/import`, importWire, {
    ...callOptions,
    signal,
  });
  return toImportStatus(data, callOptions.details);
}

export function toImportStatus(wire: z.infer<typeof importWire>, details: ErrorDetails): ImportStatus {
  const state = importStates.find((known) => known === wire.import_status);
  if (state === undefined) {
    throw new AppError('unknown-state', `The instance reports the import state "${wire.import_status}".`, {
      details: { ...details, state: wire.import_status },
    });
  }
  return {
    projectId: wire.id,
    fullPath: wire.path_with_namespace,
    state,
    importType: wire.import_type ?? null,
    error: wire.import_error ?? null,
    correlationId: wire.correlation_id ?? null,
    failures: (wire.failed_relations ?? []).map((failure) => ({
      id: failure.id,
      createdAt: failure.created_at,
      exceptionClass: failure.exception_class ?? '',
      exceptionMessage: failure.exception_message ?? null,
      source: failure.source ?? '',
      relation: failure.relation_name ?? null,
      line: failure.line_number ?? null,
    })),
    stats: wire.stats
      ? {
          ...(wire.stats.fetched && { fetched: wire.stats.fetched }),
          ...(wire.stats.imported && { imported: wire.stats.imported }),
        }
      : null,
  };
}
