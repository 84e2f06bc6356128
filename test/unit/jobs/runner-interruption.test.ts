import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import type { JobStorePort } from '../../../src-main/jobs/ports.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import {
  harnessOf,
  flushPendingWork,
  done,
  runForever,
  kindOf,
  running,
  spyOnStore,
  type Run,
} from './runner-harness.ts';

describe('stopping and crashing', () => {
  it('a stop stores the job as interrupted, and the job resumes at its stored step', async () => {
    const ran: string[] = [];
    const first: Run = () => {
      ran.push('one');
      return done;
    };
    const before = harnessOf(kindOf({ one: first, two: runForever })).start();
    const { id } = before.enqueue('g/p');
    await before.until(id, (job) => job.step === 'two' && running(job));
    await before.runner.stop();
    expect(before.job(id)).toMatchObject({
      step: 'two',
      state: { status: 'waiting', reason: 'interrupted' },
    });
    expect(before.lease.holder()).toBeNull();
    const { path, clock } = before;
    const after = harnessOf(kindOf({ one: first, two: () => done }), { path, clock }).start();
    expect((await after.ended(id, 2_000)).state.status).toBe('succeeded');
    expect(ran).toEqual(['one']);
  });

  it('a stop while the runner takes over claims no job', async () => {
    let endCleanup: () => void = () => undefined;
    const tidyUp = () => new Promise<void>((resolve) => (endCleanup = resolve));
    const harness = harnessOf(kindOf({ one: runForever }), { tidyUp }).start();
    const { id } = harness.enqueue('g/p');
    await flushPendingWork();
    const stopped = harness.runner.stop();
    endCleanup();
    await stopped;
    expect(harness.job(id).state.status).toBe('queued');
  });

  it('a regular stop does not count as an interruption that fails a job', async () => {
    const before = harnessOf(kindOf({ one: runForever }));
    const { id } = before.enqueue('g/p');
    for (let round = 0; round < 8; round++) {
      before.start();
      await before.until(id, running);
      await before.runner.stop();
    }
    const { path, clock } = before;
    const after = harnessOf(kindOf({ one: () => done }), { path, clock }).start();
    expect((await after.ended(id)).state.status).toBe('succeeded');
  });

  it('a step during which the process died five times in a row waits longer each time and finally fails, while other jobs continue', async () => {
    const clock = new SteppedClock();
    let onStart: () => void = () => undefined;
    const poison: Run = (context) => {
      if (context.job.project === 'g/poison') onStart();
      return runForever(context);
    };
    let harness = harnessOf(kindOf({ one: poison }), { clock });
    const { path } = harness;
    const { id } = harness.enqueue('g/poison');
    /** @returns how long the step waited before it ran. */
    const crash = async (): Promise<number> => {
      const from = clock.monotonic();
      const runs = new Promise<void>((resolve) => (onStart = resolve));
      harness.start();
      await clock.finish(runs);
      harness.kill();
      harness = harnessOf(kindOf({ one: poison }), { clock, path });
      return clock.monotonic() - from;
    };
    for (let crashes = 0; crashes < 5; crashes++) await crash();
    harness.start();
    const next = harness.enqueue('g/next');
    await harness.until(next.id, running);
    expect(harness.job(id).state).toMatchObject({
      status: 'waiting',
      reason: 'interrupted',
      text: 'The step "one" was interrupted 5 times.',
    });
    const waits: number[] = [];
    for (let crashes = 5; crashes < 8; crashes++) waits.push(await crash());
    expect(waits.every((wait, at) => wait > (waits[at - 1] ?? 0) * 1.5)).toBe(true);
    // Four more processes died in the step.
    harness.store.saveMemo(id, 'one', { failures: 0, interruptions: 12, memo: null });
    harness.start();
    expect((await harness.ended(id)).state).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted' },
    });
  });

  it('a crash between the work of a step and the storage of its output keeps the memo of the step', async () => {
    const memos: unknown[] = [];
    const send: Run = (context) => {
      memos.push(context.memo);
      context.saveMemo('sent');
      return done;
    };
    const wrap = (store: JobStorePort): JobStorePort =>
      spyOnStore(store, (name) => {
        if (name !== 'finishStep') return;
        harness.kill();
        throw new Error('killed');
      });
    const harness = harnessOf(kindOf({ send }), { wrap }).start();
    const { id } = harness.enqueue('g/p');
    await flushPendingWork();
    await flushPendingWork();
    const after = harnessOf(kindOf({ send }), { path: harness.path, clock: harness.clock }).start();
    expect((await after.ended(id)).state.status).toBe('succeeded');
    expect(memos).toEqual([null, 'sent']);
  });

  it('a job waits while the catalogue cannot be written', async () => {
    let full = false;
    const wrap = (store: JobStorePort): JobStorePort =>
      spyOnStore(store, (name) => {
        if (full && name !== 'get' && name !== 'outputs') throw new AppError('disk-full', 'no room');
      });
    const harness = harnessOf(
      kindOf({
        one: async ({ clock }) => {
          await clock.sleep(1_000);
          return done;
        },
      }),
      { wrap },
    ).start();
    const { id } = harness.enqueue('g/p');
    await harness.until(id, running);
    full = true;
    await harness.clock.advance(10_000);
    expect(harness.errors.map((error) => error.code)).toContain('disk-full');
    expect(harness.job(id).state.status).toBe('running');
    full = false;
    expect((await harness.ended(id, 5_000)).state.status).toBe('succeeded');
  });

  it('a failed cleanup is reported and stops nothing', async () => {
    const tidyUp = () => Promise.reject(new AppError('disk-denied', 'locked'));
    const harness = harnessOf(kindOf({ one: () => done }), { tidyUp }).start();
    expect((await harness.ended(harness.enqueue('g/p').id)).state.status).toBe('succeeded');
    expect(harness.errors.map((error) => error.code)).toEqual(['disk-denied']);
  });
});
