import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import {
  watchOverduePlans,
  type OverduePlanWatch,
} from '../../../../../src-main/hosts/desktop/tray/overdue.ts';
import type { Notice } from '../../../../../src-main/hosts/desktop/tray/notices.ts';
import type { PlanStatus } from '../../../../../src-contract/plans/plan.ts';
import { storedPlan } from '../../../../support/jobs/plan-draft.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

let notices: Notice[];
let clock: SteppedClock;
let currentCall: Client['call'];
let overdue: PlanStatus['overdue'];
let watch: OverduePlanWatch;

const status = (): PlanStatus => ({
  plan: storedPlan({ id: 'p1' }),
  nextRunAt: null,
  lastRun: null,
  beginning: null,
  overdue,
});

beforeEach(() => {
  notices = [];
  overdue = null;
  const call = (() => Promise.resolve({ plans: [status()] })) as Client['call'];
  clock = new SteppedClock();
  currentCall = call;
  watch = watchOverduePlans({ call: (...args) => currentCall(...args) }, clock, (notice) =>
    notices.push(notice),
  );
});
afterEach(() => {
  watch.stop();
});

const since = '2026-11-20T02:30:00.000Z';
const error = { code: 'token-missing', message: '', retry: 'later', details: { instance: 'work' } } as const;

test('a plan that could not start is reported once for each due time, with the reason', async () => {
  overdue = { since, error };
  await watch.handleEvent('plan.changed');
  await watch.handleEvent('plan.changed');
  expect(notices).toEqual([
    {
      title: 'The scheduled backup of work could not start',
      body: expect.stringContaining('token') as unknown,
      target: { what: 'plan', id: 'p1' },
    },
  ]);
  overdue = { since: '2026-11-21T02:30:00.000Z', error };
  await watch.handleEvent('plan.changed');
  expect(notices).toHaveLength(2);
});

test('a missed run that is caught up is not reported', async () => {
  await watch.handleEvent('plan.changed');
  overdue = { since, error: null };
  await watch.handleEvent('plan.changed');
  await watch.handleEvent('plan.changed');
  overdue = null;
  await clock.advance(120_000);
  expect(notices).toEqual([]);
});

test('a missed run that is not caught up is reported within a minute, once, even without events', async () => {
  overdue = { since, error: null };
  await clock.advance(60_000);
  expect(notices).toEqual([
    {
      title: 'The scheduled backup of work has not started',
      body: expect.stringMatching(/^It was due at .*2026.*Open Plans/) as unknown,
      target: { what: 'plan', id: 'p1' },
    },
  ]);
  await clock.advance(600_000);
  overdue = { since, error };
  await watch.handleEvent('plan.changed');
  expect(notices).toHaveLength(1);
});

test('other events, and a list that cannot be read, cause no notice', async () => {
  overdue = { since, error };
  await watch.handleEvent('job.changed');
  const call = (() => Promise.reject(new Error('busy'))) as Client['call'];
  currentCall = call;
  await watch.handleEvent('plan.changed');
  expect(notices).toEqual([]);
});
