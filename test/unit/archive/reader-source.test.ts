/** @file Forbidden calls in the source, so that neither an archive nor a server decides about a file on this disk. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const holding = (pattern: string, what: RegExp): string[] =>
  globSync(pattern, { cwd: root }).filter((file) => what.test(readFileSync(join(root, file), 'utf8')));

test('what walks through an archive knows neither files nor paths, so no name in it can become one', () => {
  expect(holding('src-main/archive/reader/*.ts', /class TarWalker/)).toHaveLength(1);
  expect(holding('src-main/archive/reader/*.ts', /from '(node:)?(fs|path|child_process|os)\b/)).toEqual([]);
});

test('tar packs in the product and never unpacks: not to the disk, not with its own reader', () => {
  const imports = globSync('src-main/**/*.ts', { cwd: root })
    .filter((file) => !file.startsWith('src-main/sandbox/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/import (.*) from 'tar'|import\('tar'\)/g)].map(([, what]) => [file, what]);
    });
  expect(imports.toSorted()).toEqual([
    ['src-main/archive/trim.ts', '{ create }'],
    ['src-main/hosts/browser/passport-download.ts', '{ create }'],
  ]);
  expect(
    holding('src-main/sandbox/**/*.ts', /import \{[^}]*\b(extract|x|Unpack)\b[^}]*\} from 'tar'/),
  ).toEqual([]);
});

test('no name that a server gives to a download is ever read', () => {
  expect(
    holding('src-main/**/*.ts', /content-disposition['"]\s*\]|\.get\(\s*['"]content-disposition/i),
  ).toEqual([]);
});
