/**
 * @file A day in milliseconds is written once. The sandbox is left out, because it shares no code with what is tested
 * against it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const isDay = (source: string): boolean => /\b(?:86_?400_?000|24 \* (?:3_?600_?000|60 \* 60))\b/.test(source);

test('only the bounds of the contract spell out a day in milliseconds', () => {
  const files = globSync('src-*/**/*.{ts,svelte}', { cwd: root }).filter(
    (file) => !file.startsWith('src-main/sandbox/'),
  );
  expect(files.length).toBeGreaterThan(800);
  expect(files.filter((file) => isDay(readFileSync(join(root, file), 'utf8')))).toEqual([
    'src-contract/bounds.ts',
  ]);
});

test.each(['7 * 86_400_000', 'const lifetime = 24 * 3_600_000;', 'x * 86400000'])(
  '%s is found as a day in milliseconds',
  (line) => {
    expect(isDay(line)).toBe(true);
  },
);
