import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';

describe('waiting for an export', () => {
  it('takes none and failed for old answers right after the request', async () => {
    const bench = new ExportHarness().states('failed', 'failed', 'none', 'failed', 'started', 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('keeps waiting while the state is regeneration_in_progress', async () => {
    const running = 'regeneration_in_progress';
    const bench = new ExportHarness().states('none', 'queued', running, running, running, 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
  });

  it('takes a running export that falls back to none for failed', async () => {
    const bench = new ExportHarness().states('none', 'started', 'none');
    expect((await bench.run()).state).toMatchObject(failedWith('export-failed'));
    // At once: a failure after a running state cannot be an old answer.
    expect(bench.instance.times('state')).toHaveLength(3);
    expect(bench.instance.times('download')).toHaveLength(0);
  });

  it.each(['failed', 'none'] as const)('gives up a lasting %s once the grace is over', async (state) => {
    const bench = new ExportHarness().states('none', state);
    const job = await bench.run();
    expect(job.state).toMatchObject(failedWith('export-failed'));
    const [asked = 0] = bench.instance.times('request');
    const looks = bench.instance.times('state').filter((at) => at >= asked);
    expect((looks.at(-1) ?? 0) - asked).toBeGreaterThan(2 * minute);
    expect((looks.at(-1) ?? 0) - asked).toBeLessThan(4 * minute);
  });

  it('gives up an export that never ends at its deadline, polling less and less often', async () => {
    const bench = new ExportHarness().states('none', 'started');
    const job = await bench.run();
    expect(job.state).toMatchObject(failedWith('deadline-passed'));
    const [asked = 0] = bench.instance.times('request');
    const looks = bench.instance.times('state').filter((at) => at >= asked);
    expect((looks.at(-1) ?? 0) - asked).toBeGreaterThan(30 * minute);
    expect(looks.length).toBeLessThan(45);
    expect((looks[2] ?? 0) - (looks[1] ?? 0)).toBeLessThan(20_000);
  });

  it('does not continue with a state that it does not know', async () => {
    const unknown = new AppError('unknown-state', 'The instance reports "resting".');
    const bench = new ExportHarness().states('none', 'queued', unknown);
    expect((await bench.run()).state).toMatchObject(failedWith('unknown-state'));
    expect(bench.instance.times('download')).toHaveLength(0);
  });

  it('survives a server that is away for a moment', async () => {
    const away = new AppError('server-error', '502', { retry: 'later' });
    const bench = new ExportHarness().states('none', 'started', away, away, 'started', away, 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
  });
});
