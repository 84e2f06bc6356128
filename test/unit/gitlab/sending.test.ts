/**
 * @file An upload over a slow connection continues as long as it is fast enough, whatever the size of the pieces read.
 */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { UploadBody } from '../../../src-main/gitlab/transfers/transfers.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const rule = { windowMs: 60_000, minBytes: 60 * 1024 };
const megabyte = 1024 * 1024;

/**
 * Sends three pieces of a megabyte over a connection with that many bytes per second. @returns the sizes of the pieces
 * sent.
 */
async function sendOver(bytesPerSecond: number): Promise<number[]> {
  const clock = new SteppedClock();
  const body = {
    contentType: 'multipart/form-data',
    contentLength: 3 * megabyte,
    chunks: () => Readable.from([1, 2, 3].map((number) => Buffer.alloc(megabyte, number))),
  };
  const sending = new UploadBody(body, clock, rule, {});
  const sizes: number[] = [];
  for await (const piece of sending.chunks()) {
    sending.signal.throwIfAborted();
    sizes.push(piece.byteLength);
    await clock.advance((piece.byteLength / bytesPerSecond) * 1000);
  }
  sending.signal.throwIfAborted();
  expect(sending.hasSentAll).toBe(true);
  return sizes;
}

test('a connection that is just fast enough sends the whole upload', async () => {
  const sizes = await sendOver(1_500);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(3 * megabyte);
});

test('an upload over a connection that is too slow fails with a timeout', async () => {
  await expect(sendOver(900)).rejects.toMatchObject({ code: 'timeout' });
});

test('an upload over a fast connection is sent in pieces of one megabyte', async () => {
  expect(Math.max(...(await sendOver(100 * megabyte)))).toBe(megabyte);
});
