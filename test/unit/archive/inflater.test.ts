/** @file The pieces into which a gzip stream is cut do not change the result. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cutAt, gzipMember, inflate, inPieces } from '../../support/archives/gzip-streams.ts';

const content = Buffer.from(Array.from({ length: 300 }, (_, at) => `line ${at * at}\n`).join(''));
const whole = gzipSync(content);
const trailerAt = whole.length - 8;

const changed = (at: number): Buffer => {
  const copy = Buffer.from(whole);
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
};
const named = gzipMember(content, { name: 'project.tar' });
const extra = gzipMember(content, { extra: Buffer.from([1, 2, 3]) });
const zeros = Buffer.alloc(40);
const once = content.length;

/** Each with its fault and how much of it can be read. */
const streams: [string, Buffer, string | null, number | null][] = [
  ['a whole one', whole, null, once],
  ['one with a name', named, null, once],
  [
    'one with a name that does not end',
    Buffer.concat([named.subarray(0, 10), Buffer.alloc(50, 1)]),
    'gzip-cut',
    0,
  ],
  ['one with an extra field', extra, null, once],
  ['one of nothing', gzipSync(''), null, 0],
  ['two members', Buffer.concat([whole, whole]), null, 2 * once],
  ['three members', Buffer.concat([whole, named, extra]), null, 3 * once],
  ['one cut in its header', whole.subarray(0, 7), 'gzip-cut', 0],
  ['one cut behind its header', whole.subarray(0, 10), 'gzip-cut', 0],
  ['one cut in its content', whole.subarray(0, 500), 'gzip-cut', null],
  ['one cut before its trailer', whole.subarray(0, trailerAt), 'gzip-cut', once],
  ['one cut in its trailer', whole.subarray(0, -1), 'gzip-cut', once],
  ['one with a wrong sum', changed(trailerAt), 'gzip-checksum', once],
  ['one with a wrong length', changed(whole.length - 1), 'gzip-checksum', once],
  ['one with reserved flags', changed(3), null, null],
  ['one of another method', changed(2), 'gzip-damaged', 0],
  ['what `compress` wrote', Buffer.from([0x1f, 0x9d, 0x90, 1, 2, 3]), 'not-gzip', 0],
  ['no gzip at all', Buffer.from('<html>Sign in</html>'), 'not-gzip', 0],
  ['zeros behind it', Buffer.concat([whole, zeros]), null, once],
  ['zeros and a member behind it', Buffer.concat([whole, zeros, whole]), 'gzip-trailing-bytes', once],
  ['text behind it', Buffer.concat([whole, Buffer.from('text')]), 'gzip-trailing-bytes', once],
  ['a wrong sum and a member behind it', Buffer.concat([changed(trailerAt), whole]), 'gzip-checksum', once],
  ['a second member with a wrong sum', Buffer.concat([whole, changed(trailerAt)]), 'gzip-checksum', 2 * once],
  ['a second member that is cut', Buffer.concat([whole, whole.subarray(0, -3)]), 'gzip-cut', 2 * once],
  ['zeros behind two members', Buffer.concat([whole, whole, zeros]), null, 2 * once],
];

describe('a gzip stream', () => {
  it.each(streams)(
    '%s: is judged as what it is, however its pieces are cut',
    async (_, bytes, code, length) => {
      // A first piece of a single byte leaves all to zlib.
      const byZlib = await inflate(inPieces(bytes, 1));
      if (code !== null) expect(byZlib.code).toBe(code);
      if (length !== null) expect(byZlib).toMatchObject({ code, inflatedBytes: length });
      // zlib returns nothing of a piece in which it finds a wrong checksum.
      const expected = code === null || code === 'gzip-cut' ? byZlib : { code: byZlib.code };
      const near = (place: number, count: number): number[] =>
        Array.from({ length: count }, (__, at) => place + at).filter((at) => at > 0 && at < bytes.length);
      for (const at of [...near(1, 12), ...near(trailerAt - 4, 16), ...near(bytes.length - 12, 12)]) {
        expect([at, await inflate(cutAt(bytes, at))]).toMatchObject([at, expected]);
      }
      expect(await inflate(cutAt(bytes, ...near(trailerAt - 2, 12)))).toMatchObject(expected);
      expect(await inflate([bytes])).toMatchObject(expected);
    },
  );

  it('that unpacks to too much of what was packed is refused, and not one that stays below', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const limits = { ratio: 100, ratioFromBytes: 100_000 };
    await expect(inflate([bomb], limits)).rejects.toMatchObject({ limit: 'ratio' });
    await expect(inflate(inPieces(bomb, 1), limits)).rejects.toMatchObject({ limit: 'ratio' });
    await expect(inflate([bomb], { ...limits, ratio: 1_000_000 / (bomb.length - 8) })).resolves.toMatchObject(
      {
        code: null,
      },
    );
  });
});
