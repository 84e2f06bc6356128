/**
 * @file A real S3-compatible server for tests, with one bucket in a temporary folder. The server checks Signature
 * Version 4 by its own code, including the signed headers, the method and the expiry. The presigning in this file is a
 * third implementation of the signature.
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { DUMMY_ACCOUNT } from '@20minutes/s3rver/lib/models/account.js';
import { onTestFinished } from 'vitest';

/** The key pair of the server, in the form of real ones. */
export const s3Keys = {
  accessKeyId: 'AKIAIOSFODNN7TESTKEY',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYTESTONLYKEY',
} as const;
DUMMY_ACCOUNT.createKeyPair(s3Keys.accessKeyId, s3Keys.secretAccessKey);
const region = 'eu-central-1';
const bucket = 'backups';

export interface Presigning {
  method: 'GET' | 'PUT';
  key: string;
  /** Signed with the URL, so that a request with another one is refused. */
  contentType?: string;
  /** When it was signed, epoch milliseconds; it is valid for ten minutes. Default now. */
  at?: number;
  secretAccessKey?: string;
}

export interface S3Server {
  url: string;
  bucket: string;
  region: string;
  /** Each request with the status of its reply, oldest first; paths are without the query. */
  requests: { method: string; path: string; status: number }[];
  presigned(options: Presigning): string;
  put(key: string, content: Buffer, contentType: string): Promise<void>;
  /** Resolves with the object of a key; null if there is none. */
  stored(key: string): Promise<{ content: Buffer; contentType: string | undefined } | null>;
  /** Ends connections and removes all objects. */
  close(): Promise<void>;
}

/** Like `startS3`, but closed when the test ends. */
export async function openS3(options: { marks?: boolean } = {}): Promise<S3Server> {
  const storage = await startS3(options);
  onTestFinished(() => storage.close());
  return storage;
}

/** @param marks whether replies have the headers that identify Amazon's. Default true. */
export async function startS3({ marks = true }: { marks?: boolean } = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'packhorse-s3-'));
  const storage = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await storage.configureBuckets();
  const handle = storage.callback();
  const requests: S3Server['requests'] = [];
  const server = createServer((request, reply) => {
    const { method = '', url = '' } = request;
    if (marks) mark(reply);
    reply.on('finish', () =>
      requests.push({
        method,
        path: decodeURIComponent(url.split('?')[0] ?? ''),
        status: reply.statusCode,
      }),
    );
    void handle(request, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const presigned = (options: Presigning): string => presignedUrl(origin, options);

  return {
    url: origin.origin,
    bucket,
    region,
    requests,
    presigned,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(directory, { recursive: true, force: true });
    },
    async put(key, content, contentType) {
      const url = presigned({ method: 'PUT', key, contentType });
      const reply = await fetch(url, {
        method: 'PUT',
        body: Uint8Array.from(content),
        headers: { 'Content-Type': contentType },
      });
      if (!reply.ok) throw new Error(`The storage refused ${key}: ${await reply.text()}`);
    },
    async stored(key) {
      const reply = await fetch(presigned({ method: 'GET', key }));
      const content = Buffer.from(await reply.arrayBuffer());
      if (reply.status === 404) return null;
      if (!reply.ok) throw new Error(`The storage refused ${key}: ${content.toString()}`);
      return { content, contentType: reply.headers.get('content-type') ?? undefined };
    },
  };
}

/**
 * Adds Amazon's headers when the head of a reply is written: the server sets none, and removes other headers from
 * refusals.
 */
function mark(reply: ServerResponse): void {
  const write = reply.writeHead.bind(reply) as (...args: unknown[]) => ServerResponse;
  reply.writeHead = (...args: unknown[]) => {
    reply.setHeader('Server', 'AmazonS3');
    reply.setHeader('x-amz-request-id', 'FA0C24E1D6AF8B35');
    return write(...args);
  };
}

function presignedUrl(origin: URL, options: Presigning): string {
  const time = new Date(options.at ?? Date.now()).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const parts = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const headers = [
    ...(options.contentType === undefined ? [] : [['content-type', options.contentType] as const]),
    ['host', origin.host] as const,
  ];
  const names = headers.map(([name]) => name).join(';');
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [s3Keys.accessKeyId, ...parts].join('/'),
    'X-Amz-Date': time,
    'X-Amz-Expires': '600',
    'X-Amz-SignedHeaders': names,
  });
  const path = `/${bucket}/${options.key.split('/').map(escaped).join('/')}`;
  const canonical = [
    options.method,
    path,
    query.toString(),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  let key: string | Buffer = `AWS4${options.secretAccessKey ?? s3Keys.secretAccessKey}`;
  for (const part of parts) key = createHmac('sha256', key).update(part).digest();
  const text = ['AWS4-HMAC-SHA256', time, parts.join('/'), digest].join('\n');
  query.set('X-Amz-Signature', createHmac('sha256', key).update(text).digest('hex'));
  return `${origin.origin}${path}?${query.toString()}`;
}

/** RFC 3986 escapes, as signatures need them. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
