/**
 * @file Starts imports for which GitLab itself downloads the archive, from an address or from S3-compatible storage.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { ImportStatus } from '../../../src-contract/transfers/import.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { Storage } from '../../../src-contract/transfers/transfer.ts';
import type { InstanceClient } from '../http/client.ts';
import type { CallOptions, Cancellable } from '../http/exchange.ts';
import type { IdOrPath } from '../projects/project-wire.ts';
import { importWire, toImportStatus } from './imports.ts';
import { overrideObject } from './override-fields.ts';
import { assertWebUrl, secretsOf } from './presigned.ts';

interface ImportTarget extends Cancellable {
  /** Id or full path. Default: the account's own namespace. */
  namespace?: IdOrPath;
  /** Last part of the new project's path. */
  path: string;
  name?: string;
  /** Attributes of a project that take precedence over those in the archive. */
  overrideParams?: Record<string, string>;
}

/** Messages are redacted. A shorter secret could equal an ordinary word, which redaction would then remove, too. */
const minSecretLength = 8;

/**
 * Starts an import from an address. GitLab must be able to reach the address over https, and the response must have a
 * length and the type `application/gzip`. `POST /projects/remote-import`, Maintainer of the namespace, 201; 400
 * `import-refused` or `path-taken`, 403 `import-disabled`, 404 `namespace-missing` or `feature-off`, 429 (gitlab-facts
 * 15.2). Sent once. [Note: POST is not idempotent]
 */
export async function importFromUrl(
  client: InstanceClient,
  { url, overwrite, ...target }: ImportTarget & { url: string; overwrite?: boolean },
): Promise<ImportStatus> {
  assertWebUrl(url);
  const source = { url, ...(overwrite !== undefined && { overwrite }) };
  const requestOptions = { secrets: secretsOf(url), featureFlag: 'import_project_from_remote_file' };
  return start(client, 'remote-import', source, target, overwrite === true, requestOptions);
}

/**
 * Starts an import of one file in a bucket. Has the same error codes as `importFromUrl`.
 * `POST /projects/remote-import-s3`, Maintainer of the namespace, 201 (gitlab-facts 15.2; since 15.11). Cannot
 * overwrite a project. Sent once. [Note: POST is not idempotent]
 */
export async function importFromS3(
  client: InstanceClient,
  {
    storage,
    secretAccessKey,
    key,
    ...target
  }: ImportTarget & { storage: Omit<Storage, 'name'>; secretAccessKey: string; key: string },
): Promise<ImportStatus> {
  if (secretAccessKey.length < minSecretLength || key === '') {
    throw new AppError('invalid-input', 'The key of the file or the secret access key is missing.');
  }
  const source = {
    region: storage.region,
    bucket_name: storage.bucket,
    file_key: key,
    access_key_id: storage.accessKeyId,
    secret_access_key: secretAccessKey,
  };
  const requestOptions = { secrets: [secretAccessKey], needs: ['remote-import-s3'] as const };
  return start(client, 'remote-import-s3', source, target, false, requestOptions);
}

async function start(
  client: InstanceClient,
  operation: string,
  source: object,
  { namespace, path, name, overrideParams = {}, signal }: ImportTarget,
  overwrite: boolean,
  requestOptions: Pick<CallOptions, 'secrets' | 'needs' | 'featureFlag'>,
): Promise<ImportStatus> {
  // An overwritten project may have a path that a new project could not have.
  checkAttributes(overwrite ? 'edit' : 'create', { path, ...(name !== undefined && { name }) });
  const body = {
    ...source,
    path,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(Object.keys(overrideParams).length > 0 && { override_params: overrideObject(overrideParams) }),
  };
  const details = {
    namespace: namespace ?? null,
    project: typeof namespace === 'string' ? `${namespace}/${path}` : path,
  };
  const call = { ...requestOptions, signal, subject: 'import' as const, details };
  const { data } = await client.postJson(`projects/${operation}`, body, importWire, call);
  return toImportStatus(data, details);
}
