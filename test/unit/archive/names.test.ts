import { describe, expect, it } from 'vitest';
import { partPath } from '../../../src-main/platform/disk/durable-file.ts';
import {
  archiveOfPart,
  archivePath,
  datedFolderName,
  isArchiveName,
} from '../../../src-main/archive/names.ts';

const at = Date.UTC(2026, 10, 20, 9, 5, 7, 42);
const pathOf = (fullPath: string, instanceUrl = 'https://gitlab.example.com'): string =>
  archivePath({ instanceUrl, fullPath, projectId: 12, receivedAt: at });
const foldersOf = (fullPath: string): string => pathOf(fullPath).split('/').slice(1, -1).join('/');

describe('an archive’s path', () => {
  it('consists of host, project path, UTC time and project id', () => {
    expect(pathOf('group/sub/app')).toBe(
      'gitlab.example.com/group/sub/app/20261120T090507042Z-12_export.tar.gz',
    );
    expect(isArchiveName('20261120T090507042Z-12_export.tar.gz')).toBe(true);
    expect(isArchiveName('2026-11-20_group_export.tar.gz')).toBe(false);
  });

  it.each([
    ['https://GitLab.Example.com', 'gitlab.example.com'],
    ['https://gitlab.example.com:443/', 'gitlab.example.com'],
    ['http://gitlab.example.com:8080', 'gitlab.example.com-8080'],
    ['https://example.com/git/lab/', 'example.com-git-lab'],
    ['http://127.0.0.1:3000/gitlab', '127.0.0.1-3000-gitlab'],
    ['http://[::1]:80', '%5B%3A%3A1%5D'],
    ['https://user:secret@example.com', 'example.com'],
    ['https://con', '%63on'],
  ])('for the instance %s begins with %s', (url, folder) => {
    expect(pathOf('a/b', url).split('/')[0]).toBe(folder);
  });

  it.each([
    ['Group/App', 'Group/App'],
    ['a/..', 'a/%2E%2E'],
    ['../../etc/passwd', '%2E%2E/%2E%2E/etc/passwd'],
    ['./a', '%2E/a'],
    ['.trash/x', '%2Etrash/x'],
    ['a/b.', 'a/b%2E'],
    ['a/b.c', 'a/b.c'],
    ['a//b', 'a/%/b'],
    ['', '%'],
    ['/etc', '%/etc'],
    ['a\\..\\b', 'a%5C..%5Cb'],
    ['C:/x', 'C%3A/x'],
    ['con/aux.txt', '%63on/%61ux.txt'],
    ['NUL/com1.tar.gz', '%4EUL/%63om1.tar.gz'],
    ['lpt9/console', '%6Cpt9/console'],
    ['a b/c ', 'a%20b/c%20'],
    ['a<b>|"?*', 'a%3Cb%3E%7C%22%3F%2A'],
    ['a\0b\n', 'a%00b%0A'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['a%2Fb', 'a%252Fb'],
    ['日', '%E6%97%A5'],
  ])('encodes the project path %j as %s', (fullPath, folders) => {
    expect(foldersOf(fullPath)).toBe(folders);
  });

  it('shortens long names and keeps them distinct', () => {
    const long = 'x'.repeat(255);
    expect(foldersOf(long)).toMatch(/^x{48}~[0-9a-f]{16}$/);
    expect(foldersOf(`${long}1`)).not.toBe(foldersOf(`${long}2`));
    const deep = Array.from({ length: 20 }, (_, index) => `${index}${'y'.repeat(60)}`).join('/');
    expect(pathOf(deep).length).toBeLessThan(200);
    expect(pathOf(`${deep}1`)).not.toBe(pathOf(`${deep}2`));
    expect(foldersOf(deep)).not.toMatch(/^[.-]/);
  });

  it('has at most 150 characters for the project, only characters that every system allows, and no empty or parent folder', () => {
    const longest = `${'b'.repeat(75)}/${'c'.repeat(74)}`;
    expect(foldersOf(longest)).toBe(longest);
    for (const fullPath of [
      `${longest}c`,
      'a'.repeat(5000),
      '/'.repeat(500),
      '..\\'.repeat(300),
      '日'.repeat(300),
    ]) {
      expect(foldersOf(fullPath).length).toBeLessThanOrEqual(150);
      expect(pathOf(fullPath)).toMatch(/^[A-Za-z0-9._~%/-]+$/);
      expect(pathOf(fullPath).split('/')).not.toContain('..');
      expect(pathOf(fullPath).split('/')).not.toContain('');
    }
  });
});

it('the name of a dated folder shows spaces as underscores, and cannot lead to another folder', () => {
  const at = Date.UTC(2026, 10, 23, 15, 49, 44, 268);
  expect(datedFolderName('migration', 'Autumn move', at)).toBe('migration-Autumn_move-20261123T154944268Z');
  expect(datedFolderName('migration', '../ü', at)).toBe('migration-%2E%2E%2F%C3%BC-20261123T154944268Z');
});

describe('the path of a partial file', () => {
  const archive = pathOf('group/app');

  it.each(['', '.manifest.json', '.state.json'])(
    'is unique and identifies its archive (suffix %j)',
    (suffix) => {
      const [first, second] = [partPath(archive + suffix), partPath(archive + suffix)];
      expect(first).not.toBe(second);
      expect([first, second].map(archiveOfPart)).toEqual([archive, archive]);
    },
  );

  it.each(['film.part', `${archive}.part`, archive, `${archive}.manifest.json`, `${partPath(archive)}.txt`])(
    'is not %s',
    (path) => {
      expect(archiveOfPart(path)).toBeNull();
    },
  );
});
