import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDispatch, type Dispatch } from '../../../../src-main/bridge/dispatch.ts';
import { GrantedPaths } from '../../../../src-main/bridge/archives/granted-paths.ts';
import { createWindowCalls } from '../../../../src-main/bridge/transports/limits.ts';
import type { Handlers } from '../../../../src-main/bridge/handler.ts';
import { callNames } from '../../../../src-contract/call-names.ts';
import type { ErrorCode } from '../../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../../src-contract/errors-schema.ts';
import type { Progress } from '../../../../src-contract/runs/job.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

interface OpenCall {
  name: string;
  signal: AbortSignal;
  progress: (done: number) => void;
  answer: (value: unknown) => void;
}

const step = (done: number): Progress => ({ step: 'read', unit: 'bytes', done, total: 100 });

/** Opens a window whose calls end when the test calls `answer`. */
function openWindow(dispatch?: Dispatch) {
  const clock = new SteppedClock();
  const inProgress: OpenCall[] = [];
  const sent: { event: string; payload: unknown; at: number }[] = [];
  const calls = createWindowCalls(
    dispatch ??
      ((name, _request, context) =>
        new Promise((resolve) => {
          inProgress.push({
            name,
            signal: context.signal,
            progress: (done) => {
              context.progress(step(done));
            },
            answer: (value) => {
              resolve({ ok: true, value });
            },
          });
        })),
    clock,
    (event, payload) => sent.push({ event, payload, at: clock.monotonic() }),
    new GrantedPaths(),
  );
  const call = (id: string, request: unknown = {}, name = 'doctor.run') => calls.call(name, request, id);
  return { clock, calls, call, inProgress, sent };
}

const refused = (code: ErrorCode, message: RegExp) => ({
  ok: false,
  error: expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as unknown,
});
const done = { ok: true, value: 'done' };

describe('the limit on calls in progress', () => {
  test('allows 64 calls and refuses the next one until one has ended', async () => {
    const { call, inProgress, clock } = openWindow();
    const names = ['doctor.run', 'instance.list'];
    const open = Array.from({ length: 64 }, (_, at) => call(`c${at}`, {}, names[at % 2]));
    expect(await call('c64')).toEqual(refused('calls-too-many', /64 calls/));
    inProgress[7]?.answer('done');
    expect(await open[7]).toEqual(done);
    await clock.advance(1000);
    const admitted = call('c64');
    inProgress.at(-1)?.answer('done');
    expect(await admitted).toEqual(done);
  });

  test('allows one call at a time for an id', async () => {
    const { call, inProgress } = openWindow();
    const first = call('same');
    expect(await call('same')).toEqual(refused('invalid-input', /in progress/));
    inProgress[0]?.answer('done');
    expect(await first).toEqual(done);
    const second = call('same');
    inProgress[1]?.answer('done');
    expect(await second).toEqual(done);
  });

  test.each([undefined, null, '', 7, {}, 'x'.repeat(101)])('refuses %j as an id', async (id) => {
    const { calls, inProgress } = openWindow();
    expect(await calls.call('doctor.run', {}, id)).toEqual(refused('invalid-input', /id/));
    expect(inProgress).toEqual([]);
  });
});

describe('the limit on the rate of calls', () => {
  const answering: Dispatch = () => Promise.resolve({ ok: true, value: 'done' });

  test('allows 50 calls of one name at once, then 50 per second, and does not delay other names', async () => {
    const { clock, call } = openWindow(answering);
    let id = 0;
    const burst = async (count: number, name?: string) => {
      const results = await Promise.all(Array.from({ length: count }, () => call(`c${id++}`, {}, name)));
      return results.filter((result) => result.ok).length;
    };
    expect(await burst(60)).toBe(50);
    expect(await burst(60, 'instance.list')).toBe(50);
    await clock.advance(100);
    expect(await burst(60)).toBe(5);
    await clock.advance(60_000);
    expect(await burst(60)).toBe(50);
  });

  test('refuses a call with the time after which the next call is admitted', async () => {
    const { clock, call } = openWindow(answering);
    for (let at = 0; at < 50; at++) await call(`c${at}`);
    const result = await call('one more');
    expect(result).toMatchObject({ error: { code: 'calls-too-many', retry: { afterMs: 20 } } });
    await clock.advance(19);
    expect(await call('too early')).toMatchObject({ ok: false });
    await clock.advance(1);
    expect(await call('in time')).toEqual(done);
  });

  test('does not change if the wall clock is set back', async () => {
    const { clock, call } = openWindow(answering);
    for (let at = 0; at < 50; at++) await call(`c${at}`);
    clock.jump(-3_600_000);
    await clock.advance(20);
    expect(await call('next')).toEqual(done);
  });
});

describe('an invalid request is refused before it is dispatched', () => {
  const pollution = (key: string): unknown => JSON.parse(`{"a":[{"b":{"${key}":{"x":1}}}]}`);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const deep = Array.from({ length: 40 }).reduce((inner) => ({ inner }), {});
  test.each<[string, unknown, RegExp]>([
    ['more than 1 MB of text', { text: 'x'.repeat(1_000_001) }, /bytes/],
    ['more than 1 MB in bytes, though fewer characters', { text: 'ü'.repeat(500_001) }, /bytes/],
    [
      'more than 1 MB of keys',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-${at}-long`, 1])),
      /bytes/,
    ],
    ['more than 1 MB of empty elements', new Array(4_000_000_000), /bytes/],
    ['__proto__ as a key', pollution('__proto__'), /"__proto__"/],
    ['constructor as a key', pollution('constructor'), /"constructor"/],
    ['prototype as a key', pollution('prototype'), /"prototype"/],
    ['a circular reference', cycle, /levels/],
    ['deep nesting', deep, /levels/],
    ['a function', { f: () => 1 }, /plain data/],
    ['a map', new Map([['a', 1]]), /plain data/],
    ['a date', { at: new Date(0) }, /plain data/],
    ['bytes', new Uint8Array(8), /plain data/],
    ['a symbol', { [Symbol('s')]: 1 }, /plain data/],
    ['a big integer', { n: 1n }, /plain data/],
    ['an object of a class', new URL('https://example.com'), /plain data/],
  ])('%s', async (_what, request, message) => {
    const { call, inProgress } = openWindow();
    expect(await call('c1', request)).toEqual(refused('invalid-input', message));
    expect(inProgress).toEqual([]);
  });

  test('plain data up to 1 MB is dispatched unchanged', async () => {
    const seen: unknown[] = [];
    const { calls } = openWindow((_name, request) => {
      seen.push(request);
      return Promise.resolve({ ok: true, value: 'done' });
    });
    const requests = [
      { text: 'x'.repeat(999_900) },
      { a: [null, true, 1.5, undefined] },
      Object.create(null),
      undefined,
    ];
    for (const [at, request] of requests.entries())
      expect(await calls.call('doctor.run', request, `c${at}`)).toEqual(done);
    expect(seen).toEqual(requests);
  });
});

describe('a cancelled call', () => {
  test('returns the error "cancelled" at once, and its signal is aborted', async () => {
    const { calls, call, inProgress } = openWindow();
    const answer = call('c1');
    const other = call('c2');
    calls.cancel('c1');
    expect(await answer).toEqual(refused('cancelled', /page/));
    expect(inProgress.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    inProgress[1]?.answer('done');
    expect(await other).toEqual(done);
  });

  test('counts as a call in progress and keeps its id in use until its work has ended', async () => {
    const { calls, call, inProgress, clock } = openWindow();
    const names = ['doctor.run', 'instance.list'];
    const [answer] = Array.from({ length: 64 }, (_, at) => call(`c${at}`, {}, names[at % 2]));
    calls.cancel('c0');
    expect(await answer).toEqual(refused('cancelled', /page/));
    expect(await call('c0')).toEqual(refused('invalid-input', /in progress/));
    expect(await call('c64')).toEqual(refused('calls-too-many', /64 calls/));
    inProgress[0]?.answer('late');
    await clock.advance(0);
    const again = call('c0');
    inProgress.at(-1)?.answer('done');
    expect(await again).toEqual(done);
  });

  test('is ignored if its id is unknown, or if it has already returned', async () => {
    const { calls, call, inProgress } = openWindow();
    for (const id of ['unknown', undefined, null, {}, 5]) calls.cancel(id);
    const answer = call('c1');
    inProgress[0]?.answer('done');
    expect(await answer).toEqual(done);
    calls.cancel('c1');
    expect(inProgress[0]?.signal.aborted).toBe(false);
  });

  test('also ends if its page is closed, which then receives no progress and may make no call', async () => {
    const { calls, call, inProgress, sent } = openWindow();
    const answers = [call('c1'), call('c2')];
    calls.close();
    calls.close();
    expect(await Promise.all(answers)).toEqual([refused('cancelled', /gone/), refused('cancelled', /gone/)]);
    expect(inProgress.every(({ signal }) => signal.aborted)).toBe(true);
    inProgress[0]?.progress(5);
    expect(sent).toEqual([]);
    expect(await call('c3')).toEqual(refused('page-disconnected', /gone/));
    expect(inProgress).toHaveLength(2);
  });
});

describe('progress', () => {
  test('is sent to the page at most ten times a second, with the id of its call', async () => {
    const { clock, call, inProgress, sent } = openWindow();
    void call('c1');
    for (let at = 0; at < 1000; at++) {
      inProgress[0]?.progress(at);
      await clock.advance(1);
    }
    expect(sent.length).toBeGreaterThanOrEqual(10);
    expect(sent.length).toBeLessThanOrEqual(11);
    expect(sent[0]).toEqual({ event: 'call.progress', payload: { id: 'c1', progress: step(0) }, at: 0 });
    const times = sent.map(({ at }) => at);
    expect(times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) >= 100)).toBe(true);
  });

  test('arrives with its last value before the result, and never after it', async () => {
    const { clock, call, inProgress, sent } = openWindow();
    const order: unknown[] = [];
    const answer = call('c1').then(() => order.push(...sent.map(({ payload }) => payload), 'answer'));
    for (const value of [1, 2, 3]) inProgress[0]?.progress(value);
    inProgress[0]?.answer('done');
    await answer;
    inProgress[0]?.progress(4);
    await clock.advance(1000);
    expect(order).toEqual([{ id: 'c1', progress: step(1) }, { id: 'c1', progress: step(3) }, 'answer']);
    expect(sent).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test('that was held back is sent after 100 ms without a further value', async () => {
    const { clock, call, inProgress, sent } = openWindow();
    void call('c1');
    inProgress[0]?.progress(1);
    inProgress[0]?.progress(2);
    await clock.advance(100);
    expect(sent.map(({ at }) => at)).toEqual([0, 100]);
  });

  test('of a cancelled call is not sent', async () => {
    const { calls, call, inProgress, sent, clock } = openWindow();
    const answer = call('c1');
    inProgress[0]?.progress(1);
    inProgress[0]?.progress(2);
    calls.cancel('c1');
    await answer;
    inProgress[0]?.progress(3);
    await clock.advance(1000);
    expect(sent).toHaveLength(1);
  });
});

describe('any input of a page yields a result', () => {
  const handlers = new Proxy({} as Handlers, {
    get: () => (request: unknown) => {
      if (JSON.stringify(request).length % 3 === 0) throw new TypeError('a mistake');
      return Promise.resolve(request);
    },
  });
  const dispatch = createDispatch(
    handlers,
    () => Promise.resolve(),
    () => undefined,
  );
  const result = (answer: Awaited<ReturnType<Dispatch>>): boolean =>
    answer.ok || errorDataSchema.safeParse(answer.error).success;
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  });

  test.each(callNames)('%s', async (name) => {
    const { calls, clock } = openWindow(dispatch);
    await fc.assert(
      fc.asyncProperty(anything, fc.oneof(fc.string(), anything), async (request, id) => {
        await clock.advance(20);
        expect(result(await calls.call(name, request, id))).toBe(true);
        calls.cancel(id);
      }),
      { numRuns: 200 },
    );
  });

  test('an unknown call name is refused as invalid input', async () => {
    const { calls } = openWindow(dispatch);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), anything), anything, async (name, request) => {
        expect(await calls.call(name, request, 'c1')).toMatchObject({
          ok: false,
          error: { code: 'invalid-input' },
        });
      }),
      { numRuns: 200 },
    );
  });
});
