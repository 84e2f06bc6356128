/**
 * @file Sends a request over HTTP and returns its response. Only this file imports got. A got error contains the token
 * in its options, so no such error leaves this file, not even as a cause. [Note: token stays on its origin]
 */
import type { ClientRequest } from 'node:http';
import got, { type PlainResponse, type Request } from 'got';
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Token } from '../../platform/token.ts';
import { StaleConnectionError, type WriteMethod } from './calls.ts';
import { connectionPool, proxyHostFor } from './connections.ts';
import type { StreamedResponse, OutgoingRequest } from './exchange.ts';
import type { HttpLimits } from './limits.ts';
import { errorFromThrown } from './network-errors.ts';
import type { Hop } from './redirects.ts';
import { scrub } from './scrub.ts';
import { onCertificate, onReady } from './trust.ts';

/** A log line about one request, without secrets: no query, no headers, and only the origin of other servers. */
export interface RequestLogEntry {
  method: string;
  url: string;
  /** Null if there was no response. */
  status: number | null;
  ms: number;
}

/** A request that may have changed the server. `path` is below `/api/v4`; `status` is null if there was no response. */
export interface SentWrite {
  method: WriteMethod;
  path: string;
  status: number | null;
}

export interface SenderOptions {
  base: URL;
  /** Path of the API on the instance, without a trailing slash. */
  apiRoot: string;
  limits: HttpLimits;
  /** Called before every request. Null if there is no account. */
  token: (() => Promise<Token>) | null;
  caFile: string | null;
  proxy: string | null;
  clock: Clock;
  userAgent: string;
  /** The client's set, which receives every token that is sent. */
  secrets: Set<string>;
  log: ((line: RequestLogEntry) => void) | undefined;
  onWrite: ((write: SentWrite) => void) | undefined;
}

export interface Sender {
  /**
   * `own` opens a connection that closes after the response. Rejects with an `AppError` or a `StaleConnectionError`.
   */
  send: (request: OutgoingRequest, connection: 'kept' | 'own') => Promise<StreamedResponse>;
  close: () => void;
}

export function openSender(options: SenderOptions): Sender {
  const { base, apiRoot, limits, proxy, clock, userAgent, secrets, log } = options;
  const connections = connectionPool(options.caFile, proxy);
  const http = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    maxHeaderSize: limits.maxHeaderBytes,
  });

  async function secretFor(hop: Hop): Promise<string> {
    if (!hop.trusted || options.token === null) return '';
    const secret = (await options.token()).reveal();
    if (!/^[\x21-\x7e]+$/.test(secret)) {
      throw new AppError('token-invalid', 'The token is empty or contains invalid characters.');
    }
    secrets.add(secret);
    return secret;
  }

  /** Git over HTTP takes a token as the password of any user (gitlab-facts 11.1). */
  function authenticationOf({ asksGit }: OutgoingRequest, secret: string): Record<string, string> {
    if (asksGit !== true) return { 'private-token': secret };
    const credentials = Buffer.from(`packhorse:${secret}`).toString('base64');
    secrets.add(credentials);
    return { authorization: `Basic ${credentials}` };
  }

  async function send(request: OutgoingRequest, connection: 'kept' | 'own'): Promise<StreamedResponse> {
    const { method, destination: hop, signal } = request;
    const isWrite = request.asksGit !== true && method !== 'GET';
    /** True if the server may have received the request. */
    let mayHaveArrived = false;
    const withArrivalDetail = (error: AppError): AppError =>
      isWrite ? withDetail(error, { left: mayHaveArrived }) : error;
    let secret: string;
    let agent: Awaited<ReturnType<typeof connections.agentsFor>>;
    try {
      if (signal?.aborted === true) throw cancelledError(signal);
      secret = await secretFor(hop);
      agent = await connections.agentsFor(hop.url, connection);
    } catch (thrown) {
      throw thrown instanceof AppError ? withArrivalDetail(thrown) : thrown;
    }
    const startedAt = clock.monotonic();
    const url = hop.url.origin === base.origin ? `${hop.url.origin}${hop.url.pathname}` : hop.url.origin;
    const body = http.stream(hop.url, {
      method,
      headers: {
        'user-agent': userAgent,
        ...request.headers,
        ...(secret === '' ? {} : authenticationOf(request, secret)),
      },
      agent,
      decompress: request.decode,
      timeout: {
        lookup: limits.lookupTimeoutMs,
        connect: limits.connectTimeoutMs,
        secureConnect: limits.handshakeTimeoutMs,
        response: request.responseTimeoutMs,
      },
      // got would wait for a body of every method but GET if none is given.
      ...(request.body === undefined ? method !== 'GET' && { body: '' } : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    let fingerprint: string | null = null;
    body.once('request', (native: ClientRequest) => {
      native.once('socket', (socket) => {
        onReady(socket, () => {
          mayHaveArrived = true;
        });
        onCertificate(socket, (sha256) => {
          fingerprint = sha256;
        });
      });
    });
    let destroyReason: AppError | undefined;
    const toAppError = (thrown: unknown): AppError => {
      if (thrown instanceof AppError) return withArrivalDetail(thrown);
      if (destroyReason !== undefined) return withArrivalDetail(destroyReason);
      if (signal?.aborted === true) return withArrivalDetail(cancelledError(signal));
      const context = {
        host: hop.url.host,
        proxy: proxyHostFor(hop.url, proxy),
        fingerprint,
        details: { ...request.details, url },
      };
      return withArrivalDetail(errorFromThrown(thrown, context));
    };
    return new Promise((resolve, reject) => {
      const recordRequest = (status: number | null) => {
        log?.({ method, url: scrub(url, secrets), status, ms: clock.monotonic() - startedAt });
        if (method === 'GET' || !isWrite || !mayHaveArrived) return;
        const path = scrub(hop.url.pathname.slice(apiRoot.length), secrets);
        options.onWrite?.({ method, path, status });
      };
      // The listener stays for the whole exchange, because a late error without a listener would end the process.
      body.on('error', (error: NodeJS.ErrnoException) => {
        if (body.response === undefined) recordRequest(null);
        reject(isStaleConnection(body, error) ? new StaleConnectionError() : toAppError(error));
      });
      body.once('response', ({ statusCode: status, headers }: PlainResponse) => {
        recordRequest(status);
        const destroy = (reason?: AppError) => {
          destroyReason ??= reason;
          body.destroy();
        };
        resolve({ method, url, status, headers, body, destroy, toAppError });
      });
    });
  }

  return { send, close: connections.close };
}

/** Returns whether the server closed a kept connection before the first byte of a response. */
function isStaleConnection(body: Request, { code }: NodeJS.ErrnoException): boolean {
  const isReset = code === 'ECONNRESET' || code === 'EPIPE';
  return body.reusedSocket === true && body.response === undefined && isReset;
}

function withDetail(error: AppError, extra: ErrorDetails): AppError {
  const { code, message, retry, details } = error;
  return new AppError(code, message, { retry, details: { ...details, ...extra } });
}

function cancelledError(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError
    ? signal.reason
    : new AppError('cancelled', 'The request was cancelled.');
}
