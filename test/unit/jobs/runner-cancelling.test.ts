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
    const harness = harnessOf(kindOf({ one: () => waitOneMinute }));
    const queued = harness.enqueue('g/a');
    expect(harness.runner.cancel(queued.id, 'me').state).toEqual({ status: 'cancelled', by: 'me' });
    harness.start();
    const { id } = harness.enqueue('g/b');
    await harness.until(id, waiting);
    expect(harness.runner.cancel(id, 'me').state.status).toBe('cancelled');
  });

  it('stops a running job, which ends as cancelled by the first requester', async () => {
    const harness = harnessOf(kindOf({ one: runForever })).start();
    const { id } = harness.enqueue('g/p');
    await harness.until(id, running);
    expect(harness.runner.cancel(id, 'first').state.status).toBe('cancelling');
    harness.runner.cancel(id, 'second');
    expect((await harness.ended(id)).state).toEqual({ status: 'cancelled', by: 'first' });
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
    const harness = harnessOf(
      kindOf({
        one: ({ job }) => {
          harness.runner.cancel(job.id, 'me');
          return waitOneMinute;
        },
      }),
    ).start();
    expect((await harness.ended(harness.enqueue('g/p').id)).state.status).toBe('cancelled');
  });

  it('has no effect after the last step has done its work', async () => {
    const harness = harnessOf(
      kindOf({
        one: ({ job }) => {
          harness.runner.cancel(job.id, 'me');
          return done;
        },
      }),
    ).start();
    expect((await harness.ended(harness.enqueue('g/p').id)).state.status).toBe('succeeded');
  });

  it('stops a job between two steps', async () => {
    let ran = false;
    const harness = harnessOf(
      kindOf({
        one: ({ job }) => {
          harness.runner.cancel(job.id, 'me');
          return done;
        },
        two: () => {
          ran = true;
          return done;
        },
      }),
    ).start();
    expect((await harness.ended(harness.enqueue('g/p').id)).state.status).toBe('cancelled');
    expect(ran).toBe(false);
  });

  it('is rejected for an ended job', async () => {
    const harness = harnessOf(kindOf({ one: () => done })).start();
    const { id } = harness.enqueue('g/p');
    const ended = await harness.ended(id);
    expect(() => harness.runner.cancel(id, 'me')).toThrow(expect.objectContaining({ code: 'job-ended' }));
    expect(harness.job(id)).toEqual(ended);
  });

  it('of many jobs is stored in one transaction or not at all, and leaves out ended jobs', () => {
    const harness = harnessOf(kindOf({ one: runForever }));
    let changes = 0;
    const failing = harnessOf(kindOf({ one: runForever }), {
      path: harness.path,
      clock: harness.clock,
      wrap: (store) =>
        spyOnStore(store, (name) => {
          if (name === 'change' && ++changes === 2) throw new Error('the disk is full');
        }),
    });
    const ids = ['g/a', 'g/b', 'g/c'].map((project) => harness.enqueue(project).id);
    harness.runner.cancel(ids[0] ?? '', 'somebody');
    const [ended, ...open] = ids.map((id) => harness.job(id));
    expect(() => failing.runner.cancelAll(ids, 'me')).toThrow('the disk is full');
    expect(ids.map((id) => harness.job(id))).toEqual([ended, ...open]);

    const cancelled = harness.runner.cancelAll(ids, 'me');
    expect(cancelled.map(({ id, state }) => [id, state])).toEqual(
      open.map((job) => [job.id, { status: 'cancelled', by: 'me' }]),
    );
    expect(ids.map((id) => harness.job(id))).toEqual([ended, ...cancelled]);
  });

  it('succeeds even if another process changes the job at the same time', () => {
    let changeCalls = 0;
    const wrap = (store: JobStorePort): JobStorePort => {
      return spyOnStore(store, (name, [id]) => {
        if (name !== 'change' || changeCalls++ >= 3) return;
        const { state, revision } = harness.job(String(id));
        store.change(String(id), revision, { state, event: { type: 'note', message: '' }, at: 0 });
      });
    };
    const harness = harnessOf(kindOf({ one: () => done }), { wrap });
    expect(harness.runner.cancel(harness.enqueue('g/p').id, 'me').state.status).toBe('cancelled');
    expect(changeCalls).toBe(4);
  });
});
