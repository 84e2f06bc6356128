import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ChangeHarness, lost, refused } from './change-harness.ts';
import { changeKinds, type ChangeKind } from './change-kinds.ts';

const minute = 60_000;

const run = (bench: ChangeHarness, { change, at }: ChangeKind) =>
  bench.run(change, at === undefined ? {} : { at });

describe.each(changeKinds)('$name', (kind) => {
  it('is sent once', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      kind.applyEffect(bench);
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded', warnings: [] },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is not sent again if it arrived but its reply was lost', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      kind.applyEffect(bench);
      throw lost;
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded' },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is sent again after two checks, at least a minute apart, if it did not arrive', async () => {
    const bench = new ChangeHarness();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.applyEffect(bench);
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    const [first = 0, second = 0] = bench.times(kind.call);
    expect(bench.times(kind.call)).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(2 * minute);
  });

  it('fails immediately if it is rejected', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      throw refused;
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('request-refused'));
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is found if it arrives late and the second request is rejected because of it', async () => {
    const bench = new ChangeHarness();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.applyEffect(bench);
      throw refused;
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(2);
  });

  it('is checked by the next process if the process ended while sending it', async () => {
    const bench = new ChangeHarness();
    const died = Promise.withResolvers<undefined>();
    kind.script(bench, () => {
      kind.applyEffect(bench);
      bench.bench.die();
      died.resolve(undefined);
      throw lost;
    });
    const { id } = bench.enqueue(kind.change, kind.at === undefined ? {} : { at: kind.at });
    await bench.clock.finish(died.promise);
    const next = bench.restart();
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is sent at most three times, and then fails with the reason', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      throw new AppError('server-error', 'HTTP 500', { retry: 'later' });
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('server-error'));
    expect(bench.times(kind.call)).toHaveLength(3);
  });
});
