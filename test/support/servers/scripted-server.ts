/**
 * @file A small HTTP(S) server on loopback with replies that a test scripts, down to single bytes and resets. The
 * server records every request. For a server that behaves like GitLab use the sandbox.
 */
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ScriptedRequest {
  method: string;
  /** The encoded path of the request, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Reads the whole body; rejects if the body ends early. */
  body: () => Promise<Buffer>;
  /** The body as it arrives. */
  stream: IncomingMessage;
}

export interface Reply {
  json: (status: number, value: unknown, headers?: OutgoingHttpHeaders) => void;
  send: (status: number, headers: OutgoingHttpHeaders, body?: string | Uint8Array) => void;
  /** Sends exactly these bytes instead of an HTTP reply; then the connection ends, is reset, or stays open. */
  raw: (bytes: string | Uint8Array, then: 'fin' | 'rst' | 'open') => void;
  response: ServerResponse;
}

export type Script = (request: ScriptedRequest, reply: Reply) => void | Promise<void>;

export interface ScriptedServer {
  /** Without a trailing slash. */
  url: string;
  port: number;
  requests: ScriptedRequest[];
  /** Returns the number of open connections. */
  connections: () => number;
}

/** Certificates in `certificates/`: `trusted` is issued by `authority.pem`; all but `wrong-host` name localhost and 127.0.0.1. */
export type CertificateName = 'trusted' | 'expired' | 'wrong-host' | 'self-signed';

export function certificateFile(name: CertificateName | 'authority' | 'test-only-key'): string {
  return new URL(`../certificates/${name}.pem`, import.meta.url).pathname;
}

/** Runs until the test ends. Call it inside a test or a `beforeEach`. */
export async function scriptedServer(
  script: Script,
  options: { certificate?: CertificateName; host?: 'localhost' | '127.0.0.1'; tls?: 'TLSv1.1' } = {},
): Promise<ScriptedServer> {
  const { certificate, host = '127.0.0.1' } = options;
  const requests: ScriptedRequest[] = [];
  const open = new Set<Socket>();
  const listener = (message: IncomingMessage, response: ServerResponse) => {
    const request = toRequest(message);
    requests.push(request);
    void Promise.resolve(script(request, toReply(message, response))).catch(() => {
      message.socket.destroy();
    });
  };
  const server =
    certificate === undefined
      ? createServer(listener)
      : createSecureServer(
          {
            cert: readFileSync(certificateFile(certificate)),
            key: readFileSync(certificateFile('test-only-key')),
            ...(options.tls && {
              minVersion: 'TLSv1' as const,
              maxVersion: options.tls,
              ciphers: 'DEFAULT@SECLEVEL=0',
            }),
          },
          listener,
        );
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const scheme = certificate === undefined ? 'http' : 'https';
  return { url: `${scheme}://${host}:${port}`, port, requests, connections: () => open.size };
}

function toRequest(message: IncomingMessage): ScriptedRequest {
  const [path = '', query = ''] = (message.url ?? '').split('?', 2);
  return {
    method: message.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: message.headers,
    stream: message,
    body: async () => Buffer.concat((await message.toArray()) as Buffer[]),
  };
}

function toReply(message: IncomingMessage, response: ServerResponse): Reply {
  const { socket } = message;
  return {
    response,
    send(status, headers, body = '') {
      response.writeHead(status, headers).end(body);
    },
    json(status, value, headers = {}) {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    },
    raw(bytes, then) {
      socket.write(bytes, () => {
        if (then === 'fin') socket.end();
        if (then === 'rst') socket.resetAndDestroy();
      });
    },
  };
}
