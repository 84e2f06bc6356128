import { expect, it } from 'vitest';
import { comparisonHistory } from '../../../../../src-main/jobs/migrations/comparing/comparison-history.ts';

const importedAt = Date.parse('2026-11-20T12:00:00Z');
const minute = 60_000;
const missing = [
  { relation: 'issues', lost: 'on-import', line: 3, iid: 7, title: null, part: null } as const,
];

it('a comparison is prompt within 15 minutes after its import', () => {
  expect(comparisonHistory(null, importedAt, importedAt + 14 * minute)).toEqual({
    ...{ isPrompt: true, knownLosses: [] },
  });
  expect(comparisonHistory(null, importedAt, importedAt + 15 * minute).isPrompt).toBe(false);
  expect(comparisonHistory(null, null, importedAt).isPrompt).toBe(false);
});

it('a comparison is not prompt after an earlier one of fields, whose losses people may have repaired', () => {
  const after = (depth: 'numbers' | 'names' | 'fields' | 'contents') =>
    comparisonHistory({ depth, missing }, importedAt, importedAt + minute);
  for (const depth of ['fields', 'contents'] as const)
    expect(after(depth)).toEqual({ isPrompt: false, knownLosses: missing });
  for (const depth of ['numbers', 'names'] as const)
    expect(after(depth)).toEqual({ isPrompt: true, knownLosses: missing });
});
