/**
 * @file What every request passes: it is recognised, logged, met by scripted faults, and its refusals are turned into
 * GitLab's bodies. Routes only say what is particular to them.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { unauthorized, tokenIn, type Accounts, type Caller } from './accounts.ts';
import { ApiError, invalid } from './api-error.ts';
import type { FaultBook, FaultSubject, LateFault } from './faults.ts';
import type { RateLimiter } from './limits.ts';

/** One request as it arrived; the token itself is left out. */
export interface RequestLogEntry {
  /** `storage` is the other origin that downloads may be redirected to. */
  origin: 'api' | 'storage';
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  hasToken: boolean;
  user: string | null;
  /** Null until answered, and for ever when the reply was lost. */
  status: number | null;
}

export interface ServerParts {
  accounts: Accounts;
  clock: Clock;
  faults: FaultBook;
  limiter: RateLimiter;
  requests: RequestLogEntry[];
  /** Full path of the project with this id or path; null when there is none. */
  projectPath(idOrPath: string): string | null;
}

interface Context {
  caller: Caller | null;
  entry: RequestLogEntry;
  project: string | null;
}

const contexts = new WeakMap<IncomingMessage, Context>();

/** The signed-in caller; throws 401 for an anonymous request. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = optionalCaller(request);
  if (caller === null) throw unauthorized();
  return caller;
}

export function optionalCaller(request: FastifyRequest): Caller | null {
  return contexts.get(request.raw)?.caller ?? null;
}

/** What scripted faults are matched against; an import names the project it makes. */
export function faultSubject(request: FastifyRequest, project?: string): FaultSubject {
  const context = contexts.get(request.raw);
  if (context !== undefined && project !== undefined) context.project = project;
  return {
    method: request.method,
    path: request.url,
    project: context?.project ?? null,
    user: context?.entry.user ?? null,
  };
}

/** A server for one origin, not yet listening. */
export function createApp(
  parts: ServerParts,
  origin: RequestLogEntry['origin'],
  https: { key: string; cert: string } | null,
): FastifyInstance {
  const options: FastifyServerOptions = {
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: true },
    ...(https === null ? {} : { serverFactory: (handler) => createServer(https, handler) }),
  };
  const app: FastifyInstance = Fastify(options);
  app.addHook('onRequest', async (request, reply) => {
    const entry = logEntry(request, origin);
    parts.requests.push(entry);
    const { id } = request.params as { id?: string };
    const project = id === undefined ? null : parts.projectPath(id);
    const context: Context = { caller: null, entry, project };
    contexts.set(request.raw, context);
    let refusal: ApiError | null = null;
    if (origin === 'api') {
      try {
        context.caller = parts.accounts.recognise(request);
        entry.user = context.caller?.user.username ?? null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refusal = error;
      }
    }
    if (await meetEarlyFaults(parts, request, reply)) return;
    if (refusal !== null) throw refusal;
    if (context.caller !== null) {
      parts.limiter.request(context.caller.user);
      parts.accounts.checkScope(request, context.caller);
    }
  });
  app.addHook('onSend', (request, reply, payload) => meetLateFaults(parts, request, reply, payload));
  app.addHook('onResponse', (request, reply, done) => {
    const entry = contexts.get(request.raw)?.entry;
    if (entry !== undefined) entry.status = reply.statusCode;
    done();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: '404 Not Found' }));
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : fromFastify(error);
    return reply.code(known.status).headers(known.headers).send(known.body);
  });
  lenientBodies(app);
  return app;
}

function logEntry(request: FastifyRequest, origin: RequestLogEntry['origin']): RequestLogEntry {
  const { 'private-token': _token, authorization: _authorization, ...headers } = request.headers;
  return {
    origin,
    method: request.method,
    path: request.url.replace(/([?&]private_token=)[^&]*/, '$1***'),
    headers,
    hasToken: tokenIn(request) !== null,
    user: null,
    status: null,
  };
}

/** GitLab takes an empty JSON body, and forms, wherever it takes parameters. */
function lenientBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(body.toString()));
    } catch {
      done(invalid(400, 'Problems parsing JSON'), undefined);
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body.toString())));
    },
  );
}

function fromFastify(error: unknown): ApiError {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status === 415) return invalid(415, 'The provided content-type is not supported.');
  if (status >= 400 && status < 500) return invalid(status, (error as Error).message);
  return new ApiError(500, { message: '500 Internal Server Error' });
}

/** Answers true when a fault has answered, or has ended the connection. */
async function meetEarlyFaults(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  for (const action of parts.faults.take(faultSubject(request), ['delay', 'respond', 'html', 'reset'])) {
    switch (action.kind) {
      case 'delay':
        await parts.clock.sleep(action.ms);
        break;
      case 'reset':
        reply.hijack();
        request.raw.socket.resetAndDestroy();
        return true;
      case 'html':
        await reply
          .code(action.status ?? 502)
          .type('text/html')
          .send('<!DOCTYPE html>\n<html><head><title>GitLab is not responding</title></head></html>\n');
        return true;
      case 'respond':
        await reply
          .code(action.status)
          .headers(action.headers ?? {})
          .type(action.contentType ?? 'application/json')
          .send(typeof action.body === 'string' ? action.body : JSON.stringify(action.body ?? {}));
        return true;
    }
  }
  return false;
}

type Payload = string | Buffer | Readable | null | undefined;

// eslint-disable-next-line @typescript-eslint/require-await -- fastify tells hooks with a result by their promise
async function meetLateFaults(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  let changed = payload as Payload;
  for (const action of parts.faults.take(faultSubject(request), ['lose-reply', 'corrupt', 'cut'])) {
    changed = applyLateFault(action, request, reply, changed);
  }
  return changed;
}

function applyLateFault(
  action: LateFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
): Payload {
  const { socket } = request.raw;
  switch (action.kind) {
    case 'lose-reply':
      socket.destroy();
      return payload;
    case 'corrupt':
      return Readable.from(corrupted(payload, action.at), { objectMode: false });
    case 'cut': {
      if (action.framing === 'length') reply.header('content-length', bodyLength(reply, payload));
      else reply.removeHeader('content-length');
      if (action.framing === 'close') {
        reply.raw.useChunkedEncodingByDefault = false;
        reply.header('connection', 'close');
      }
      const breaks = action.framing === 'close' ? null : socket;
      return Readable.from(firstBytes(payload, action.afterBytes, breaks), { objectMode: false });
    }
  }
}

function bodyLength(reply: FastifyReply, payload: Payload): string | number {
  const stated = reply.getHeader('content-length');
  if (typeof stated === 'string' || typeof stated === 'number') return stated;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
}

async function* chunksOf(payload: Payload): AsyncGenerator<Buffer> {
  if (payload === null || payload === undefined) return;
  if (typeof payload === 'string') yield Buffer.from(payload);
  else if (Buffer.isBuffer(payload)) yield payload;
  else for await (const chunk of payload as AsyncIterable<Buffer>) yield chunk;
}

async function* corrupted(payload: Payload, at: number): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const chunk of chunksOf(payload)) {
    if (at >= offset && at < offset + chunk.length) {
      const copy = Buffer.from(chunk);
      copy.writeUInt8(copy.readUInt8(at - offset) ^ 0xff, at - offset);
      yield copy;
    } else {
      yield chunk;
    }
    offset += chunk.length;
  }
}

/** The first bytes, then the end of the connection `breaks`; without it the body simply ends there. */
async function* firstBytes(payload: Payload, count: number, breaks: Socket | null): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of chunksOf(payload)) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) break;
  }
  if (breaks === null) return;
  // The pieces above must have reached the socket before it is ended.
  await setImmediate();
  await setImmediate();
  breaks.destroySoon();
  if (!breaks.closed) await once(breaks, 'close');
}
