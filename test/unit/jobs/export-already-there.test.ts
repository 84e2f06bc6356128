import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { sequence } from '../../support/jobs/fake-instance.ts';
import { archive, exportMembers } from '../../support/archives/archive-builder.ts';
import { failedWith } from '../../support/jobs/job-harness.ts';
import { ExportHarness } from './export-harness.ts';

describe("another user's export", () => {
  it('is waited for before a new export is requested', async () => {
    const harness = new ExportHarness().states('started', 'started', 'finished', 'started', 'finished');
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    const firstRequest = harness.instance.calls.findIndex(({ what }) => what === 'request');
    const before = harness.instance.calls.slice(0, firstRequest).filter(({ what }) => what === 'state');
    expect(before).toHaveLength(3);
    expect(harness.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it('that starts just before the request delays the second request until it has ended', async () => {
    const harness = new ExportHarness().states('none', 'started', 'started', 'none', 'started', 'finished');
    const refusal = new AppError('export-refused', 'An export is already running.', { retry: 'later' });
    harness.instance.onRequest = sequence<AppError | undefined>(refusal, undefined);
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(2);
    expect(harness.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it('fails the job without a request if it does not end before the deadline', async () => {
    const harness = new ExportHarness().states('queued');
    expect((await harness.run()).state).toMatchObject(failedWith('deadline-passed'));
    expect(harness.instance.times('request')).toHaveLength(0);
  });

  it('is downloaded first if it is finished and the job keeps existing exports', async () => {
    const harness = new ExportHarness().states('finished', 'started', 'finished');
    const job = await harness.run({ keepExisting: true });
    expect(job.state.status).toBe('succeeded');
    const { calls } = harness.instance;
    const order = calls.map((call) => call.what).filter((what) => what === 'download' || what === 'request');
    expect(order).toEqual(['download', 'request', 'download']);
    const [kept, fresh] = harness.archives.stored;
    // The source was not counted when the other user's export was created.
    expect(kept?.manifest.sourceCounts).toBeNull();
    expect(fresh?.manifest.sourceCounts).not.toBeNull();
    expect(job.result).toMatchObject({ archiveId: '2' });
  });

  const started = Date.UTC(2026, 10, 20, 12);
  const modified = started - 21 * 86_400_000;
  const packedOn = (at: number): Buffer => archive(...exportMembers(at / 1000).values());
  it.each([
    // An object store gives the time of its upload.
    ['its members', { lastModified: started - 1000 }, [packedOn(modified)], modified],
    ['the time of its file if it has no member', { lastModified: modified }, [], modified],
    [
      'its newest member if its file has no time',
      { lastModified: null },
      [packedOn(modified).subarray(0, 100), packedOn(modified).subarray(100)],
      modified,
    ],
    [
      'its newest member if its file is from the future',
      { lastModified: started + 1 },
      [packedOn(modified)],
      modified,
    ],
    [
      'the count of the source if all times are in the future',
      { lastModified: started + 1 },
      [packedOn(started + 1000)],
      started - 1,
    ],
  ])('is dated by %s', async (_, facts, chunks, exportedAt) => {
    const harness = new ExportHarness().states('finished', 'started', 'finished');
    harness.instance.onDownload = sequence<object>({ facts, chunks }, {});
    expect((await harness.run({ keepExisting: true })).state.status).toBe('succeeded');
    const [kept, fresh] = harness.archives.stored.map(({ manifest }) => manifest);
    const storedAt = new Date(exportedAt).toISOString();
    expect(kept).toMatchObject({ storedAt, receivedAt: new Date(started).toISOString() });
    expect(fresh).not.toHaveProperty('receivedAt');
    expect(Date.parse(fresh?.storedAt ?? '')).toBeGreaterThanOrEqual(started);
  });

  it('does not stop the backup if it is finished but no longer available', async () => {
    const harness = new ExportHarness().states('finished', 'started', 'finished');
    harness.instance.onDownload = sequence<object>(new AppError('export-gone', 'expired'), {});
    expect((await harness.run({ keepExisting: true })).state.status).toBe('succeeded');
    expect(harness.archives.stored).toHaveLength(1);
  });

  it('is not downloaded if the job does not keep existing exports', async () => {
    const harness = new ExportHarness().states('finished', 'started', 'finished');
    await harness.run();
    expect(harness.instance.times('download')).toHaveLength(1);
  });
});
