import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { inTurn, projectOf } from '../../support/jobs/fake-instance.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';

const lost = new AppError('connection-lost', 'The reply was lost.', { retry: 'later' });

describe('the request', () => {
  it('needs the role Maintainer, and is not sent without it', async () => {
    const bench = new ExportHarness();
    bench.instance.onProject = () => projectOf({ accessLevel: 30 });
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(0);
  });

  it('is left to the server if the role is not reported', async () => {
    const bench = new ExportHarness().states('none');
    bench.instance.onProject = () => projectOf({ accessLevel: null });
    bench.instance.onRequest = inTurn<undefined>(new AppError('role-too-low', '403'));
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('that arrived without an answer is not sent again', async () => {
    const bench = new ExportHarness().states('none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(bench.waits(job)[0]).toMatch('response to the export request was lost');
  });

  it('that is finished already is ours when there was no export before', async () => {
    const bench = new ExportHarness().states('none', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('is sent again when a finished export may be the one from before', async () => {
    const bench = new ExportHarness().states('finished', 'finished', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('is sent again only after two checks, at least a minute apart, found nothing', async () => {
    const bench = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    const { calls } = bench.instance;
    const between = calls.slice(calls.findIndex(({ what }) => what === 'request'));
    expect(between.slice(0, 4).map(({ what }) => what)).toEqual(['request', 'state', 'state', 'request']);
    const [sent = 0, first = 0, second = 0] = between.map(({ at }) => at);
    expect(first - sent).toBeGreaterThanOrEqual(minute);
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('that fails every time is given up after three sendings, with the reason', async () => {
    const bench = new ExportHarness().states('none');
    const broken = new AppError('server-error', 'The instance failed with HTTP 500.', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(broken);
    expect((await bench.run()).state).toMatchObject(failedWith('server-error'));
    expect(bench.instance.times('request')).toHaveLength(3);
  });

  it('of an earlier sending that arrives late is found when the second is refused', async () => {
    const bench = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    const busy = new AppError('export-refused', 'already running or queued', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(lost, busy);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('keeps knowing of the first sending while the second waits for its turn', async () => {
    const bench = new ExportHarness({ exportsPerMinute: 1, lookAgainMs: 20_000 });
    bench.states('none', 'none', 'none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    // The export had started before its turn came.
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('that was interrupted by the end of the process is checked by the next process, from the stored intent', async () => {
    const bench = new ExportHarness().states('none', 'started', 'finished');
    const gone = Promise.withResolvers<number>();
    bench.instance.onRequest = () => {
      bench.bench.die();
      gone.resolve(bench.clock.now());
      throw lost;
    };
    const { id } = bench.enqueue();
    const intentAt = await bench.clock.finish(gone.promise);
    const intent = { intentAt, ambiguous: false, looks: 0, lookAt: 0, sends: 1, problem: null };
    const next = bench.restart((store) => {
      // The form that data folders contain.
      store.saveMemo(id, 'request', { failures: 0, interruptions: 1, rested: false, memo: intent });
    });
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(next.store.outputs(id)['request']).toEqual({ at: intentAt });
  });

  it('that is sent again counts from when it was sent last', async () => {
    const bench = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    const sentAt: number[] = [];
    bench.instance.onRequest = () => {
      sentAt.push(bench.clock.now());
      if (sentAt.length === 1) throw lost;
    };
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.bench.store.outputs(job.id)['request']).toEqual({ at: sentAt[1] });
  });
});
