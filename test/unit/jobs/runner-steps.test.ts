import { describe, expect, it } from 'vitest';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { waitOneMinute, harnessOf, done, kindOf, waiting, type Run } from './runner-harness.ts';

describe('the job runner', () => {
  it('stores the output of a step before the next one starts', async () => {
    const outputsSeen: unknown[] = [];
    const harness = harnessOf(
      kindOf({
        one: () => ({ ...done, output: { found: 1 } }),
        two: ({ outputs, job }) => {
          outputsSeen.push(outputs, harness.store.outputs(job.id));
          return done;
        },
      }),
    ).start();
    const { id } = harness.enqueue('g/p');
    expect((await harness.ended(id)).state).toEqual({ status: 'succeeded', warnings: [] });
    expect(outputsSeen).toEqual([{ one: { found: 1 } }, { one: { found: 1 } }]);
  });

  it('returns to an earlier step if a step requests that, and the earlier step has no memo', async () => {
    const memos: unknown[] = [];
    const harness = harnessOf(
      kindOf({
        one: (context) => {
          memos.push(context.memo);
          context.saveMemo('sent');
          return done;
        },
        two: ({ outputs }) => (outputs['two'] === undefined ? { ...done, output: 1, goTo: 'one' } : done),
      }),
    ).start();
    await harness.ended(harness.enqueue('g/p').id);
    expect(memos).toEqual([null, null]);
  });

  it('does not use a slot for a waiting job', async () => {
    const harness = harnessOf(kindOf({ one: () => waitOneMinute }), { concurrency: 1 }).start();
    const jobs = ['g/a', 'g/b', 'g/c'].map((project) => harness.enqueue(project));
    for (const { id } of jobs) await harness.until(id, waiting, 10_000);
  });

  it.each([0, 1])(
    'does not extend a wait if the clock is set back by days (runners since: %i)',
    async (restarts) => {
      let attempts = 0;
      const clock = new SteppedClock();
      const harness = harnessOf(kindOf({ one: () => ((attempts += 1) === 1 ? waitOneMinute : done) }), {
        clock,
      }).start();
      const { id } = harness.enqueue('g/p');
      await harness.until(id, waiting, 10_000);
      if (restarts > 0) await clock.finish(harness.runner.stop());
      clock.jump(-3 * 86_400_000);
      if (restarts > 0) harness.start();
      await clock.advance(90_000);
      expect(harness.store.get(id)?.state).toEqual({ status: 'succeeded', warnings: [] });
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
    const harness = harnessOf(kindOf({ one: step }), { concurrency: 3 }).start();
    const jobs = Array.from({ length: 10 }, (_, at) => harness.enqueue(`g/${at}`));
    for (const { id } of jobs) await harness.ended(id);
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
    const harness = harnessOf(kindOf({ one: step }), {
      definitions: [kindOf({ one: step }), kindOf({ one: step }, 'import')],
    }).start();
    const first = harness.enqueue('group/app', {}, 'export');
    const second = harness.enqueue('Group/App', {}, 'import');
    expect((await harness.ended(first.id)).state.status).toBe('succeeded');
    expect((await harness.ended(second.id)).state.status).toBe('succeeded');
  });

  it('claims only the jobs that its caller requests', async () => {
    const harness = harnessOf(kindOf({ one: () => done }));
    const mine = harness.enqueue('g/mine');
    const other = harness.enqueue('g/other');
    harness.runner.start((job) => job.id === mine.id);
    await harness.ended(mine.id);
    await harness.clock.advance(5_000);
    expect(harness.job(other.id).state.status).toBe('queued');
  });
});
