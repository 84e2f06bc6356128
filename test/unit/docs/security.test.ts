/** @file Keeps `docs/security.md` honest: complete, every place and test it names exists, and few things are owed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

interface Row {
  number: number;
  place: string;
  test: string;
}

function rowsOf(title: string): Row[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
  return section
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /^\d+$/.test(cells[1] ?? ''))
    .map((cells) => ({
      number: Number(cells[1]),
      place: cells.at(-3) ?? '',
      test: cells.at(-2) ?? '',
    }));
}

const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
const missing = (paths: string[]): string[] => paths.filter((path) => !existsSync(join(root, path)));
const isOwed = (row: Row): boolean => row.test.startsWith('not yet: ');

describe.each([
  ["Electron's checklist", 20],
  ['The longer list', 44],
  ['Paths', 8],
])('%s', (title, count) => {
  const rows = rowsOf(title);

  test(`has its ${count} points, in order`, () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  test('names a place that exists for each, and tests that exist or what is owed and why', () => {
    for (const row of rows) {
      if (row.place !== 'none') expect(named(row.place), `place of ${row.number}`).not.toEqual([]);
      expect(missing(named(row.place)), `place of ${row.number}`).toEqual([]);
      if (isOwed(row)) continue;
      expect(named(row.test), `test of ${row.number}`).not.toEqual([]);
      expect(named(row.test).filter((path) => !/^test\/.*\.test\.ts$/.test(path))).toEqual([]);
      expect(missing(named(row.test)), `test of ${row.number}`).toEqual([]);
    }
  });
});

test('of the longer list nothing is owed but what needs a signed package or does not exist', () => {
  expect(
    rowsOf('The longer list')
      .filter(isOwed)
      .map(({ number }) => number),
  ).toEqual([35, 39]);
});
