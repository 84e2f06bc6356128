import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomically } from '../../../src-main/platform/atomic-file.ts';
import { diskError } from '../../../src-main/platform/disk-errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.for([
  ['ENOSPC', 'disk-full', 'later'],
  ['EDQUOT', 'disk-full', 'later'],
  ['EACCES', 'disk-denied', 'never'],
  ['EROFS', 'disk-denied', 'never'],
  ['EIO', 'disk-failed', 'later'],
] as const)('%s is %s', ([number, code, retry]) => {
  const thrown = Object.assign(new Error('x'), { code: number });
  expect(diskError(thrown, '/a')).toMatchObject({ code, retry, details: { path: '/a' } });
});

test('an error that is none of the file system is passed on', () => {
  const thrown = new TypeError('x');
  expect(diskError(thrown, '/a')).toBe(thrown);
});

test('a file is replaced as a whole, and nothing stands beside it', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  for (const text of ['first, and longer', 'second']) writeFileAtomically(path, text);
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a replacement that fails leaves what was there and no temporary file', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'taken');
  mkdirSync(path);
  expect(() => {
    writeFileAtomically(path, 'x');
  }).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(statSync(path).isDirectory()).toBe(true);
});
