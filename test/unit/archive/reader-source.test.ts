/** @file The source avoids certain calls, so that neither an archive nor a server decides about a file on this disk. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const filesMatching = (glob: string, content: RegExp): string[] =>
  globSync(glob, { cwd: root }).filter((file) => content.test(readFileSync(join(root, file), 'utf8')));

test('the archive reader imports no module for files, paths or processes, so that no name in an archive becomes a path', () => {
  expect(filesMatching('src-main/archive/reader/*.ts', /class TarWalker/)).toHaveLength(1);
  expect(filesMatching('src-main/archive/reader/*.ts', /from '(node:)?(fs|path|child_process|os)\b/)).toEqual(
    [],
  );
});

test('the product uses the tar package only to create archives, and the sandbox never extracts with it', () => {
  const imports = globSync('src-main/**/*.ts', { cwd: root })
    .filter((file) => !file.startsWith('src-main/sandbox/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/import (.*) from 'tar'|import\('tar'\)/g)].map(([, imported]) => [
        file,
        imported,
      ]);
    });
  expect(imports.toSorted()).toEqual([
    ['src-main/archive/trim.ts', '{ create }'],
    ['src-main/hosts/browser/passport-download.ts', '{ create }'],
  ]);
  expect(
    filesMatching('src-main/sandbox/**/*.ts', /import \{[^}]*\b(extract|x|Unpack)\b[^}]*\} from 'tar'/),
  ).toEqual([]);
});

test('the product never reads the name that a server gives to a download', () => {
  expect(
    filesMatching('src-main/**/*.ts', /content-disposition['"]\s*\]|\.get\(\s*['"]content-disposition/i),
  ).toEqual([]);
});
