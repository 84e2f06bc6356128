/**
 * @file The four kinds of call to an instance (read, write, download, upload) over one way to send a request. Decides
 * which redirects are followed and what may be sent again; knows no endpoint. [Note: token stays on its origin]
 */
import { AppError, type ErrorDetails } from '../../src-preload/contract/errors.ts';
import type { z } from '../../src-preload/contract/schema.ts';
import type { Clock } from '../platform/clock.ts';
import {
  type Answer,
  type CallOptions,
  type Exchange,
  isRedirect,
  readAnswer,
  refusalOf,
} from './exchange.ts';
import type { HttpLimits } from './limits.ts';
import type { MultipartBody } from './multipart.ts';
import { type Hop, movedTo, nextHop, redirectRefused } from './redirects.ts';
import { type Downloaded, type DownloadOptions, receive, Sending, type UploadOptions } from './transfers.ts';

const mostHops = 5;

/** Paths are relative to `/api/v4/`, without a leading slash and already encoded. */
export interface InstanceCalls {
  getJson: <T>(path: string, schema: z.ZodType<T>, call?: CallOptions) => Promise<Answer<T>>;
  /** Sent once. Any error but a 4xx leaves open whether the server acted. */
  postJson: <T>(path: string, body: object, schema: z.ZodType<T>, call?: CallOptions) => Promise<Answer<T>>;
  download: (path: string, call: DownloadOptions) => Promise<Downloaded>;
  /** As `postJson`; `details.sentAll` of an error tells whether the server may have the whole body. */
  upload: <T>(
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call?: UploadOptions,
  ) => Promise<Answer<T>>;
}

/** A request, sent as it is: redirects come back as answers. */
export interface Send {
  method: 'GET' | 'POST';
  hop: Hop;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  /** False leaves the body exactly as sent. */
  decode: boolean;
  answerMs: number;
  signal?: AbortSignal | undefined;
  details?: ErrorDetails | undefined;
}

/** Thrown by a `send` over a kept connection that the server was closing: nothing was done and it may be sent again. */
export class ConnectionWasClosing extends Error {}

/** @param send rejects with an `AppError`, or `ConnectionWasClosing`. */
export function callsOver(
  send: (request: Send, connection: 'kept' | 'own') => Promise<Exchange>,
  { baseUrl, clock, limits }: { baseUrl: string; clock: Clock; limits: HttpLimits },
): InstanceCalls {
  function apiUrl(path: string, query: CallOptions['query'] = {}): URL {
    const url = new URL(`${baseUrl}/api/v4/${path}`);
    const pairs = query instanceof URLSearchParams ? query : Object.entries(query);
    for (const [name, value] of pairs) if (value !== undefined) url.searchParams.append(name, String(value));
    return url;
  }

  async function read(request: Send): Promise<Exchange> {
    try {
      return await send(request, 'kept');
    } catch (error) {
      if (error instanceof ConnectionWasClosing) return send(request, 'own');
      throw error;
    }
  }

  const reading = { clock, bodyMs: limits.bodyMs, largest: limits.jsonBytes };

  async function getJson<T>(path: string, schema: z.ZodType<T>, call: CallOptions = {}): Promise<Answer<T>> {
    const url = apiUrl(path, call.query);
    const request: Send = {
      method: 'GET',
      hop: { url, trusted: true },
      headers: { accept: 'application/json' },
      decode: true,
      answerMs: limits.answerMs,
      signal: call.signal,
      details: call.details,
    };
    let exchange = await read(request);
    if (exchange.status === 301) {
      // A project that was renamed or moved answers from its number (gitlab-facts 1.2).
      exchange.drop();
      const target = movedTo(url, exchange.headers.location);
      exchange = await read({ ...request, hop: { url: target, trusted: true } });
    }
    return readAnswer(exchange, schema, call, reading);
  }

  function post(
    path: string,
    call: CallOptions,
    request: Pick<Send, 'body' | 'headers' | 'answerMs'>,
  ): Promise<Exchange> {
    const { signal, details } = call;
    const hop = { url: apiUrl(path, call.query), trusted: true };
    const headers = { accept: 'application/json', ...request.headers };
    return send({ ...request, method: 'POST', hop, headers, decode: true, signal, details }, 'own');
  }

  async function postJson<T>(
    path: string,
    body: object,
    schema: z.ZodType<T>,
    call: CallOptions = {},
  ): Promise<Answer<T>> {
    const exchange = await post(path, call, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      answerMs: limits.answerMs,
    });
    return readAnswer(exchange, schema, call, reading);
  }

  async function download(path: string, call: DownloadOptions): Promise<Downloaded> {
    const request = {
      method: 'GET' as const,
      // The bytes as they are stored: a decoded body would be another file.
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      decode: false,
      answerMs: limits.answerMs,
      signal: call.signal,
      details: call.details,
    };
    let hop: Hop = { url: apiUrl(path, call.query), trusted: true };
    for (let hops = 0; ; hops += 1) {
      const exchange = await send({ ...request, hop }, 'own');
      if (isRedirect(exchange.status)) {
        exchange.drop();
        if (hops === mostHops) throw redirectRefused(hop.url, `it is the ${mostHops + 1}th in a row`);
        hop = nextHop(hop, exchange.headers.location);
      } else if (exchange.status >= 300) {
        const elsewhere = hop.url.origin !== new URL(baseUrl).origin;
        throw await refusalOf(exchange, elsewhere ? { ...call, subject: 'object-storage' } : call, reading);
      } else {
        return receive(exchange, call, clock, limits.rate);
      }
    }
  }

  async function upload<T>(
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call: UploadOptions = {},
  ): Promise<Answer<T>> {
    const sending = new Sending(body, clock, limits.rate, call);
    try {
      const exchange = await post(
        path,
        { ...call, signal: sending.signal },
        {
          body: sending.chunks(),
          headers: { 'content-type': body.contentType, 'content-length': String(body.contentLength) },
          answerMs: limits.uploadAnswerMs,
        },
      );
      try {
        return await readAnswer(exchange, schema, call, reading);
      } finally {
        // A refusal may come before the end of the body; nobody reads the rest.
        exchange.drop();
      }
    } catch (error) {
      const { code, message, retry, details } = AppError.from(error);
      throw new AppError(code, message, {
        retry,
        details: { ...call.details, ...details, sentAll: sending.sentAll },
      });
    }
  }

  return { getJson, postJson, download, upload };
}
