import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  dailyBudgetMs,
  ArchiveVerifier,
  readIntervalMs,
  sliceIntervalMs,
  sliceMs,
  type FoundProblem,
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
  readonly found: FoundProblem[] = [];
  readonly failedIds: (string | null)[] = [];
  cleanups = 0;
  mayProve = true;
  takesMs = 1_000;
  onProve: (id: string) => FoundProblem | null = () => null;
  readonly verifier: ArchiveVerifier;

  constructor() {
    const { archives } = this;
    this.verifier = new ArchiveVerifier({
      async *archives() {
        for (const [id, times] of archives) yield await Promise.resolve({ id, ...times });
      },
      verify: async (id, level, signal) => {
        this.started.push(id);
        await this.clock.sleep(this.takesMs, signal);
        const problem = this.onProve(id);
        const before = archives.get(id);
        const at = this.clock.now();
        archives.set(id, {
          lastComparedAt: at,
          lastReadAt: level === 'L2' ? at : (before?.lastReadAt ?? 0),
        });
        this.proven.push(`${id} ${level}`);
        return problem;
      },
      mayVerify: () => this.mayProve,
      removeLeftovers: () => {
        this.cleanups += 1;
        return Promise.resolve();
      },
      clock: this.clock,
      observer: {
        onProblem: (problem) => this.found.push(problem),
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

let harness: VerifierHarness;
beforeEach(() => {
  harness = new VerifierHarness();
});

describe('the daily verification of the bytes of every archive', () => {
  it('begins with the oldest proof and skips proofs of today', async () => {
    harness.addArchive('fresh', 0);
    harness.addArchive('b', 2, 2);
    harness.addArchive('c', 3, 3);
    harness.archives.set('never', { lastComparedAt: 0, lastReadAt: harness.clock.now() - 1.5 * day });
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.proven).toEqual(['c L1', 'b L1', 'never L1']);
    await harness.clock.advance(day);
    expect(harness.proven.filter((proof) => proof.startsWith('b')).length).toBe(2);
    expect(harness.proven.filter((proof) => proof.startsWith('fresh')).length).toBe(1);
  });

  it('takes ten minutes of a day, in slices, and continues the next day with the oldest proof', async () => {
    harness.takesMs = 7_000;
    for (let index = 0; index < 200; index++) harness.addArchive(`a${index}`, 2 + index / 1_000, 2);
    await harness.clock.advance(sliceIntervalMs + sliceMs);
    expect(harness.proven.length).toBeLessThanOrEqual(Math.ceil(sliceMs / harness.takesMs));
    await harness.clock.advance(11 * 3_600_000);
    const first = harness.proven.length;
    expect(first * harness.takesMs).toBeGreaterThanOrEqual(dailyBudgetMs - sliceMs);
    expect(first * harness.takesMs).toBeLessThan(dailyBudgetMs + sliceMs);
    await harness.clock.advance(12 * 3_600_000);
    expect(new Set(harness.proven).size).toBe(harness.proven.length);
    expect(harness.proven.length).toBeGreaterThan(first);
  });

  it('reads an archive to its end even if that takes longer than a slice', async () => {
    harness.takesMs = 2 * dailyBudgetMs;
    harness.addArchive('large', 2);
    await harness.clock.advance(sliceIntervalMs + 2 * dailyBudgetMs);
    expect(harness.proven).toEqual(['large L1']);
  });
});

describe('the complete reading of an archive', () => {
  it('is done within 30 days, after all daily verifications', async () => {
    expect(readIntervalMs).toBeLessThan(30 * day);
    harness.addArchive('old', 2.3, 22);
    harness.addArchive('older', 2.2, 25);
    harness.addArchive('young', 2, 3);
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.proven).toEqual(['old L1', 'older L1', 'young L1', 'older L2', 'old L2']);
  });

  it('is done only once if the archive never gets its proof', async () => {
    harness.archives.set('odd', { lastComparedAt: harness.clock.now(), lastReadAt: 0 });
    const plain = harness.archives.set.bind(harness.archives);
    harness.archives.set = (id, times) => plain(id, { ...times, lastReadAt: 0 });
    await harness.clock.advance(3 * day);
    expect(harness.proven.filter((proof) => proof === 'odd L2')).toHaveLength(1);
  });
});

describe('the overdue proofs', () => {
  it('count archives from the 30th day without a reading, with the oldest of them, until they are read', async () => {
    harness.addArchive('a', 0, 29);
    harness.addArchive('b', 0, 31);
    harness.addArchive('c', 0, 40);
    const now = harness.clock.now();
    expect(harness.verifier.overdueProofs).toBeNull();
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.verifier.overdueProofs).toEqual({ archiveCount: 2, oldestReadAt: now - 40 * day });
    await harness.clock.advance(day);
    expect(harness.proven).toEqual(expect.arrayContaining(['a L2', 'b L2', 'c L2']));
    expect(harness.verifier.overdueProofs).toBeNull();
  });

  it('include an archive that was never read', async () => {
    harness.archives.set('never', { lastComparedAt: harness.clock.now(), lastReadAt: 0 });
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.verifier.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: 0 });
  });

  it('are counted again each day even if jobs run all day and nothing is ever verified', async () => {
    harness.mayProve = false;
    harness.addArchive('a', 0, 31);
    const since = harness.clock.now() - 31 * day;
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.verifier.overdueProofs).toEqual({ archiveCount: 1, oldestReadAt: since });
    harness.archives.set('never', { lastComparedAt: harness.clock.now(), lastReadAt: 0 });
    await harness.clock.advance(day + sliceIntervalMs);
    expect([harness.verifier.overdueProofs, harness.started]).toEqual([
      { archiveCount: 2, oldestReadAt: 0 },
      [],
    ]);
  });
});

describe('the verification pauses', () => {
  it('while this process does not run the jobs, or while a job runs', async () => {
    harness.addArchive('a', 2);
    harness.mayProve = false;
    await harness.clock.advance(10 * sliceIntervalMs);
    expect([harness.started, harness.cleanups]).toEqual([[], 0]);
    harness.mayProve = true;
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.proven).toEqual(['a L1']);
  });

  it('within a second after a job begins, and restarts the same archive later', async () => {
    harness.takesMs = 60_000;
    harness.addArchive('a', 3);
    harness.addArchive('b', 2);
    await harness.clock.advance(sliceIntervalMs / 5 + 10_000);
    expect(harness.started).toEqual(['a']);
    harness.mayProve = false;
    await harness.clock.advance(1_000);
    const timers = harness.clock.pending;
    harness.mayProve = true;
    await harness.clock.advance(sliceIntervalMs + 130_000);
    expect(harness.started).toEqual(['a', 'a']);
    expect(timers).toBe(1);
    expect(harness.proven).toEqual(['a L1']);
  });

  it('when the program stops, and abandons the archive that it is reading', async () => {
    harness.takesMs = 60_000;
    harness.addArchive('a', 2);
    await harness.clock.advance(sliceIntervalMs / 5 + 10_000);
    await harness.verifier.stop();
    expect([harness.started, harness.proven, harness.failedIds, harness.clock.pending]).toEqual([
      ['a'],
      [],
      [],
      0,
    ]);
  });
});

describe('the verification', () => {
  it('reports new damage and unreadable archives, and continues with the others', async () => {
    harness.addArchive('bad', 4);
    harness.addArchive('gone', 3);
    harness.addArchive('unread', 2.5);
    harness.addArchive('good', 2);
    harness.onProve = (id) => {
      if (id === 'unread') throw new AppError('disk-failed', 'The disk failed.');
      if (id === 'gone') throw new AppError('archive-missing', 'It was pruned.');
      return id === 'bad' ? { id, kind: 'damaged', reason: 'The content differs' } : null;
    };
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.found).toEqual([{ id: 'bad', kind: 'damaged', reason: 'The content differs' }]);
    expect(harness.failedIds).toEqual(['unread']);
    expect(harness.proven).toEqual(['bad L1', 'good L1']);
  });

  it('ignores a proof with a time in the future', async () => {
    harness.addArchive('ahead', -5, -5);
    await harness.clock.advance(sliceIntervalMs);
    expect(harness.proven).toContain('ahead L1');
  });

  it('removes leftovers once a day', async () => {
    await harness.clock.advance(3 * day);
    expect(harness.cleanups).toBe(4);
  });
});
