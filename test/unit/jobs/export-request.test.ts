import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { sequence, projectOf } from '../../support/jobs/fake-instance.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';

const lost = new AppError('connection-lost', 'The reply was lost.', { retry: 'later' });

describe('the export request', () => {
  it('requires the Maintainer role and is not sent without it', async () => {
    const harness = new ExportHarness();
    harness.instance.onProject = () => projectOf({ accessLevel: 30 });
    expect((await harness.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(harness.instance.times('request')).toHaveLength(0);
  });

  it('is sent if the role is unknown, and the server decides', async () => {
    const harness = new ExportHarness().states('none');
    harness.instance.onProject = () => projectOf({ accessLevel: null });
    harness.instance.onRequest = sequence<undefined>(new AppError('role-too-low', '403'));
    expect((await harness.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(harness.instance.times('request')).toHaveLength(1);
  });

  it('is not sent again if it arrived but its reply was lost', async () => {
    const harness = new ExportHarness().states('none', 'started', 'finished');
    harness.instance.onRequest = sequence<undefined>(lost);
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
    expect(harness.waits(job)[0]).toMatch('response to the export request was lost');
  });

  it('is not sent again after a lost reply if a finished export exists and none existed before', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.instance.onRequest = sequence<undefined>(lost);
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
  });

  it('is sent again after a lost reply if the finished export may be the earlier one', async () => {
    const harness = new ExportHarness().states('finished', 'finished', 'started', 'finished');
    harness.instance.onRequest = sequence<undefined>(lost, undefined);
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(2);
  });

  it('is sent again only after two checks, at least a minute apart, found no export', async () => {
    const harness = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    harness.instance.onRequest = sequence<undefined>(lost, undefined);
    expect((await harness.run()).state.status).toBe('succeeded');
    const { calls } = harness.instance;
    const between = calls.slice(calls.findIndex(({ what }) => what === 'request'));
    expect(between.slice(0, 4).map(({ what }) => what)).toEqual(['request', 'state', 'state', 'request']);
    const [sent = 0, first = 0, second = 0] = between.map(({ at }) => at);
    expect(first - sent).toBeGreaterThanOrEqual(minute);
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('is sent at most three times, and then the job fails with the reason', async () => {
    const harness = new ExportHarness().states('none');
    const broken = new AppError('server-error', 'The instance failed with HTTP 500.', { retry: 'later' });
    harness.instance.onRequest = sequence<undefined>(broken);
    expect((await harness.run()).state).toMatchObject(failedWith('server-error'));
    expect(harness.instance.times('request')).toHaveLength(3);
  });

  it('is recognized when it arrives late and the second request is rejected', async () => {
    const harness = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    const busy = new AppError('export-refused', 'already running or queued', { retry: 'later' });
    harness.instance.onRequest = sequence<undefined>(lost, busy);
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(2);
  });

  it('is not sent again if the first one takes effect while the second waits for its turn', async () => {
    const harness = new ExportHarness({ exportsPerMinute: 1, lookAgainMs: 20_000 });
    harness.states('none', 'none', 'none', 'started', 'finished');
    harness.instance.onRequest = sequence<undefined>(lost, undefined);
    expect((await harness.run()).state.status).toBe('succeeded');
    // The export started before the turn of the second request.
    expect(harness.instance.times('request')).toHaveLength(1);
  });

  it('is checked by the next process, from the stored intent, if the process ended while sending it', async () => {
    const harness = new ExportHarness().states('none', 'started', 'finished');
    const died = Promise.withResolvers<number>();
    harness.instance.onRequest = () => {
      harness.bench.kill();
      died.resolve(harness.clock.now());
      throw lost;
    };
    const { id } = harness.enqueue();
    const intentAt = await harness.clock.finish(died.promise);
    const intent = { intentAt, ambiguous: false, looks: 0, lookAt: 0, sends: 1, problem: null };
    const next = harness.restart((store) => {
      // Data folders store the memo in this form.
      store.saveMemo(id, 'request', { failures: 0, interruptions: 1, rested: false, memo: intent });
    });
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
    expect(next.store.outputs(id)['request']).toEqual({ at: intentAt });
  });

  it('is stored with the time of its last sending if it was sent again', async () => {
    const harness = new ExportHarness().states('none', 'none', 'none', 'started', 'finished');
    const sentAt: number[] = [];
    harness.instance.onRequest = () => {
      sentAt.push(harness.clock.now());
      if (sentAt.length === 1) throw lost;
    };
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    expect(harness.bench.store.outputs(job.id)['request']).toEqual({ at: sentAt[1] });
  });
});
