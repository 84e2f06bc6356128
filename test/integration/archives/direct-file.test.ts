/** @file A file that is written past the system's cache, if possible, has the same content as any other file. */
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createFile, allocateAlignedMemory } from '../../../src-main/platform/disk/direct-file.ts';
import { writeAll } from '../../../src-main/platform/disk/disk.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const megabyte = 1024 * 1024;
const pieceBytes = 2 * megabyte;

/** Fills the buffer with bytes that depend on their position. */
function numbered(bytes: Buffer, from = 0): Buffer {
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE((from + at) >>> 0, at);
  return bytes;
}

/** Descriptors of this process that bypass the cache: `O_DIRECT` in octal is 040000, on ARM 0200000. */
const directTo = (path: string): string[] =>
  readdirSync('/proc/self/fd').filter((number) => {
    try {
      const flags = /flags:\s+([0-7]+)/.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))?.[1] ?? '0';
      const direct = process.arch.startsWith('arm') ? 0o200000 : 0o40000;
      return readlinkSync(`/proc/self/fd/${number}`) === path && (parseInt(flags, 8) & direct) !== 0;
    } catch {
      return false;
    }
  });

function supportsDirectWrites(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-direct-'));
  try {
    const { O_CREAT, O_WRONLY, O_DIRECT } = constants;
    closeSync(openSync(join(folder, 'file'), O_CREAT | O_WRONLY | O_DIRECT));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ['whole pieces', [pieceBytes, pieceBytes]],
  ['a short last piece', [pieceBytes, 3 * 4096]],
  ['an end between two blocks', [pieceBytes, pieceBytes - 1]],
  ['a short piece before a whole one', [pieceBytes, 5, pieceBytes]],
  ['a short piece first', [4095, pieceBytes, 4097, pieceBytes]],
  ['less than a direct write is worth', [100]],
])('a file of %s contains the bytes in their order', async (_name, lengths) => {
  const path = join(temporaryFolder(), 'file');
  const memory = Buffer.from(allocateAlignedMemory(pieceBytes));
  const file = await createFile(path);
  const written: Buffer[] = [];
  for (const length of lengths) {
    const piece = numbered(memory.subarray(0, length), written.length * 7);
    await writeAll(file, piece);
    written.push(Buffer.from(piece));
  }
  await file.flush();
  await file.close();
  expect(readFileSync(path).equals(Buffer.concat(written))).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('memory that begins between two blocks is written as usual', async () => {
  const path = join(temporaryFolder(), 'file');
  const file = await createFile(path);
  const memory = Buffer.from(allocateAlignedMemory(pieceBytes + 65_536));
  for (const offset of [16, 0, 511])
    await writeAll(file, numbered(memory.subarray(offset, offset + pieceBytes)));
  await file.close();
  const once = numbered(Buffer.alloc(pieceBytes));
  expect(readFileSync(path).equals(Buffer.concat([once, once, once]))).toBe(true);
});

test('an existing file is not touched', async () => {
  const path = join(temporaryFolder(), 'file');
  await (await createFile(path)).close();
  await expect(createFile(path)).rejects.toMatchObject({ code: 'EEXIST' });
});

const withoutDirectWrites = requirement(
  'writing past the cache',
  supportsDirectWrites(),
  'run on Linux, on a disk that can',
);

describe.skipIf(withoutDirectWrites)('writing past the cache', () => {
  it('applies to large writes and not to small ones, and closes every descriptor', async () => {
    const path = join(temporaryFolder(), 'file');
    const file = await createFile(path);
    const memory = numbered(Buffer.from(allocateAlignedMemory(pieceBytes)));
    await writeAll(file, memory.subarray(0, 4096));
    expect(directTo(path)).toEqual([]);
    await writeAll(file, memory);
    expect(directTo(path)).toHaveLength(1);
    await file.close();
    expect(directTo(path)).toEqual([]);
  });
});
