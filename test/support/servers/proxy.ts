/**
 * @file A typical company proxy on loopback: tunnels for https, absolute addresses for http. Every request is sent to
 * the one port that the test names, so that any host name can be used.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TestProxy {
  url: string;
  /** The requests so far: `GET http://host/path`, `CONNECT host:443`. */
  requests: string[];
}

/** Runs until the test ends. `refuse` is the status of all replies. */
export async function testProxy(port: number, options: { refuse?: number } = {}): Promise<TestProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    requests.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    if (options.refuse !== undefined) {
      outgoing.writeHead(options.refuse).end();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, path: pathname + search, method, headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', keep);
  server.on('connect', (incoming, client: Socket, head: Buffer) => {
    requests.push(`CONNECT ${incoming.url ?? ''}`);
    if (options.refuse !== undefined) {
      client.end(`HTTP/1.1 ${options.refuse} Refused\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    keep(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
