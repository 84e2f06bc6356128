import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exportWith, member, seeded } from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

describe('a damaged copy', () => {
  // The content is incompressible, so that most bits of the file are stored data that only a checksum protects.
  const noise = Array.from({ length: 400 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  );
  const original = exportWith({ noise: member({ name: './uploads/noise', content: noise.join('') }) });

  it('is unusable after a cut at any of 300 places', async () => {
    const next = seeded(1);
    for (let round = 0; round < 300; round++) {
      const length = round < 20 ? original.length - 1 - round : next(original.length);
      expect([length, (await inspectBytes(original.subarray(0, length))).verdict]).toEqual([
        length,
        'unusable',
      ]);
    }
  });

  it('is unusable after a flip of any of 300 bits that the checksum covers', async () => {
    const next = seeded(2);
    for (let round = 0; round < 300; round++) {
      // The time, flags and system in the gzip header do not affect the content.
      const bit = 80 + next((original.length - 10) * 8);
      const copy = Buffer.from(original);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect([bit, (await inspectBytes(copy)).verdict]).toEqual([bit, 'unusable']);
    }
  });

  it('is unusable after the removal of any of 300 pieces', async () => {
    const next = seeded(3);
    for (let round = 0; round < 300; round++) {
      const at = 10 + next(original.length - 10);
      const spliced = Buffer.concat([
        original.subarray(0, at),
        original.subarray(at + 1 + next(original.length - at)),
      ]);
      expect([at, (await inspectBytes(spliced)).verdict]).toEqual([at, 'unusable']);
    }
  });

  it('is unusable after a change of any of 100 bytes in the headers of its members, even if it is compressed again', async () => {
    const next = seeded(4);
    const tar = gunzipSync(original);
    const headers = Array.from({ length: tar.length / 512 }, (_, block) => block * 512).filter(
      (at) => tar.toString('latin1', at + 257, at + 262) === 'ustar',
    );
    expect(headers.length).toBeGreaterThan(10);
    for (let round = 0; round < 100; round++) {
      // These bytes are names, modes, sizes, times, checksums and types; the owners' names follow.
      const at = (headers[next(headers.length)] ?? 0) + next(157);
      const changed = Buffer.from(tar);
      changed[at] = (changed[at] ?? 0) ^ (1 + next(127));
      expect([at, (await inspectBytes(gzipSync(changed))).verdict]).toEqual([at, 'unusable']);
    }
  });
});
