/** @file Archives in object storage. URLs are signed with AWS Signature Version 4 in the query (bucket in the path). */
import { createHash, createHmac } from 'node:crypto';
import { messageError } from '../requests/api-error.ts';
import { fetchHeaders, type OutboundOptions } from '../exporting/outbound.ts';
import { checkArchiveHeaders } from './remote-archive.ts';

export interface ObjectLocation {
  /** Origin of the storage; null for Amazon's own storage in the region. */
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
export function presignedUrl(method: 'GET' | 'HEAD', location: ObjectLocation, now: number): string {
  const { region, bucket, key, accessKeyId, secretAccessKey } = location;
  const origin = new URL(location.endpoint ?? `https://s3.${region}.amazonaws.com`);
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const path = `/${[bucket, ...key.split('/')].map(encode).join('/')}`;
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scope}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', `${validSeconds}`],
    ['X-Amz-SignedHeaders', 'host'],
  ]
    .map(([name = '', value = '']) => `${name}=${encode(value)}`)
    .join('&');
  const canonicalRequest = [method, path, query, `host:${origin.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  );
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    createHash('sha256').update(canonicalRequest).digest('hex'),
  ];
  const signingKey = [time.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac('sha256', signingKey).update(stringToSign.join('\n')).digest('hex');
  return `${origin.origin}${path}?${query}&X-Amz-Signature=${signature}`;
}

/** Throws 400 unless the object exists, is readable and has the headers of an archive. */
export async function checkObject(
  outbound: OutboundOptions,
  location: ObjectLocation,
  now: number,
): Promise<void> {
  const { bucket, key } = location;
  const openError = (reason: string) =>
    messageError(400, `Failed to open '${key}' in '${bucket}': ${reason}`);
  const reply = await fetchHeaders(outbound, presignedUrl('HEAD', location, now)).catch((error: unknown) => {
    throw openError((error as Error).message);
  });
  if (reply.status === 404) throw messageError(400, `File not found '${key}' in '${bucket}'`);
  if (reply.status !== 200) throw openError(reply.status === 403 ? 'Forbidden' : `HTTP ${reply.status}`);
  checkArchiveHeaders(reply.headers);
}

/** Escapes a text by RFC 3986, as signatures require. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
