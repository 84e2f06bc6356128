import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { JobStorePort } from '../../../src-main/jobs/ports.ts';
import type { JobDefinition, Outcome, Step, StepContext } from '../../../src-main/jobs/step.ts';
import { FakeArchives, FakeInstance } from '../../support/fake-instance.ts';
import { JobBench } from '../../support/job-bench.ts';
import { SteppedClock } from '../../support/stepped-clock.ts';

const done: Outcome = { kind: 'done', output: null, says: 'Done.' };
const aBit: Outcome = { kind: 'wait', ms: 60_000, reason: 'server-working', text: 'Later.', memo: null };

type Run = (context: StepContext) => Promise<Outcome> | Outcome;

/** A kind of job whose steps are the functions given, in order. */
function kindOf(steps: Record<string, Run>, kind: JobDefinition['kind'] = 'export'): JobDefinition {
  return {
    kind,
    steps: Object.entries(steps).map(([name, run]): Step => ({
      name,
      run: (context) => Promise.resolve().then(() => run(context)),
    })),
    end: (outputs) => ({ result: outputs, warnings: [] }),
  };
}

/** Goes on until it is aborted, and fails with what it is aborted for. */
const forEver: Run = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** Calls `before` ahead of every call of the store; what it throws is what the store throws. */
function spied(
  store: JobStorePort,
  before: (name: keyof JobStorePort, given: unknown[]) => void,
): JobStorePort {
  return new Proxy(store, {
    get:
      (target, name: keyof JobStorePort) =>
      (...given: unknown[]): unknown => {
        before(name, given);
        return (target[name].bind(target) as (...all: unknown[]) => unknown)(...given);
      },
  });
}

type BenchOptions = Partial<ConstructorParameters<typeof JobBench>[0]>;

function benchOf(definition: JobDefinition, options: BenchOptions = {}): JobBench {
  const clock = options.clock ?? new SteppedClock();
  const ports = {
    instance: new FakeInstance(clock),
    archives: new FakeArchives(),
    appVersion: '1',
    keepLast: () => null,
  };
  const bench = new JobBench({ definitions: [definition], ports, ...options, clock });
  onTestFinished(() => bench.runner.stop());
  return bench;
}

const running = (job: Job): boolean => job.state.status === 'running';
const waiting = (job: Job): boolean => job.state.status === 'waiting';

/** Lets what is under way go on without stepping the clock. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
          context.remember('sent');
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

  it('never runs two jobs of one project at once, in whatever spelling', async () => {
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

describe('failures', () => {
  it('are tried again a bounded number of times, each after a wait', async () => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError('connection-lost', 'cut', { retry: 'later' });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    const { id } = bench.enqueue('g/p');
    expect((await bench.ended(id)).state).toMatchObject({
      status: 'failed',
      error: { code: 'connection-lost' },
    });
    expect(tries).toBe(6);
    expect(bench.events(id).filter((event) => event.type === 'wait')).toHaveLength(5);
  });

  it.each(['disk-full', 'disk-denied', 'disk-failed'] as const)('%s is told at once', async (code) => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError(code, 'x', { retry: 'later' });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state).toMatchObject({ error: { code } });
    expect(tries).toBe(1);
  });

  it('a server that is always down for maintenance is given up too', async () => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError('server-error', '503', { retry: { afterMs: 30_000 } });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    await bench.ended(bench.enqueue('g/p').id);
    expect(tries).toBe(6);
  });

  it('a missing token lets the job wait, and it goes on once there is one', async () => {
    let locked = true;
    const clock = new SteppedClock();
    const ports = {
      instance: new FakeInstance(clock),
      archives: new FakeArchives(),
      appVersion: '1',
      keepLast: () => null,
    };
    const bench = benchOf(kindOf({ one: () => done }), {
      clock,
      ports: () => (locked ? Promise.reject(new AppError('keychain-locked', 'x')) : Promise.resolve(ports)),
    }).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, waiting);
    await clock.advance(120_000);
    expect(bench.job(id).state).toMatchObject({ status: 'waiting', reason: 'token-missing' });
    locked = false;
    expect((await bench.ended(id, 60_000)).state.status).toBe('succeeded');
  });

  it('a job of a program that is gone from this version fails instead of blocking the rest', async () => {
    const bench = benchOf(kindOf({ one: () => done }));
    const gone = bench.store;
    const job = bench.enqueue('g/p');
    gone.beginStep(job.id, 'gone', 1);
    bench.start();
    expect((await bench.ended(job.id)).state).toMatchObject({ error: { code: 'internal' } });
    expect((await bench.ended(bench.enqueue('g/q').id)).state.status).toBe('succeeded');
  });
});

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

  it('a running job is told, and ends cancelled by whoever asked first', async () => {
    const bench = benchOf(kindOf({ one: forEver })).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, running);
    expect(bench.runner.cancel(id, 'first').state.status).toBe('cancelling');
    bench.runner.cancel(id, 'second');
    expect((await bench.ended(id)).state).toEqual({ status: 'cancelled', by: 'first' });
  });

  it('a job that runs in another process is told through the catalogue', async () => {
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

describe('stopping and crashing', () => {
  it('a stop stores the job as interrupted, and it resumes at the stored step', async () => {
    const ran: string[] = [];
    const first: Run = () => {
      ran.push('one');
      return done;
    };
    const before = benchOf(kindOf({ one: first, two: forEver })).start();
    const { id } = before.enqueue('g/p');
    await before.until(id, (job) => job.step === 'two' && running(job));
    await before.runner.stop();
    expect(before.job(id)).toMatchObject({
      step: 'two',
      state: { status: 'waiting', reason: 'interrupted' },
    });
    expect(before.lease.holder()).toBeNull();
    const { path, clock } = before;
    const after = benchOf(kindOf({ one: first, two: () => done }), { path, clock }).start();
    expect((await after.ended(id, 2_000)).state.status).toBe('succeeded');
    expect(ran).toEqual(['one']);
  });

  it('a stop while it takes over claims nothing', async () => {
    let tidied: () => void = () => undefined;
    const tidyUp = () => new Promise<void>((resolve) => (tidied = resolve));
    const bench = benchOf(kindOf({ one: forEver }), { tidyUp }).start();
    const { id } = bench.enqueue('g/p');
    await breathe();
    const stopped = bench.runner.stop();
    tidied();
    await stopped;
    expect(bench.job(id).state.status).toBe('queued');
  });

  it('an ordered stop does not count towards giving a job up', async () => {
    const before = benchOf(kindOf({ one: forEver }));
    const { id } = before.enqueue('g/p');
    for (let round = 0; round < 8; round++) {
      before.start();
      await before.until(id, running);
      await before.runner.stop();
    }
    const { path, clock } = before;
    const after = benchOf(kindOf({ one: () => done }), { path, clock }).start();
    expect((await after.ended(id)).state.status).toBe('succeeded');
  });

  it('a step that took the process down five times in a row is given up, and the others go on', async () => {
    const clock = new SteppedClock();
    let bench = benchOf(kindOf({ one: forEver }), { clock });
    const { path } = bench;
    const { id } = bench.enqueue('g/poison');
    for (let crash = 0; crash < 5; crash++) {
      bench.start();
      await bench.until(id, running);
      await breathe();
      bench.die();
      bench = benchOf(kindOf({ one: forEver }), { clock, path });
    }
    bench.start();
    expect((await bench.ended(id)).state).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    const next = bench.enqueue('g/next');
    await bench.until(next.id, running);
  });

  it('a crash between the work of a step and its stored output leaves the memo of that step', async () => {
    const memos: unknown[] = [];
    const send: Run = (context) => {
      memos.push(context.memo);
      context.remember('sent');
      return done;
    };
    const wrap = (store: JobStorePort): JobStorePort =>
      spied(store, (name) => {
        if (name !== 'finishStep') return;
        bench.die();
        throw new Error('killed');
      });
    const bench = benchOf(kindOf({ send }), { wrap }).start();
    const { id } = bench.enqueue('g/p');
    await breathe();
    await breathe();
    const after = benchOf(kindOf({ send }), { path: bench.path, clock: bench.clock }).start();
    expect((await after.ended(id)).state.status).toBe('succeeded');
    expect(memos).toEqual([null, 'sent']);
  });

  it('a catalogue that cannot be written for a while is waited for', async () => {
    let full = false;
    const wrap = (store: JobStorePort): JobStorePort =>
      spied(store, (name) => {
        if (full && name !== 'get' && name !== 'outputs') throw new AppError('disk-full', 'no room');
      });
    const bench = benchOf(
      kindOf({
        one: async ({ clock }) => {
          await clock.sleep(1_000);
          return done;
        },
      }),
      { wrap },
    ).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, running);
    full = true;
    await bench.clock.advance(10_000);
    expect(bench.trouble.map((error) => error.code)).toContain('disk-full');
    expect(bench.job(id).state.status).toBe('running');
    full = false;
    expect((await bench.ended(id, 5_000)).state.status).toBe('succeeded');
  });

  it('a failure to tidy up is told and stops nothing', async () => {
    const tidyUp = () => Promise.reject(new AppError('disk-denied', 'locked'));
    const bench = benchOf(kindOf({ one: () => done }), { tidyUp }).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state.status).toBe('succeeded');
    expect(bench.trouble.map((error) => error.code)).toEqual(['disk-denied']);
  });
});

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
      context.remember('late');
      return { ...done, output: 'first' };
    };
    const first = benchOf(kindOf({ one: linger })).start();
    const { path, clock } = first;
    const { id } = first.enqueue('g/p');
    await first.until(id, running);
    // As after a long sleep of the machine that held it: another one took it for dead.
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
