import { describe, expect, it } from 'vitest';
import type { JobStorePort } from '../../../src-main/jobs/ports.ts';
import {
  waitOneMinute,
  harnessOf,
  done,
  runForever,
  kindOf,
  running,
  spyOnStore,
  waiting,
} from './runner-harness.ts';

describe('a cancellation', () => {
  it('ends a queued or waiting job immediately', async () => {
    const bench = harnessOf(kindOf({ one: () => waitOneMinute }));
    const queued = bench.enqueue('g/a');
    expect(bench.runner.cancel(queued.id, 'me').state).toEqual({ status: 'cancelled', by: 'me' });
    bench.start();
    const { id } = bench.enqueue('g/b');
    await bench.until(id, waiting);
    expect(bench.runner.cancel(id, 'me').state.status).toBe('cancelled');
  });

  it('stops a running job, which ends as cancelled by the first requester', async () => {
    const bench = harnessOf(kindOf({ one: runForever })).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, running);
    expect(bench.runner.cancel(id, 'first').state.status).toBe('cancelling');
    bench.runner.cancel(id, 'second');
    expect((await bench.ended(id)).state).toEqual({ status: 'cancelled', by: 'first' });
  });

  it('reaches a job in another process through the catalogue', async () => {
    const here = harnessOf(kindOf({ one: runForever })).start();
    const { id } = here.enqueue('g/p');
    await here.until(id, running);
    const there = harnessOf(kindOf({ one: runForever }), { path: here.path, clock: here.clock });
    there.runner.cancel(id, 'another');
    expect((await here.ended(id, 2_000)).state).toEqual({ status: 'cancelled', by: 'another' });
  });

  it('overrides a wait that the step returns at the same time', async () => {
    const bench = harnessOf(
      kindOf({
        one: ({ job }) => {
          bench.runner.cancel(job.id, 'me');
          return waitOneMinute;
        },
      }),
    ).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('cancelled');
  });

  it('has no effect after the last step has done its work', async () => {
    const bench = harnessOf(
      kindOf({
        one: ({ job }) => {
          bench.runner.cancel(job.id, 'me');
          return done;
        },
      }),
    ).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('succeeded');
  });

  it('stops a job between two steps', async () => {
    let ran = false;
    const bench = harnessOf(
      kindOf({
        one: ({ job }) => {
          bench.runner.cancel(job.id, 'me');
          return done;
        },
        two: () => {
          ran = true;
          return done;
        },
      }),
    ).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('cancelled');
    expect(ran).toBe(false);
  });

  it('is rejected for an ended job', async () => {
    const bench = harnessOf(kindOf({ one: () => done })).start();
    const { id } = bench.enqueue('g/p');
    const ended = await bench.ended(id);
    expect(() => bench.runner.cancel(id, 'me')).toThrow(expect.objectContaining({ code: 'job-ended' }));
    expect(bench.job(id)).toEqual(ended);
  });

  it('of many jobs is stored in one transaction or not at all, and leaves out ended jobs', () => {
    const bench = harnessOf(kindOf({ one: runForever }));
    let changes = 0;
    const failing = harnessOf(kindOf({ one: runForever }), {
      path: bench.path,
      clock: bench.clock,
      wrap: (store) =>
        spyOnStore(store, (name) => {
          if (name === 'change' && ++changes === 2) throw new Error('the disk is full');
        }),
    });
    const ids = ['g/a', 'g/b', 'g/c'].map((project) => bench.enqueue(project).id);
    bench.runner.cancel(ids[0] ?? '', 'somebody');
    const [ended, ...open] = ids.map((id) => bench.job(id));
    expect(() => failing.runner.cancelAll(ids, 'me')).toThrow('the disk is full');
    expect(ids.map((id) => bench.job(id))).toEqual([ended, ...open]);

    const cancelled = bench.runner.cancelAll(ids, 'me');
    expect(cancelled.map(({ id, state }) => [id, state])).toEqual(
      open.map((job) => [job.id, { status: 'cancelled', by: 'me' }]),
    );
    expect(ids.map((id) => bench.job(id))).toEqual([ended, ...cancelled]);
  });

  it('succeeds even if another process changes the job at the same time', () => {
    let changeCalls = 0;
    const wrap = (store: JobStorePort): JobStorePort => {
      return spyOnStore(store, (name, [id]) => {
        if (name !== 'change' || changeCalls++ >= 3) return;
        const { state, revision } = bench.job(String(id));
        store.change(String(id), revision, { state, event: { type: 'note', message: '' }, at: 0 });
      });
    };
    const bench = harnessOf(kindOf({ one: () => done }), { wrap });
    expect(bench.runner.cancel(bench.enqueue('g/p').id, 'me').state.status).toBe('cancelled');
    expect(changeCalls).toBe(4);
  });
});
