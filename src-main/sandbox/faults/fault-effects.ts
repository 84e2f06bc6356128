/** @file Carries out the scripted faults of requests and replies; `faults.ts` decides when each of them acts. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EarlyFault, LateFault } from './fault-kinds.ts';

/** Returns true if the fault has replied or closed the connection; no other reply may be sent then. */
export async function applyEarlyFault(
  fault: Exclude<EarlyFault, { kind: 'end-token' }>,
  request: FastifyRequest,
  reply: FastifyReply,
  wait: (ms: number) => Promise<void>,
): Promise<boolean> {
  switch (fault.kind) {
    case 'delay':
      await wait(fault.ms);
      return false;
    case 'reset':
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return true;
    case 'redirect':
      await reply.redirect(fault.to.replace('{path}', request.url), fault.status ?? 302);
      return true;
    case 'html':
      await reply
        .code(fault.status ?? 502)
        .type('text/html')
        .send('<!DOCTYPE html>\n<html><head><title>GitLab is not responding</title></head></html>\n');
      return true;
    case 'respond':
      await reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .type(fault.contentType ?? 'application/json')
        .send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {}));
      return true;
  }
}

/** A finished reply's body, as fastify passes it to hooks. */
export type Payload = string | Buffer | Readable | null | undefined;

export function applyLateFault(
  fault: LateFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  wait: (ms: number) => Promise<void>,
): Payload {
  const { socket } = request.raw;
  switch (fault.kind) {
    case 'lose-reply':
      socket.destroy();
      return payload;
    case 'corrupt':
      return streamOf(corrupted(payload, fault.at));
    case 'stall':
      return streamOf(firstBytes(payload, fault.afterBytes, () => Promise.resolve(), socket));
    case 'drip':
      reply.header('content-length', bodyLength(reply, payload));
      return streamOf(dripping(payload, fault.bytes, () => wait(fault.everyMs)));
    case 'wrong-length': {
      const contentLength = Number(bodyLength(reply, payload)) + fault.by;
      reply.header('content-length', Math.max(0, contentLength)).header('connection', 'close');
      const end = (): Promise<void> => {
        socket.destroySoon();
        return Promise.resolve();
      };
      return streamOf(firstBytes(payload, Infinity, end, socket));
    }
    case 'cut': {
      if (fault.framing === 'length') reply.header('content-length', bodyLength(reply, payload));
      else reply.removeHeader('content-length');
      if (fault.framing === 'close') {
        reply.raw.useChunkedEncodingByDefault = false;
        reply.header('connection', 'close');
      }
      const endsWithBody = fault.framing === 'close' && fault.reset !== true;
      const closeConnection = async (): Promise<void> => {
        if (fault.reset !== true) {
          socket.destroySoon();
          return;
        }
        // A reset drops data that the other side has not read yet.
        await wait(20);
        socket.resetAndDestroy();
      };
      return streamOf(firstBytes(payload, fault.afterBytes, endsWithBody ? null : closeConnection, socket));
    }
  }
}

const streamOf = (chunks: AsyncGenerator<Buffer>): Readable => Readable.from(chunks, { objectMode: false });

function bodyLength(reply: FastifyReply, payload: Payload): string | number {
  const contentLength = reply.getHeader('content-length');
  if (typeof contentLength === 'string' || typeof contentLength === 'number') return contentLength;
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

async function* dripping(payload: Payload, bytes: number, pause: () => Promise<void>) {
  for await (const chunk of chunksOf(payload)) {
    for (let start = 0; start < chunk.length; start += bytes) {
      yield chunk.subarray(start, start + bytes);
      await pause();
    }
  }
}

/**
 * Yields the first bytes, calls `end`, and then waits until the connection is closed. If `end` is null, the body ends
 * after the first bytes.
 */
async function* firstBytes(
  payload: Payload,
  count: number,
  end: (() => Promise<void>) | null,
  socket: Socket,
): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of chunksOf(payload)) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) break;
  }
  if (end === null) return;
  // The pieces above must have reached the socket before it is ended.
  await setImmediate();
  await setImmediate();
  await end();
  if (!socket.closed) await once(socket, 'close');
}
