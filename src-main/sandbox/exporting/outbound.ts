/** @file Requests that the sandbox itself sends: exports and archive downloads. Refuses the same URLs as GitLab. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { request as overHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../platform/clock.ts';

export interface OutboundOptions {
  clock: Clock;
  signal: AbortSignal;
  /** True if the server may call loopback addresses; GitLab's setting for webhooks and services. */
  allowLocalRequests: boolean;
  /** True if archives may be downloaded by plain http, which local use of the sandbox needs. */
  allowHttpImports: boolean;
}

export function blockedReason(
  { allowLocalRequests }: OutboundOptions,
  text: string,
  schemes: readonly string[],
): string | null {
  const url = URL.parse(text.trim());
  if (url === null || url.hostname === '') return 'URI is invalid';
  if (!schemes.includes(url.protocol.slice(0, -1))) return `Only allowed schemes are ${schemes.join(', ')}`;
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/i.test(url.hostname);
  return isLoopback && !allowLocalRequests ? 'Requests to localhost are not allowed' : null;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Returns the headers of a HEAD request, following redirects. Rejects if there is no reply within a second. */
export async function fetchHeaders(
  outbound: OutboundOptions,
  url: string,
): Promise<{ status: number; headers: IncomingMessage['headers'] }> {
  const timeout = new AbortController();
  const cancel = outbound.clock.timer(1000, () => {
    timeout.abort(new Error('Net::OpenTimeout'));
  });
  try {
    const signal = AbortSignal.any([timeout.signal, outbound.signal]);
    const reply = await followRedirects(url, { method: 'HEAD', signal });
    reply.resume();
    return { status: reply.statusCode ?? 0, headers: reply.headers };
  } finally {
    cancel();
  }
}

/** Writes the body of a GET to `path` and returns the status. Leaves no file unless the status is 200. */
export async function fetchInto(outbound: OutboundOptions, url: string, path: string): Promise<number> {
  try {
    const reply = await followRedirects(url, { method: 'GET', signal: outbound.signal });
    const status = reply.statusCode ?? 0;
    if (status === 200) await pipeline(reply, createWriteStream(path), { signal: outbound.signal });
    else reply.resume();
    return status;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function sendArchive(
  outbound: OutboundOptions,
  path: string,
  { url, method }: { url: string; method: 'PUT' | 'POST' },
): Promise<number> {
  const { size } = await stat(path);
  const headers = { 'Content-Type': 'application/gzip', 'Content-Length': size };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const call = requestFor(url)(url, { method, headers, signal: outbound.signal }, resolve);
  call.on('error', reject);
  // A failure while the body is sent is reported by the request itself.
  pipeline(createReadStream(path), call).catch(() => undefined);
  const reply = await promise;
  reply.resume();
  return reply.statusCode ?? 0;
}

async function followRedirects(url: string, options: RequestOptions, left = 3): Promise<IncomingMessage> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    requestFor(url)(url, options, resolve).on('error', reject).end();
  });
  const { location } = reply.headers;
  if (!redirects.has(reply.statusCode ?? 0) || location === undefined || left === 0) return reply;
  reply.resume();
  return followRedirects(new URL(location, url).href, options, left - 1);
}

function requestFor(url: string): typeof overHttp {
  return url.startsWith('https:') ? overHttps : overHttp;
}
