import fc from 'fast-check';
import { basename, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { uploadName } from '../../../../src-main/hosts/browser/upload-name.ts';

test.each([
  ['2026-01-01_12-00-000_group_project_export.tar.gz', '2026-01-01_12-00-000_group_project_export.tar.gz'],
  ['Sicherung vom März.tar.gz', 'Sicherung vom März.tar.gz'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\a.tar.gz', 'a.tar.gz'],
  ['..\\..\\a.tar.gz', 'a.tar.gz'],
  ['a/..', 'archive.tar.gz'],
  ['..', 'archive.tar.gz'],
  ['.', 'archive.tar.gz'],
  ['', 'archive.tar.gz'],
  ['   ', 'archive.tar.gz'],
  ['.bashrc', 'bashrc'],
  ['a.tar.gz. .', 'a.tar.gz'],
  ['a\0b\n\u001b[31m.tar.gz', 'a_b__[31m.tar.gz'],
  ['gz.rat.\u202eexe', 'gz.rat._exe'],
  ['a<b>:"|?*.gz', 'a_b______.gz'],
  ['con', '_con'],
  ['NUL.tar.gz', '_NUL.tar.gz'],
  ['console.tar.gz', 'console.tar.gz'],
  ['\ud800.gz', '\ufffd.gz'],
])('the file name %j is stored as %j', (original, stored) => {
  expect(uploadName(original)).toBe(stored);
});

test('a long file name is shortened and keeps its end', () => {
  expect(uploadName(`${'long-'.repeat(100)}export.tar.gz`)).toMatch(/^[long-]{10,}export\.tar\.gz$/);
  expect(Buffer.byteLength(uploadName(`${'🐴'.repeat(100)}.tar.gz`))).toBeLessThanOrEqual(150);
});

test('any file name becomes one harmless segment of a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (original) => {
      const name = uploadName(original);
      expect(name).not.toMatch(/^\.|[. ]$|^$/);
      expect(basename(name)).toBe(name);
      expect(win32.basename(name)).toBe(name);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(151);
      expect(name.isWellFormed()).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
