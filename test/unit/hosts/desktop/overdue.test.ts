import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../../src-main/bridge/in-process.ts';
import { OverdueWatch } from '../../../../src-main/hosts/desktop/overdue.ts';
import type { Notice } from '../../../../src-main/hosts/desktop/notices.ts';
import type { PlanStanding } from '../../../../src-preload/contract/plan.ts';
import { storedPlan } from '../../../support/plan-draft.ts';

let told: Notice[];
let overdue: PlanStanding['overdue'];
let watch: OverdueWatch;

const standing = (): PlanStanding => ({
  plan: storedPlan({ id: 'p1' }),
  nextRunAt: null,
  lastRun: null,
  overdue,
});

beforeEach(() => {
  told = [];
  overdue = null;
  const call = (() => Promise.resolve({ plans: [standing()] })) as Client['call'];
  watch = new OverdueWatch({ call }, (notice) => told.push(notice));
});

const since = '2026-11-20T02:30:00.000Z';
const error = { code: 'token-missing', message: '', retry: 'later', details: { instance: 'work' } } as const;

test('a plan that could not start is told once for each due time, with the reason', async () => {
  overdue = { since, error };
  await watch.heard('plan.changed');
  await watch.heard('plan.changed');
  expect(told).toEqual([
    {
      title: 'The scheduled backup of work could not start',
      body: expect.stringContaining('token') as unknown,
    },
  ]);
  overdue = { since: '2026-11-21T02:30:00.000Z', error };
  await watch.heard('plan.changed');
  expect(told).toHaveLength(2);
});

test('one that was only missed, and will be caught up, is not told', async () => {
  await watch.heard('plan.changed');
  overdue = { since, error: null };
  await watch.heard('plan.changed');
  expect(told).toEqual([]);
});

test('other events, and a list that cannot be read, tell nothing', async () => {
  overdue = { since, error };
  await watch.heard('job.changed');
  const call = (() => Promise.reject(new Error('busy'))) as Client['call'];
  await new OverdueWatch({ call }, (notice) => told.push(notice)).heard('plan.changed');
  expect(told).toEqual([]);
});
