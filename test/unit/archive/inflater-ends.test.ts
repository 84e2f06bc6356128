/**
 * @file No byte is lost at the end of a piece, a buffer or a counter, and no stream counts as complete too early.
 */
import { randomBytes } from 'node:crypto';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { defaultReadLimits } from '../../../src-main/archive/limits.ts';
import { Inflater } from '../../../src-main/archive/reader/inflater.ts';
import {
  splitAt,
  gzipMember,
  headerOf,
  inflate,
  trailerOf,
  completeResult,
} from '../../support/archives/gzip-streams.ts';

const MiB = 1024 ** 2;
const trailerBytes = 8;

describe('content that ends with a buffer, or one byte before or after its end', () => {
  const noise = randomBytes(4 * MiB + 1);
  const sizes = [2 * MiB - 1, 2 * MiB, 2 * MiB + 1, 4 * MiB, 4 * MiB + 1];

  it.each(sizes.map((size, at) => [size, at % 2] as const))(
    'is read completely, and counts as cut without the last byte of its trailer: %i bytes, level %i',
    async (size, level) => {
      const content = noise.subarray(0, size);
      const bytes = gzipSync(content, { level });
      const trailerAt = bytes.length - trailerBytes;
      for (const places of [
        [],
        [trailerAt],
        [trailerAt - 1, trailerAt, trailerAt + 1],
        [2 * MiB, trailerAt + 7],
      ]) {
        expect([places, await inflate(splitAt(bytes, ...places))]).toEqual([places, completeResult(content)]);
        const cut = splitAt(bytes.subarray(0, -1), ...places.filter((at) => at < bytes.length - 1));
        expect([places, await inflate(cut)]).toMatchObject([places, { code: 'gzip-cut' }]);
      }
      // zlib computes the checksum of the second member.
      const twice = Buffer.concat([bytes, gzipMember(content)]);
      expect(await inflate(splitAt(twice, bytes.length))).toEqual(
        completeResult(Buffer.concat([content, content])),
      );
    },
  );
});

it('Content of exactly 4 GiB is read completely: the trailer counts its bytes modulo 2^32', async () => {
  const block = 64 * MiB;
  const deflated = deflateRawSync(Buffer.alloc(block), { finishFlush: constants.Z_FULL_FLUSH });
  const length = 2 ** 32;
  // The checksum of this many zero bytes equals that of a single one: its polynomial has the period 2^32 - 1.
  const bytes = Buffer.concat([
    headerOf(),
    ...Array<Buffer>(length / block).fill(deflated),
    deflateRawSync(Buffer.alloc(0)),
    trailerOf(crc32(Buffer.alloc(1)), length),
  ]);
  let inflated = 0;
  const inflater = new Inflater({ ...defaultReadLimits, ratio: Infinity }, (taken) => {
    inflated += taken.length;
  });
  await inflater.write(bytes);
  expect([await inflater.finish(), inflated]).toEqual([null, length]);
});

describe('a limit on unpacked bytes that is exceeded in the last piece', () => {
  const content = Buffer.alloc(3 * MiB);
  const bytes = gzipSync(content);
  const trailerAt = bytes.length - trailerBytes;
  const twice = Buffer.concat([gzipSync('first'), bytes]);

  it.each<[string, Buffer[], number]>([
    ['the whole stream', [bytes], 0],
    ['two pieces, the second is the trailer', splitAt(bytes, trailerAt), 0],
    ['two pieces, cut within the trailer', splitAt(bytes, trailerAt + 3), 0],
    ['the stream without its last byte', [bytes.subarray(0, -1)], 0],
    ['the whole stream and padding', [Buffer.concat([bytes, Buffer.alloc(1000)])], 0],
    ['a second member', [twice], 5],
  ])('rejects the stream, and accepts it if the limit is one byte higher: %s', async (_, pieces, more) => {
    const unpackedBytes = content.length + more;
    const limit = (allowed: number) => inflate(pieces, { unpackedBytes: allowed, ratio: Infinity });
    await expect(limit(unpackedBytes - 1)).rejects.toMatchObject({ limit: 'unpackedBytes' });
    await expect(limit(unpackedBytes)).resolves.toMatchObject({ inflatedBytes: unpackedBytes });
  });

  it('rejects every later call with the same error, and passes on no byte beyond the limit', async () => {
    let inflatedBytes = 0;
    const inflater = new Inflater({ ...defaultReadLimits, unpackedBytes: 2 * MiB }, (piece) => {
      inflatedBytes += piece.length;
    });
    const crossed = expect.objectContaining({ limit: 'unpackedBytes' }) as Error;
    await expect(inflater.write(bytes)).rejects.toThrow(crossed);
    await expect(inflater.write(bytes)).rejects.toThrow(crossed);
    await expect(inflater.finish()).rejects.toThrow(crossed);
    expect(inflatedBytes).toBe(2 * MiB);
  });
});

describe('a stream that is destroyed while it is inflated', () => {
  const content = Buffer.alloc(40 * MiB);

  it.each([
    ['the first member', gzipSync(content)],
    ['a later member', Buffer.concat([gzipSync('first'), gzipSync(content)])],
  ])('lets every call return, and never counts as complete: %s', async (_, bytes) => {
    let inflatedBytes = 0;
    const inflater = new Inflater({ ...defaultReadLimits, ratio: Infinity }, (piece) => {
      inflatedBytes += piece.length;
      if (inflatedBytes > 5 * MiB) inflater.destroy();
    });
    await inflater.write(bytes);
    expect(await inflater.finish()).toMatchObject({ code: 'gzip-cut' });
    expect(inflatedBytes).toBeLessThan(10 * MiB);
  });

  it('does not count as complete either if nothing was inflated before', async () => {
    const inflater = new Inflater(defaultReadLimits, () => undefined);
    const writing = inflater.write(gzipSync(content));
    inflater.destroy();
    await writing;
    expect(await inflater.finish()).toMatchObject({ code: 'gzip-cut' });
  });
});

it('A piece that unpacks to 64 MiB is inflated in turns of less than 9 MiB, so that other work can run between them', async () => {
  const bytes = gzipSync(Buffer.alloc(64 * MiB));
  let [inflatedBytes, takenInTurn, maxInTurn, isOver] = [0, 0, 0, false];
  const turn = (): void => {
    takenInTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const inflater = new Inflater({ ...defaultReadLimits, ratio: Infinity }, (piece) => {
    inflatedBytes += piece.length;
    takenInTurn += piece.length;
    maxInTurn = Math.max(maxInTurn, takenInTurn);
  });
  await inflater.write(bytes);
  isOver = true;
  expect(inflatedBytes).toBe(64 * MiB);
  expect(maxInTurn).toBeLessThan(9 * MiB);
});

it('A stream in 20,000 pieces of 100 bytes retains less than 60 bytes of memory for each', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedHeap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const pieces = 20_000;
  const bytes = gzipSync(randomBytes(100 * pieces), { level: 0 });
  const inflater = new Inflater(defaultReadLimits, () => undefined);
  await inflater.write(bytes.subarray(0, 100));
  const before = usedHeap();
  const end = pieces * 100;
  for (let at = 100; at < end; at += 100) await inflater.write(bytes.subarray(at, at + 100));
  expect((usedHeap() - before) / pieces).toBeLessThan(60);
  await inflater.write(bytes.subarray(end));
  expect(await inflater.finish()).toBeNull();
});
