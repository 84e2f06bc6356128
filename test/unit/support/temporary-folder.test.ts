import { existsSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterAll(() => {
  expect(existsSync(folder)).toBe(false);
});

test('a temporary folder exists while its test runs and is deleted afterwards', () => {
  expect(existsSync(folder)).toBe(true);
});
