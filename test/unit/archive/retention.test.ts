import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRetention,
  decidePlanRetention,
  findShrinkage,
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

/** Returns archives with these ages in days, newest first. `changes` applies by position. */
function archivesOfAges(
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
    mayBeReadable: changes[at]?.readable ?? true,
    damaged: false,
    pinned: false,
    inUse: false,
    takenInAt: null,
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

describe('a limit on the number of archives of a project', () => {
  it('drops the archives beyond it', () => {
    expect(dropped(archivesOfAges([0, 1, 2, 3, 4]), 3)).toEqual(['a3', 'a4']);
    expect(dropped(archivesOfAges([0, 1]), 3)).toEqual([]);
  });

  it('never drops an archive that is pinned or in use by a job, and does not count it twice', () => {
    const archives = archivesOfAges([0, 1, 2, 3, 4], {
      1: { pinned: true },
      3: { pinned: true },
      4: { inUse: true },
    });
    expect(dropped(archives, 2)).toEqual(['a2']);
    expect(reasons(archives, 2)).toEqual({
      a0: 'among-newest',
      a1: 'pinned',
      a2: 'beyond-limits',
      a3: 'pinned',
      a4: 'in-use',
    });
  });

  it('drops nothing while the newest archive is not readable', () => {
    const archives = archivesOfAges([0, 1, 2, 3], { 0: { readable: false } });
    expect(dropped(archives, 1)).toEqual([]);
    expect(reasons(archives, 1)['a3']).toBe('newest-not-readable');
  });

  it('does not let an unreadable or damaged archive take the place of a readable one', () => {
    const archives = archivesOfAges([0, 1, 2, 3, 4], {
      1: { readable: false },
      2: { readable: false, damaged: true, condition: 'damaged' },
    });
    expect(dropped(archives, 2)).toEqual(['a4']);
    expect(dropped(archives, 1)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('never drops an archive that was not read for worse ones that were, and never counts it', () => {
    const unread = { readable: false, mayBeReadable: true, level: null };
    const incomplete = { condition: 'incomplete' as const };
    const worse = archivesOfAges([0, 1, 2, 3], { 0: incomplete, 1: incomplete, 2: unread, 3: unread });
    expect(dropped(worse, 1)).toEqual(['a1']);
    expect(reasons(worse, 1)).toMatchObject({ a2: 'more-complete', a3: 'more-complete' });
    expect(dropped(archivesOfAges([0, 1, 2], { 1: unread, 2: unread }), 1)).toEqual(['a1', 'a2']);
    expect(dropped(archivesOfAges([0, 1, 2], { 1: unread }), 2)).toEqual([]);
  });

  it.each<[string, Partial<RetentionCandidate>]>([
    ['the earlier records of a relation', { counts: { issues: 4, labels: 4 } }],
    ['the earlier records of a relation, which it lacks', { counts: { issues: 10 } }],
    ['the earlier size', { sizeBytes: 499 }],
  ])('drops nothing if the newest archive has less than half of %s', (_what, newest) => {
    const archives = archivesOfAges([0, 1, 2, 3], { 0: newest });
    expect(dropped(archives, 1)).toEqual([]);
    expect(reasons(archives, 1)['a3']).toBe('newest-shrank');
    expect(findShrinkage(archives, now)).not.toBeNull();
  });

  it.each<[string, Partial<RetentionCandidate>]>([
    ['issues', { counts: { issues: 4, labels: 4 } }],
    ['size', { sizeBytes: 400 }],
  ])(
    'drops none of the full archives, however many nights in a row yielded an archive with less %s',
    (what, small) => {
      for (let nights = 1; nights <= 8; nights++) {
        const ages = Array.from({ length: nights + 3 }, (_, age) => age);
        const shrunk = Object.fromEntries(ages.slice(0, nights).map((at) => [at, small]));
        const archives = archivesOfAges(ages, shrunk);
        expect(dropped(archives, 2)).toEqual([]);
        expect(findShrinkage(archives, now)).toMatchObject({ countName: what });
      }
    },
  );

  it('drops none of the full archives while small newer ones grow again night by night', () => {
    const counts = [100, 60, 40, 28, 20, 1000, 1000];
    const archives = archivesOfAges(
      counts.map((_, age) => age),
      Object.fromEntries(counts.map((issues, at) => [at, { counts: { issues } }])),
    );
    expect(findShrinkage(archives, now)).toEqual({
      countName: 'issues',
      comparedWith: 'earlier',
      comparedValue: 1000,
      newestValue: 100,
    });
    expect(dropped(archives, 3)).toEqual([]);
  });

  it('compares each relation with the archive that has most of it', () => {
    const archives = archivesOfAges([0, 1, 2, 3], {
      0: { counts: { issues: 10, labels: 1 } },
      1: { counts: { issues: 10, labels: 2 } },
    });
    expect(findShrinkage(archives, now)).toEqual({
      countName: 'labels',
      comparedWith: 'earlier',
      comparedValue: 4,
      newestValue: 1,
    });
    expect(dropped(archives, 1)).toEqual([]);
  });

  it('drops small archives again once all full ones are pinned, which keeps them', () => {
    const small = { counts: { issues: 1 }, sizeBytes: 10 };
    const archives = archivesOfAges([0, 1, 2, 3], {
      0: small,
      1: small,
      2: { pinned: true },
      3: { pinned: true },
    });
    expect(dropped(archives, 1)).toEqual(['a1']);
    const half = archives.map((candidate) =>
      candidate.id === 'a3' ? { ...candidate, pinned: false } : candidate,
    );
    expect(dropped(half, 1)).toEqual([]);
  });

  it('accepts a decrease to a half as an ordinary change', () => {
    const archives = archivesOfAges([0, 1, 2], {
      0: { counts: { issues: 5, labels: 2, notes: 9 }, sizeBytes: 500 },
    });
    expect(findShrinkage(archives, now)).toBeNull();
    expect(dropped(archives, 1)).toEqual(['a1', 'a2']);
  });

  it('compares the newest archive only with those that may be readable', () => {
    const archives = archivesOfAges([0, 1, 2], {
      1: { readable: false, counts: { issues: 900 }, sizeBytes: 9_000 },
    });
    expect(findShrinkage(archives, now)).toBeNull();
    const unread = archives.map((archive) => ({ ...archive, mayBeReadable: true }));
    expect(findShrinkage(unread, now)).toMatchObject({ countName: 'issues', comparedValue: 900 });
    expect(findShrinkage(archivesOfAges([0, 1, 2], { 0: { sizeBytes: 1 } }), now)).toEqual({
      countName: 'size',
      comparedWith: 'earlier',
      comparedValue: 1_000,
      newestValue: 1,
    });
  });

  it('keeps an archive that is dated in the future, and ignores it for every decision', () => {
    const ahead = archivesOfAges([-3], { 0: { readable: false, counts: {}, sizeBytes: 1 } });
    const archives = [...ahead, ...archivesOfAges([0, 1, 2])];
    expect(dropped(archives, 1)).toEqual(['a1', 'a2']);
    expect(reasons(archives, 1)['a-3']).toBe('dated-ahead');
  });
});

describe('an archive that is known to be worse', () => {
  const worse: [what: string, archive: Partial<RetentionCandidate>, reason: string][] = [
    ['incomplete', { condition: 'incomplete' }, 'more-complete'],
    ['suspicious', { condition: 'suspicious' }, 'more-complete'],
    [
      'incomplete, although its proof has a higher level',
      { condition: 'incomplete', level: 'L3' },
      'more-complete',
    ],
    ['proven at a lower level', { level: 'L2' }, 'more-proven'],
  ];

  it.each(worse)('never takes the place of a better one if it is %s', (_what, newest, reason) => {
    const better = { level: 'L3' } as const;
    const archives = archivesOfAges([0, 1, 2, 3], { 0: newest, 1: newest, 2: better, 3: better });
    expect(reasons(archives, 1)).toEqual({
      a0: 'among-newest',
      a1: 'beyond-limits',
      a2: reason,
      a3: 'beyond-limits',
    });
    expect(dropped(archives, 2)).toEqual([]);
  });

  it.each(worse)(
    'is dropped as soon as enough newer archives are at least as good, if it is %s',
    (_what, old) => {
      const better = { level: 'L3' } as const;
      expect(dropped(archivesOfAges([0, 1, 2], { 0: better, 1: old, 2: better }), 1)).toEqual(['a1', 'a2']);
    },
  );

  it('never takes the hour, day, week, month or year of a better one', () => {
    const lacking = { condition: 'incomplete' } as const;
    const archives = archivesOfAges([0, 0.1, 1, 1.1, 40], { 0: lacking, 2: lacking });
    for (const period of retentionPeriods) {
      const decisions = decideRetention(archives, policy({ [period]: 1 }), now);
      expect(decisions.find(({ id }) => id === 'a0.1')).toMatchObject({ keep: true });
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

  it('does not replace the newest complete one if the only limit is in days, however old the complete one is', () => {
    const archives = archivesOfAges([0, 50, 60], { 0: { condition: 'incomplete' } });
    const decisions = decideRetention(archives, policy({ withinDays: 3 }), now);
    expect(decisions.map(({ keep, reason }) => [keep, reason])).toEqual([
      [true, 'recent'],
      [true, 'more-complete'],
      [false, 'beyond-limits'],
    ]);
  });
});

describe('an adopted archive', () => {
  it('is kept for 30 days, however old its export is, and is then pruned like any other', () => {
    const adopted = (adoptedAt: string | null) =>
      archivesOfAges([0, 1, 2000], { 2: { takenInAt: adoptedAt } });
    expect(reasons(adopted(daysAgo(0)), 1)).toEqual({
      a0: 'among-newest',
      a1: 'beyond-limits',
      a2000: 'taken-in',
    });
    expect(dropped(adopted(daysAgo(29.9)), 1)).toEqual(['a1']);
    expect(dropped(adopted(daysAgo(30)), 1)).toEqual(['a1', 'a2000']);
    expect(dropped(adopted(null), 1)).toEqual(['a1', 'a2000']);
  });

  it('is kept if the time of its adoption is in the future', () => {
    expect(dropped(archivesOfAges([0, 9], { 1: { takenInAt: daysAgo(-400) } }), 1)).toEqual([]);
  });

  it('has the limit that keeps it as its reason, and takes no place of another archive', () => {
    const archives = archivesOfAges([0, 1, 2, 3], {
      1: { takenInAt: daysAgo(1) },
      3: { takenInAt: daysAgo(1) },
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
    readability: fc.constantFrom('read' as const, 'read' as const, 'unread' as const, 'unreadable' as const),
    damaged: fc.constant(false),
    pinned: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
    inUse: fc.integer({ min: 0, max: 6 }).map((value) => value === 0),
    takenInAt: fc.option(fc.integer({ min: -2, max: 60 }).map(daysAgo)),
  });
  const history = fc.array(archive, { maxLength: 12 }).map((archives): RetentionCandidate[] =>
    archives.map(({ readability, level, ...candidate }, at) => ({
      ...candidate,
      id: `a${at}`,
      level: readability === 'read' ? level : null,
      readable: readability === 'read',
      mayBeReadable: readability !== 'unreadable',
    })),
  );
  const number = fc.integer({ min: 1, max: 6 });
  const newestFirst = (archives: RetentionCandidate[]): RetentionCandidate[] => {
    const byId = new Map(archives.map((candidate) => [candidate.id, candidate]));
    return decideRetention(archives, policy({ keepLast: 1 }), now).flatMap(({ id }) => byId.get(id) ?? []);
  };

  it('no archive that must be kept is dropped, and enough readable ones are kept', () => {
    fc.assert(
      fc.property(history, number, (archives, keepLast) => {
        const droppedIds = new Set(dropped(archives, keepLast));
        const past = newestFirst(archives).filter(({ storedAt }) => Date.parse(storedAt) <= now);
        const readable = past.filter((candidate) => candidate.readable);
        expect(decideRetention(archives, policy({ keepLast }), now)).toHaveLength(archives.length);
        for (const candidate of archives) {
          const isRecentlyAdopted =
            candidate.takenInAt !== null && Date.parse(candidate.takenInAt) > now - 30 * 86_400_000;
          if (candidate.pinned || candidate.inUse || isRecentlyAdopted || !past.includes(candidate))
            expect(droppedIds).not.toContain(candidate.id);
        }
        for (const candidate of readable.slice(0, keepLast)) expect(droppedIds).not.toContain(candidate.id);
        const best = readable.toSorted(compareArchives)[0];
        if (best !== undefined) expect(droppedIds).not.toContain(best.id);
        const kept = readable.filter(({ id }) => !droppedIds.has(id));
        const maxOf = (valueOf: (candidate: RetentionCandidate) => number): number =>
          Math.max(0, ...kept.map(valueOf));
        for (const candidate of past.filter(({ id, mayBeReadable }) => mayBeReadable && droppedIds.has(id))) {
          expect(candidate.sizeBytes).toBeLessThanOrEqual(2 * maxOf(({ sizeBytes }) => sizeBytes));
          const issues = candidate.counts['issues'] ?? 0;
          expect(issues).toBeLessThanOrEqual(2 * maxOf(({ counts }) => counts['issues'] ?? 0));
        }
        if (past[0]?.readable !== true || findShrinkage(archives, now) !== null)
          expect(droppedIds.size).toBe(0);
        else {
          const free = readable.filter(
            ({ pinned, inUse, takenInAt }) =>
              !pinned && !inUse && (takenInAt === null || takenInAt <= daysAgo(30)),
          );
          for (const candidate of free) {
            const replacements = readable.filter(
              (other) =>
                compareQuality(other, candidate) <= 0 &&
                readable.indexOf(other) < readable.indexOf(candidate),
            );
            expect(droppedIds.has(candidate.id)).toBe(replacements.length >= keepLast);
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
    .map((plan) => ({ ...plan, timeZone: 'UTC' }));
  const place = fc.constantFrom('/archives', '/usb');

  it('under any limits, plans and folders, an archive is dropped only if a newer one at least as good stays in its folder, and the best one of each folder stays', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(place, { minLength: 12, maxLength: 12 }),
        anyPolicy,
        fc.array(anyPolicy, { maxLength: 2 }),
        (archives, places, plan, others) => {
          const placed = archives.map((candidate, at) => ({ ...candidate, root: places[at] ?? '' }));
          const decided = decidePlanRetention(
            placed,
            { ...plan, otherPlans: others },
            (root) => root ?? '/archives',
            now,
          );
          const keptIds = new Set(decided.flatMap(({ id, keep }) => (keep ? [id] : [])));
          const past = placed.filter(({ storedAt }) => Date.parse(storedAt) <= now);
          for (const candidate of past.filter(({ id, mayBeReadable }) => mayBeReadable && !keptIds.has(id))) {
            const replacements = past.filter(
              (other) =>
                keptIds.has(other.id) &&
                other.readable &&
                other.root === candidate.root &&
                compareQuality(other, candidate) <= 0 &&
                compareStoredAt(other, candidate) > 0,
            );
            expect(replacements).not.toEqual([]);
          }
          for (const root of ['/archives', '/usb']) {
            const best = past
              .filter((candidate) => candidate.mayBeReadable && candidate.root === root)
              .toSorted(compareArchives)[0];
            if (best !== undefined) expect(keptIds).toContain(best.id);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('the order of the archives does not matter, and pruning again drops nothing more', () => {
    fc.assert(
      fc.property(history, number, fc.integer({ min: 0, max: 12 }), (archives, keepLast, turn) => {
        const shuffled = [...archives.slice(turn), ...archives.slice(0, turn)].reverse();
        expect(decideRetention(shuffled, policy({ keepLast }), now)).toEqual(
          decideRetention(archives, policy({ keepLast }), now),
        );
        const droppedIds = new Set(dropped(archives, keepLast));
        const rest = archives.filter(({ id }) => !droppedIds.has(id));
        expect(dropped(rest, keepLast)).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });
});
