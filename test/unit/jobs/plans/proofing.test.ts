import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  dailyBudgetMs,
  ArchiveVerifier,
  readAgainMs,
  sliceIntervalMs,
  sliceMs,
  type FoundDamage,
} from '../../../../src-main/jobs/plans/archive-verifier.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const day = 86_400_000;

/** Archives that each take a while to verify, in a process that holds the lease. */
class ProofingHarness {
  readonly clock = new SteppedClock();
  readonly archives = new Map<string, { lastComparedAt: number; lastReadAt: number }>();
  /** The completed proofs, in order: `a L1`. */
  readonly proven: string[] = [];
  readonly begun: string[] = [];
  readonly found: FoundDamage[] = [];
  readonly troubles: (string | null)[] = [];
  tidied = 0;
  mayProve = true;
  takesMs = 1_000;
  onProve: (id: string) => FoundDamage | null = () => null;
  readonly proofing: ArchiveVerifier;

  constructor() {
    const { archives } = this;
    this.proofing = new ArchiveVerifier({
      async *archives() {
        for (const [id, times] of archives) yield await Promise.resolve({ id, ...times });
      },
      prove: async (id, level, signal) => {
        this.begun.push(id);
        await this.clock.sleep(this.takesMs, signal);
        const damage = this.onProve(id);
        const before = archives.get(id);
        const at = this.clock.now();
        archives.set(id, {
          lastComparedAt: at,
          lastReadAt: level === 'L2' ? at : (before?.lastReadAt ?? 0),
        });
        this.proven.push(`${id} ${level}`);
        return damage;
      },
      mayProve: () => this.mayProve,
      removeLeftovers: () => {
        this.tidied += 1;
        return Promise.resolve();
      },
      clock: this.clock,
      observer: {
        onDamage: (damage) => this.found.push(damage),
        onError: (_error, id) => this.troubles.push(id),
      },
    });
    this.proofing.start();
    onTestFinished(() => this.proofing.stop());
  }

  /** An archive that was compared with its manifest, and read, that many days ago. */
  hold(id: string, storedDays: number, readDays = storedDays): void {
    const ago = (days: number): number => this.clock.now() - days * day;
    this.archives.set(id, { lastComparedAt: ago(storedDays), lastReadAt: ago(readDays) });
  }
}

let bench: ProofingHarness;
beforeEach(() => {
  bench = new ProofingHarness();
});

describe('the bytes of every archive are proven each day', () => {
  it('the oldest proof first, and none whose proof is of today', async () => {
    bench.hold('fresh', 0);
    bench.hold('b', 2, 2);
    bench.hold('c', 3, 3);
    bench.archives.set('never', { lastComparedAt: 0, lastReadAt: bench.clock.now() - 1.5 * day });
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['c L1', 'b L1', 'never L1']);
    await bench.clock.advance(day);
    expect(bench.proven.filter((one) => one.startsWith('b')).length).toBe(2);
    expect(bench.proven.filter((one) => one.startsWith('fresh')).length).toBe(1);
  });

  it('in ten minutes of a day, in slices, and the next day continues with the oldest', async () => {
    bench.takesMs = 7_000;
    for (let one = 0; one < 200; one++) bench.hold(`a${one}`, 2 + one / 1_000, 2);
    await bench.clock.advance(sliceIntervalMs + sliceMs);
    expect(bench.proven.length).toBeLessThanOrEqual(Math.ceil(sliceMs / bench.takesMs));
    await bench.clock.advance(11 * 3_600_000);
    const first = bench.proven.length;
    expect(first * bench.takesMs).toBeGreaterThanOrEqual(dailyBudgetMs - sliceMs);
    expect(first * bench.takesMs).toBeLessThan(dailyBudgetMs + sliceMs);
    await bench.clock.advance(12 * 3_600_000);
    expect(new Set(bench.proven).size).toBe(bench.proven.length);
    expect(bench.proven.length).toBeGreaterThan(first);
  });

  it('and one that takes longer than a slice is read to its end all the same', async () => {
    bench.takesMs = 2 * dailyBudgetMs;
    bench.hold('large', 2);
    await bench.clock.advance(sliceIntervalMs + 2 * dailyBudgetMs);
    expect(bench.proven).toEqual(['large L1']);
  });
});

describe('an archive is read to its end', () => {
  it('within 30 days, after all that is due by the day', async () => {
    expect(readAgainMs).toBeLessThan(30 * day);
    bench.hold('old', 2.3, 22);
    bench.hold('older', 2.2, 25);
    bench.hold('young', 2, 3);
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['old L1', 'older L1', 'young L1', 'older L2', 'old L2']);
  });

  it('once, when it never gets the proof of it', async () => {
    bench.archives.set('odd', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    const plain = bench.archives.set.bind(bench.archives);
    bench.archives.set = (id, times) => plain(id, { ...times, lastReadAt: 0 });
    await bench.clock.advance(3 * day);
    expect(bench.proven.filter((one) => one === 'odd L2')).toHaveLength(1);
  });
});

describe('archives that are behind are counted', () => {
  it('from the 30th day on which they were not read, with the oldest of them, until they are read', async () => {
    bench.hold('a', 0, 29);
    bench.hold('b', 0, 31);
    bench.hold('c', 0, 40);
    const now = bench.clock.now();
    expect(bench.proofing.overdueProofs).toBeNull();
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proofing.overdueProofs).toEqual({ archiveCount: 2, oldestReadAt: now - 40 * day });
    await bench.clock.advance(day);
    expect(bench.proven).toEqual(expect.arrayContaining(['a L2', 'b L2', 'c L2']));
    expect(bench.proofing.overdueProofs).toBeNull();
  });

  it('and one that was never read is among them', async () => {
    bench.archives.set('never', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proofing.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: 0 });
  });

  it('also where jobs run all day and nothing is ever proven, anew each day', async () => {
    bench.mayProve = false;
    bench.hold('a', 0, 31);
    const since = bench.clock.now() - 31 * day;
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proofing.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: since });
    bench.archives.set('never', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    await bench.clock.advance(day + sliceIntervalMs);
    expect([bench.proofing.overdueProofs, bench.begun]).toEqual([{ archiveCount: 2, oldestReadAt: 0 }, []]);
  });
});

describe('it pauses', () => {
  it('while this process does not run the jobs, or one runs', async () => {
    bench.hold('a', 2);
    bench.mayProve = false;
    await bench.clock.advance(10 * sliceIntervalMs);
    expect([bench.begun, bench.tidied]).toEqual([[], 0]);
    bench.mayProve = true;
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['a L1']);
  });

  it('within a second when a job begins, and takes the same archive up again later', async () => {
    bench.takesMs = 60_000;
    bench.hold('a', 3);
    bench.hold('b', 2);
    await bench.clock.advance(sliceIntervalMs / 5 + 10_000);
    expect(bench.begun).toEqual(['a']);
    bench.mayProve = false;
    await bench.clock.advance(1_000);
    const timers = bench.clock.pending;
    bench.mayProve = true;
    await bench.clock.advance(sliceIntervalMs + 130_000);
    expect(bench.begun).toEqual(['a', 'a']);
    expect(timers).toBe(1);
    expect(bench.proven).toEqual(['a L1']);
  });

  it('when the program stops, which gives up what is being read', async () => {
    bench.takesMs = 60_000;
    bench.hold('a', 2);
    await bench.clock.advance(sliceIntervalMs / 5 + 10_000);
    await bench.proofing.stop();
    expect([bench.begun, bench.proven, bench.troubles, bench.clock.pending]).toEqual([['a'], [], [], 0]);
  });
});

describe('its problems', () => {
  it('are reported: new damage, and unreadable archives, which do not stop the others', async () => {
    bench.hold('bad', 4);
    bench.hold('gone', 3);
    bench.hold('unread', 2.5);
    bench.hold('good', 2);
    bench.onProve = (id) => {
      if (id === 'unread') throw new AppError('disk-failed', 'The disk failed.');
      if (id === 'gone') throw new AppError('archive-missing', 'It was pruned.');
      return id === 'bad' ? { id, reason: 'The content differs' } : null;
    };
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.found).toEqual([{ id: 'bad', reason: 'The content differs' }]);
    expect(bench.troubles).toEqual(['unread']);
    expect(bench.proven).toEqual(['bad L1', 'good L1']);
  });

  it('a proof with a time in the future does not count', async () => {
    bench.hold('ahead', -5, -5);
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toContain('ahead L1');
  });

  it('what else is due is done once a day', async () => {
    await bench.clock.advance(3 * day);
    expect(bench.tidied).toBe(4);
  });
});
