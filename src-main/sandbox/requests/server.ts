/** @file Processes every request: authenticates and logs it, applies scripted faults, and sends error replies. */
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { isObject } from '../content/project-content.ts';
import { findAnyProject } from '../services.ts';
import { fullPath, type User, type SandboxDatabase } from '../sandbox-database.ts';
import { sudoIn, unauthorizedError, tokenIn, type Accounts, type Caller } from '../accounts/accounts.ts';
import { ApiError, parameterError } from './api-error.ts';
import { acceptBodies, textOf } from './bodies.ts';
import { applyEarlyFault, applyLateFault, type Payload } from '../faults/fault-effects.ts';
import type { ListFault } from '../faults/fault-kinds.ts';
import type { FaultRegistry, FaultSubject } from '../faults/faults.ts';
import type { RateLimiter } from './limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The token needs one of these scopes. Set only if the method does not determine the scopes. */
    scopes?: readonly string[] | 'any';
    /** True for routes outside GitLab's API, which are neither logged nor affected by faults and limits. */
    control?: true;
  }
}

export interface RequestLogEntry {
  /** `storage` is the other origin that downloads may be redirected to. */
  origin: 'api' | 'storage';
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  hasToken: boolean;
  user: string | null;
  /** Null until the reply is complete. Stays null if the client did not receive the whole reply. */
  status: number | null;
}

export interface ServerDeps {
  accounts: Accounts;
  clock: Clock;
  faults: FaultRegistry;
  limiter: RateLimiter;
  requests: RequestLogEntry[];
  signal: AbortSignal;
  database: SandboxDatabase;
}

interface Context {
  faults: FaultRegistry;
  caller: Caller | null;
  entry: RequestLogEntry;
  project: string | null;
}

const contexts = new WeakMap<IncomingMessage, Context>();

export function callerOf(request: FastifyRequest): Caller {
  const caller = optionalCaller(request);
  if (caller === null) throw unauthorizedError();
  return caller;
}

export function optionalCaller(request: FastifyRequest): Caller | null {
  return contexts.get(request.raw)?.caller ?? null;
}

export function viewerOf(request: FastifyRequest): User | null {
  return optionalCaller(request)?.user ?? null;
}

/** Returns the properties that scripted faults match. Imports and forks pass their target project. */
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

/** Returns the faults that act on the requested list. Counts the match, so a request is looked up only once. */
export function takeListFaults(request: FastifyRequest): ListFault[] {
  return contexts.get(request.raw)?.faults.take(faultSubject(request), ['false-list']) ?? [];
}

const fastifyJsonType = 'application/json; charset=utf-8';

export function createApp(
  deps: ServerDeps,
  origin: RequestLogEntry['origin'],
  https: { key: string; cert: string } | null,
): FastifyInstance {
  const options: FastifyServerOptions = {
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: true },
    ...(https === null ? {} : { serverFactory: (handler) => createServer(https, handler) }),
  };
  const app: FastifyInstance = Fastify(options);
  const wait = (ms: number): Promise<void> => deps.clock.sleep(ms, deps.signal);
  app.addHook('onRequest', async (request, reply) => {
    if (isControl(request)) return;
    const entry = logEntry(request, origin);
    deps.requests.push(entry);
    const { id } = request.params as { id?: string };
    const project = id === undefined ? undefined : findAnyProject(deps.database, id);
    const context: Context = {
      faults: deps.faults,
      caller: null,
      entry,
      project: project === undefined ? null : fullPath(project),
    };
    contexts.set(request.raw, context);
    let refusal = origin === 'api' ? identifyCaller(request, context, deps) : null;
    const subject = faultSubject(request);
    for (const { as } of deps.faults.take(subject, ['end-token'])) {
      if (context.caller === null) continue;
      deps.accounts.tokenRegistry.expireOrRevoke(context.caller.token, as);
      refusal = identifyCaller(request, context, deps);
    }
    for (const action of deps.faults.take(subject, ['delay', 'respond', 'html', 'redirect', 'reset'])) {
      if (await applyEarlyFault(action, request, reply, wait)) return;
    }
    if (refusal !== null) throw refusal;
    if (context.caller !== null) {
      deps.limiter.checkRequest(context.caller.user);
      deps.accounts.checkScope(request, context.caller);
    }
    if (origin === 'api') deps.limiter.checkRoute(request, context.caller?.user ?? null);
  });
  app.addHook('preHandler', async (request) => {
    const context = contexts.get(request.raw);
    // Header and query were checked before and take precedence over the body.
    const sudo = sudoIn(request) === null ? sudoInBody(request) : null;
    if (context !== undefined && sudo !== null) actAs(context, sudo, deps);
    const delayFaults = isControl(request) ? [] : deps.faults.take(faultSubject(request), ['delay-work']);
    for (const { ms } of delayFaults) await wait(ms);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Replies use the instance's clock.
    if (!reply.hasHeader('date')) reply.header('date', new Date(deps.clock.now()).toUTCString());
    // GitLab names no charset, and python-gitlab compares the whole header.
    if (reply.getHeader('content-type') === fastifyJsonType) reply.header('content-type', 'application/json');
    let newPayload = payload as Payload;
    const kinds = ['lose-reply', 'cut', 'stall', 'drip', 'wrong-length', 'corrupt'] as const;
    const lateFaults = isControl(request) ? [] : deps.faults.take(faultSubject(request), kinds);
    for (const action of lateFaults) newPayload = applyLateFault(action, request, reply, newPayload, wait);
    done(null, newPayload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const entry = contexts.get(request.raw)?.entry;
    if (entry !== undefined) entry.status = reply.statusCode;
    done();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: '404 Not Found' }));
  app.setErrorHandler((error, _request, reply) => {
    const apiError = error instanceof ApiError ? error : fromFastify(error);
    return reply.code(apiError.status).headers(apiError.headers).send(apiError.body);
  });
  acceptBodies(app);
  return app;
}

function isControl(request: FastifyRequest): boolean {
  return request.routeOptions.config.control === true;
}

/** Stores the caller. Returns the error for an invalid token instead of throwing, because faults apply first. */
function identifyCaller(request: FastifyRequest, context: Context, deps: ServerDeps): ApiError | null {
  const { accounts } = deps;
  try {
    context.caller = accounts.authenticate(request);
    context.entry.user = context.caller?.user.username ?? context.entry.user;
    const sudo = sudoIn(request);
    if (sudo !== null) actAs(context, sudo, deps);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** A JSON or form body may also name the user to act as. */
function sudoInBody({ body }: FastifyRequest): string | null {
  const sudo = isObject(body) ? textOf(body, 'sudo') : null;
  return sudo === '' ? null : sudo;
}

function actAs(context: Context, identifier: string, { accounts }: ServerDeps): void {
  context.caller = accounts.sudoCaller(context.caller, identifier);
  context.entry.user = context.caller.user.username;
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

function fromFastify(error: unknown): ApiError {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status === 415) return parameterError(415, 'The provided content-type is not supported.');
  if (status === 413) {
    // The layer before the API sends this reply; the API never sees the request.
    return new ApiError(413, 'Request Entity Too Large', {
      'Content-Type': 'text/plain',
      Connection: 'close',
    });
  }
  if (status >= 400 && status < 500) return parameterError(status, (error as Error).message);
  return new ApiError(500, { message: '500 Internal Server Error' });
}
