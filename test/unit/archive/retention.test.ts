import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRetention,
  decidePlanRetention,
  shrinkage,
  type RetentionCandidate,
} from '../../../src-main/archive/retention.ts';
import {
  compareStoredAt,
  compareArchives,
  compareQuality,
} from '../../../src-contract/archives/archive-quality.ts';
import {
  mapLimits,
  unlimitedRetention as none,
  retentionPeriods,
} from '../../../src-contract/plans/retention-periods.ts';
import type { Retention } from '../../../src-contract/plans/plan.ts';

const now = Date.UTC(2026, 10, 20, 12);
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();

/** Archives by their age in days, newest first; `changes` by position. */
function held(
  ages: number[],
  changes: Record<number, Partial<RetentionCandidate>> = {},
): RetentionCandidate[] {
  return ages.map((age, at) => ({
    id: `a${age}`,
    storedAt: daysAgo(age),
    sizeBytes: 1_000,
    counts: { issues: 10, labels: 4 },
    sourceCounts: {},
    condition: 'complete',
    level: 'L2',
    readable: true,
    damaged: false,
    pinned: false,
    inUse: false,
    adoptedOrIdentifiedAt: null,
    ...changes[at],
  }));
}

const policy = (limits: Partial<Retention>, timeZone = 'UTC') => ({
  retention: { ...none, ...limits },
  timeZone,
});

const dropped = (archives: RetentionCandidate[], keepLast: number): string[] =>
  decideRetention(archives, policy({ keepLast }), now)
    .filter(({ keep }) => !keep)
    .map(({ id }) => id);

const reasons = (archives: RetentionCandidate[], keepLast: number): Record<string, string> =>
  Object.fromEntries(
    decideRetention(archives, policy({ keepLast }), now).map(({ id, reason }) => [id, reason]),
  );

describe('keeping the newest archives of a project', () => {
  it('drops those beyond the number', () => {
    expect(dropped(held([0, 1, 2, 3, 4]), 3)).toEqual(['a3', 'a4']);
    expect(dropped(held([0, 1]), 3)).toEqual([]);
  });

  it('never drops one that is pinned or needed by a job, and does not count it twice', () => {
    const archives = held([0, 1, 2, 3, 4], { 1: { pinned: true }, 3: { pinned: true }, 4: { inUse: true } });
    expect(dropped(archives, 2)).toEqual(['a2']);
    expect(reasons(archives, 2)).toEqual({
      a0: 'among-newest',
      a1: 'pinned',
      a2: 'beyond-limits',
      a3: 'pinned',
      a4: 'in-use',
    });
  });

  it('drops nothing while the newest is not readable', () => {
    const archives = held([0, 1, 2, 3], { 0: { readable: false } });
    expect(dropped(archives, 1)).toEqual([]);
    expect(reasons(archives, 1)['a3']).toBe('newest-not-readable');
  });

  it('does not let a damaged archive take the place of a good one', () => {
    const archives = held([0, 1, 2, 3, 4], { 1: { readable: false }, 2: { readable: false } });
    expect(dropped(archives, 2)).toEqual(['a4']);
    expect(dropped(archives, 1)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it.each<[string, Partial<RetentionCandidate>]>([
    ['a relation', { counts: { issues: 4, labels: 4 } }],
    ['a relation that is gone', { counts: { issues: 10 } }],
    ['its size', { sizeBytes: 499 }],
  ])('drops nothing when the newest has less than half of %s', (_what, newest) => {
    const archives = held([0, 1, 2, 3], { 0: newest });
    expect(dropped(archives, 1)).toEqual([]);
    expect(reasons(archives, 1)['a3']).toBe('newest-shrank');
    expect(shrinkage(archives, now)).not.toBeNull();
  });

  it.each<[string, Partial<RetentionCandidate>]>([
    ['issues', { counts: { issues: 4, labels: 4 } }],
    ['size', { sizeBytes: 400 }],
  ])('drops none of the full ones, however many nights in a row came out with less %s', (what, small) => {
    for (let nights = 1; nights <= 8; nights++) {
      const ages = Array.from({ length: nights + 3 }, (_, age) => age);
      const shrunk = Object.fromEntries(ages.slice(0, nights).map((at) => [at, small]));
      const archives = held(ages, shrunk);
      expect(dropped(archives, 2)).toEqual([]);
      expect(shrinkage(archives, now)).toMatchObject({ what });
    }
  });

  it('drops none of the full ones while what came out small grows again night by night', () => {
    const counts = [100, 60, 40, 28, 20, 1000, 1000];
    const archives = held(
      counts.map((_, age) => age),
      Object.fromEntries(counts.map((issues, at) => [at, { counts: { issues } }])),
    );
    expect(shrinkage(archives, now)).toEqual({
      what: 'issues',
      comparedWith: 'earlier',
      before: 1000,
      now: 100,
    });
    expect(dropped(archives, 3)).toEqual([]);
  });

  it('holds each relation against the archive that has most of it', () => {
    const archives = held([0, 1, 2, 3], {
      0: { counts: { issues: 10, labels: 1 } },
      1: { counts: { issues: 10, labels: 2 } },
    });
    expect(shrinkage(archives, now)).toEqual({ what: 'labels', comparedWith: 'earlier', before: 4, now: 1 });
    expect(dropped(archives, 1)).toEqual([]);
  });

  it('continues once the full ones are pinned, which keeps them', () => {
    const small = { counts: { issues: 1 }, sizeBytes: 10 };
    const archives = held([0, 1, 2, 3], { 0: small, 1: small, 2: { pinned: true }, 3: { pinned: true } });
    expect(dropped(archives, 1)).toEqual(['a1']);
    const half = archives.map((one) => (one.id === 'a3' ? { ...one, pinned: false } : one));
    expect(dropped(half, 1)).toEqual([]);
  });

  it('takes a half for a change that happens', () => {
    const archives = held([0, 1, 2], {
      0: { counts: { issues: 5, labels: 2, notes: 9 }, sizeBytes: 500 },
    });
    expect(shrinkage(archives, now)).toBeNull();
    expect(dropped(archives, 1)).toEqual(['a1', 'a2']);
  });

  it('holds the newest against readable ones only', () => {
    const archives = held([0, 1, 2], {
      1: { readable: false, counts: { issues: 900 }, sizeBytes: 9_000 },
    });
    expect(shrinkage(archives, now)).toBeNull();
    expect(shrinkage(held([0, 1, 2], { 0: { sizeBytes: 1 } }), now)).toEqual({
      what: 'size',
      comparedWith: 'earlier',
      before: 1_000,
      now: 1,
    });
  });

  it('keeps an archive that is dated ahead, and lets it decide nothing', () => {
    const ahead = held([-3], { 0: { readable: false, counts: {}, sizeBytes: 1 } });
    const archives = [...ahead, ...held([0, 1, 2])];
    expect(dropped(archives, 1)).toEqual(['a1', 'a2']);
    expect(reasons(archives, 1)['a-3']).toBe('dated-ahead');
  });
});

describe('an archive that is known to be worse', () => {
  const worse: [what: string, archive: Partial<RetentionCandidate>, reason: string][] = [
    ['incomplete', { condition: 'incomplete' }, 'more-complete'],
    ['suspicious', { condition: 'suspicious' }, 'more-complete'],
    ['incomplete, though more of it is proven', { condition: 'incomplete', level: 'L3' }, 'more-complete'],
    ['less proven', { level: 'L2' }, 'more-proven'],
  ];

  it.each(worse)('never takes the place of a better one where it is %s', (_what, newest, reason) => {
    const better = { level: 'L3' } as const;
    const archives = held([0, 1, 2, 3], { 0: newest, 1: newest, 2: better, 3: better });
    expect(reasons(archives, 1)).toEqual({
      a0: 'among-newest',
      a1: 'beyond-limits',
      a2: reason,
      a3: 'beyond-limits',
    });
    expect(dropped(archives, 2)).toEqual([]);
  });

  it.each(worse)(
    'goes as soon as enough that are at least as good are newer, where it is %s',
    (_what, old) => {
      const better = { level: 'L3' } as const;
      expect(dropped(held([0, 1, 2], { 0: better, 1: old, 2: better }), 1)).toEqual(['a1', 'a2']);
    },
  );

  it('takes none of the hours, days, weeks, months and years of a better one', () => {
    const lacking = { condition: 'incomplete' } as const;
    const archives = held([0, 0.1, 1, 1.1, 40], { 0: lacking, 2: lacking });
    for (const period of retentionPeriods) {
      const told = decideRetention(archives, policy({ [period]: 1 }), now);
      expect(told.find(({ id }) => id === 'a0.1')).toMatchObject({ keep: true });
    }
    const days = decideRetention(archives, policy({ daily: 2 }), now);
    expect(days.map(({ id, reason }) => [id, reason])).toEqual([
      ['a0', 'daily'],
      ['a0.1', 'more-complete'],
      ['a1', 'daily'],
      ['a1.1', 'more-complete'],
      ['a40', 'beyond-limits'],
    ]);
  });

  it('leaves the newest complete one where only days limit, however long ago that was stored', () => {
    const archives = held([0, 50, 60], { 0: { condition: 'incomplete' } });
    const told = decideRetention(archives, policy({ withinDays: 3 }), now);
    expect(told.map(({ keep, reason }) => [keep, reason])).toEqual([
      [true, 'recent'],
      [true, 'more-complete'],
      [false, 'beyond-limits'],
    ]);
  });
});

describe('an archive that was adopted', () => {
  it('stays for 30 days, however old its export is, and then goes as any other', () => {
    const taken = (takenInAt: string | null) =>
      held([0, 1, 2000], { 2: { adoptedOrIdentifiedAt: takenInAt } });
    expect(reasons(taken(daysAgo(0)), 1)).toEqual({
      a0: 'among-newest',
      a1: 'beyond-limits',
      a2000: 'taken-in',
    });
    expect(dropped(taken(daysAgo(29.9)), 1)).toEqual(['a1']);
    expect(dropped(taken(daysAgo(30)), 1)).toEqual(['a1', 'a2000']);
    expect(dropped(taken(null), 1)).toEqual(['a1', 'a2000']);
  });

  it('stays where the time of its adoption is in the future', () => {
    expect(dropped(held([0, 9], { 1: { adoptedOrIdentifiedAt: daysAgo(-400) } }), 1)).toEqual([]);
  });

  it('has the reason of the limit that keeps it, and takes no place of another', () => {
    const archives = held([0, 1, 2, 3], {
      1: { adoptedOrIdentifiedAt: daysAgo(1) },
      3: { adoptedOrIdentifiedAt: daysAgo(1) },
    });
    expect(reasons(archives, 2)).toEqual({
      a0: 'among-newest',
      a1: 'among-newest',
      a2: 'beyond-limits',
      a3: 'taken-in',
    });
  });
});

describe('in any history', () => {
  const archive = fc.record({
    storedAt: fc.integer({ min: -2, max: 40 }).map(daysAgo),
    sizeBytes: fc.constantFrom(400, 700, 1_000, 2_100),
    counts: fc.record({ issues: fc.constantFrom(0, 4, 5, 10) }),
    sourceCounts: fc.record({ issues: fc.constantFrom(0, 5, 30) }),
    condition: fc.constantFrom(
      'complete' as const,
      'complete' as const,
      'suspicious' as const,
      'incomplete' as const,
    ),
    level: fc.constantFrom('L2' as const, 'L2' as const, 'L3' as const),
    readable: fc.boolean(),
    damaged: fc.constant(false),
    pinned: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    inUse: fc.integer({ min: 0, max: 6 }).map((one) => one === 0),
    adoptedOrIdentifiedAt: fc.option(fc.integer({ min: -2, max: 60 }).map(daysAgo)),
  });
  const history = fc
    .array(archive, { maxLength: 12 })
    .map((archives): RetentionCandidate[] => archives.map((one, at) => ({ ...one, id: `a${at}` })));
  const number = fc.integer({ min: 1, max: 6 });
  const newestFirst = (archives: RetentionCandidate[]): RetentionCandidate[] => {
    const byId = new Map(archives.map((one) => [one.id, one]));
    return decideRetention(archives, policy({ keepLast: 1 }), now).flatMap(({ id }) => byId.get(id) ?? []);
  };

  it('no archive is dropped that must stay, and enough readable ones are kept', () => {
    fc.assert(
      fc.property(history, number, (archives, keepLast) => {
        const gone = new Set(dropped(archives, keepLast));
        const past = newestFirst(archives).filter(({ storedAt }) => Date.parse(storedAt) <= now);
        const readable = past.filter((one) => one.readable);
        expect(decideRetention(archives, policy({ keepLast }), now)).toHaveLength(archives.length);
        for (const one of archives) {
          const isNew =
            one.adoptedOrIdentifiedAt !== null &&
            Date.parse(one.adoptedOrIdentifiedAt) > now - 30 * 86_400_000;
          if (one.pinned || one.inUse || isNew || !past.includes(one)) expect(gone).not.toContain(one.id);
        }
        for (const one of readable.slice(0, keepLast)) expect(gone).not.toContain(one.id);
        const best = readable.toSorted(compareArchives)[0];
        if (best !== undefined) expect(gone).not.toContain(best.id);
        const kept = readable.filter(({ id }) => !gone.has(id));
        const maxOf = (held: (one: RetentionCandidate) => number): number => Math.max(0, ...kept.map(held));
        for (const one of readable.filter(({ id }) => gone.has(id))) {
          expect(one.sizeBytes).toBeLessThanOrEqual(2 * maxOf(({ sizeBytes }) => sizeBytes));
          const issues = one.counts['issues'] ?? 0;
          expect(issues).toBeLessThanOrEqual(2 * maxOf(({ counts }) => counts['issues'] ?? 0));
        }
        if (past[0]?.readable !== true || shrinkage(archives, now) !== null) expect(gone.size).toBe(0);
        else {
          const free = readable.filter(
            ({ pinned, inUse, adoptedOrIdentifiedAt }) =>
              !pinned && !inUse && (adoptedOrIdentifiedAt === null || adoptedOrIdentifiedAt <= daysAgo(30)),
          );
          for (const one of free) {
            const inItsPlace = readable.filter(
              (other) => compareQuality(other, one) <= 0 && readable.indexOf(other) < readable.indexOf(one),
            );
            expect(gone.has(one.id)).toBe(inItsPlace.length >= keepLast);
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });

  const limit = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 });
  const anyPolicy = fc
    .record({
      retention: fc.record<Retention>(
        mapLimits((name) => (name === 'withinDays' ? fc.option(fc.integer({ min: 1, max: 40 })) : limit)),
      ),
      archiveRoot: fc.constantFrom(null, '/usb'),
    })
    .map((one) => ({ ...one, timeZone: 'UTC' }));
  const place = fc.constantFrom('/archives', '/usb');

  it('whatever the rules, plans and places: of what goes, one that is newer and at least as good stays there; the best never goes', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(place, { minLength: 12, maxLength: 12 }),
        anyPolicy,
        fc.array(anyPolicy, { maxLength: 2 }),
        (archives, places, plan, others) => {
          const placed = archives.map((one, at) => ({ ...one, root: places[at] ?? '' }));
          const decided = decidePlanRetention(
            placed,
            { ...plan, others },
            (root) => root ?? '/archives',
            now,
          );
          const stays = new Set(decided.flatMap(({ id, keep }) => (keep ? [id] : [])));
          const past = placed.filter(({ storedAt }) => Date.parse(storedAt) <= now);
          for (const one of past.filter(({ id, readable }) => readable && !stays.has(id))) {
            const inItsPlace = past.filter(
              (other) =>
                stays.has(other.id) &&
                other.readable &&
                other.root === one.root &&
                compareQuality(other, one) <= 0 &&
                compareStoredAt(other, one) > 0,
            );
            expect(inItsPlace).not.toEqual([]);
          }
          for (const root of ['/archives', '/usb']) {
            const best = past.filter((one) => one.readable && one.root === root).toSorted(compareArchives)[0];
            if (best !== undefined) expect(stays).toContain(best.id);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('the order in which archives are given does not matter, and pruning again drops nothing more', () => {
    fc.assert(
      fc.property(history, number, fc.integer({ min: 0, max: 12 }), (archives, keepLast, turn) => {
        const shuffled = [...archives.slice(turn), ...archives.slice(0, turn)].reverse();
        expect(decideRetention(shuffled, policy({ keepLast }), now)).toEqual(
          decideRetention(archives, policy({ keepLast }), now),
        );
        const gone = new Set(dropped(archives, keepLast));
        const rest = archives.filter(({ id }) => !gone.has(id));
        expect(dropped(rest, keepLast)).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });
});
