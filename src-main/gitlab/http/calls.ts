/**
 * @file The four kinds of call to an instance (read, write, download, upload) over one function that sends a request.
 * Decides which redirects are followed and which requests are repeated. [Note: token stays on its origin]
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import { fetchFile } from '../transfers/downloads.ts';
import {
  type JsonResponse,
  type CallOptions,
  type StreamedResponse,
  type Method,
  readJsonResponse,
  type OutgoingRequest,
} from './exchange.ts';
import type { HttpLimits } from './limits.ts';
import type { MultipartBody } from '../transfers/multipart.ts';
import { movedProjectUrl, type ProjectMove, projectMove } from './redirects.ts';
import {
  type DownloadResult,
  type DownloadOptions,
  UploadBody,
  type UploadOptions,
} from '../transfers/transfers.ts';

/** Methods of requests that change the server. */
export type WriteMethod = Exclude<Method, 'GET'>;

type WriteJson = <T>(
  path: string,
  body: object,
  schema: z.ZodType<T>,
  call?: CallOptions,
) => Promise<JsonResponse<T>>;

/**
 * Paths are relative to `/api/v4/`, without a leading slash and already encoded. Writes are sent once, and their
 * redirects are not followed: after any error except a 4xx, the server may have carried out the request. [Note: POST is
 * not idempotent]
 */
export interface InstanceCalls {
  /** Follows the 301 of a project that moved within the instance, once. */
  getJson: <T>(path: string, schema: z.ZodType<T>, call?: CallOptions) => Promise<JsonResponse<T>>;
  postJson: WriteJson;
  putJson: WriteJson;
  delete: <T>(path: string, schema: z.ZodType<T>, call?: CallOptions) => Promise<JsonResponse<T>>;
  /**
   * Asks the Git server by a POST that changes nothing. The path is relative to the base URL. No redirect is followed, and no
   * address in the response is ever requested.
   */
  askGit: WriteJson;
  download: (path: string, call: DownloadOptions) => Promise<DownloadResult>;
  /** `details.sentAll` of an error is true if the server may have the whole body. */
  upload: <T>(
    method: 'POST' | 'PUT',
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call?: UploadOptions,
  ) => Promise<JsonResponse<T>>;
}

/** The only questions to the Git server are those about LFS objects. */
const lfsContentType = 'application/vnd.git-lfs+json';

/** Thrown if the server was closing the kept connection. The server did nothing, so the request may be repeated. */
export class StaleConnectionError extends Error {}

/**
 * @param parts `guard` makes every call. `guard` first checks whether the call is allowed, and removes secrets from its
 * error.
 */
export function createInstanceCalls(
  send: (request: OutgoingRequest, connection: 'kept' | 'own') => Promise<StreamedResponse>,
  deps: {
    baseUrl: string;
    clock: Clock;
    limits: HttpLimits;
    onProjectMoved: (move: ProjectMove) => void;
    guard: <T, Call extends CallOptions>(
      method: Method,
      call: Call,
      make: (call: Call) => Promise<T>,
    ) => Promise<T>;
  },
): InstanceCalls {
  const { baseUrl, clock, limits, onProjectMoved, guard } = deps;
  function apiUrl(path: string, query: CallOptions['query'] = {}): URL {
    const url = new URL(`${baseUrl}/api/v4/${path}`);
    const pairs = query instanceof URLSearchParams ? query : Object.entries(query);
    for (const [name, value] of pairs) {
      if (value === undefined) continue;
      if (typeof value !== 'object') url.searchParams.append(name, String(value));
      else for (const one of value) url.searchParams.append(`${name}[]`, String(one));
    }
    return url;
  }

  async function read(request: OutgoingRequest): Promise<StreamedResponse> {
    try {
      return await send(request, 'kept');
    } catch (error) {
      if (error instanceof StaleConnectionError) return send(request, 'own');
      throw error;
    }
  }

  const readOptions = { clock, bodyTimeoutMs: limits.bodyTimeoutMs, maxBytes: limits.maxJsonBytes };

  async function getJson<T>(path: string, schema: z.ZodType<T>, call: CallOptions): Promise<JsonResponse<T>> {
    const url = apiUrl(path, call.query);
    const request: OutgoingRequest = {
      method: 'GET',
      destination: { url, trusted: true },
      headers: { accept: 'application/json' },
      decode: true,
      responseTimeoutMs: limits.responseTimeoutMs,
      signal: call.signal,
      details: call.details,
    };
    let exchange = await read(request);
    if (exchange.status === 301) {
      // A renamed or moved project is reachable by its number (gitlab-facts 1.2).
      exchange.destroy();
      const target = movedProjectUrl(url, exchange.headers.location);
      exchange = await read({ ...request, destination: { url: target, trusted: true } });
      const move = projectMove(url, target);
      if (move !== null && exchange.status < 300) onProjectMoved(move);
    }
    if (exchange.status === 200) call.onResponseHeaders?.(exchange.headers);
    return readJsonResponse(exchange, schema, call, readOptions);
  }

  function write(
    method: WriteMethod,
    path: string,
    call: CallOptions,
    request: Pick<OutgoingRequest, 'body' | 'headers' | 'responseTimeoutMs'>,
  ): Promise<StreamedResponse> {
    const { signal, details } = call;
    const hop = { url: apiUrl(path, call.query), trusted: true };
    const headers = { accept: 'application/json', ...request.headers };
    return send({ ...request, method, destination: hop, headers, decode: true, signal, details }, 'own');
  }

  async function writeJson<T>(
    method: WriteMethod,
    path: string,
    body: object | null,
    schema: z.ZodType<T>,
    call: CallOptions,
  ): Promise<JsonResponse<T>> {
    const timeout = startTimeLimit(clock, call);
    try {
      const limitedCall = { ...call, signal: timeout.signal };
      const exchange = await write(method, path, limitedCall, {
        ...(body !== null && { body: JSON.stringify(body) }),
        headers: body === null ? {} : { 'content-type': 'application/json' },
        responseTimeoutMs: limits.responseTimeoutMs,
      });
      return await readJsonResponse(exchange, schema, limitedCall, readOptions);
    } finally {
      timeout.end();
    }
  }

  async function askGit<T>(
    path: string,
    body: object,
    schema: z.ZodType<T>,
    call: CallOptions,
  ): Promise<JsonResponse<T>> {
    const { signal, details } = call;
    const response = await send(
      {
        ...{ method: 'POST', asksGit: true, body: JSON.stringify(body), decode: true, signal, details },
        destination: { url: new URL(`${baseUrl}/${path}`), trusted: true },
        headers: { accept: lfsContentType, 'content-type': lfsContentType },
        responseTimeoutMs: limits.responseTimeoutMs,
      },
      'own',
    );
    return readJsonResponse(response, schema, call, readOptions);
  }

  const download = (path: string, call: DownloadOptions): Promise<DownloadResult> =>
    fetchFile(apiUrl(path, call.query), call, {
      send: (request) => send(request, 'own'),
      readOptions,
      responseTimeoutMs: limits.responseTimeoutMs,
      rate: limits.rate,
    });

  async function upload<T>(
    method: 'POST' | 'PUT',
    path: string,
    body: MultipartBody,
    schema: z.ZodType<T>,
    call: UploadOptions,
  ): Promise<JsonResponse<T>> {
    const uploadBody = new UploadBody(body, clock, limits.rate, call);
    try {
      const request = {
        body: uploadBody.chunks(),
        headers: { 'content-type': body.contentType, 'content-length': String(body.contentLength) },
        responseTimeoutMs: limits.uploadResponseTimeoutMs,
      };
      const exchange = await write(method, path, { ...call, signal: uploadBody.signal }, request);
      try {
        return await readJsonResponse(exchange, schema, call, readOptions);
      } finally {
        // The server may refuse the upload before the end of the body. The rest of its response is not read.
        exchange.destroy();
      }
    } catch (error) {
      const { code, message, retry, details } = AppError.from(error);
      throw new AppError(code, message, {
        retry,
        details: { ...call.details, ...details, sentAll: uploadBody.hasSentAll },
      });
    }
  }

  return {
    getJson: (path, schema, call = {}) =>
      guard('GET', call, (checkedCall) => getJson(path, schema, checkedCall)),
    postJson: (path, body, schema, call = {}) =>
      guard('POST', call, (checkedCall) => writeJson('POST', path, body, schema, checkedCall)),
    putJson: (path, body, schema, call = {}) =>
      guard('PUT', call, (checkedCall) => writeJson('PUT', path, body, schema, checkedCall)),
    delete: (path, schema, call = {}) =>
      guard('DELETE', call, (checkedCall) => writeJson('DELETE', path, null, schema, checkedCall)),
    askGit: (path, body, schema, call = {}) =>
      guard('GET', call, (checkedCall) => askGit(path, body, schema, checkedCall)),
    download: (path, call) => guard('GET', call, (checkedCall) => download(path, checkedCall)),
    upload: (method, path, body, schema, call = {}) =>
      guard(method, call, (checkedCall) => upload(method, path, body, schema, checkedCall)),
  };
}

/** Returns a signal that aborts with the caller's, and with `timeout` after `timeoutMs` if set. `end` stops the timer. */
function startTimeLimit(clock: Clock, { timeoutMs, signal, details }: CallOptions) {
  if (timeoutMs === undefined) return { signal, end: () => undefined };
  const controller = new AbortController();
  const end = clock.timer(timeoutMs, () => {
    controller.abort(
      new AppError('timeout', 'The server did not respond in time.', {
        retry: 'later',
        details: { ...details, phase: 'response' },
      }),
    );
  });
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    end,
  };
}
