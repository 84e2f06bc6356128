/** @file Archives in object storage. URLs are signed with AWS Signature Version 4 in the query (bucket in the path). */
import { createHash, createHmac } from 'node:crypto';
import { messageError } from '../requests/api-error.ts';
import { fetchHeaders, type OutboundOptions } from '../exporting/outbound.ts';
import { checkArchiveHeaders } from './remote-archive.ts';

export interface ObjectLocation {
  /** Origin of the storage; null for Amazon's in the region. */
  endpoint: string | null;
  region: string;
  bucket: string;
  key: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** GitLab's links to objects are valid for 28 hours. */
const validSeconds = 28 * 3600;

/** @param now epoch milliseconds. */
export function presignedUrl(method: 'GET' | 'HEAD', place: ObjectLocation, now: number): string {
  const { region, bucket, key, accessKeyId, secretAccessKey } = place;
  const origin = new URL(place.endpoint ?? `https://s3.${region}.amazonaws.com`);
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const path = `/${[bucket, ...key.split('/')].map(encoded).join('/')}`;
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scope}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', `${validSeconds}`],
    ['X-Amz-SignedHeaders', 'host'],
  ]
    .map(([name = '', value = '']) => `${name}=${encoded(value)}`)
    .join('&');
  const canonical = [method, path, query, `host:${origin.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')];
  const keyOfDay = [time.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac('sha256', keyOfDay).update(toSign.join('\n')).digest('hex');
  return `${origin.origin}${path}?${query}&X-Amz-Signature=${signature}`;
}

/** Throws 400 unless the object exists, is readable and has the headers of an archive. */
export async function checkObject(
  outbound: OutboundOptions,
  place: ObjectLocation,
  now: number,
): Promise<void> {
  const { bucket, key } = place;
  const failed = (reason: string) => messageError(400, `Failed to open '${key}' in '${bucket}': ${reason}`);
  const reply = await fetchHeaders(outbound, presignedUrl('HEAD', place, now)).catch((error: unknown) => {
    throw failed((error as Error).message);
  });
  if (reply.status === 404) throw messageError(400, `File not found '${key}' in '${bucket}'`);
  if (reply.status !== 200) throw failed(reply.status === 403 ? 'Forbidden' : `HTTP ${reply.status}`);
  checkArchiveHeaders(reply.headers);
}

/** RFC 3986 escapes, as signatures need them. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
