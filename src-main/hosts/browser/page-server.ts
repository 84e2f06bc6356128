/** @file The HTTP server of the browser host, on 127.0.0.1 only. Each request needs a session. */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import websocket from '@fastify/websocket';
import fastify, { type FastifyReply } from 'fastify';
import { AppError } from '../../../src-contract/errors.ts';
import { maxFrameBytes, type PageSocket } from '../../bridge/transports/websocket.ts';
import type { Clock } from '../../platform/clock.ts';
import { errnoOf } from '../../platform/disk/disk-errors.ts';
import type { Access, Session } from './access.ts';
import { passportDownload } from './passport-download.ts';
import { responseHeaders, unknownClientHeaders, unknownClientPage, type PageFile } from './pages.ts';
import { untrustedHeader } from './request-guard.ts';
import type { Uploads } from './uploads.ts';

const closeTimeoutMs = 1000;
/** How long the connection of a refused upload stays open, so that the browser can read the reply. */
const refusedUploadTimeoutMs = 2000;
const maxPages = 64;
const maxHeaderBytes = 65_536;

export interface PageServer {
  port: number;
  /** Stops accepting requests, disconnects all pages, and aborts uploads in progress. */
  close(): Promise<void>;
}

export interface PageServerOptions {
  port: number;
  files: ReadonlyMap<string, PageFile>;
  access: Access;
  uploads: Uploads;
  clock: Clock;
  /** Receives the socket of a page with a session; the returned function closes the connection. */
  onPageConnected: (socket: PageSocket, session: Session) => () => void;
  onLinkUsed: () => void;
}

/** Throws `invalid-input` if the port is not available. */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const { files, access, uploads, clock, onPageConnected } = options;
  const connected = new Map<PageSocket, () => void>();

  const app = fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Browsers also send the cookies of other programs on this machine, so headers can be long.
    http: { maxHeaderSize: maxHeaderBytes },
    frameworkErrors: (_error, _request, reply) => {
      refuse(reply, 400);
    },
  });
  await app.register(websocket, { options: { maxPayload: maxFrameBytes, perMessageDeflate: false } });
  // Bodies are streamed; nothing is parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => {
    done(null);
  });

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(responseHeaders);
    const path = request.raw.url?.split('?', 1)[0];
    if (untrustedHeader(request.raw) !== null) return refuse(reply, 403);
    if (path !== '/open' && access.sessionOf(request.headers.cookie) === null) {
      return refuseUnknownClient(reply, path === '/' && request.headers['sec-fetch-site'] === 'cross-site');
    }
    if (request.ws && path !== '/bridge') return refuse(reply, 404);
    return undefined;
  });

  app.get('/open', (request, reply) => {
    const { link } = request.query as Record<string, unknown>;
    const cookie = typeof link === 'string' ? access.redeem(link) : null;
    if (cookie === null) return refuseUnknownClient(reply, false);
    options.onLinkUsed();
    return reply.header('Set-Cookie', cookie).redirect('/', 303);
  });

  app.get('/bridge', { websocket: true }, (rawSocket, request) => {
    const socket = rawSocket as unknown as PageSocket;
    const session = access.sessionOf(request.headers.cookie);
    if (session === null || connected.size >= maxPages) {
      socket.close(1013, 'Too many pages are open.');
      return;
    }
    connected.set(socket, onPageConnected(socket, session));
    socket.on('close', () => connected.delete(socket));
  });

  app.post('/upload', async (request, reply) => {
    const { name } = request.query as Record<string, unknown>;
    try {
      const path = await uploads.receive(
        typeof name === 'string' ? name : '',
        lengthOf(request.raw),
        request.raw,
      );
      access.sessionOf(request.headers.cookie)?.grantedPaths.grant(path, 'file');
      return await reply.send({ path });
    } catch (thrown) {
      const error = AppError.from(thrown);
      request.raw.resume();
      clock.timer(refusedUploadTimeoutMs, () => {
        if (!request.raw.complete) request.raw.destroy();
      });
      return reply.code(statusOf(error)).send({ error: error.toData() });
    }
  });

  app.get('/passports', (request, reply) => {
    const { folder } = request.query as Record<string, unknown>;
    const paths = access.sessionOf(request.headers.cookie)?.grantedPaths;
    if (typeof folder !== 'string' || paths?.isGranted(folder, 'passports') !== true)
      return refuse(reply, 404);
    const { headers, body } = passportDownload(folder);
    return reply.headers(headers).send(body);
  });

  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET') return refuse(reply, 405);
    const page = files.get(request.raw.url ?? '');
    return page === undefined ? refuse(reply, 404) : reply.type(page.mediaType).send(page.body);
  });
  app.setErrorHandler((_error, _request, reply) => refuse(reply, 500));

  await app.listen({ host: '127.0.0.1', port: options.port }).catch((thrown: unknown) => {
    throw portError(thrown, options.port);
  });
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const disconnect of connected.values()) disconnect();
      clock.timer(closeTimeoutMs, () => {
        for (const socket of connected.keys()) socket.terminate();
      });
      await app.close();
    },
  };
}

function refuse(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).headers(responseHeaders).type('text/plain; charset=utf-8').send('');
}

function refuseUnknownClient(reply: FastifyReply, isFromOtherSite: boolean): FastifyReply {
  return reply
    .code(403)
    .headers(unknownClientHeaders)
    .type('text/html; charset=utf-8')
    .send(unknownClientPage(isFromOtherSite));
}

function lengthOf(request: IncomingMessage): number | null {
  const length = request.headers['content-length'];
  return length === undefined ? null : Number(length);
}

function statusOf(error: AppError): number {
  if (error.code === 'calls-too-many') return 429;
  return error.code === 'disk-full' ? 507 : 500;
}

const portFaults: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'reserved for the system' };

function portError(thrown: unknown, port: number): unknown {
  const fault = portFaults[errnoOf(thrown)];
  if (fault === undefined) return thrown;
  return new AppError('invalid-input', `The port ${port} is ${fault}.`, { details: { port }, cause: thrown });
}
