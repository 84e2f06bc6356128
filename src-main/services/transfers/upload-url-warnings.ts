/**
 * @file Warns about problems of the URL to which GitLab uploads an export (gitlab-facts 15.1 and 6). GitLab does not
 * report whether the upload worked. Pure.
 */
import { dayMs } from '../../../src-contract/bounds.ts';

/** The largest object that S3-compatible storage accepts in one request. */
const maxUploadBytes = 5 * 1024 ** 3;
/** An export may take this long before GitLab uploads it. */
const maxExportMs = dayMs;

/** Returns the size of the parts of a project that an export contains; null if the account cannot see it. */
export function estimateExportBytes(statistics: Readonly<Record<string, number>> | null): number | null {
  if (statistics === null) return null;
  const parts = ['repository_size', 'wiki_size', 'lfs_objects_size', 'uploads_size', 'snippets_size'];
  return parts.reduce((sum, part) => sum + (statistics[part] ?? 0), 0);
}

/**
 * Returns sentences that never contain the URL. `now` is epoch milliseconds; `bytes` is the estimated size of the
 * archive.
 */
export function uploadUrlWarnings(address: string, bytes: number | null, now: number): string[] {
  const query = parseQuery(address);
  const warnings: string[] = [];
  const headers = query.get('x-amz-signedheaders') ?? query.get('x-goog-signedheaders');
  if (headers !== undefined && !headers.toLowerCase().split(';').includes('content-type')) {
    warnings.push(
      'The signature of the address does not include Content-Type. GitLab sends "Content-Type: application/gzip", and the storage may refuse that.',
    );
  }
  const expiresAt = expiryOf(query);
  if (expiresAt !== null && expiresAt <= now) {
    warnings.push('The address has expired already.');
  } else if (expiresAt !== null && expiresAt - now < maxExportMs) {
    warnings.push(
      `The address works only until ${new Date(expiresAt).toISOString()}, and an export can take longer.`,
    );
  }
  if (bytes !== null && bytes > maxUploadBytes) {
    warnings.push(
      'The archive may have more than 5 GB, which is more than S3-compatible storage accepts in one request.',
    );
  }
  return warnings;
}

function parseQuery(address: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of URL.parse(address)?.searchParams ?? []) {
    if (!query.has(name.toLowerCase())) query.set(name.toLowerCase(), value);
  }
  return query;
}

/** Returns the expiry in epoch milliseconds; null if the address has none. */
function expiryOf(query: ReadonlyMap<string, string>): number | null {
  for (const vendor of ['amz', 'goog']) {
    const begin = timeOf(query.get(`x-${vendor}-date`));
    const seconds = parseInteger(query.get(`x-${vendor}-expires`));
    if (begin !== null && seconds !== null) return begin + seconds * 1000;
  }
  // The older S3 signature, and other signatures with the same parameter.
  const seconds = parseInteger(query.get('expires'));
  return seconds === null ? null : seconds * 1000;
}

const parseInteger = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;

function timeOf(text: string | undefined): number | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text ?? '') ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
