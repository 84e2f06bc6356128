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
      kind.does(bench);
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded', warnings: [] },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that arrived without an answer is not sent again', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      kind.does(bench);
      throw lost;
    });
    expect(await run(bench, kind)).toMatchObject({
      state: { status: 'succeeded' },
      result: { changed: true },
    });
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that did not arrive is sent again after two checks, at least a minute apart', async () => {
    const bench = new ChangeHarness();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.does(bench);
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    const [first = 0, second = 0] = bench.times(kind.call);
    expect(bench.times(kind.call)).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(2 * minute);
  });

  it('that is refused ends at once', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      throw refused;
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('request-refused'));
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('that arrives late is found when the second sending is refused because of it', async () => {
    const bench = new ChangeHarness();
    let sendings = 0;
    kind.script(bench, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.does(bench);
      throw refused;
    });
    expect((await run(bench, kind)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(2);
  });

  it('that was interrupted by the end of the process is checked by the next process', async () => {
    const bench = new ChangeHarness();
    const gone = Promise.withResolvers<undefined>();
    kind.script(bench, () => {
      kind.does(bench);
      bench.bench.die();
      gone.resolve(undefined);
      throw lost;
    });
    const { id } = bench.enqueue(kind.change, kind.at === undefined ? {} : { at: kind.at });
    await bench.clock.finish(gone.promise);
    const next = bench.restart();
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.times(kind.call)).toHaveLength(1);
  });

  it('is given up after three sendings, with the reason', async () => {
    const bench = new ChangeHarness();
    kind.script(bench, () => {
      throw new AppError('server-error', 'HTTP 500', { retry: 'later' });
    });
    expect((await run(bench, kind)).state).toMatchObject(failedWith('server-error'));
    expect(bench.times(kind.call)).toHaveLength(3);
  });
});
