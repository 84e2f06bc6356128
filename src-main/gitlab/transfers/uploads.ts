/** @file Files that were uploaded to a project for use in its Markdown texts (gitlab-facts 2 and 10). */
import { basename } from 'node:path';
import type { Upload } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { ImportUpload } from './imports.ts';
import { multipartBody } from './multipart.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
import { getPage, type Page, type PageRequest } from '../http/pages.ts';
import type { Cancellable } from '../http/exchange.ts';
import { projectCallOptions, type IdOrPath, projectPath } from '../projects/project-wire.ts';
import { nullIfDenied } from '../projects/relation-lists.ts';
import type { DownloadResult, DownloadHandlers } from './transfers.ts';

const createdWire = z.object({
  id: z.number().int().nullish(),
  alt: z.string(),
  url: z.string(),
  full_path: z.string().nullish(),
  markdown: z.string(),
});

const listedWire = z.object({
  id: z.number().int(),
  size: z.number(),
  filename: z.string(),
  created_at: z.string(),
  uploaded_by: z.object({ username: z.string() }).nullish(),
});

interface FileToUpload extends Pick<ImportUpload, 'signal' | 'path' | 'sizeBytes' | 'onProgress'> {
  /** File name sent to the server. Default: the name of the file. */
  fileName?: string;
}

/**
 * `POST /projects/:id/uploads`, anyone who may write texts there, 201; 413 `upload-too-large` (default 100 MB), 404
 * (gitlab-facts 14.5). Sent once; a second request creates a second upload. Returns a null `id` before 17.3, a `url` for
 * use in Markdown, and the address on the instance as `fullPath`.
 */
export async function uploadFile(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { path, sizeBytes, fileName = basename(path), signal, onProgress }: FileToUpload,
) {
  const body = multipartBody([], { field: 'file', path, fileName, sizeBytes, sha256: null });
  const { data } = await client.upload('POST', `${projectPath(idOrPath)}/uploads`, body, createdWire, {
    ...projectCallOptions(idOrPath),
    signal,
    ...(onProgress && { onProgress }),
  });
  const { id = null, alt: name, url, full_path: fullPath = null, markdown } = data;
  return { id, name, url, fullPath, markdown };
}

const listCall = (idOrPath: IdOrPath) => ({
  ...projectCallOptions(idOrPath),
  requiresAccount: true as const,
  needs: ['upload-list' as const],
  record: listedWire,
  toRecord: ({ id, size, filename, created_at: createdAt, uploaded_by: by }: z.infer<typeof listedWire>) => ({
    id,
    sizeBytes: size,
    fileName: filename,
    createdAt,
    uploadedBy: by?.username ?? null,
  }),
});

/**
 * Lists uploads, newest first. `GET /projects/:id/uploads`, Maintainer, 200, 403, 404 (gitlab-facts 14.5; since 17.2).
 */
export const uploadsPage = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  page: PageRequest = {},
): Promise<Page<Upload>> =>
  getPage(client, `${projectPath(idOrPath)}/uploads`, { ...listCall(idOrPath), page });

/** Reads the list of uploads in full. Returns null if it may not be read, or the server has no such list. */
export const allUploads = (
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<FullList<Upload> | null> =>
  nullIfDenied(readFullList(client, `${projectPath(projectId)}/uploads`, { ...listCall(projectId), signal }));

/** Streams the avatar of a project. `GET /projects/:id/avatar`, any reader, 200 or 302, 404 (since 16.9). */
export const downloadAvatar = (
  client: InstanceClient,
  projectId: number,
  sink: DownloadHandlers,
): Promise<DownloadResult> =>
  client.download(`${projectPath(projectId)}/avatar`, {
    ...{ ...sink, requiresAccount: true, details: { project: projectId } },
  });

/**
 * Streams an uploaded file. `GET /projects/:id/uploads/:upload_id`, Maintainer, 200 or 302 to object storage, 403, 404
 * (gitlab-facts 14.5 and 2; since 17.2). The content can be verified only by its length in the list.
 */
export const downloadUpload = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  uploadId: number,
  sink: DownloadHandlers,
): Promise<DownloadResult> =>
  client.download(`${projectPath(idOrPath)}/uploads/${uploadId}`, {
    ...sink,
    requiresAccount: true,
    needs: ['upload-download'],
    details: { project: String(idOrPath), upload: uploadId },
  });
