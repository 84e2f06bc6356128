/**
 * @file The one door to an instance over HTTP, and the only importer of got. It adds what got lacks: time limits and size
 * caps everywhere, redirects by hand, errors as `AppError`. A got error holds the token in its options, so none leaves
 * this file, not even as a cause. Nothing is repeated here except a read that met a connection the server was closing.
 * [Note: token stays on its origin]
 */
import type { ClientRequest } from 'node:http';
import got, { type PlainResponse, type Request } from 'got';
import { AppError, type ErrorDetails } from '../../src-preload/contract/errors.ts';
import type { z } from '../../src-preload/contract/schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Token } from '../platform/token.ts';
import { connectionPool } from './connections.ts';
import {
  type Answer,
  type CallOptions,
  type Exchange,
  isRedirect,
  readAnswer,
  refusalOf,
} from './exchange.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import type { MultipartBody } from './multipart.ts';
import { errorFromThrown } from './network-errors.ts';
import { type Hop, movedTo, nextHop, redirectRefused } from './redirects.ts';
import { scrub, scrubbed } from './scrub.ts';
import { type Downloaded, type DownloadOptions, receive, Sending, type UploadOptions } from './transfers.ts';
import { onCertificate } from './trust.ts';

const mostHops = 5;

/** One line per request, free of secrets: no query, no headers, of other origins only the origin. */
export interface RequestLine {
  method: string;
  url: string;
  /** Null when no answer came. */
  status: number | null;
  ms: number;
}

/** Paths are relative to `/api/v4/`, without a leading slash and already encoded. */
export interface InstanceClient {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  getJson: <T>(path: string, schema: z.ZodType<T>, call?: CallOptions) => Promise<Answer<T>>;
  /** Sent once, on a connection of its own. Any error but a 4xx leaves open whether the server acted. */
  postJson: <T>(path: string, body: object, schema: z.ZodType<T>, call?: CallOptions) => Promise<Answer<T>>;
  download: (path: string, call: DownloadOptions) => Promise<Downloaded>;
  /** As `postJson`; `details.sentAll` of an error tells whether the server may have the whole body. */
  upload: <T>(
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call?: UploadOptions,
  ) => Promise<Answer<T>>;
  /** Closes idle connections. */
  close: () => void;
}

export interface InstanceClientOptions {
  baseUrl: string;
  /** Asked before every request, so that a rotated token is used at once. */
  token: () => Promise<Token>;
  /** Absolute path of a PEM file with further certificate authorities. */
  caFile?: string | null;
  clock: Clock;
  userAgent: string;
  log?: (line: RequestLine) => void;
  limits?: Partial<HttpLimits>;
}

interface Send {
  method: 'GET' | 'POST';
  hop: Hop;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  /** False leaves the body exactly as sent. */
  decode: boolean;
  answerMs: number;
  totalMs?: number;
  signal?: AbortSignal | undefined;
  details?: ErrorDetails | undefined;
}

/** @throws AppError `invalid-input` when the base URL is not a plain http(s) address. */
export function createInstanceClient(options: InstanceClientOptions): InstanceClient {
  const { clock, userAgent, log } = options;
  const base = parseBaseUrl(options.baseUrl);
  const baseUrl = base.href.replace(/\/+$/, '');
  const limits = { ...defaultLimits, ...options.limits };
  const connections = connectionPool(options.caFile ?? null);
  /** Every token that was sent, for taking it out of what comes back. */
  const secrets = new Set<string>();
  const http = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    maxHeaderSize: limits.headerBytes,
  });

  function apiUrl(path: string, query: CallOptions['query'] = {}): URL {
    const url = new URL(`${baseUrl}/api/v4/${path}`);
    const pairs = query instanceof URLSearchParams ? query : Object.entries(query);
    for (const [name, value] of pairs) if (value !== undefined) url.searchParams.append(name, String(value));
    return url;
  }

  async function secretFor(hop: Hop): Promise<string> {
    if (!hop.trusted) return '';
    const secret = (await options.token()).reveal();
    if (!/^[\x21-\x7e]+$/.test(secret)) {
      throw new AppError('token-invalid', 'The token is empty or holds characters that no token has.');
    }
    secrets.add(secret);
    return secret;
  }

  async function send(request: Send, connection: 'kept' | 'own'): Promise<Exchange> {
    const { method, hop, signal } = request;
    if (signal?.aborted === true) throw cancelled(signal);
    const secret = await secretFor(hop);
    const agent = await connections.agentsFor(hop.url, connection);
    const started = clock.monotonic();
    const url = hop.url.origin === base.origin ? `${hop.url.origin}${hop.url.pathname}` : hop.url.origin;
    const body = http.stream(hop.url, {
      method,
      headers: {
        'user-agent': userAgent,
        ...request.headers,
        ...(secret === '' ? {} : { 'private-token': secret }),
      },
      agent,
      decompress: request.decode,
      timeout: {
        lookup: limits.lookupMs,
        connect: limits.connectMs,
        secureConnect: limits.handshakeMs,
        response: request.answerMs,
        ...(request.totalMs === undefined ? {} : { request: request.totalMs }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    let fingerprint: string | null = null;
    body.once('request', (native: ClientRequest) => {
      native.once('socket', (socket) => {
        onCertificate(socket, (seen) => {
          fingerprint = seen;
        });
      });
    });
    let dropped: AppError | undefined;
    const failure = (thrown: unknown): AppError => {
      if (thrown instanceof AppError) return thrown;
      if (dropped !== undefined) return dropped;
      if (signal?.aborted === true) return cancelled(signal);
      return errorFromThrown(thrown, {
        host: hop.url.host,
        fingerprint,
        details: { ...request.details, url },
      });
    };
    return new Promise((resolve, reject) => {
      const note = (status: number | null) => {
        log?.({ method, url: scrub(url, secrets), status, ms: clock.monotonic() - started });
      };
      // Stays for the whole exchange: a late error that nobody listens to would end the process.
      body.on('error', (error: NodeJS.ErrnoException) => {
        if (body.response === undefined) note(null);
        reject(metClosingConnection(body, error) ? new ConnectionWasClosing() : failure(error));
      });
      body.once('response', ({ statusCode: status, headers }: PlainResponse) => {
        note(status);
        const drop = (reason?: AppError) => {
          dropped ??= reason;
          body.destroy();
        };
        resolve({ method, url, status, headers, body, drop, failure });
      });
    });
  }

  async function read(request: Omit<Send, 'method'>): Promise<Exchange> {
    const get: Send = { method: 'GET', ...request };
    try {
      return await send(get, 'kept');
    } catch (error) {
      if (error instanceof ConnectionWasClosing) return send(get, 'own');
      throw error;
    }
  }

  const answerLimits = () => ({ now: clock.now(), largest: limits.jsonBytes });

  async function getJson<T>(path: string, schema: z.ZodType<T>, call: CallOptions): Promise<Answer<T>> {
    const { signal, details } = call;
    const headers = { accept: 'application/json' };
    const times = { answerMs: limits.answerMs, totalMs: limits.jsonTotalMs };
    const url = apiUrl(path, call.query);
    const request = { hop: { url, trusted: true }, headers, decode: true, ...times, signal, details };
    let exchange = await read(request);
    if (exchange.status === 301) {
      // A project that was renamed or moved answers from its number (gitlab-facts 1.2).
      exchange.drop();
      const target = movedTo(url, exchange.headers.location);
      exchange = await read({ ...request, hop: { url: target, trusted: true } });
    }
    return readAnswer(exchange, schema, call, answerLimits());
  }

  function post(
    path: string,
    call: CallOptions,
    request: Pick<Send, 'body' | 'headers' | 'answerMs' | 'totalMs'>,
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
    call: CallOptions,
  ): Promise<Answer<T>> {
    const exchange = await post(path, call, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      answerMs: limits.answerMs,
      totalMs: limits.jsonTotalMs,
    });
    return readAnswer(exchange, schema, call, answerLimits());
  }

  async function download(path: string, call: DownloadOptions): Promise<Downloaded> {
    const { signal, details } = call;
    // The bytes as they are stored: a decoded body would be another file.
    const headers = { accept: '*/*', 'accept-encoding': 'identity' };
    let hop: Hop = { url: apiUrl(path, call.query), trusted: true };
    for (let hops = 0; ; hops += 1) {
      const exchange = await read({
        hop,
        headers,
        decode: false,
        answerMs: limits.answerMs,
        signal,
        details,
      });
      if (isRedirect(exchange.status)) {
        exchange.drop();
        if (hops === mostHops) throw redirectRefused(hop.url, `it is the ${mostHops + 1}th in a row`);
        hop = nextHop(hop, exchange.headers.location);
      } else if (exchange.status >= 300) {
        const elsewhere = hop.url.origin !== base.origin;
        throw await refusalOf(
          exchange,
          elsewhere ? { ...call, subject: 'object-storage' } : call,
          clock.now(),
        );
      } else {
        return receive(exchange, call, clock, limits.rate);
      }
    }
  }

  async function upload<T>(
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call: UploadOptions,
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
        return await readAnswer(exchange, schema, call, answerLimits());
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

  /** The last thing an error passes on its way out. */
  async function cleaned<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw scrubbed(error, secrets);
    }
  }

  return {
    baseUrl,
    getJson: (path, schema, call = {}) => cleaned(getJson(path, schema, call)),
    postJson: (path, body, schema, call = {}) => cleaned(postJson(path, body, schema, call)),
    download: (path, call) => cleaned(download(path, call)),
    upload: (path, body, schema, call = {}) => cleaned(upload(path, body, schema, call)),
    close: connections.close,
  };
}

/** Thrown within this file only: the request never reached the server's application and may be sent again. */
class ConnectionWasClosing extends Error {}

/** A kept connection on which the server had just hung up: reset before the first byte of an answer. */
function metClosingConnection(body: Request, { code }: NodeJS.ErrnoException): boolean {
  return body.reusedSocket === true && body.response === undefined && isReset(code);
}

function isReset(code: string | undefined): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function cancelled(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError ? signal.reason : new AppError('cancelled', 'It was cancelled.');
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  const plain =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (plain) return url;
  throw new AppError(
    'invalid-input',
    'The URL of an instance looks like https://gitlab.example.com, without name, password, "?" or "#".',
  );
}
