/**
 * @file Keeps `docs/security.md` correct: it is complete, every place and test that it names exists, and few tests are
 * missing.
 */
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
const lacksTest = (row: Row): boolean => row.test.startsWith('not yet: ');

describe.each([
  ["Electron's checklist", 20],
  ['The longer list', 44],
  ['Paths', 8],
])('%s', (title, count) => {
  const rows = rowsOf(title);

  test(`has its ${count} points, in order`, () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  test('names for each point an existing place, and existing tests or a reason why there are none yet', () => {
    for (const row of rows) {
      if (row.place !== 'none') expect(named(row.place), `place of ${row.number}`).not.toEqual([]);
      expect(missing(named(row.place)), `place of ${row.number}`).toEqual([]);
      if (lacksTest(row)) continue;
      expect(named(row.test), `test of ${row.number}`).not.toEqual([]);
      expect(named(row.test).filter((path) => !/^test\/.*\.test\.ts$/.test(path))).toEqual([]);
      expect(missing(named(row.test)), `test of ${row.number}`).toEqual([]);
    }
  });
});

test('in the longer list only points 35 and 39 lack a test, which need a signed package or do not exist', () => {
  expect(
    rowsOf('The longer list')
      .filter(lacksTest)
      .map(({ number }) => number),
  ).toEqual([35, 39]);
});
