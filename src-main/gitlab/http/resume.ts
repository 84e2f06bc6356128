/**
 * @file Decides whether a response continues the file whose download was interrupted. A file made of two exports would
 * look complete, so any doubt means a new download. [Note: no splice]
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseTime } from '../../platform/clock.ts';

/** Identifies a file among others that the same address may serve, by the headers that its server sent. */
export interface FileValidators {
  totalBytes: number;
  /** `Last-Modified` exactly as the server sent it, to be sent back unchanged. */
  lastModified: string;
  /** The `ETag` header. Object storage sends one, GitLab itself does not (gitlab-facts 6). */
  etag: string | null;
}

/**
 * A file rewritten within a second keeps its `Last-Modified` (RFC 9110, 8.8.2.2). One more second allows for differing
 * clocks.
 */
const minFileAgeMs = 2_000;

export function validatorsOf(headers: IncomingHttpHeaders): FileValidators | null {
  const totalBytes = contentLengthOf(headers);
  const lastModified = headers['last-modified'];
  const [modifiedAt, respondedAt] = [parseTime(lastModified), parseTime(headers.date)];
  if (totalBytes === null || lastModified === undefined || modifiedAt === null || respondedAt === null)
    return null;
  return respondedAt - modifiedAt < minFileAgeMs
    ? null
    : { totalBytes, lastModified, etag: headers.etag ?? null };
}

/** Returns request headers for the rest of a file. If the file has changed, the server sends all of it. */
export function rangeHeaders({ lastModified }: FileValidators, bytes: number): Record<string, string> {
  return { range: `bytes=${bytes}-`, 'if-range': lastModified };
}

export function continuesFile(
  { totalBytes, lastModified, etag }: FileValidators,
  bytes: number,
  headers: IncomingHttpHeaders,
): boolean {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return (
    Number(first) === bytes &&
    Number(total) === totalBytes &&
    headers['last-modified'] === lastModified &&
    (headers.etag ?? null) === etag
  );
}

export function contentLengthOf(headers: IncomingHttpHeaders): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length']);
}
