/** @file The pieces into which a gzip stream is cut do not change the result. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { splitAt, gzipMember, inflate, chunksOf } from '../../support/archives/gzip-streams.ts';

const content = Buffer.from(Array.from({ length: 300 }, (_, at) => `line ${at * at}\n`).join(''));
const complete = gzipSync(content);
const trailerAt = complete.length - 8;

const changed = (at: number): Buffer => {
  const copy = Buffer.from(complete);
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
};
const named = gzipMember(content, { name: 'project.tar' });
const extra = gzipMember(content, { extra: Buffer.from([1, 2, 3]) });
const zeros = Buffer.alloc(40);
const contentBytes = content.length;

/** Each stream has its fault and the number of bytes that can be read. */
const streams: [string, Buffer, string | null, number | null][] = [
  ['a complete stream', complete, null, contentBytes],
  ['a stream with a name', named, null, contentBytes],
  [
    'a stream with a name that does not end',
    Buffer.concat([named.subarray(0, 10), Buffer.alloc(50, 1)]),
    'gzip-cut',
    0,
  ],
  ['a stream with an extra field', extra, null, contentBytes],
  ['a stream without content', gzipSync(''), null, 0],
  ['two members', Buffer.concat([complete, complete]), null, 2 * contentBytes],
  ['three members', Buffer.concat([complete, named, extra]), null, 3 * contentBytes],
  ['a stream cut in its header', complete.subarray(0, 7), 'gzip-cut', 0],
  ['a stream cut after its header', complete.subarray(0, 10), 'gzip-cut', 0],
  ['a stream cut in its content', complete.subarray(0, 500), 'gzip-cut', null],
  ['a stream cut before its trailer', complete.subarray(0, trailerAt), 'gzip-cut', contentBytes],
  ['a stream cut in its trailer', complete.subarray(0, -1), 'gzip-cut', contentBytes],
  ['a stream with a wrong checksum', changed(trailerAt), 'gzip-checksum', contentBytes],
  ['a stream with a wrong length', changed(complete.length - 1), 'gzip-checksum', contentBytes],
  ['a stream with reserved flags', changed(3), null, null],
  ['a stream of another compression method', changed(2), 'gzip-damaged', 0],
  ['the output of `compress`', Buffer.from([0x1f, 0x9d, 0x90, 1, 2, 3]), 'not-gzip', 0],
  ['an HTML page', Buffer.from('<html>Sign in</html>'), 'not-gzip', 0],
  ['zeros after a stream', Buffer.concat([complete, zeros]), null, contentBytes],
  [
    'zeros and a member after a stream',
    Buffer.concat([complete, zeros, complete]),
    'gzip-trailing-bytes',
    contentBytes,
  ],
  [
    'text after a stream',
    Buffer.concat([complete, Buffer.from('text')]),
    'gzip-trailing-bytes',
    contentBytes,
  ],
  [
    'a wrong checksum and a member after it',
    Buffer.concat([changed(trailerAt), complete]),
    'gzip-checksum',
    contentBytes,
  ],
  [
    'a second member with a wrong checksum',
    Buffer.concat([complete, changed(trailerAt)]),
    'gzip-checksum',
    2 * contentBytes,
  ],
  [
    'a second member that is cut',
    Buffer.concat([complete, complete.subarray(0, -3)]),
    'gzip-cut',
    2 * contentBytes,
  ],
  ['zeros after two members', Buffer.concat([complete, complete, zeros]), null, 2 * contentBytes],
];

describe('a gzip stream', () => {
  it.each(streams)(
    'yields its fault and its readable bytes, however it is cut into pieces: %s',
    async (_, bytes, code, length) => {
      // If the first piece is a single byte, zlib inflates everything.
      const byZlib = await inflate(chunksOf(bytes, 1));
      if (code !== null) expect(byZlib.code).toBe(code);
      if (length !== null) expect(byZlib).toMatchObject({ code, inflatedBytes: length });
      // zlib returns no bytes of a piece in which it finds a wrong checksum.
      const expected = code === null || code === 'gzip-cut' ? byZlib : { code: byZlib.code };
      const near = (place: number, count: number): number[] =>
        Array.from({ length: count }, (__, at) => place + at).filter((at) => at > 0 && at < bytes.length);
      for (const at of [...near(1, 12), ...near(trailerAt - 4, 16), ...near(bytes.length - 12, 12)]) {
        expect([at, await inflate(splitAt(bytes, at))]).toMatchObject([at, expected]);
      }
      expect(await inflate(splitAt(bytes, ...near(trailerAt - 2, 12)))).toMatchObject(expected);
      expect(await inflate([bytes])).toMatchObject(expected);
    },
  );

  it('is rejected if its ratio of unpacked to packed bytes exceeds the limit, and accepted at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const limits = { ratio: 100, ratioFromBytes: 100_000 };
    await expect(inflate([bomb], limits)).rejects.toMatchObject({ limit: 'ratio' });
    await expect(inflate(chunksOf(bomb, 1), limits)).rejects.toMatchObject({ limit: 'ratio' });
    await expect(inflate([bomb], { ...limits, ratio: 1_000_000 / (bomb.length - 8) })).resolves.toMatchObject(
      {
        code: null,
      },
    );
  });
});
