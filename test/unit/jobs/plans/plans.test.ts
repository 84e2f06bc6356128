import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredPlan } from '../../../../src-contract/plans/plan.ts';
import { selectionSchema } from '../../../../src-contract/plans/plan-schema.ts';
import { nextDue } from '../../../../src-main/jobs/plans/schedule-times.ts';
import { retentionOf, upsertPlan, type PlanDraft } from '../../../../src-main/jobs/plans/plans.ts';
import { dueNow, nextFiring } from '../../../../src-main/jobs/plans/plan-due.ts';
import { keepsAll, planDraft, type DraftOptions } from '../../../support/jobs/plan-draft.ts';
import type { PlanRunsPort } from '../../../../src-main/jobs/ports.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const iso = (at: number): string => new Date(at).toISOString();

const draftOf = (options: DraftOptions = {}): PlanDraft =>
  planDraft({ instance: 'source', name: 'nightly', ...options }) as PlanDraft;
const draft = draftOf();

const rule = selectionSchema.parse({ kind: 'rule', group: 'team' });

const saved = (changes: DraftOptions = {}, at = start): StoredPlan =>
  upsertPlan([], draftOf(changes), at, 'plan').saved;

/** Firings of one plan, kept as a list. */
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

/** Polls the plan from `from` to `to` with these pauses, and fires when it is due. */
function lookAt(plan: StoredPlan, from: number, to: number, pauses: readonly number[]): number[] {
  const firings = history();
  let look = 0;
  for (let now = from; now <= to; now += pauses[look++ % pauses.length] ?? day) {
    const due = dueNow(plan, firings, now);
    if (due !== null) firings.fired.push(due);
  }
  return firings.fired;
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

describe('a plan that is looked at now and then', () => {
  // Seven times of day, two zones, two years: more than 10,000 due times.
  const cases = ['Europe/Berlin', 'America/New_York'].flatMap((timeZone) =>
    ['00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '14:45'].map((at) => [at, timeZone] as const),
  );
  it.each(cases)('fires once for each day of two years, in order (%s %s)', (at, timeZone) => {
    const plan = saved({ at, timeZone });
    const to = start + 730 * day;
    const expected = dueTimes(plan, start, to);
    expect(expected.length).toBeGreaterThanOrEqual(729);
    // The shortest day has 23 hours, so each day has a poll.
    const fired = lookAt(plan, start, to, [7 * hour, 1, 22 * hour, 60_000, 11 * hour + 7, 22 * hour + 59]);
    expect(fired).toEqual(expected.slice(0, fired.length));
    expect(expected.length - fired.length).toBeLessThanOrEqual(1);
  });

  it('never fires for an older due time than the newest, twice, or from before it was set', () => {
    fc.assert(
      fc.property(
        // Not shorter, or the sixty days would take millions of polls.
        fc.array(fc.integer({ min: hour / 2, max: 9 * day }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
        (pauses, timeZone) => {
          const plan = saved({ timeZone });
          const to = start + 60 * day;
          const fired = lookAt(plan, start, to, pauses);
          expect(new Set(fired).size).toBe(fired.length);
          expect(fired).toEqual(fired.toSorted((a, b) => a - b));
          expect(dueTimes(plan, start, to)).toEqual(expect.arrayContaining(fired));
        },
      ),
      { numRuns: 100 },
    );
  });
});

it('the next firing is a due time that has not fired yet', () => {
  const plan = saved();
  const firings = history();
  const [first = 0, second = 0, third = 0] = dueTimes(plan, start, start + 4 * day);
  expect(nextFiring(plan, firings, start)).toBe(first);
  firings.fired.push(first, second);
  expect(nextFiring(plan, firings, start)).toBe(third);
  expect(nextFiring({ ...plan, enabled: false }, firings, start)).toBeNull();
});

it.each<[string, DraftOptions, string, number | null]>([
  ['as it says', {}, 'new', 4],
  ['all when it does not limit them', { keepLast: null }, 'new', null],
  ['all while it is off', { enabled: false }, 'new', null],
  ['all of an instance that it was moved away from', { instance: 'other' }, 'new', null],
  ['all when it is gone', {}, 'gone', null],
])('a plan keeps archives %s', (_what, changes, id, kept) => {
  const plan = { ...saved({ keepLast: 4, ...changes }), id: 'new' };
  expect(retentionOf([plan], id, 'source', 7, () => [])?.retention.keepLast ?? null).toBe(kept);
});

it.each<[string, DraftOptions, number[], boolean]>([
  ['all projects', { selection: { kind: 'all', scope: 'member' } }, [], true],
  ['this project', { selection: { kind: 'projects', projects: [{ id: 7, fullPath: 'a/b' }] } }, [], true],
  ['another project', { selection: { kind: 'projects', projects: [{ id: 8, fullPath: 'a/c' }] } }, [], false],
  ['what a rule has met, this among it', { selection: rule }, [7, 8], true],
  ['what a rule has met, this not among it', { selection: rule }, [8], false],
  ['nobody knows what: the catalogue is new', { selection: rule }, [], true],
  ['all, but is off', { enabled: false }, [], true],
  ['all of another instance', { instance: 'other' }, [], false],
])('beside a plan counts another that backs up %s', (_what, changes, met, counts) => {
  const plan = { ...saved({ keepLast: 1 }), id: 'new' };
  const other = { ...saved({ name: 'other', keepLast: 4, ...changes }), id: 'other' };
  const limits = retentionOf([plan, other], 'new', 'source', 7, (id) => (id === 'other' ? met : []));
  expect(limits?.others.map(({ retention }) => retention.keepLast)).toEqual(counts ? [4] : []);
});

describe('saving a plan', () => {
  it('adds it as one that begins now', () => {
    expect(upsertPlan([], draftOf({ keepLast: 4 }), start, 'new')).toEqual({
      saved: {
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

  it('refuses a name that another plan has in any case, and an unknown plan', () => {
    const plans = [saved()];
    const other = upsertPlan(plans, draftOf({ name: 'weekly' }), start, 'other');
    expect(other.plans.map(({ id }) => id)).toEqual(['plan', 'other']);
    const exists = expect.objectContaining({ code: 'already-exists' }) as Error;
    expect(() => upsertPlan(plans, draftOf({ name: ' NIGHTLY' }), start, 'new')).toThrow(exists);
    expect(() => upsertPlan(other.plans, draftOf({ id: 'other' }), start, 'new')).toThrow(exists);
    expect(upsertPlan(other.plans, draftOf({ id: 'plan', name: 'Nightly' }), start, 'new').saved.name).toBe(
      'Nightly',
    );
    const missing = expect.objectContaining({ code: 'plan-missing' }) as Error;
    expect(() => upsertPlan(plans, { ...draft, id: 'gone' }, start, 'new')).toThrow(missing);
  });

  it.each<[string, DraftOptions, boolean]>([
    ['how many archives are kept', { keepLast: 5 }, true],
    ['its time', { at: '03:30' }, false],
    ['its zone', { timeZone: 'Europe/Berlin' }, false],
    ['its instance', { instance: 'other' }, false],
    ['that it is off', { enabled: false }, true],
  ])('with another value for %s keeps what is overdue: %#', (_what, change, keepsDue) => {
    const before = saved();
    const now = start + 10 * day;
    const { saved: after } = upsertPlan([before], draftOf({ ...change, id: 'plan' }), now, 'x');
    expect(after.activeSince).toBe(keepsDue ? before.activeSince : iso(now));
    expect(after.createdAt).toBe(before.createdAt);
  });

  it('and switching it on again begins now', () => {
    const off = saved({ enabled: false });
    const { saved: on } = upsertPlan([off], { ...draft, id: 'plan' }, start + day, 'x');
    expect(on.activeSince).toBe(iso(start + day));
  });
});
