import { describe, expect, it } from 'vitest';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { aBit, benchOf, done, kindOf, waiting, type Run } from './runner-harness.ts';

describe('running steps', () => {
  it('stores the output of a step before the next one starts', async () => {
    const seen: unknown[] = [];
    const bench = benchOf(
      kindOf({
        one: () => ({ ...done, output: { found: 1 } }),
        two: ({ outputs, job }) => {
          seen.push(outputs, bench.store.outputs(job.id));
          return done;
        },
      }),
    ).start();
    const { id } = bench.enqueue('g/p');
    expect((await bench.ended(id)).state).toEqual({ status: 'succeeded', warnings: [] });
    expect(seen).toEqual([{ one: { found: 1 } }, { one: { found: 1 } }]);
  });

  it('goes back where a step says so, and the step gone back to has forgotten its memo', async () => {
    const memos: unknown[] = [];
    const bench = benchOf(
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

  it('a waiting job holds no slot', async () => {
    const bench = benchOf(kindOf({ one: () => aBit }), { concurrency: 1 }).start();
    const jobs = ['g/a', 'g/b', 'g/c'].map((project) => bench.enqueue(project));
    for (const { id } of jobs) await bench.until(id, waiting, 10_000);
  });

  it.each([0, 1])(
    'a clock that is set back by days does not make a wait longer (runners since: %i)',
    async (others) => {
      let tries = 0;
      const clock = new SteppedClock();
      const bench = benchOf(kindOf({ one: () => ((tries += 1) === 1 ? aBit : done) }), { clock }).start();
      const { id } = bench.enqueue('g/p');
      await bench.until(id, waiting, 10_000);
      if (others > 0) await clock.finish(bench.runner.stop());
      clock.jump(-3 * 86_400_000);
      if (others > 0) bench.start();
      await clock.advance(90_000);
      expect(bench.store.get(id)?.state).toEqual({ status: 'succeeded', warnings: [] });
      expect(tries).toBe(2);
    },
  );

  it('runs at most as many jobs at once as it may', async () => {
    let now = 0;
    let most = 0;
    const step: Run = async ({ clock }) => {
      most = Math.max(most, ++now);
      await clock.sleep(1_000);
      now -= 1;
      return done;
    };
    const bench = benchOf(kindOf({ one: step }), { concurrency: 3 }).start();
    const jobs = Array.from({ length: 10 }, (_, at) => bench.enqueue(`g/${at}`));
    for (const { id } of jobs) await bench.ended(id);
    expect(most).toBe(3);
  });

  it('never runs two jobs of one project at once, in any spelling', async () => {
    let now = 0;
    const step: Run = async ({ clock }) => {
      expect(++now).toBe(1);
      await clock.sleep(1_000);
      now -= 1;
      return done;
    };
    const bench = benchOf(kindOf({ one: step }), {
      definitions: [kindOf({ one: step }), kindOf({ one: step }, 'import')],
    }).start();
    const first = bench.enqueue('group/app', {}, 'export');
    const second = bench.enqueue('Group/App', {}, 'import');
    expect((await bench.ended(first.id)).state.status).toBe('succeeded');
    expect((await bench.ended(second.id)).state.status).toBe('succeeded');
  });

  it('claims only what somebody here asked for', async () => {
    const bench = benchOf(kindOf({ one: () => done }));
    const mine = bench.enqueue('g/mine');
    const other = bench.enqueue('g/other');
    bench.runner.start((job) => job.id === mine.id);
    await bench.ended(mine.id);
    await bench.clock.advance(5_000);
    expect(bench.job(other.id).state.status).toBe('queued');
  });
});
