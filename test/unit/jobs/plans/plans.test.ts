import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredPlan } from '../../../../src-contract/plans/plan.ts';
import { selectionSchema } from '../../../../src-contract/plans/plan-schema.ts';
import { nextDue } from '../../../../src-main/jobs/plans/schedule-times.ts';
import { retentionOf, upsertPlan, type StoredDraft } from '../../../../src-main/jobs/plans/plans.ts';
import { dueNow, nextFiring } from '../../../../src-main/jobs/plans/plan-due.ts';
import { keepsAll, planDraft, type DraftOptions } from '../../../support/jobs/plan-draft.ts';
import type { PlanRunsPort } from '../../../../src-main/jobs/ports.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const iso = (at: number): string => new Date(at).toISOString();

const draftOf = (options: DraftOptions = {}): StoredDraft =>
  planDraft({ instance: 'source', name: 'nightly', ...options }) as StoredDraft;
const draft = draftOf();

const rule = selectionSchema.parse({ kind: 'rule', group: 'team' });

const saved = (changes: DraftOptions = {}, at = start): StoredPlan =>
  upsertPlan([], draftOf(changes), at, 'plan').savedPlan;

/** Returns a history of one plan that keeps the fired due times in a list. */
function history(): PlanRunsPort & { fired: number[] } {
  const fired: number[] = [];
  return {
    fired,
    lastFiring(_planId, upTo) {
      const dueAt = Math.max(...fired.filter((due) => due <= upTo));
      return dueAt === -Infinity ? null : { runId: 'r', dueAt, startedAt: dueAt, outcome: 'succeeded' };
    },
    hasFired: (_planId, dueAt) => fired.includes(dueAt),
    lastSkippedDueTime: () => null,
    recordSkip: () => false,
    findFailure: () => null,
    recordFailure: () => undefined,
    fire: () => null,
  };
}

/** Polls the plan from `from` to `to` with these pauses, and returns the due times that fired. */
function pollPlan(plan: StoredPlan, from: number, to: number, pauses: readonly number[]): number[] {
  const runStore = history();
  let polls = 0;
  for (let now = from; now <= to; now += pauses[polls++ % pauses.length] ?? day) {
    const due = dueNow(plan, runStore, now);
    if (due !== null) runStore.fired.push(due);
  }
  return runStore.fired;
}

function dueTimes(plan: StoredPlan, from: number, to: number): number[] {
  const due: number[] = [];
  for (
    let next = nextDue(plan.schedule, from) ?? Infinity;
    next <= to;
    next = nextDue(plan.schedule, next) ?? Infinity
  )
    due.push(next);
  return due;
}

describe('a plan that is polled with pauses', () => {
  // Seven times of day, two zones, two years: more than 10,000 due times.
  const cases = ['Europe/Berlin', 'America/New_York'].flatMap((timeZone) =>
    ['00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '14:45'].map((at) => [at, timeZone] as const),
  );
  it.each(cases)('runs once for each day of two years, in order (%s %s)', (at, timeZone) => {
    const plan = saved({ at, timeZone });
    const to = start + 730 * day;
    const expected = dueTimes(plan, start, to);
    expect(expected.length).toBeGreaterThanOrEqual(729);
    // The shortest day has 23 hours, so each day has a poll.
    const fired = pollPlan(plan, start, to, [7 * hour, 1, 22 * hour, 60_000, 11 * hour + 7, 22 * hour + 59]);
    expect(fired).toEqual(expected.slice(0, fired.length));
    expect(expected.length - fired.length).toBeLessThanOrEqual(1);
  });

  it('never runs twice for a due time, for an older due time than the newest, or for one from before its schedule was set', () => {
    fc.assert(
      fc.property(
        // Shorter pauses would need millions of polls for the sixty days.
        fc.array(fc.integer({ min: hour / 2, max: 9 * day }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
        (pauses, timeZone) => {
          const plan = saved({ timeZone });
          const to = start + 60 * day;
          const fired = pollPlan(plan, start, to, pauses);
          expect(new Set(fired).size).toBe(fired.length);
          expect(fired).toEqual(fired.toSorted((a, b) => a - b));
          expect(dueTimes(plan, start, to)).toEqual(expect.arrayContaining(fired));
        },
      ),
      { numRuns: 100 },
    );
  });
});

it('the next run of a plan is at its first due time without a run, and a disabled plan has none', () => {
  const plan = saved();
  const runStore = history();
  const [first = 0, second = 0, third = 0] = dueTimes(plan, start, start + 4 * day);
  expect(nextFiring(plan, runStore, start)).toBe(first);
  runStore.fired.push(first, second);
  expect(nextFiring(plan, runStore, start)).toBe(third);
  expect(nextFiring({ ...plan, enabled: false }, runStore, start)).toBeNull();
});

it.each<[string, DraftOptions, string, number | null]>([
  ['as many archives as its limit says', {}, 'new', 4],
  ['all archives without a limit', { keepLast: null }, 'new', null],
  ['all archives while it is disabled', { enabled: false }, 'new', null],
  ['all archives of an instance that it was moved away from', { instance: 'other' }, 'new', null],
  ['all archives after it was deleted', {}, 'gone', null],
])('a plan keeps %s', (_what, changes, id, kept) => {
  const plan = { ...saved({ keepLast: 4, ...changes }), id: 'new' };
  expect(retentionOf([plan], id, 'source', 7, () => [])?.retention.keepLast ?? null).toBe(kept);
});

it.each<[string, DraftOptions, number[], boolean]>([
  [
    'another plan counts if it backs up all projects',
    { selection: { kind: 'all', scope: 'member' } },
    [],
    true,
  ],
  [
    'another plan counts if it backs up this project',
    { selection: { kind: 'projects', projects: [{ id: 7, fullPath: 'a/b' }] } },
    [],
    true,
  ],
  [
    'another plan does not count if it backs up another project',
    { selection: { kind: 'projects', projects: [{ id: 8, fullPath: 'a/c' }] } },
    [],
    false,
  ],
  ['another plan counts if its rule found this project', { selection: rule }, [7, 8], true],
  ['another plan does not count if its rule found only other projects', { selection: rule }, [8], false],
  [
    'another plan counts if its projects are unknown because the catalogue is new',
    { selection: rule },
    [],
    true,
  ],
  ['another plan counts even while it is disabled', { enabled: false }, [], true],
  ['another plan does not count if it backs up another instance', { instance: 'other' }, [], false],
])('for the retention of a plan, %s', (_what, changes, foundIds, counts) => {
  const plan = { ...saved({ keepLast: 1 }), id: 'new' };
  const other = { ...saved({ name: 'other', keepLast: 4, ...changes }), id: 'other' };
  const limits = retentionOf([plan, other], 'new', 'source', 7, (id) => (id === 'other' ? foundIds : []));
  expect(limits?.otherPlans.map(({ retention }) => retention.keepLast)).toEqual(counts ? [4] : []);
});

describe('saving a plan', () => {
  it('adds a new plan as active from now on', () => {
    expect(upsertPlan([], draftOf({ keepLast: 4 }), start, 'new')).toEqual({
      savedPlan: {
        id: 'new',
        name: 'nightly',
        instance: 'source',
        selection: { kind: 'all', scope: 'member' },
        skipUnchanged: false,
        hooks: { before: null, after: null },
        archiveRoot: null,
        heartbeat: null,
        pausedUntil: null,
        skippedDue: null,
        schedule: { kind: 'daily', at: '02:30', timeZone: 'UTC' },
        retention: { ...keepsAll, keepLast: 4 },
        enabled: true,
        createdAt: iso(start),
        activeSince: iso(start),
      },
      plans: [expect.objectContaining({ id: 'new' })],
    });
  });

  it('rejects the name of another plan, ignoring case, and an unknown plan', () => {
    const plans = [saved()];
    const other = upsertPlan(plans, draftOf({ name: 'weekly' }), start, 'other');
    expect(other.plans.map(({ id }) => id)).toEqual(['plan', 'other']);
    const exists = expect.objectContaining({ code: 'already-exists' }) as Error;
    expect(() => upsertPlan(plans, draftOf({ name: ' NIGHTLY' }), start, 'new')).toThrow(exists);
    expect(() => upsertPlan(other.plans, draftOf({ id: 'other' }), start, 'new')).toThrow(exists);
    expect(
      upsertPlan(other.plans, draftOf({ id: 'plan', name: 'Nightly' }), start, 'new').savedPlan.name,
    ).toBe('Nightly');
    const missing = expect.objectContaining({ code: 'plan-missing' }) as Error;
    expect(() => upsertPlan(plans, { ...draft, id: 'gone' }, start, 'new')).toThrow(missing);
  });

  it.each<[string, DraftOptions, boolean]>([
    ['with another number of kept archives keeps overdue due times', { keepLast: 5 }, true],
    ['with another time drops overdue due times', { at: '03:30' }, false],
    ['with another time zone drops overdue due times', { timeZone: 'Europe/Berlin' }, false],
    ['with another instance drops overdue due times', { instance: 'other' }, false],
    ['as disabled keeps overdue due times', { enabled: false }, true],
  ])('%s: %#', (_what, change, keepsDue) => {
    const before = saved();
    const now = start + 10 * day;
    const { savedPlan: after } = upsertPlan([before], draftOf({ ...change, id: 'plan' }), now, 'x');
    expect(after.activeSince).toBe(keepsDue ? before.activeSince : iso(now));
    expect(after.createdAt).toBe(before.createdAt);
  });

  it('as enabled again makes it active from now on', () => {
    const off = saved({ enabled: false });
    const { savedPlan: on } = upsertPlan([off], { ...draft, id: 'plan' }, start + day, 'x');
    expect(on.activeSince).toBe(iso(start + day));
  });
});
