import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a missing requirement skips its tests and stores the reason for the end of the run', () => {
  const file = join(temporaryFolder(), 'skips');
  vi.stubEnv('PACKHORSE_SKIPS_FILE', file);
  vi.stubEnv('PACKHORSE_REQUIRE_ALL', undefined);
  expect(requirement('a unicorn', true, 'nothing')).toBe(false);
  expect(existsSync(file)).toBe(false);
  expect(requirement('a dragon', false, 'hatch one')).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'a dragon', howToEnable: 'hatch one' });
});

test('a missing requirement throws with instructions if everything is required', () => {
  vi.stubEnv('PACKHORSE_REQUIRE_ALL', '1');
  expect(() => requirement('a dragon', false, 'hatch one')).toThrow('hatch one');
  expect(requirement('a unicorn', true, 'nothing')).toBe(false);
});
