/** @file The native module computes the checksum of a gzip member; zlib does if the machine has no build of the module. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';

const content = Buffer.from('Żółw 日本語 '.repeat(100_000));
const trailer = gzipSync(content).subarray(-8);

afterEach(() => {
  vi.doUnmock('@node-rs/crc32');
  vi.resetModules();
});

async function isChecksumOf(bytes: Buffer): Promise<boolean> {
  const { GzipChecksum } = await import('../../../src-main/archive/reader/gzip-frame.ts');
  const sum = new GzipChecksum();
  for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)])
    sum.add(piece);
  sum.takeTrailer(trailer);
  return sum.trailerMatches;
}

describe.each([true, false])('a checksum, with a native module for this machine: %s', (isNative) => {
  it('matches its content, and no other content of the same length', async () => {
    if (!isNative) {
      vi.doMock('@node-rs/crc32', () => {
        throw new Error('There is no build for this machine');
      });
    }
    const other = Buffer.from(content);
    other[500_000] = (other[500_000] ?? 0) ^ 1;
    expect([await isChecksumOf(content), await isChecksumOf(other)]).toEqual([true, false]);
  });
});
