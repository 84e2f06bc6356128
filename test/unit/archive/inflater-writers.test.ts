/** @file Exactly the sound gzip streams of any writer are accepted. zlib and GNU gzip define which streams are sound. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync, gunzipSync, type ZlibOptions } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../support/archives/archive-builder.ts';
import {
  splitAt,
  gzipMember,
  inflate,
  chunksOf,
  completeResult,
} from '../../support/archives/gzip-streams.ts';
import { requirement } from '../../support/requirement.ts';

const withoutGzip = requirement(
  'GNU gzip',
  spawnSync('gzip', ['--version']).error === undefined,
  'install gzip',
);

const text = Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at * at}\n`).join(''));
const content = Buffer.concat([text, randomBytes(100_000), Buffer.alloc(100_000), text]);
const blocksOf = (bytes: Buffer, size: number): Buffer[] => chunksOf(bytes, size);

/** Deflates the content in blocks that end at a byte, as multi-threaded programs do. */
const deflatedInBlocks = (flush: number): Buffer =>
  Buffer.concat([
    ...blocksOf(content, 65_536).map((block) => deflateRawSync(block, { finishFlush: flush })),
    deflateRawSync(Buffer.alloc(0)),
  ]);
const deflatedBy = (options: ZlibOptions): Buffer =>
  gzipMember(content, {}, deflateRawSync(content, options));
const long = 'n'.repeat(65_536);

const written: [string, Buffer][] = [
  ['Ruby, with name, comment and time', gzipMember(content, { name: 'a', comment: 'b', changedAt: 2e9 })],
  [
    'a program that sets every flag',
    gzipMember(content, { text: true, headerSum: true, name: '', comment: '' }),
  ],
  ['a program that adds a header checksum', gzipMember(content, { headerSum: true, name: 'project.tar' })],
  ['a program that flags the content as text', gzipMember(content, { text: true })],
  ['a program with a name of 64 KB', gzipMember(content, { name: long })],
  ['a program with a comment of 64 KB', gzipMember(content, { name: long, comment: long })],
  ['a program with an extra field of 64 KB', gzipMember(content, { extra: Buffer.alloc(65_535, 0x1f) })],
  [
    'bgzip',
    Buffer.concat(
      [...blocksOf(content, 65_280), Buffer.alloc(0)].map((block) =>
        gzipMember(block, { extra: Buffer.from('BC\x02\0\0\0', 'latin1') }),
      ),
    ),
  ],
  ['cat, with many members', Buffer.concat(blocksOf(content, 1000).map((block) => gzipMember(block)))],
  ['cat, with an empty first member', Buffer.concat([gzipMember(Buffer.alloc(0)), gzipMember(content)])],
  [
    'cat, with 500 empty members at the end',
    Buffer.concat([gzipMember(content), ...Array<Buffer>(500).fill(gzipMember(Buffer.alloc(0)))]),
  ],
  ['pigz', gzipMember(content, { name: 'project.tar' }, deflatedInBlocks(constants.Z_SYNC_FLUSH))],
  ['pigz -i', gzipMember(content, {}, deflatedInBlocks(constants.Z_FULL_FLUSH))],
  ['a program that does not compress', deflatedBy({ level: 0 })],
  ['a program with fixed Huffman codes', deflatedBy({ strategy: constants.Z_FIXED })],
  ['a program with Huffman codes only', deflatedBy({ strategy: constants.Z_HUFFMAN_ONLY })],
  ['a program with a small window', deflatedBy({ windowBits: 9, memLevel: 1 })],
  ['a program with the best compression', deflatedBy({ level: 9, memLevel: 9 })],
];

describe('a gzip stream written by', () => {
  it.each(written)('%s: is read completely, however it is cut into pieces', async (_, bytes) => {
    expect(gunzipSync(bytes).equals(content)).toBe(true);
    for (const size of [bytes.length, 65_536, 4096]) {
      expect([size, await inflate(chunksOf(bytes, size))]).toEqual([size, completeResult(content)]);
    }
    for (const at of [1, 11, 65_540, bytes.length - 9, bytes.length - 8, bytes.length - 1]) {
      expect([at, await inflate(splitAt(bytes, at))]).toEqual([at, completeResult(content)]);
    }
  });

  it('a program that adds a wrong header checksum: is damaged', async () => {
    const bytes = gzipMember(content, { headerSum: true });
    bytes[4] = 1;
    for (const pieces of [[bytes], splitAt(bytes, 5)]) {
      expect(await inflate(pieces)).toMatchObject({ code: 'gzip-damaged', inflatedBytes: 0 });
    }
  });
});

const little = text.subarray(0, 3000);
/** Has several kinds of blocks and members, and is small enough for hundreds of mutations. */
const original = Buffer.concat([
  gzipMember(
    little,
    { name: 'a' },
    Buffer.concat([
      deflateRawSync(little.subarray(0, 1000), { finishFlush: constants.Z_SYNC_FLUSH }),
      deflateRawSync(little.subarray(1000), { strategy: constants.Z_FIXED }),
    ]),
  ),
  gzipMember(little.subarray(0, 700), {}, deflateRawSync(little.subarray(0, 700), { level: 0 })),
]);

function* mutants(count: number): Generator<Buffer> {
  const next = seeded(7);
  for (let round = 0; round < count; round++) {
    const at = next(original.length - 2) + 2;
    const copy = Buffer.from(original);
    if (round % 4 < 2) copy[at] = (copy[at] ?? 0) ^ (1 << next(8));
    else if (round % 4 === 2) copy.fill(round % 8 === 2 ? 0 : 0xff, at, at + 1 + next(9));
    yield round % 4 < 3 ? copy : Buffer.concat([copy.subarray(0, at), copy.subarray(at + next(12))]);
  }
}

describe('a gzip stream that was changed at a random place', () => {
  it('is accepted exactly if zlib accepts it, with the same content, however it is cut into pieces', async () => {
    const counts = { taken: 0, refused: 0 };
    for (const bytes of mutants(160)) {
      const expected = byZlib(bytes);
      const third = Math.floor(bytes.length / 3);
      for (const pieces of [[bytes], splitAt(bytes, third, 2 * third)]) {
        const inflated = await inflate(pieces);
        if (expected === null)
          expect([bytes.toString('base64'), inflated.code]).not.toEqual([expect.anything(), null]);
        else
          expect([bytes.toString('base64'), inflated]).toEqual([expect.anything(), completeResult(expected)]);
      }
      counts[expected === null ? 'refused' : 'taken']++;
    }
    expect(counts.taken).toBeGreaterThan(2);
    expect(counts.refused).toBeGreaterThan(100);
  });

  it.skipIf(withoutGzip)('is accepted exactly if GNU gzip accepts it, with the same content', async () => {
    for (const bytes of mutants(40)) {
      const { status, stdout } = spawnSync('gzip', ['-dc'], { input: bytes });
      const inflated = await inflate([bytes]);
      if (status === 0)
        expect([bytes.toString('base64'), inflated]).toEqual([expect.anything(), completeResult(stdout)]);
      else expect([bytes.toString('base64'), inflated.code]).not.toEqual([expect.anything(), null]);
    }
  });
});

/** Returns null if zlib rejects the bytes, or if other bytes follow the padding, which zlib ignores. */
function byZlib(bytes: Buffer): Buffer | null {
  try {
    const { buffer, engine } = gunzipSync(bytes, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return bytes.subarray(engine.bytesWritten).every((byte) => byte === 0) ? buffer : null;
  } catch {
    return null;
  }
}
