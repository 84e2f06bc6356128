/** @file A plain HTTP server on loopback for tests, with scripted replies and a record of the requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Opens a server that is closed when the test ends. The reply is sent after the whole request has arrived. */
export async function openOrigin(
  answer: (sent: ReceivedRequest, reply: ServerResponse) => void,
): Promise<{ url: string; sent: ReceivedRequest[] }> {
  const sent: ReceivedRequest[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const complete = { method, url, headers, body: Buffer.concat(chunks) };
      sent.push(complete);
      answer(complete, reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}
