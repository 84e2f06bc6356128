/** @file The independent verifier stays short enough to be read and believed as a whole. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../verifier');

const linesOf = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');

test('the Python code of the verifier has at most 300 lines, each of at most 120 columns', () => {
  const files = globSync('**/*.py', { cwd: folder });
  expect(files).toContain('verify.py');
  const lines = files.flatMap(linesOf);
  expect(lines.length).toBeLessThanOrEqual(300);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});
