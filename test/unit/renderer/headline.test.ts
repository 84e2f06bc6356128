/** @file The headline of the overview is about stored archives; the newest attempts are reported next to it. */
import { expect, test } from 'vitest';
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import type { InstanceOverview } from '../../../src-contract/runs/overview-schema.ts';
import { headlineOf } from '../../../src-renderer/views/overview/headline.ts';
import {
  exampleInstanceOverview,
  exampleOverview,
  examplePlanStatuses,
} from '../../component/support/overview-examples.ts';

const now = Date.parse('2026-11-20T03:00:00.000Z');
const headline = (instances: Partial<InstanceOverview>[], attention: Attention[] = []) =>
  headlineOf(exampleOverview({ instances: instances.map(exampleInstanceOverview), attention }), now);

test('a failed night is only a warning if older archives exist: the headline counts the archives, and the failure is shown next to it', () => {
  const { tone, sentence, facts } = headline([
    {
      statusCounts: examplePlanStatuses({ failed: 132 }),
      failedHeld: 132,
      oldestArchive: '2026-11-20T02:27:00.000Z',
    },
  ]);
  expect([tone, sentence]).toEqual(['warn', 'All 132 projects have an archive.']);
  expect(facts).toEqual([
    'The last backup of 132 projects failed',
    'The oldest of their newest archives: 33 minutes ago',
    'Nothing needs attention',
  ]);
});

test('a failed backup of a project without an archive is shown as an error', () => {
  const { tone, sentence } = headline([
    { statusCounts: examplePlanStatuses({ current: 3, failed: 5 }), failedHeld: 4 },
  ]);
  expect([tone, sentence]).toEqual(['bad', '1 project needs attention.']);
});

test('new copies from a migration are counted neither as unprotected nor as protected', () => {
  const source = { name: 'a', statusCounts: examplePlanStatuses({ current: 64 }) };
  const target = { name: 'b', statusCounts: examplePlanStatuses({ never: 64 }), newCopies: 64 };
  const both = headline([source, target]);
  expect([both.tone, both.sentence]).toEqual(['good', '64 projects have an archive.']);
  expect(both.facts).toContain('64 projects imported in the last day, not yet backed up');
  const alone = headline([target]);
  expect([alone.tone, alone.sentence]).toEqual([
    'info',
    '64 projects imported in the last day have no backup yet.',
  ]);
  const older = headline([source, { ...target, newCopies: 60 }]);
  expect([older.tone, older.sentence]).toEqual(['warn', '4 projects need attention.']);
});

test.each([
  { kind: 'token-missing', instance: 'work' },
  { kind: 'token-refused', instance: 'work', code: 'token-expired' },
  { kind: 'plan-empty', planId: 'p', plan: 'nightly', instance: 'work', runId: 'r' },
] satisfies Attention[])('the headline is a warning while no new archive can be created: $kind', (item) => {
  const backedUp = { statusCounts: examplePlanStatuses({ current: 3 }) };
  expect(headline([backedUp]).tone).toBe('good');
  expect(headline([backedUp], [item])).toMatchObject({
    tone: 'warn',
    sentence: 'All 3 projects have an archive.',
  });
});
