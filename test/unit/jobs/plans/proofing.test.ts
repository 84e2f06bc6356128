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

/** Runs the verifier in a process that holds the lease; each archive takes `takesMs` to verify. */
class VerifierHarness {
  readonly clock = new SteppedClock();
  readonly archives = new Map<string, { lastComparedAt: number; lastReadAt: number }>();
  /** The completed proofs, in order: `a L1`. */
  readonly proven: string[] = [];
  readonly started: string[] = [];
  readonly found: FoundDamage[] = [];
  readonly failedIds: (string | null)[] = [];
  cleanups = 0;
  mayProve = true;
  takesMs = 1_000;
  onProve: (id: string) => FoundDamage | null = () => null;
  readonly verifier: ArchiveVerifier;

  constructor() {
    const { archives } = this;
    this.verifier = new ArchiveVerifier({
      async *archives() {
        for (const [id, times] of archives) yield await Promise.resolve({ id, ...times });
      },
      prove: async (id, level, signal) => {
        this.started.push(id);
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
        this.cleanups += 1;
        return Promise.resolve();
      },
      clock: this.clock,
      observer: {
        onDamage: (damage) => this.found.push(damage),
        onError: (_error, id) => this.failedIds.push(id),
      },
    });
    this.verifier.start();
    onTestFinished(() => this.verifier.stop());
  }

  /** Adds an archive that was compared with its manifest, and read, that many days ago. */
  addArchive(id: string, storedDays: number, readDays = storedDays): void {
    const ago = (days: number): number => this.clock.now() - days * day;
    this.archives.set(id, { lastComparedAt: ago(storedDays), lastReadAt: ago(readDays) });
  }
}

let bench: VerifierHarness;
beforeEach(() => {
  bench = new VerifierHarness();
});

describe('the daily verification of the bytes of every archive', () => {
  it('begins with the oldest proof and skips proofs of today', async () => {
    bench.addArchive('fresh', 0);
    bench.addArchive('b', 2, 2);
    bench.addArchive('c', 3, 3);
    bench.archives.set('never', { lastComparedAt: 0, lastReadAt: bench.clock.now() - 1.5 * day });
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['c L1', 'b L1', 'never L1']);
    await bench.clock.advance(day);
    expect(bench.proven.filter((proof) => proof.startsWith('b')).length).toBe(2);
    expect(bench.proven.filter((proof) => proof.startsWith('fresh')).length).toBe(1);
  });

  it('takes ten minutes of a day, in slices, and continues the next day with the oldest proof', async () => {
    bench.takesMs = 7_000;
    for (let index = 0; index < 200; index++) bench.addArchive(`a${index}`, 2 + index / 1_000, 2);
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

  it('reads an archive to its end even if that takes longer than a slice', async () => {
    bench.takesMs = 2 * dailyBudgetMs;
    bench.addArchive('large', 2);
    await bench.clock.advance(sliceIntervalMs + 2 * dailyBudgetMs);
    expect(bench.proven).toEqual(['large L1']);
  });
});

describe('the complete reading of an archive', () => {
  it('is done within 30 days, after all daily verifications', async () => {
    expect(readAgainMs).toBeLessThan(30 * day);
    bench.addArchive('old', 2.3, 22);
    bench.addArchive('older', 2.2, 25);
    bench.addArchive('young', 2, 3);
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['old L1', 'older L1', 'young L1', 'older L2', 'old L2']);
  });

  it('is done only once if the archive never gets its proof', async () => {
    bench.archives.set('odd', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    const plain = bench.archives.set.bind(bench.archives);
    bench.archives.set = (id, times) => plain(id, { ...times, lastReadAt: 0 });
    await bench.clock.advance(3 * day);
    expect(bench.proven.filter((proof) => proof === 'odd L2')).toHaveLength(1);
  });
});

describe('the overdue proofs', () => {
  it('count archives from the 30th day without a reading, with the oldest of them, until they are read', async () => {
    bench.addArchive('a', 0, 29);
    bench.addArchive('b', 0, 31);
    bench.addArchive('c', 0, 40);
    const now = bench.clock.now();
    expect(bench.verifier.overdueProofs).toBeNull();
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.verifier.overdueProofs).toEqual({ archiveCount: 2, oldestReadAt: now - 40 * day });
    await bench.clock.advance(day);
    expect(bench.proven).toEqual(expect.arrayContaining(['a L2', 'b L2', 'c L2']));
    expect(bench.verifier.overdueProofs).toBeNull();
  });

  it('include an archive that was never read', async () => {
    bench.archives.set('never', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.verifier.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: 0 });
  });

  it('are counted again each day even if jobs run all day and nothing is ever verified', async () => {
    bench.mayProve = false;
    bench.addArchive('a', 0, 31);
    const since = bench.clock.now() - 31 * day;
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.verifier.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: since });
    bench.archives.set('never', { lastComparedAt: bench.clock.now(), lastReadAt: 0 });
    await bench.clock.advance(day + sliceIntervalMs);
    expect([bench.verifier.overdueProofs, bench.started]).toEqual([{ archiveCount: 2, oldestReadAt: 0 }, []]);
  });
});

describe('the verification pauses', () => {
  it('while this process does not run the jobs, or while a job runs', async () => {
    bench.addArchive('a', 2);
    bench.mayProve = false;
    await bench.clock.advance(10 * sliceIntervalMs);
    expect([bench.started, bench.cleanups]).toEqual([[], 0]);
    bench.mayProve = true;
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toEqual(['a L1']);
  });

  it('within a second after a job begins, and restarts the same archive later', async () => {
    bench.takesMs = 60_000;
    bench.addArchive('a', 3);
    bench.addArchive('b', 2);
    await bench.clock.advance(sliceIntervalMs / 5 + 10_000);
    expect(bench.started).toEqual(['a']);
    bench.mayProve = false;
    await bench.clock.advance(1_000);
    const timers = bench.clock.pending;
    bench.mayProve = true;
    await bench.clock.advance(sliceIntervalMs + 130_000);
    expect(bench.started).toEqual(['a', 'a']);
    expect(timers).toBe(1);
    expect(bench.proven).toEqual(['a L1']);
  });

  it('when the program stops, and abandons the archive that it is reading', async () => {
    bench.takesMs = 60_000;
    bench.addArchive('a', 2);
    await bench.clock.advance(sliceIntervalMs / 5 + 10_000);
    await bench.verifier.stop();
    expect([bench.started, bench.proven, bench.failedIds, bench.clock.pending]).toEqual([['a'], [], [], 0]);
  });
});

describe('the verification', () => {
  it('reports new damage and unreadable archives, and continues with the others', async () => {
    bench.addArchive('bad', 4);
    bench.addArchive('gone', 3);
    bench.addArchive('unread', 2.5);
    bench.addArchive('good', 2);
    bench.onProve = (id) => {
      if (id === 'unread') throw new AppError('disk-failed', 'The disk failed.');
      if (id === 'gone') throw new AppError('archive-missing', 'It was pruned.');
      return id === 'bad' ? { id, reason: 'The content differs' } : null;
    };
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.found).toEqual([{ id: 'bad', reason: 'The content differs' }]);
    expect(bench.failedIds).toEqual(['unread']);
    expect(bench.proven).toEqual(['bad L1', 'good L1']);
  });

  it('ignores a proof with a time in the future', async () => {
    bench.addArchive('ahead', -5, -5);
    await bench.clock.advance(sliceIntervalMs);
    expect(bench.proven).toContain('ahead L1');
  });

  it('removes leftovers once a day', async () => {
    await bench.clock.advance(3 * day);
    expect(bench.cleanups).toBe(4);
  });
});
