import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { inTurn } from '../../support/jobs/fake-instance.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness } from './export-harness.ts';

describe('what was there before', () => {
  it('an export that somebody else runs is waited for', async () => {
    const bench = new ExportHarness().states('started', 'started', 'finished', 'started', 'finished');
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    const asked = bench.instance.calls.findIndex(({ what }) => what === 'request');
    const before = bench.instance.calls.slice(0, asked).filter(({ what }) => what === 'state');
    expect(before).toHaveLength(3);
    expect(bench.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it('a request that somebody else was quicker with is sent again only when theirs has ended', async () => {
    const bench = new ExportHarness().states('none', 'started', 'started', 'none', 'started', 'finished');
    const refused = new AppError('export-refused', 'An export is already running.', { retry: 'later' });
    bench.instance.onRequest = inTurn<AppError | undefined>(refused, undefined);
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it("waiting for somebody else's export ends at a deadline", async () => {
    const bench = new ExportHarness().states('queued');
    expect((await bench.run()).state).toMatchObject(failedWith('deadline-passed'));
    expect(bench.instance.times('request')).toHaveLength(0);
  });

  it('a finished export of somebody else is downloaded first where that is wanted', async () => {
    const bench = new ExportHarness().states('finished', 'started', 'finished');
    const job = await bench.run({ keepExisting: true });
    expect(job.state.status).toBe('succeeded');
    const { calls } = bench.instance;
    const order = calls.map((call) => call.what).filter((what) => what === 'download' || what === 'request');
    expect(order).toEqual(['download', 'request', 'download']);
    const [kept, fresh] = bench.archives.stored;
    // Nobody counted the source when somebody else's export was made.
    expect(kept?.manifest.sourceCounts).toBeNull();
    expect(fresh?.manifest.sourceCounts).not.toBeNull();
    expect(job.result).toMatchObject({ archiveId: '2' });
  });

  it('a finished export of somebody else that is gone by then does not stop the backup', async () => {
    const bench = new ExportHarness().states('finished', 'started', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', 'expired'), {});
    expect((await bench.run({ keepExisting: true })).state.status).toBe('succeeded');
    expect(bench.archives.stored).toHaveLength(1);
  });

  it('is not downloaded where nobody wants it', async () => {
    const bench = new ExportHarness().states('finished', 'started', 'finished');
    await bench.run();
    expect(bench.instance.times('download')).toHaveLength(1);
  });
});
