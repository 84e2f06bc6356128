import { describe, expect, it } from 'vitest';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { waitOneMinute, harnessOf, done, kindOf, waiting, type Run } from './runner-harness.ts';

describe('the job runner', () => {
  it('stores the output of a step before the next one starts', async () => {
    const outputsSeen: unknown[] = [];
    const bench = harnessOf(
      kindOf({
        one: () => ({ ...done, output: { found: 1 } }),
        two: ({ outputs, job }) => {
          outputsSeen.push(outputs, bench.store.outputs(job.id));
          return done;
        },
      }),
    ).start();
    const { id } = bench.enqueue('g/p');
    expect((await bench.ended(id)).state).toEqual({ status: 'succeeded', warnings: [] });
    expect(outputsSeen).toEqual([{ one: { found: 1 } }, { one: { found: 1 } }]);
  });

  it('returns to an earlier step if a step requests that, and the earlier step has no memo', async () => {
    const memos: unknown[] = [];
    const bench = harnessOf(
      kindOf({
        one: (context) => {
          memos.push(context.memo);
          context.saveMemo('sent');
          return done;
        },
        two: ({ outputs }) => (outputs['two'] === undefined ? { ...done, output: 1, goTo: 'one' } : done),
      }),
    ).start();
    await bench.ended(bench.enqueue('g/p').id);
    expect(memos).toEqual([null, null]);
  });

  it('does not use a slot for a waiting job', async () => {
    const bench = harnessOf(kindOf({ one: () => waitOneMinute }), { concurrency: 1 }).start();
    const jobs = ['g/a', 'g/b', 'g/c'].map((project) => bench.enqueue(project));
    for (const { id } of jobs) await bench.until(id, waiting, 10_000);
  });

  it.each([0, 1])(
    'does not extend a wait if the clock is set back by days (runners since: %i)',
    async (restarts) => {
      let attempts = 0;
      const clock = new SteppedClock();
      const bench = harnessOf(kindOf({ one: () => ((attempts += 1) === 1 ? waitOneMinute : done) }), {
        clock,
      }).start();
      const { id } = bench.enqueue('g/p');
      await bench.until(id, waiting, 10_000);
      if (restarts > 0) await clock.finish(bench.runner.stop());
      clock.jump(-3 * 86_400_000);
      if (restarts > 0) bench.start();
      await clock.advance(90_000);
      expect(bench.store.get(id)?.state).toEqual({ status: 'succeeded', warnings: [] });
      expect(attempts).toBe(2);
    },
  );

  it('runs at most as many jobs at once as its concurrency allows', async () => {
    let active = 0;
    let maxActive = 0;
    const step: Run = async ({ clock }) => {
      maxActive = Math.max(maxActive, ++active);
      await clock.sleep(1_000);
      active -= 1;
      return done;
    };
    const bench = harnessOf(kindOf({ one: step }), { concurrency: 3 }).start();
    const jobs = Array.from({ length: 10 }, (_, at) => bench.enqueue(`g/${at}`));
    for (const { id } of jobs) await bench.ended(id);
    expect(maxActive).toBe(3);
  });

  it('never runs two jobs of one project at once, ignoring the case of its path', async () => {
    let active = 0;
    const step: Run = async ({ clock }) => {
      expect(++active).toBe(1);
      await clock.sleep(1_000);
      active -= 1;
      return done;
    };
    const bench = harnessOf(kindOf({ one: step }), {
      definitions: [kindOf({ one: step }), kindOf({ one: step }, 'import')],
    }).start();
    const first = bench.enqueue('group/app', {}, 'export');
    const second = bench.enqueue('Group/App', {}, 'import');
    expect((await bench.ended(first.id)).state.status).toBe('succeeded');
    expect((await bench.ended(second.id)).state.status).toBe('succeeded');
  });

  it('claims only the jobs that its caller requests', async () => {
    const bench = harnessOf(kindOf({ one: () => done }));
    const mine = bench.enqueue('g/mine');
    const other = bench.enqueue('g/other');
    bench.runner.start((job) => job.id === mine.id);
    await bench.ended(mine.id);
    await bench.clock.advance(5_000);
    expect(bench.job(other.id).state.status).toBe('queued');
  });
});
