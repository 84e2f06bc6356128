import { describe, expect, it } from 'vitest';
import { harnessOf, done, runForever, kindOf, running, type Run } from './runner-harness.ts';

describe('two processes on one data folder', () => {
  it('the first one runs the jobs, and the second one takes over immediately when the first is killed', async () => {
    const ran: string[] = [];
    const stepOf = (processName: string): Run => {
      return (context) => {
        ran.push(processName);
        return processName === 'second' ? done : runForever(context);
      };
    };
    const first = harnessOf(kindOf({ one: stepOf('first') })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    const second = harnessOf(kindOf({ one: stepOf('second') }), { path, clock }).start();
    const queued = second.enqueue('g/q');
    await second.until(queued.id, running, 5_000);
    await clock.advance(60_000);
    expect(ran).toEqual(['first', 'first']);
    first.kill();
    expect((await second.ended(id, 1_000)).state.status).toBe('succeeded');
    expect(second.events(id).map((event) => event.type)).toContain('interrupt');
  });

  it('the process that loses the lease writes nothing more about jobs that the other one runs', async () => {
    const ran: string[] = [];
    const linger: Run = async (context) => {
      ran.push('first');
      await context.clock.sleep(30_000);
      expect(context.signal.aborted).toBe(true);
      context.saveMemo('late');
      return { ...done, output: 'first' };
    };
    const first = harnessOf(kindOf({ one: linger })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    // The machine with the lease slept for so long that another process considered its process dead.
    first.lease.release();
    const second = harnessOf(
      kindOf({
        one: async ({ memo, clock }) => {
          await clock.sleep(60_000);
          return { ...done, output: { memo, by: 'second' } };
        },
      }),
      { path, clock },
    ).start();
    const ended = await second.ended(id);
    expect(ended.state.status).toBe('succeeded');
    expect(ended.result).toEqual({ one: { memo: null, by: 'second' } });
    expect(ran).toEqual(['first']);
    expect(first.errors.every((error) => error.code === 'interrupted')).toBe(true);
  });

  it('a suspended process has stored its running job, starts no job, and excludes other processes until it is started again', async () => {
    let runs = 0;
    const once: Run = (context) => ((runs += 1) === 1 ? runForever(context) : done);
    const first = harnessOf(kindOf({ one: once })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    await clock.finish(first.runner.suspend());
    expect(first.job(id).state).toMatchObject({ status: 'waiting', reason: 'interrupted' });
    const second = harnessOf(kindOf({ one: () => done }), { path, clock }).start();
    const queued = first.enqueue('g/q');
    await clock.advance(120_000);
    expect([runs, second.job(queued.id).state.status, first.runner.holdsLease]).toEqual([1, 'queued', true]);
    first.start();
    expect((await first.ended(id, 2_000)).state.status).toBe('succeeded');
    await first.runner.stop();
    await second.runner.stop();
  });

  it('a stopped process hands over the jobs that it had not started', async () => {
    const first = harnessOf(kindOf({ one: () => done }));
    const { path, clock } = first;
    first.runner.start(() => false);
    const second = harnessOf(kindOf({ one: () => done }), { path, clock }).start();
    const { id } = second.enqueue('g/p');
    await clock.advance(5_000);
    expect(second.job(id).state.status).toBe('queued');
    await first.runner.stop();
    expect((await second.ended(id, 2_000)).state.status).toBe('succeeded');
  });
});
