/** @file The section of a passport page about everything that the comparison left out. */
import { expect, it } from 'vitest';
import type { ReachedRelation, Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { notComparedPart } from '../../../../../src-main/services/migrations/passport/not-compared.ts';

const page = (relations: ReachedRelation[]): string => {
  const reconciliation: Reconciliation = {
    ...{ at: '2026-11-20T10:00:00.000Z', reconciled: false, depth: 'names', rows: [], missing: [] },
    ...{ missingCount: 0, settings: [], declared: [], notCompared: [{ part: 'designs', records: 2 }] },
    relations,
  };
  return (notComparedPart(reconciliation)?.text ?? '').replaceAll(/\s+/g, ' ');
};
const keys = (relation: string, fields: string[]): ReachedRelation => ({
  ...{ relation, source: 'keys', target: 'keys', fields },
});

it('many fields that were not compared are folded, and few are not', () => {
  const many = Array.from({ length: 13 }, (_, index) => `field_${index}`);
  const folded = page([keys('issues', many)]);
  expect(folded).toContain('but their fields were not compared:</strong> issues.');
  expect(folded).toContain('<summary>13 fields that were not compared</summary>');
  expect(folded).toContain('<dt>Issues</dt>');
  for (const field of many) expect(folded).toContain(`<code>${field}</code>`);
  const shown = page([keys('labels', ['color'])]);
  expect(shown).toContain('<code>color</code>');
  expect(shown).not.toContain('<details>');
});

it('relations that were only counted are named without their fields', () => {
  const counted = page([{ ...keys('issues', ['title']), source: 'counts', target: 'counts' }]);
  expect(counted).toContain('<strong>Only counted:</strong> issues.');
  expect(counted).not.toContain('<code>');
});

it('only the parts that no comparison covers are listed if everything else was compared', () => {
  const complete = page([{ ...keys('issues', []), source: 'contents', target: 'contents' }]);
  expect(complete).toContain('Designs');
  expect(complete).not.toContain('<h3>');
  expect(notComparedPart(null)).toBeNull();
});
