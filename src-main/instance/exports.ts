/** @file Exports of a project: ask for one, look at its state, fetch its file (gitlab-facts 6). */
import { AppError } from '../../src-preload/contract/errors.ts';
import { z } from '../../src-preload/contract/schema.ts';
import type { InstanceClient } from './client.ts';
import { projectPath } from './projects.ts';
import type { Downloaded, DownloadOptions } from './transfers.ts';

/** `failed` is sent since 17.0.5, `after_export_action` until 12.x; neither is in the specification. */
export const exportStates = [
  'none',
  'queued',
  'started',
  'regeneration_in_progress',
  'finished',
  'failed',
  'after_export_action',
] as const;
export type ExportState = (typeof exportStates)[number];

const statusWire = z.object({ export_status: z.string() });

/**
 * Asks for a fresh export and destroys the previous file, even where it is refused. Sent once: after any error but a 4xx
 * the state must be asked before anything is sent again. [Note: POST is not idempotent]
 */
export async function requestExport(
  client: InstanceClient,
  projectId: number,
  { description, signal }: { description?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const body = description === undefined ? {} : { description };
  await client.postJson(`${projectPath(projectId)}/export`, body, z.unknown(), {
    signal,
    subject: 'export',
    details: { project: projectId },
  });
}

/** The state of the caller's own export. Throws `unknown-state` for one that is not in `exportStates`. */
export async function exportStatus(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<{ state: ExportState }> {
  const details = { project: projectId };
  const { data } = await client.getJson(`${projectPath(projectId)}/export`, statusWire, {
    signal,
    subject: 'export',
    details,
  });
  const state = exportStates.find((known) => known === data.export_status);
  if (state !== undefined) return { state };
  throw new AppError('unknown-state', `The instance reports the export state "${data.export_status}".`, {
    details: { ...details, state: data.export_status },
  });
}

/**
 * Fetches the finished export. Each call counts against the limit of downloads, failed ones too. `export-gone` when there
 * is none (with retry `later` while the server is still putting it in place).
 */
export function downloadExport(
  client: InstanceClient,
  projectId: number,
  options: Pick<DownloadOptions, 'signal' | 'onStart' | 'onChunk'>,
): Promise<Downloaded> {
  return client.download(`${projectPath(projectId)}/export/download`, {
    ...options,
    subject: 'export-download',
    details: { project: projectId },
  });
}
