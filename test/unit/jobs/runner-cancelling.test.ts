import { describe, expect, it } from 'vitest';
import type { JobStorePort } from '../../../src-main/jobs/ports.ts';
import { aBit, benchOf, done, forEver, kindOf, running, spied, waiting } from './runner-harness.ts';

describe('cancelling', () => {
  it('a queued or waiting job is cancelled at once', async () => {
    const bench = benchOf(kindOf({ one: () => aBit }));
    const queued = bench.enqueue('g/a');
    expect(bench.runner.cancel(queued.id, 'me').state).toEqual({ status: 'cancelled', by: 'me' });
    bench.start();
    const { id } = bench.enqueue('g/b');
    await bench.until(id, waiting);
    expect(bench.runner.cancel(id, 'me').state.status).toBe('cancelled');
  });

  it('a running job is asked to stop, and ends as cancelled by the first requester', async () => {
    const bench = benchOf(kindOf({ one: forEver })).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, running);
    expect(bench.runner.cancel(id, 'first').state.status).toBe('cancelling');
    bench.runner.cancel(id, 'second');
    expect((await bench.ended(id)).state).toEqual({ status: 'cancelled', by: 'first' });
  });

  it('a cancel reaches a job in another process through the catalogue', async () => {
    const here = benchOf(kindOf({ one: forEver })).start();
    const { id } = here.enqueue('g/p');
    await here.until(id, running);
    const there = benchOf(kindOf({ one: forEver }), { path: here.path, clock: here.clock });
    there.runner.cancel(id, 'another');
    expect((await here.ended(id, 2_000)).state).toEqual({ status: 'cancelled', by: 'another' });
  });

  it('beats a wait that the step answers meanwhile', async () => {
    const bench = benchOf(
      kindOf({
        one: ({ job }) => {
          bench.runner.cancel(job.id, 'me');
          return aBit;
        },
      }),
    ).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('cancelled');
  });

  it('comes too late once the last step has done its work', async () => {
    const bench = benchOf(
      kindOf({
        one: ({ job }) => {
          bench.runner.cancel(job.id, 'me');
          return done;
        },
      }),
    ).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('succeeded');
  });

  it('stops between two steps', async () => {
    let ran = false;
    const bench = benchOf(
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

  it('an ended job cannot be cancelled', async () => {
    const bench = benchOf(kindOf({ one: () => done })).start();
    const { id } = bench.enqueue('g/p');
    const ended = await bench.ended(id);
    expect(() => bench.runner.cancel(id, 'me')).toThrow(expect.objectContaining({ code: 'job-ended' }));
    expect(bench.job(id)).toEqual(ended);
  });

  it('many at once are stored in one transaction, or none is, and those that have ended are left out', () => {
    const bench = benchOf(kindOf({ one: forEver }));
    let changes = 0;
    const failing = benchOf(kindOf({ one: forEver }), {
      path: bench.path,
      clock: bench.clock,
      wrap: (store) =>
        spied(store, (name) => {
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

  it('survives another process that changes the job at the same moment', () => {
    let meddled = 0;
    const wrap = (store: JobStorePort): JobStorePort => {
      return spied(store, (name, [id]) => {
        if (name !== 'change' || meddled++ >= 3) return;
        const { state, revision } = bench.job(String(id));
        store.change(String(id), revision, { state, event: { type: 'note', message: '' }, at: 0 });
      });
    };
    const bench = benchOf(kindOf({ one: () => done }), { wrap });
    expect(bench.runner.cancel(bench.enqueue('g/p').id, 'me').state.status).toBe('cancelled');
    expect(meddled).toBe(4);
  });
});
