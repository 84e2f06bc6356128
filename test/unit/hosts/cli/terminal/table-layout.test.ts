import { expect, test } from 'vitest';
import { table } from '../../../../../src-main/hosts/cli/terminal/format.ts';

const names = ['ID', 'PROJECT', 'PLAN', 'UPDATED', 'RECORDS', 'STATE'];
const rows = [
  ['1k83o3a4bvit4ij6', 'atlas/tools/ferry', null, 'Tue 01:00', 7, 'succeeded with 2 warnings'],
  ['9z83o3a4bvit4ij7', 'borealis/blank-slate', null, 'Tue 02:00', 1200, 'failed: the disk is full'],
];
const at = (width: number): string[] => table(names, rows, width).split('\n');

test('a table is not changed if the terminal is wide enough', () => {
  const natural = at(Infinity);
  const widest = Math.max(...natural.map((line) => line.length));
  expect(at(widest)).toEqual(natural);
  expect(natural).toHaveLength(3);
});

test('cells are wrapped at spaces and slashes inside their columns, and a column without any value is left out', () => {
  expect(at(75)).toEqual([
    'ID                PROJECT            UPDATED    RECORDS  STATE',
    '1k83o3a4bvit4ij6  atlas/tools/ferry  Tue 01:00        7  succeeded with 2',
    '                                                         warnings',
    '9z83o3a4bvit4ij7  borealis/          Tue 02:00     1200  failed: the disk',
    '                  blank-slate                            is full',
  ]);
});

test('each row becomes a block of lines if its columns would be too narrow to read', () => {
  expect(at(40)).toEqual([
    'ID       1k83o3a4bvit4ij6',
    'PROJECT  atlas/tools/ferry',
    'UPDATED  Tue 01:00',
    'RECORDS  7',
    'STATE    succeeded with 2 warnings',
    '',
    'ID       9z83o3a4bvit4ij7',
    'PROJECT  borealis/blank-slate',
    'UPDATED  Tue 02:00',
    'RECORDS  1200',
    'STATE    failed: the disk is full',
  ]);
});

test('a time is printed on one line if it fits, otherwise its time of day is below its date', () => {
  const times = [['1k83o3a4bvit4ij6', 'atlas/almanac', '2026-11-23 08:20:08']];
  const shown = (width: number): string[] => table(['ID', 'PROJECT', 'ENDED AT'], times, width).split('\n');
  expect(shown(60)[1]).toBe('1k83o3a4bvit4ij6  atlas/almanac  2026-11-23 08:20:08');
  expect(shown(46).slice(-2)).toEqual([
    '1k83o3a4bvit4ij6  atlas/almanac  2026-11-23',
    '                                 08:20:08',
  ]);
});

test('no line is wider than the terminal and no word is cut, at any width that fits the longest name', () => {
  const words = rows.flatMap((row) =>
    row.flatMap((cell) => (cell === null ? [] : String(cell).split(/[ /]/))),
  );
  for (let width = 25; width < 130; width += 1) {
    const lines = at(width);
    expect(Math.max(...lines.map((line) => line.length)), `at ${width} columns`).toBeLessThanOrEqual(width);
    for (const word of words) expect(lines.join('\n'), `at ${width} columns`).toContain(word);
  }
});

test('a value that is wider than the terminal is not cut', () => {
  const id = 'a'.repeat(64);
  expect(table(['SHA-256', 'SIZE'], [[id, '20.7 kB']], 40).split('\n')).toEqual([
    `SHA-256  ${id}`,
    'SIZE     20.7 kB',
  ]);
});

test('a table without rows has its column names', () => {
  expect(table(['ID', 'PROJECT'], [], 5).replace(/\s+/g, ' ')).toBe('ID PROJECT');
});
