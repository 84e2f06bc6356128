import { expect, test } from 'vitest';
import { endsSoon } from '../../../src-preload/contract/instance.ts';
import { mayExport } from '../../../src-preload/contract/project.ts';

test('an export needs the role Maintainer, and a role that is not told is tried', () => {
  expect([10, 20, 30, 39, 40, 50, null].map(mayExport)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});

test.for([
  ['2026-12-05', false],
  ['2026-12-04', false],
  ['2026-12-03', true],
  ['2026-11-20', true],
  ['2026-11-01', true],
] as const)('on 20 November, a token that ends on %s ends soon or has ended: %s', ([expiresOn, soon]) => {
  expect(endsSoon(expiresOn, Date.parse('2026-11-20T00:00:00Z'))).toBe(soon);
});
