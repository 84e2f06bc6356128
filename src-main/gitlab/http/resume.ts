/**
 * @file Whether what a server sends is the rest of the file that was begun. One file made of two exports would look whole, so
 * every doubt means to begin anew. [Note: no splice]
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseTime } from '../../platform/clock.ts';

/** What tells a file from any other that the same address may serve, as its server described it. */
export interface FileMark {
  totalBytes: number;
  /** `Last-Modified` as it was sent; it goes back letter by letter. */
  lastModified: string;
  /** GitLab itself sends none, object storage does (gitlab-facts 6). */
  etag: string | null;
}

/**
 * A file that is written anew within the same second keeps its `Last-Modified`, which is why it tells nothing before that
 * second is over (RFC 9110, 8.8.2.2); the other second is for clocks that differ.
 */
const settledMs = 2_000;

/** Null where nothing that was said would tell another file from this one. */
export function markOf(headers: IncomingHttpHeaders): FileMark | null {
  const totalBytes = lengthOf(headers);
  const lastModified = headers['last-modified'];
  const [written, answered] = [parseTime(lastModified), parseTime(headers.date)];
  if (totalBytes === null || lastModified === undefined || written === null || answered === null) return null;
  return answered - written < settledMs ? null : { totalBytes, lastModified, etag: headers.etag ?? null };
}

/** What asks for the rest of a file, or for all of it where it is not the same any more. */
export function rangeFrom({ lastModified }: FileMark, bytes: number): Record<string, string> {
  return { range: `bytes=${bytes}-`, 'if-range': lastModified };
}

/** Whether the body of this 206 goes on with that file after so many bytes. */
export function goesOn(
  { totalBytes, lastModified, etag }: FileMark,
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

/** `Content-Length`; null without one. */
export function lengthOf(headers: IncomingHttpHeaders): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length']);
}
