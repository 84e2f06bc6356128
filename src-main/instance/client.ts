/**
 * @file The one door to an instance over HTTP, and the only importer of got, which here neither repeats nor redirects
 * anything and has time limits everywhere. A got error holds the token in its options, so none leaves this file, not
 * even as a cause. [Note: token stays on its origin]
 */
import type { ClientRequest } from 'node:http';
import got, { type PlainResponse, type Request } from 'got';
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Token } from '../platform/token.ts';
import { callsOver, ConnectionWasClosing, type InstanceCalls, type Send } from './calls.ts';
import { connectionPool, proxyHostFor } from './connections.ts';
import type { Exchange } from './exchange.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { errorFromThrown } from './network-errors.ts';
import type { Hop } from './redirects.ts';
import { scrub, scrubbed } from './scrub.ts';
import { onCertificate } from './trust.ts';

/** One line per request, free of secrets: no query, no headers, of other origins only the origin. */
export interface RequestLine {
  method: string;
  url: string;
  /** Null when no answer came. */
  status: number | null;
  ms: number;
}

export interface InstanceClientOptions {
  baseUrl: string;
  /** Asked before every request, so that a rotated token is used at once. */
  token: () => Promise<Token>;
  /** Absolute path of a PEM file with further certificate authorities. */
  caFile?: string | null;
  /** Address of a proxy that requests go through, without a password. */
  proxy?: string | null;
  clock: Clock;
  userAgent: string;
  log?: (line: RequestLine) => void;
  limits?: Partial<HttpLimits>;
}

export interface InstanceClient extends InstanceCalls {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Closes idle connections. */
  close: () => void;
}

/** @throws AppError `invalid-input` when the base URL is not a plain http(s) address. */
export function createInstanceClient(options: InstanceClientOptions): InstanceClient {
  const { clock, userAgent, log } = options;
  const base = parseBaseUrl(options.baseUrl);
  const limits = { ...defaultLimits, ...options.limits };
  const { caFile = null, proxy = null } = options;
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
        proxy: proxyHostFor(hop.url, proxy),
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

  /** The last thing an error passes on its way out. */
  async function cleaned<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw scrubbed(error, secrets);
    }
  }

  const baseUrl = base.href.replace(/\/+$/, '');
  const calls = callsOver(send, { baseUrl, clock, limits });
  return {
    baseUrl,
    getJson: (...call) => cleaned(calls.getJson(...call)),
    postJson: (...call) => cleaned(calls.postJson(...call)),
    download: (...call) => cleaned(calls.download(...call)),
    upload: (...call) => cleaned(calls.upload(...call)),
    close: connections.close,
  };
}

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
