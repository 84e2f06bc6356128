import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';

describe('waiting for an export', () => {
  it('ignores the states none and failed right after the request, since they may be outdated', async () => {
    const harness = new ExportHarness().states('failed', 'failed', 'none', 'failed', 'started', 'finished');
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
  });

  it('continues while the state is regeneration_in_progress', async () => {
    const running = 'regeneration_in_progress';
    const harness = new ExportHarness().states('none', 'queued', running, running, running, 'finished');
    expect((await harness.run()).state.status).toBe('succeeded');
  });

  it('fails if the state of a running export returns to none', async () => {
    const harness = new ExportHarness().states('none', 'started', 'none');
    expect((await harness.run()).state).toMatchObject(failedWith('export-failed'));
    // The job fails immediately: a failure after a running state cannot be outdated.
    expect(harness.instance.times('state')).toHaveLength(3);
    expect(harness.instance.times('download')).toHaveLength(0);
  });

  it.each(['failed', 'none'] as const)(
    'fails if the state stays %s beyond the grace period',
    async (state) => {
      const harness = new ExportHarness().states('none', state);
      const job = await harness.run();
      expect(job.state).toMatchObject(failedWith('export-failed'));
      const [requestedAt = 0] = harness.instance.times('request');
      const polls = harness.instance.times('state').filter((at) => at >= requestedAt);
      expect((polls.at(-1) ?? 0) - requestedAt).toBeGreaterThan(2 * minute);
      expect((polls.at(-1) ?? 0) - requestedAt).toBeLessThan(4 * minute);
    },
  );

  it('fails at the deadline if the export never ends, and polls less and less often', async () => {
    const harness = new ExportHarness().states('none', 'started');
    const job = await harness.run();
    expect(job.state).toMatchObject(failedWith('deadline-passed'));
    const [requestedAt = 0] = harness.instance.times('request');
    const polls = harness.instance.times('state').filter((at) => at >= requestedAt);
    expect((polls.at(-1) ?? 0) - requestedAt).toBeGreaterThan(30 * minute);
    expect(polls.length).toBeLessThan(45);
    expect((polls[2] ?? 0) - (polls[1] ?? 0)).toBeLessThan(20_000);
  });

  it('fails on an unknown state and downloads nothing', async () => {
    const unknown = new AppError('unknown-state', 'The instance reports "resting".');
    const harness = new ExportHarness().states('none', 'queued', unknown);
    expect((await harness.run()).state).toMatchObject(failedWith('unknown-state'));
    expect(harness.instance.times('download')).toHaveLength(0);
  });

  it('continues after a short outage of the server', async () => {
    const away = new AppError('server-error', '502', { retry: 'later' });
    const harness = new ExportHarness().states('none', 'started', away, away, 'started', away, 'finished');
    expect((await harness.run()).state.status).toBe('succeeded');
  });
});
