/** @file Requests the export of a project, reads its state, and downloads its file (gitlab-facts 6). */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { assertWebUrl, secretsOf } from './presigned.ts';
import { type IdOrPath, projectPath } from '../projects/project-wire.ts';
import type { DownloadResult, DownloadHandlers } from './transfers.ts';

/** GitLab sends `failed` since 17.0.5 and `after_export_action` until 12.x; neither is in the specification. */
export const exportStates = [
  'none',
  'queued',
  'started',
  'regeneration_in_progress',
  'finished',
  'failed',
  'after_export_action',
] as const;

const statusWire = z.object({ export_status: z.string() });

/** Address to which GitLab pushes the archive. A presigned address is a secret, and must stay valid for a long time. */
interface ExportPush {
  url: string;
  method: 'PUT' | 'POST';
}

/**
 * Requests a new export. GitLab removes the previous file, even if it refuses the request. `POST /projects/:id/export`,
 * Maintainer (gitlab-facts 1.3), 202; 400 `export-refused`, 403 `role-too-low`, 429 (gitlab-facts 15.1). Sent once.
 * After any error except a 4xx, the state must be read before the request is sent again. [Note: POST is not idempotent]
 */
export async function requestExport(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { description, push, signal }: Cancellable & { description?: string; push?: ExportPush } = {},
): Promise<void> {
  if (push !== undefined) assertWebUrl(push.url);
  const body = {
    ...(description !== undefined && { description }),
    ...(push !== undefined && { upload: { url: push.url, http_method: push.method } }),
  };
  await client.postJson(`${projectPath(idOrPath)}/export`, body, z.unknown(), {
    signal,
    subject: 'export',
    details: { project: idOrPath },
    secrets: push === undefined ? [] : secretsOf(push.url),
  });
}

/** `GET /projects/:id/export`, Maintainer, 200, 404 (gitlab-facts 15.1). Throws `unknown-state`. */
export async function exportStatus(client: InstanceClient, idOrPath: IdOrPath, { signal }: Cancellable = {}) {
  const details = { project: idOrPath };
  const call = { signal, requiresAccount: true, subject: 'export', details } as const;
  const { data } = await client.getJson(`${projectPath(idOrPath)}/export`, statusWire, call);
  const state = exportStates.find((known) => known === data.export_status);
  if (state !== undefined) return { state };
  throw new AppError('unknown-state', `The instance reports the export state "${data.export_status}".`, {
    details: { ...details, state: data.export_status },
  });
}

/**
 * Downloads the finished export. `GET /projects/:id/export/download`, Maintainer, 200 or 302 to object storage, 404,
 * 429 (gitlab-facts 15.1). Each call counts against the download limit, even a failed call, and so does each resume
 * that sends a request to the instance. Throws `export-gone` if there is no file, with retry `later` while the server
 * is still storing it.
 */
export const downloadExport = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  sink: DownloadHandlers,
): Promise<DownloadResult> =>
  client.download(`${projectPath(idOrPath)}/export/download`, {
    ...sink,
    requiresAccount: true,
    subject: 'export-download',
    details: { project: idOrPath },
  });
