import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ChangeHarness, lost, refused } from './change-harness.ts';
import { changeKinds, type ChangeKind } from './change-kinds.ts';

const minute = 60_000;

const run = (harness: ChangeHarness, { change, at }: ChangeKind) =>
  harness.run(change, at === undefined ? {} : { at });

describe.each(changeKinds)('$name', (kind) => {
  it('is sent once', async () => {
    const harness = new ChangeHarness();
    kind.script(harness, () => {
      kind.applyEffect(harness);
    });
    expect(await run(harness, kind)).toMatchObject({
      state: { status: 'succeeded', warnings: [] },
      result: { changed: true },
    });
    expect(harness.times(kind.call)).toHaveLength(1);
  });

  it('is not sent again if it arrived but its reply was lost', async () => {
    const harness = new ChangeHarness();
    kind.script(harness, () => {
      kind.applyEffect(harness);
      throw lost;
    });
    expect(await run(harness, kind)).toMatchObject({
      state: { status: 'succeeded' },
      result: { changed: true },
    });
    expect(harness.times(kind.call)).toHaveLength(1);
  });

  it('is sent again after two checks, at least a minute apart, if it did not arrive', async () => {
    const harness = new ChangeHarness();
    let sendings = 0;
    kind.script(harness, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.applyEffect(harness);
    });
    expect((await run(harness, kind)).state.status).toBe('succeeded');
    const [first = 0, second = 0] = harness.times(kind.call);
    expect(harness.times(kind.call)).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(2 * minute);
  });

  it('fails immediately if it is rejected', async () => {
    const harness = new ChangeHarness();
    kind.script(harness, () => {
      throw refused;
    });
    expect((await run(harness, kind)).state).toMatchObject(failedWith('request-refused'));
    expect(harness.times(kind.call)).toHaveLength(1);
  });

  it('is found if it arrives late and the second request is rejected because of it', async () => {
    const harness = new ChangeHarness();
    let sendings = 0;
    kind.script(harness, () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      kind.applyEffect(harness);
      throw refused;
    });
    expect((await run(harness, kind)).state.status).toBe('succeeded');
    expect(harness.times(kind.call)).toHaveLength(2);
  });

  it('is checked by the next process if the process ended while sending it', async () => {
    const harness = new ChangeHarness();
    const died = Promise.withResolvers<undefined>();
    kind.script(harness, () => {
      kind.applyEffect(harness);
      harness.bench.kill();
      died.resolve(undefined);
      throw lost;
    });
    const { id } = harness.enqueue(kind.change, kind.at === undefined ? {} : { at: kind.at });
    await harness.clock.finish(died.promise);
    const next = harness.restart();
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(harness.times(kind.call)).toHaveLength(1);
  });

  it('is sent at most three times, and then fails with the reason', async () => {
    const harness = new ChangeHarness();
    kind.script(harness, () => {
      throw new AppError('server-error', 'HTTP 500', { retry: 'later' });
    });
    expect((await run(harness, kind)).state).toMatchObject(failedWith('server-error'));
    expect(harness.times(kind.call)).toHaveLength(3);
  });
});
