/** @file The browser host in this process, with small pages, and requests of a browser or an attacker. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { inProcessClient, type Client } from '../../../src-main/bridge/transports/in-process.ts';
import {
  openBrowserHost,
  type BrowserHost,
  type BrowserHostOptions,
} from '../../../src-main/hosts/browser.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface HttpReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Serving {
  host: BrowserHost;
  client: Client;
  dataDir: string;
  /** The value of the `Host` header: `127.0.0.1:PORT`. */
  hostHeader: string;
  /** Returns the path of a new link. */
  link(): string;
  /** Exchanges a new link. Returns the `Cookie` header of a new session. */
  signIn(): Promise<string>;
  /** Sends exactly these headers, and `Host` if none is given. */
  send(
    path: string,
    how?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<HttpReply>;
  /** Sends exactly this text over a separate connection. */
  sendRaw(text: string): Promise<HttpReply>;
}

export const pages = {
  '/index.html': '<!doctype html><title>a page</title>',
  '/assets/index-1a2b.js': 'export {};',
  '/assets/index-1a2b.css': 'p {}',
};

export function pagesFolder(): string {
  const folder = join(temporaryFolder(), 'renderer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [path, content] of Object.entries(pages)) writeFileSync(join(folder, path), content);
  writeFileSync(join(folder, 'assets/index-1a2b.js.map'), '{}');
  writeFileSync(join(folder, '../secret.html'), 'above');
  return folder;
}

export async function openServing(options: Partial<BrowserHostOptions> = {}): Promise<Serving> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const host = await openBrowserHost({
    env: {},
    port: 0,
    pagesFolder: pagesFolder(),
    keychain: new MemoryKeychain(),
    ...options,
    dataDir,
  });
  onTestFinished(() => host.close());
  const { port } = host;
  const hostHeader = `127.0.0.1:${port}`;

  const send: Serving['send'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { Host: hostHeader, ...headers },
        agent: false,
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        text(response).then((text) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        }, reject);
      });
      sent.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
      });
      sent.end(body);
    });

  const link = (): string => {
    const { pathname, search } = new URL(host.newLink());
    return pathname + search;
  };

  return {
    host,
    client: inProcessClient(host.app.dispatch, new AbortController().signal),
    dataDir,
    hostHeader,
    link,
    send,
    async signIn() {
      const { headers } = await send(link());
      return String(headers['set-cookie']).split(';')[0] ?? '';
    },
    sendRaw: (sent) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        text(socket).then((answer) => {
          const [head = '', ...body] = answer.split('\r\n\r\n');
          const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
          resolve({ status, headers: {}, text: body.join('\r\n\r\n') });
        }, reject);
        socket.on('error', reject);
        socket.write(sent);
      }),
  };
}

/** A page's WebSocket, as a browser opens it, with the received frames. */
export interface PageSocket {
  socket: WebSocket;
  frames: Record<string, unknown>[];
  /** Resolves with the first matching frame, which may have arrived before the call. */
  waitForFrame(fits: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  call(name: string, request: unknown, id?: string): Promise<unknown>;
  closed: Promise<{ code: number }>;
}

/** Headers of an upgrade, for `ask`. */
export const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export async function openPageSocket(serving: Serving, cookie: string): Promise<PageSocket> {
  const socket = new WebSocket(`ws://${serving.hostHeader}/bridge`, {
    headers: { cookie, origin: `http://${serving.hostHeader}` },
  });
  const frames: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)) as Record<string, unknown>);
    for (const listener of listeners) listener();
  };
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.onclose = ({ code }) => {
      resolve({ code });
    };
  });
  onTestFinished(() => {
    socket.close();
  });
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waitForFrame: PageSocket['waitForFrame'] = (fits) =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = frames.find(fits);
        if (found === undefined) return;
        listeners.delete(check);
        resolve(found);
      };
      listeners.add(check);
      check();
    });
  let lastId = 0;
  return {
    socket,
    frames,
    waitForFrame,
    closed,
    async call(name, request, id = `c${++lastId}`) {
      socket.send(JSON.stringify({ call: name, id, request }));
      const frame = await waitForFrame((frame) => frame['id'] === id && 'result' in frame);
      return frame['result'];
    },
  };
}
