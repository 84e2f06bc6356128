/** @file Files that are durable: the order of the calls, and the state after each failing call. */
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { diskError } from '../../../src-main/platform/disk/disk-errors.ts';
import { FaultyDisk } from '../../support/faults/archive-disk.ts';
import { folderOnDisk } from '../../support/temporary-folder.ts';

const links = vi.hoisted(() => ({ refusal: null as string | null }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<{ link: (from: string, to: string) => Promise<void> }>();
  const link: typeof real.link = (from, to) =>
    links.refusal === null
      ? real.link(from, to)
      : Promise.reject(Object.assign(new Error('x'), { code: links.refusal }));
  return { ...real, link };
});

// Other test files of the same process load this module with the real file system.
vi.resetModules();
const {
  moveFile,
  moveWithoutReplacing: moveToNewFile,
  partPath,
  replaceFile,
  replaceFileSync,
  createDurableFile: storeNewFile,
} = await import('../../../src-main/platform/disk/durable-file.ts');
afterAll(() => {
  vi.resetModules();
});

let folder: string;
let path: string;
beforeEach(() => {
  links.refusal = null;
  folder = folderOnDisk();
  path = join(folder, 'file');
});

test.for([
  ['ENOSPC', 'disk-full', 'later'],
  ['EDQUOT', 'disk-full', 'later'],
  ['EFBIG', 'disk-full', 'later'],
  ['EACCES', 'disk-denied', 'never'],
  ['EROFS', 'disk-denied', 'never'],
  ['EIO', 'disk-failed', 'later'],
] as const)('the disk error %s has the code %s', ([errno, code, retry]) => {
  const thrown = Object.assign(new Error('x'), { code: errno });
  expect(diskError(thrown, '/a')).toMatchObject({ code, retry, details: { path: '/a', errno } });
});

test.for(['none', 'SQLITE_FULL', 'ERR_INVALID_ARG_TYPE'])(
  'an error that is not from the file system is returned unchanged (%s)',
  (code) => {
    const thrown = Object.assign(new TypeError('x'), code === 'none' ? {} : { code });
    expect(diskError(thrown, '/a')).toBe(thrown);
  },
);

describe('a replaced file', () => {
  const order = ['create', 'write', 'flush', 'close'].map((call) => `${call} file.part`);
  const calls = [...order, 'rename file', expect.stringMatching(/^flushFolder /)];

  test('is written, flushed and closed before it gets its name, and then its folder is flushed', async () => {
    const disk = new FaultyDisk();
    await replaceFile(disk, path, 'new');
    expect(disk.calls).toEqual(calls);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test.for(['ENOSPC', 'EIO'] as const)(
    'has its old or its new content, and is alone in its folder, if any call fails with %s',
    async (errno) => {
      for (const at of calls.keys()) {
        writeFileSync(path, 'old');
        const failed = replaceFile(new FaultyDisk(errno, at), path, 'new');
        await expect(failed).rejects.toMatchObject({ code: errno === 'EIO' ? 'disk-failed' : 'disk-full' });
        expect(readFileSync(path, 'utf8')).toBe(at === calls.length - 1 ? 'new' : 'old');
        expect(readdirSync(folder)).toEqual(['file']);
      }
    },
  );

  test('is replaced completely by the synchronous call, and no other file remains', () => {
    for (const text of ['first, and longer', 'second']) replaceFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['file']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that cannot be replaced remains unchanged, and no temporary file remains', () => {
    mkdirSync(path);
    expect(() => {
      replaceFileSync(path, 'x');
    }).toThrow(expect.objectContaining({ code: 'disk-failed', details: { path, errno: 'EISDIR' } }));
    expect(readdirSync(folder)).toEqual(['file']);
    expect(statSync(path).isDirectory()).toBe(true);
  });
});

test('a moved file is durable in its new folder before its old folder is flushed', async () => {
  mkdirSync(join(folder, 'other'));
  writeFileSync(path, 'x');
  const disk = new FaultyDisk();
  await moveFile(disk, path, join(folder, 'other/file'));
  expect(disk.calls).toEqual(['rename file', 'flushFolder other', `flushFolder ${basename(folder)}`]);
});

describe.each([
  ['with hard links', null],
  ['without hard links', 'EPERM'],
])('a new file on a file system %s', (_name, refusal) => {
  beforeEach(() => {
    links.refusal = refusal;
  });

  test('gets its name, and its temporary name is deleted', async () => {
    await storeNewFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('replaces no existing file', async () => {
    writeFileSync(path, 'old');
    await expect(storeNewFile(path, 'new')).rejects.toMatchObject({ code: 'already-exists' });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('whose temporary file is missing throws and creates no file', async () => {
    await expect(moveToNewFile(partPath(path), path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
