import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { inTurn, projectOf } from '../../support/jobs/fake-instance.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';

const lost = new AppError('connection-lost', 'The reply was lost.', { retry: 'later' });

describe('the export request', () => {
  it('requires the Maintainer role and is not sent without it', async () => {
    const bench = new ExportHarness();
    bench.instance.onProject = () => projectOf({ accessLevel: 30 });
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(0);
  });

  it('is sent if the role is unknown, and the server decides', async () => {
    const bench = new ExportHarness().states('none');
    bench.instance.onProject = () => projectOf({ accessLevel: null });
    bench.instance.onRequest = inTurn<undefined>(new AppError('role-too-low', '403'));
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('is not sent again if it arrived but its reply was lost', async () => {
    const bench = new ExportHarness().states('none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(bench.waits(job)[0]).toMatch('response to the export request was lost');
  });

  it('is not sent again after a lost reply if a finished export exists and none existed before', async () => {
    const bench = new ExportHarness().states('none', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('is sent again after a lost reply if the finished export may be the earlier one', async () => {
    const bench = new ExportHarness().states('finished', 'finished', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('is sent again only after two checks, at least a minute apart, found no export', async () => {
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

  it('is sent at most three times, and then the job fails with the reason', async () => {
    const bench = new ExportHarness().states('none');
    const broken = new AppError('server-error', 'The instance failed with HTTP 500.', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(broken);
    expect((await bench.run()).state).toMatchObject(failedWith('server-error'));
    expect(bench.instance.times('request')).toHaveLength(3);
  });

  it('is recognized when it arrives late and the second request is rejected', async () => {
    const bench = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    const busy = new AppError('export-refused', 'already running or queued', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(lost, busy);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('is not sent again if the first one takes effect while the second waits for its turn', async () => {
    const bench = new ExportHarness({ exportsPerMinute: 1, lookAgainMs: 20_000 });
    bench.states('none', 'none', 'none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    // The export started before the turn of the second request.
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('is checked by the next process, from the stored intent, if the process ended while sending it', async () => {
    const bench = new ExportHarness().states('none', 'started', 'finished');
    const died = Promise.withResolvers<number>();
    bench.instance.onRequest = () => {
      bench.bench.die();
      died.resolve(bench.clock.now());
      throw lost;
    };
    const { id } = bench.enqueue();
    const intentAt = await bench.clock.finish(died.promise);
    const intent = { intentAt, ambiguous: false, looks: 0, lookAt: 0, sends: 1, problem: null };
    const next = bench.restart((store) => {
      // Data folders store the memo in this form.
      store.saveMemo(id, 'request', { failures: 0, interruptions: 1, rested: false, memo: intent });
    });
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(next.store.outputs(id)['request']).toEqual({ at: intentAt });
  });

  it('is stored with the time of its last sending if it was sent again', async () => {
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
