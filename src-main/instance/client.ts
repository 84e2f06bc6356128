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
import { scrub } from './http-errors.ts';
import type { MultipartBody } from './multipart.ts';
import { errorFromNetwork } from './network-errors.ts';
import type { RateRule } from './rate-watch.ts';
import { type Hop, movedTo, nextHop, redirectRefused } from './redirects.ts';
import { type Downloaded, type DownloadOptions, receive, sending, type UploadOptions } from './transfers.ts';
import { onCertificate } from './trust.ts';

/** Time in milliseconds, size in bytes. */
export interface HttpLimits {
  lookupMs: number;
  connectMs: number;
  handshakeMs: number;
  /** From the request's last byte to the answer's headers; a server takes long over a large upload. */
  answerMs: number;
  uploadAnswerMs: number;
  /** A whole exchange of JSON. */
  jsonTotalMs: number;
  /** The least that a download or an upload must move. */
  rate: RateRule;
  /** Largest JSON body after decoding, and largest set of headers. */
  jsonBytes: number;
  headerBytes: number;
}

const defaultLimits: HttpLimits = {
  lookupMs: 10_000,
  connectMs: 15_000,
  handshakeMs: 15_000,
  answerMs: 60_000,
  uploadAnswerMs: 300_000,
  jsonTotalMs: 120_000,
  rate: { windowMs: 60_000, minimumBytes: 60 * 1024 },
  jsonBytes: 64 * 1024 * 1024,
  headerBytes: 64 * 1024,
};

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
    if (/^[\x21-\x7e]+$/.test(secret)) return secret;
    throw new AppError('token-invalid', 'The token is empty or holds characters that no token has.');
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
      return translate(thrown, {
        host: hop.url.host,
        fingerprint,
        details: { ...request.details, url },
      });
    };
    return new Promise((resolve, reject) => {
      const note = (status: number | null) => log?.({ method, url, status, ms: clock.monotonic() - started });
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
        resolve({
          method,
          url,
          status,
          headers,
          body,
          drop,
          failure,
          scrub: (text) => scrub(text, secret),
        });
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

  return {
    baseUrl,

    async getJson(path, schema, call = {}) {
      const request = {
        headers: { accept: 'application/json' },
        decode: true,
        answerMs: limits.answerMs,
        totalMs: limits.jsonTotalMs,
        signal: call.signal,
        details: call.details,
      };
      const url = apiUrl(path, call.query);
      let exchange = await read({ ...request, hop: { url, trusted: true } });
      if (exchange.status === 301) {
        // A project that was renamed or moved answers from its number (gitlab-facts 1.2).
        exchange.drop();
        const hop = { url: movedTo(url, exchange.headers.location), trusted: true };
        exchange = await read({ ...request, hop });
      }
      return readAnswer(exchange, schema, call, answerLimits());
    },

    async postJson(path, body, schema, call = {}) {
      const request: Send = {
        method: 'POST',
        hop: { url: apiUrl(path, call.query), trusted: true },
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        decode: true,
        answerMs: limits.answerMs,
        totalMs: limits.jsonTotalMs,
        signal: call.signal,
        details: call.details,
      };
      return readAnswer(await send(request, 'own'), schema, call, answerLimits());
    },

    async download(path, call) {
      let hop: Hop = { url: apiUrl(path, call.query), trusted: true };
      for (let hops = 0; ; hops += 1) {
        const exchange = await read({
          hop,
          // The bytes as they are stored: a decoded body would be another file.
          headers: { accept: '*/*', 'accept-encoding': 'identity' },
          decode: false,
          answerMs: limits.answerMs,
          signal: call.signal,
          details: call.details,
        });
        const { status, headers } = exchange;
        if (isRedirect(status)) {
          exchange.drop();
          if (hops === mostHops) throw redirectRefused(hop.url, `it is the ${mostHops + 1}th in a row`);
          hop = nextHop(hop, headers.location);
        } else if (status >= 300) {
          const subject = hop.url.origin === base.origin ? call.subject : 'object-storage';
          throw await refusalOf(exchange, { ...call, ...(subject && { subject }) }, clock.now());
        } else {
          return receive(exchange, call, clock, limits.rate);
        }
      }
    },

    async upload(path, body, schema, call = {}) {
      const abandon = new AbortController();
      const { onProgress = () => undefined } = call;
      const upload = sending(body, clock, limits.rate, onProgress, () => {
        abandon.abort(
          new AppError('timeout', 'The upload stands still.', { retry: 'later', details: { phase: 'send' } }),
        );
      });
      try {
        const exchange = await send(
          {
            method: 'POST',
            hop: { url: apiUrl(path, call.query), trusted: true },
            headers: {
              accept: 'application/json',
              'content-type': body.contentType,
              'content-length': String(body.contentLength),
            },
            body: upload.chunks,
            decode: true,
            answerMs: limits.uploadAnswerMs,
            signal: call.signal ? AbortSignal.any([call.signal, abandon.signal]) : abandon.signal,
            details: call.details,
          },
          'own',
        );
        upload.stop();
        return await readAnswer(exchange, schema, call, answerLimits());
      } catch (error) {
        const { code, message, retry, details } = AppError.from(error);
        throw new AppError(code, message, {
          retry,
          details: { ...call.details, ...details, sentAll: upload.sentAll() },
        });
      } finally {
        upload.stop();
      }
    },

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

/** Takes code and phase out of got's error and leaves the rest of it behind. */
function translate(
  thrown: unknown,
  known: { host: string; fingerprint: string | null; details: ErrorDetails },
): AppError {
  const { code, event, cause } = thrown as { code?: unknown; event?: unknown; cause?: unknown };
  if (cause instanceof AppError) return cause;
  return errorFromNetwork({
    ...known,
    code: typeof code === 'string' ? code : null,
    phase: typeof event === 'string' ? event : null,
  });
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
