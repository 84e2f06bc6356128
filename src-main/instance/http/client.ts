/**
 * @file The one door to an instance over HTTP, and the only importer of got, which here neither repeats nor redirects
 * anything and has time limits everywhere. A got error holds the token in its options, so none leaves this file, not
 * even as a cause. [Note: token stays on its origin]
 */
import type { ClientRequest } from 'node:http';
import got, { type PlainResponse, type Request } from 'got';
import { AppError, type ErrorDetails } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Token } from '../../platform/token.ts';
import { callsOver, ConnectionWasClosing, type InstanceCalls, type WriteMethod } from './calls.ts';
import { connectionPool, proxyHostFor } from './connections.ts';
import type { CallOptions, Exchange, Method, Send } from './exchange.ts';
import { admitted, type Gate } from './gate.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { errorFromThrown } from './network-errors.ts';
import type { Hop, ProjectMove } from './redirects.ts';
import { scrub, scrubbed } from './scrub.ts';
import { onCertificate, onReady } from './trust.ts';

/** One line per request, free of secrets: no query, no headers, of other origins only the origin. */
export interface RequestLine {
  method: string;
  url: string;
  /** Null when no answer came. */
  status: number | null;
  ms: number;
}

/** A request that left and may have changed something. `path` is below `/api/v4`, without query; `status` null: no answer came. */
export interface SentWrite {
  method: WriteMethod;
  path: string;
  status: number | null;
}

export interface InstanceClientOptions {
  baseUrl: string;
  /** Asked before every request, so that a rotated token is used at once. Null: no account, public projects only. */
  token: (() => Promise<Token>) | null;
  /** Absolute path of a PEM file with further certificate authorities. */
  caFile?: string | null;
  /** Address of a proxy that requests go through, without a password. */
  proxy?: string | null;
  clock: Clock;
  userAgent: string;
  log?: (line: RequestLine) => void;
  /** Asked before every write; false refuses it as `instance-read-only`. */
  mayWrite?: () => boolean;
  /** Told of every write that left, once its answer or failure is known. */
  wrote?: (write: SentWrite) => void;
  /** The server's version as last seen, so that what it is too old for is refused with the reason; null: not known. */
  version?: () => string | null;
  /** Told when a project was found at another place than asked. */
  moved?: (move: ProjectMove) => void;
  limits?: Partial<HttpLimits>;
}

export interface InstanceClient extends InstanceCalls {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether requests are sent without a token. */
  readonly anonymous: boolean;
  readonly clock: Clock;
  /** Closes idle connections. */
  close: () => void;
}

/** @throws AppError `invalid-input` when the base URL is not a plain http(s) address. */
export function createInstanceClient(options: InstanceClientOptions): InstanceClient {
  const { clock, userAgent, log } = options;
  const base = parseBaseUrl(options.baseUrl);
  const limits = { ...defaultLimits, ...options.limits };
  const { caFile = null, proxy = null } = options;
  const gate: Gate = {
    host: base.host,
    anonymous: options.token === null,
    mayWrite: options.mayWrite ?? (() => true),
    version: options.version ?? (() => null),
  };
  const baseUrl = base.href.replace(/\/+$/, '');
  const apiRoot = new URL(`${baseUrl}/api/v4`).pathname;
  const connections = connectionPool(caFile, proxy);
  /** Every token that was sent, for taking it out of what comes back. */
  const secrets = new Set<string>();
  const http = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    maxHeaderSize: limits.headerBytes,
  });

  async function secretFor(hop: Hop): Promise<string> {
    if (!hop.trusted || options.token === null) return '';
    const secret = (await options.token()).reveal();
    if (!/^[\x21-\x7e]+$/.test(secret)) {
      throw new AppError('token-invalid', 'The token is empty or holds characters that no token has.');
    }
    secrets.add(secret);
    return secret;
  }

  async function send(request: Send, connection: 'kept' | 'own'): Promise<Exchange> {
    const { method, hop, signal } = request;
    /** Whether the server may have had it. */
    let left = false;
    const told = (error: AppError): AppError => (method === 'GET' ? error : withDetail(error, { left }));
    let secret: string;
    let agent: Awaited<ReturnType<typeof connections.agentsFor>>;
    try {
      if (signal?.aborted === true) throw cancelled(signal);
      secret = await secretFor(hop);
      agent = await connections.agentsFor(hop.url, connection);
    } catch (thrown) {
      throw thrown instanceof AppError ? told(thrown) : thrown;
    }
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
      },
      // Without a body the library would wait for one to be written, whatever the method but GET.
      ...(request.body === undefined ? method !== 'GET' && { body: '' } : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    let fingerprint: string | null = null;
    body.once('request', (native: ClientRequest) => {
      native.once('socket', (socket) => {
        onReady(socket, () => {
          left = true;
        });
        onCertificate(socket, (seen) => {
          fingerprint = seen;
        });
      });
    });
    let dropped: AppError | undefined;
    const failure = (thrown: unknown): AppError => {
      if (thrown instanceof AppError) return told(thrown);
      if (dropped !== undefined) return told(dropped);
      if (signal?.aborted === true) return told(cancelled(signal));
      const failed = {
        host: hop.url.host,
        proxy: proxyHostFor(hop.url, proxy),
        fingerprint,
        details: { ...request.details, url },
      };
      return told(errorFromThrown(thrown, failed));
    };
    return new Promise((resolve, reject) => {
      const note = (status: number | null) => {
        log?.({ method, url: scrub(url, secrets), status, ms: clock.monotonic() - started });
        if (method === 'GET' || !left) return;
        const path = scrub(hop.url.pathname.slice(apiRoot.length), secrets);
        options.wrote?.({ method, path, status });
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

  /** The last thing an error passes on its way out. */
  async function made<T, Call extends CallOptions>(
    method: Method,
    call: Call,
    make: (call: Call) => Promise<T>,
  ): Promise<T> {
    try {
      return await make(admitted(gate, method, call));
    } catch (error) {
      throw scrubbed(error, [...secrets, ...(call.secrets ?? [])]);
    }
  }

  const calls = callsOver(send, { baseUrl, clock, limits, moved: options.moved ?? (() => undefined) });
  return {
    baseUrl,
    anonymous: gate.anonymous,
    clock,
    getJson: (path, schema, call = {}) => made('GET', call, (now) => calls.getJson(path, schema, now)),
    postJson: (path, body, schema, call = {}) =>
      made('POST', call, (now) => calls.postJson(path, body, schema, now)),
    putJson: (path, body, schema, call = {}) =>
      made('PUT', call, (now) => calls.putJson(path, body, schema, now)),
    delete: (path, schema, call = {}) => made('DELETE', call, (now) => calls.delete(path, schema, now)),
    download: (path, call) => made('GET', call, (now) => calls.download(path, now)),
    upload: (method, path, body, schema, call = {}) =>
      made(method, call, (now) => calls.upload(method, path, body, schema, now)),
    close: connections.close,
  };
}

/** A kept connection on which the server had just hung up: reset before the first byte of an answer. */
function metClosingConnection(body: Request, { code }: NodeJS.ErrnoException): boolean {
  return body.reusedSocket === true && body.response === undefined && isReset(code);
}

function withDetail(error: AppError, more: ErrorDetails): AppError {
  const { code, message, retry, details } = error;
  return new AppError(code, message, { retry, details: { ...details, ...more } });
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
