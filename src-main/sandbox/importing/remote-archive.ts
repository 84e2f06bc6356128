/** @file Archives behind a URL: GitLab's checks before an import, and the download (gitlab-facts 1.3 and 4). */
import { messageError } from '../requests/api-error.ts';
import { ImportFailed } from './import-archive.ts';
import { blockedReason, fetchInto, fetchHeaders, type OutboundOptions } from '../exporting/outbound.ts';

const allowedTypes = ['application/gzip', 'application/x-tar', 'application/x-gzip'];
const maxLength = 10 * 1024 ** 3;

/** Throws 400 unless the URL is allowed and its headers are those of an archive. */
export async function checkRemoteFile(outbound: OutboundOptions, url: string): Promise<void> {
  if (url.trim() === '') throw messageError(400, "File url can't be blank");
  const schemes = outbound.allowHttpImports ? ['https', 'http'] : ['https'];
  const reason = blockedReason(outbound, url, schemes);
  if (reason !== null) throw messageError(400, `File url is blocked: ${reason}`);
  const { headers } = await fetchHeaders(outbound, url).catch((error: unknown) => {
    throw messageError(400, `Failed to retrieve headers: ${(error as Error).message}`);
  });
  // A presigned URL for GET refuses HEAD, so GitLab does not check replies that look like S3.
  if (headers.server === 'AmazonS3' && headers['x-amz-request-id'] !== undefined) return;
  checkArchiveHeaders(headers);
}

export function checkArchiveHeaders(headers: NodeJS.Dict<string | string[]>): void {
  const text = String(headers['content-length'] ?? '');
  const length = /^\d+$/.test(text) ? Number(text) : 0;
  if (length < 1) throw messageError(400, 'Content length is too small (should be at least 1 B)');
  if (length > maxLength) throw messageError(400, 'Content length is too big (should be at most 10 GiB)');
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  if (allowedTypes.includes(type.trim())) return;
  throw messageError(400, `Content type '${type.trim()}' not allowed. (Allowed: ${allowedTypes.join(', ')})`);
}

/** Downloads the archive to `path`. Rejects with `ImportFailed`. */
export async function downloadFile(outbound: OutboundOptions, url: string, path: string): Promise<void> {
  const status = await fetchInto(outbound, url, path).catch((error: unknown) => {
    throw new ImportFailed(`Unable to download the archive: ${(error as Error).message}`);
  });
  if (status !== 200) throw new ImportFailed(`Invalid response code while downloading file. Code: ${status}`);
}
