import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodsOf } from '../../../src-main/archive/periods.ts';
import { hasLimits, decideRetention, type RetentionCandidate } from '../../../src-main/archive/retention.ts';
import type { Retention } from '../../../src-contract/plans/plan.ts';
import { mapLimits, unlimitedRetention as none } from '../../../src-contract/plans/retention-periods.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

const archive = (storedAt: string, more: Partial<RetentionCandidate> = {}): RetentionCandidate => ({
  id: storedAt,
  storedAt,
  sizeBytes: 1_000,
  counts: { issues: 10 },
  sourceCounts: {},
  condition: 'complete',
  level: 'L2',
  readable: true,
  mayBeReadable: more.readable ?? true,
  damaged: false,
  pinned: false,
  inUse: false,
  takenInAt: null,
  ...more,
});

interface Policy {
  limits: Partial<Retention>;
  timeZone?: string;
}

function kept(
  archives: RetentionCandidate[],
  { limits, timeZone = 'UTC' }: Policy,
  at = now,
): Record<string, string> {
  const decisions = decideRetention(archives, { retention: { ...none, ...limits }, timeZone }, at);
  return Object.fromEntries(decisions.flatMap(({ id, keep, reason }) => (keep ? [[id, reason]] : [])));
}

const keptOf = (times: string[], policy: Policy, at = now): string[] =>
  Object.keys(
    kept(
      times.map((time) => archive(time)),
      policy,
      at,
    ),
  );

describe('retention keeps', () => {
  it('the newest archive of as many of the newest hours, days, weeks, months and years with an archive as the limits say', () => {
    const times = [
      '2026-11-20T11:50:00Z',
      '2026-11-20T11:10:00Z',
      '2026-11-20T09:00:00Z',
      '2026-11-19T09:00:00Z',
      '2026-11-16T09:00:00Z',
      '2026-11-15T09:00:00Z',
      '2026-10-31T09:00:00Z',
      '2026-01-01T09:00:00Z',
      '2024-06-01T09:00:00Z',
      '2024-05-01T09:00:00Z',
    ];
    const at = (...places: number[]) => places.map((place) => times[place]);
    expect(keptOf(times, { limits: { hourly: 2 } })).toEqual(at(0, 2));
    expect(keptOf(times, { limits: { daily: 3 } })).toEqual(at(0, 3, 4));
    expect(keptOf(times, { limits: { weekly: 3 } })).toEqual(at(0, 5, 6));
    expect(keptOf(times, { limits: { monthly: 3 } })).toEqual(at(0, 6, 7));
    expect(keptOf(times, { limits: { yearly: 5 } })).toEqual(at(0, 8));
    expect(keptOf(times, { limits: { withinDays: 4 } })).toEqual(at(0, 1, 2, 3));
    expect(keptOf(times, { limits: { hourly: 2, monthly: 2, yearly: 2 } })).toEqual(at(0, 2, 6, 8));
  });

  it('an archive with the first limit that keeps it as its reason', () => {
    const times = [
      '2026-11-20T11:00:00Z',
      '2026-11-19T11:00:00Z',
      '2026-11-02T11:00:00Z',
      '2025-11-02T11:00:00Z',
    ];
    const policy = { limits: { keepLast: 1, withinDays: 2, weekly: 2, yearly: 2 } };
    expect(
      kept(
        times.map((time) => archive(time)),
        policy,
      ),
    ).toEqual({
      '2026-11-20T11:00:00Z': 'among-newest',
      '2026-11-19T11:00:00Z': 'recent',
      '2026-11-02T11:00:00Z': 'weekly',
      '2025-11-02T11:00:00Z': 'yearly',
    });
  });

  it('every archive if there is no limit', () => {
    expect(kept([archive('2026-11-20T11:00:00Z'), archive('1999-01-01T00:00:00Z')], { limits: {} })).toEqual({
      '2026-11-20T11:00:00Z': 'no-limit',
      '1999-01-01T00:00:00Z': 'no-limit',
    });
  });

  it('the newest readable archive, however old it is', () => {
    const archives = [archive('2024-01-02T00:00:00Z'), archive('2024-01-01T00:00:00Z')];
    expect(kept(archives, { limits: { withinDays: 7 } })).toEqual({
      '2024-01-02T00:00:00Z': 'newest-readable',
    });
  });

  it('as many readable archives as the limit says: a damaged one neither replaces one nor counts against the limit', () => {
    const archives = [
      archive('2026-11-20T11:00:00Z'),
      archive('2026-11-19T11:00:00Z', { readable: false, damaged: true }),
      archive('2026-11-19T10:00:00Z', { readable: false, damaged: true }),
      archive('2026-11-18T11:00:00Z', { readable: false, damaged: true }),
      archive('2026-11-18T10:00:00Z'),
      archive('2026-11-17T10:00:00Z', { readable: false, damaged: true }),
    ];
    expect(Object.keys(kept(archives, { limits: { daily: 2 } }))).toEqual([
      '2026-11-20T11:00:00Z',
      '2026-11-19T11:00:00Z',
      '2026-11-18T10:00:00Z',
    ]);
  });
});

describe('periods follow the calendar of the time zone', () => {
  const sharing: [string, string, string, string, string, boolean][] = [
    [
      'a day begins at midnight in the zone',
      'daily',
      'Europe/Berlin',
      '2026-07-01T21:59:00Z',
      '2026-07-01T22:01:00Z',
      false,
    ],
    [
      'a day of 23 hours is one day',
      'daily',
      'Europe/Berlin',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      true,
    ],
    [
      'a day of 23 hours ends after 23 hours',
      'daily',
      'Europe/Berlin',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
      false,
    ],
    [
      'a day of 25 hours is one day',
      'daily',
      'Europe/Berlin',
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:59Z',
      true,
    ],
    [
      'a day of 25 hours ends after 25 hours',
      'daily',
      'Europe/Berlin',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
      false,
    ],
    [
      'an hour that the clock repeats is two hours',
      'hourly',
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      false,
    ],
    [
      'half an hour that the clock repeats is two hours',
      'hourly',
      'Australia/Lord_Howe',
      '2026-04-04T14:45:00Z',
      '2026-04-04T15:15:00Z',
      false,
    ],
    [
      'an hour is that of the zone, also with an offset of 45 minutes',
      'hourly',
      'Asia/Kathmandu',
      '2026-07-01T00:15:00Z',
      '2026-07-01T01:14:59Z',
      true,
    ],
    ['a week begins on Monday', 'weekly', 'UTC', '2026-11-15T23:59:59Z', '2026-11-16T00:00:00Z', false],
    ['a week ends on Sunday', 'weekly', 'UTC', '2026-11-16T00:00:00Z', '2026-11-22T23:59:59Z', true],
    [
      'a week continues over the end of a year',
      'weekly',
      'UTC',
      '2026-12-28T00:00:00Z',
      '2027-01-03T23:59:59Z',
      true,
    ],
    [
      'a new week begins with a year that begins on a Monday',
      'weekly',
      'UTC',
      '2023-12-31T12:00:00Z',
      '2024-01-01T12:00:00Z',
      false,
    ],
    [
      'a week that begins before 1970 is one week',
      'weekly',
      'UTC',
      '1969-12-29T00:00:00Z',
      '1970-01-04T23:00:00Z',
      true,
    ],
    ['a leap day is a separate day', 'daily', 'UTC', '2024-02-28T12:00:00Z', '2024-02-29T12:00:00Z', false],
    [
      'a leap day belongs to February',
      'monthly',
      'UTC',
      '2024-02-01T00:00:00Z',
      '2024-02-29T23:59:59Z',
      true,
    ],
    [
      'a leap day does not belong to March',
      'monthly',
      'UTC',
      '2024-02-29T23:59:59Z',
      '2024-03-01T00:00:00Z',
      false,
    ],
    [
      'the same month of another year is another month',
      'monthly',
      'UTC',
      '2024-02-29T00:00:00Z',
      '2025-02-28T00:00:00Z',
      false,
    ],
    [
      'a year begins at midnight in the zone',
      'yearly',
      'Pacific/Auckland',
      '2026-12-31T10:59:00Z',
      '2026-12-31T11:00:00Z',
      false,
    ],
  ];
  it.each(sharing)('%s', (_rule, period, timeZone, first, second, isShared) => {
    const periodOf = (at: string): unknown =>
      Object.entries(periodsOf(Date.parse(at), timeZone)).find(([name]) => name === period)?.[1];
    expect(periodOf(first) === periodOf(second)).toBe(isShared);
  });
});

describe('pruning stops', () => {
  const older = [archive('2026-11-19T11:00:00Z'), archive('2026-11-18T11:00:00Z')];
  const reasonOf = (newest: Partial<RetentionCandidate>, before = older): string | undefined =>
    kept([archive('2026-11-20T11:00:00Z', newest), ...before], { limits: { keepLast: 1 } })[
      '2026-11-18T11:00:00Z'
    ];

  it('while the newest archive is damaged or not readable', () => {
    expect(reasonOf({ readable: false, damaged: true })).toBe('newest-damaged');
    expect(reasonOf({ readable: false })).toBe('newest-not-readable');
    expect(reasonOf({})).toBeUndefined();
  });

  it('while the newest archive has less than half of the branches of an earlier one', () => {
    const full = older.map((candidate) => ({ ...candidate, counts: { issues: 10, branches: 9 } }));
    expect(reasonOf({ counts: { issues: 10, branches: 4 } }, full)).toBe('newest-shrank');
    expect(reasonOf({ counts: { issues: 10, branches: 5 } }, full)).toBeUndefined();
  });

  it('while the newest archive has less than half of the issues that its source counted, and an earlier one has more', () => {
    const newest = { counts: { issues: 40 }, sourceCounts: { issues: 120 } };
    const earlierWithIssues = (issues: number) =>
      older.map((candidate) => ({ ...candidate, counts: { issues } }));
    expect(reasonOf(newest, earlierWithIssues(70))).toBe('newest-shrank');
    // Records that the source never exports must not stop pruning forever.
    expect(reasonOf(newest, earlierWithIssues(40))).toBeUndefined();
    expect(reasonOf({ ...newest, sourceCounts: { issues: 80 } }, earlierWithIssues(70))).toBeUndefined();
  });
});

describe('for any archives and any limits', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 });
  const limits = fc.record(mapLimits(() => limit));
  const anyArchives = fc
    .array(
      fc.record({
        hours: fc.oneof(fc.integer({ min: -3, max: 60 }), fc.integer({ min: 0, max: 24_000 })),
        readable: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
        pinned: fc.integer({ min: 0, max: 6 }).map((value) => value === 0),
        issues: fc.constantFrom(10, 10, 10, 10, 6, 4),
      }),
      { maxLength: 14 },
    )
    .map((all): RetentionCandidate[] =>
      all.map(({ hours, issues, ...candidate }, at) =>
        archive(new Date(now - hours * 3_600_000).toISOString(), {
          ...candidate,
          id: `a${at}`,
          counts: { issues },
          damaged: !candidate.readable,
        }),
      ),
    );
  const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe');
  const keptIds = (archives: RetentionCandidate[], retention: Retention, zone: string): Set<string> =>
    new Set(
      decideRetention(archives, { retention, timeZone: zone }, now).flatMap(({ id, keep }) =>
        keep ? [id] : [],
      ),
    );

  it('the newest readable archive is kept, and pruning again drops nothing more', () => {
    fc.assert(
      fc.property(anyArchives, limits, timeZone, (archives, retention, zone) => {
        const ids = keptIds(archives, retention, zone);
        const [newest] = archives
          .filter(({ readable, storedAt }) => readable && Date.parse(storedAt) <= now)
          .toSorted((a, b) => (a.storedAt < b.storedAt ? 1 : -1));
        const ties = archives.filter(
          (candidate) => candidate.readable && candidate.storedAt === newest?.storedAt,
        );
        if (newest !== undefined) expect(ties.some(({ id }) => ids.has(id))).toBe(true);
        const rest = archives.filter(({ id }) => ids.has(id));
        expect(keptIds(rest, retention, zone)).toEqual(ids);
      }),
      { numRuns: 1_500 },
    );
  });

  it('another limit or a higher one never keeps fewer archives, unless it is the first limit', () => {
    const names = Object.keys(none) as (keyof Retention)[];
    fc.assert(
      fc.property(
        anyArchives,
        limits,
        fc.constantFrom(...names),
        fc.integer({ min: 1, max: 3 }),
        (archives, retention, name, more) => {
          if (!hasLimits(retention)) return;
          const wider = { ...retention, [name]: (retention[name] ?? 0) + more };
          const ids = keptIds(archives, wider, 'UTC');
          for (const id of keptIds(archives, retention, 'UTC')) expect(ids).toContain(id);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
