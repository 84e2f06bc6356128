import { expect, test } from 'vitest';
import { expiresSoon } from '../../../src-contract/instances/instance.ts';
import { isProjectPath, mayExport, suggestProjectPath } from '../../../src-contract/projects/project.ts';

test('an export needs the role Maintainer, and is tried if the role is unknown', () => {
  expect([10, 20, 30, 39, 40, 50, null].map(mayExport)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});

test.for([
  ['2026-12-05', false],
  ['2026-12-04', false],
  ['2026-12-03', true],
  ['2026-11-20', true],
  ['2026-11-01', true],
] as const)(
  'on 20 November, a token that expires on %s expires soon or has expired: %s',
  ([expiresOn, soon]) => {
    expect(expiresSoon(expiresOn, Date.parse('2026-11-20T00:00:00Z'))).toBe(soon);
  },
);

test.for([
  ['/downloads/2026-11-20_08-00-123_group_app_export.tar.gz', 'group_app'],
  ['C:\\backups\\app_export.tgz', 'app'],
  ['app.gz', 'app'],
  ['my.app.tar.gz', 'my.app'],
  ['.app_export.tar.gz', 'app'],
  ['_-app-_export.tar.gz', 'app'],
  ['2026-11-20 notes', '2026-11-20 notes'],
  ['', ''],
] as const)('the file name "%s" suggests the project path "%s"', ([file, path]) => {
  expect(suggestProjectPath(file)).toBe(path);
});

test('the last part of a project path begins with a letter, a digit or "_" and has no slash', () => {
  for (const path of ['app', '1', '_a', 'ü-b.c']) expect(isProjectPath(path)).toBe(true);
  for (const path of ['', '.app', '-app', 'a/b', 'a b', 'a\n']) expect(isProjectPath(path)).toBe(false);
});
