import { describe, expect, it } from 'vitest';
import { benchOf, done, forEver, kindOf, running, type Run } from './runner-harness.ts';

describe('two processes on one data folder', () => {
  it('one runs the jobs, the other watches, and takes over at once when the first is killed', async () => {
    const ran: string[] = [];
    const hold = (who: string): Run => {
      return (context) => {
        ran.push(who);
        return who === 'second' ? done : forEver(context);
      };
    };
    const first = benchOf(kindOf({ one: hold('first') })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    const second = benchOf(kindOf({ one: hold('second') }), { path, clock }).start();
    const queued = second.enqueue('g/q');
    await second.until(queued.id, running, 5_000);
    await clock.advance(60_000);
    expect(ran).toEqual(['first', 'first']);
    first.die();
    expect((await second.ended(id, 1_000)).state.status).toBe('succeeded');
    expect(second.events(id).map((event) => event.type)).toContain('interrupt');
  });

  it('whoever loses the lease writes nothing more about jobs that the other runs', async () => {
    const ran: string[] = [];
    const linger: Run = async (context) => {
      ran.push('first');
      await context.clock.sleep(30_000);
      expect(context.signal.aborted).toBe(true);
      context.saveMemo('late');
      return { ...done, output: 'first' };
    };
    const first = benchOf(kindOf({ one: linger })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    // The machine that held it was asleep for long, and another process considered it dead.
    first.lease.release();
    const second = benchOf(
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
    expect(first.trouble.every((error) => error.code === 'interrupted')).toBe(true);
  });

  it('a paused process has stored what ran, begins nothing, and keeps the others out, until it is started again', async () => {
    let runs = 0;
    const once: Run = (context) => ((runs += 1) === 1 ? forEver(context) : done);
    const first = benchOf(kindOf({ one: once })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    await clock.finish(first.runner.suspend());
    expect(first.job(id).state).toMatchObject({ status: 'waiting', reason: 'interrupted' });
    const second = benchOf(kindOf({ one: () => done }), { path, clock }).start();
    const queued = first.enqueue('g/q');
    await clock.advance(120_000);
    expect([runs, second.job(queued.id).state.status, first.runner.isRunningJobs]).toEqual([
      1,
      'queued',
      true,
    ]);
    first.start();
    expect((await first.ended(id, 2_000)).state.status).toBe('succeeded');
    await first.runner.stop();
    await second.runner.stop();
  });

  it('a stopped process hands over what it had not begun', async () => {
    const first = benchOf(kindOf({ one: () => done }));
    const { path, clock } = first;
    first.runner.start(() => false);
    const second = benchOf(kindOf({ one: () => done }), { path, clock }).start();
    const { id } = second.enqueue('g/p');
    await clock.advance(5_000);
    expect(second.job(id).state.status).toBe('queued');
    await first.runner.stop();
    expect((await second.ended(id, 2_000)).state.status).toBe('succeeded');
  });
});
