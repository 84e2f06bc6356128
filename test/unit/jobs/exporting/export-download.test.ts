import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { DownloadInterruption } from '../../../../src-main/gitlab/transfers/transfers.ts';
import { FakeInstance, sequence, soundInspection } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from '../export-harness.ts';

describe('the download', () => {
  it('requests one more export if the finished export is gone, but only one', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.instance.onDownload = sequence<object>(new AppError('export-gone', '404'));
    expect((await harness.run()).state).toMatchObject(failedWith('export-gone'));
    expect(harness.instance.times('request')).toHaveLength(2);
    expect(harness.instance.times('download')).toHaveLength(2);
  });

  it('succeeds with the second export if the first one is gone', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.instance.onDownload = sequence<object>(new AppError('export-gone', '404'), {});
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(2);
  });

  it('is retried without another export if the export is not available yet', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const soon = new AppError('export-gone', 'not available yet', { retry: 'later' });
    harness.instance.onDownload = sequence<object>(soon, soon, {});
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
  });

  it('rejects a file that is older than the request and requests another export', async () => {
    const harness = new ExportHarness().states('finished', 'finished');
    const lastModified = harness.clock.now() - minute;
    harness.instance.onDownload = sequence<object>({ facts: { lastModified } }, {});
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(2);
    expect(harness.archives.stored).toHaveLength(1);
    expect(harness.archives.pending).toBe(0);
  });

  it('is not repeated if the archive is unreadable despite its correct length, and the archive is kept in the trash folder', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const broken = { code: 'gzip-damaged', severity: 'error', message: 'Cut short.', where: null } as const;
    harness.archives.onInspect = () => ({ ...soundInspection, verdict: 'unusable', findings: [broken] });
    harness.instance.onDownload = () => ({ facts: { totalBytes: 7 } });
    expect((await harness.run()).state).toMatchObject({
      status: 'failed',
      error: { code: 'archive-corrupt', details: { finding: 'gzip-damaged' } },
    });
    expect(harness.instance.times('download')).toHaveLength(1);
    expect(harness.archives.trash).toEqual(['Cut short.']);
    expect(harness.archives.stored).toEqual([]);
  });

  it('is repeated if the archive is unreadable and the server reported no length', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const broken = sequence({ ...soundInspection, verdict: 'unusable' as const }, soundInspection);
    harness.archives.onInspect = broken;
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(1);
    expect(harness.instance.times('download')).toHaveLength(2);
  });

  it('fails immediately with disk-full if there is no room', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.archives.onBegin = () => {
      throw new AppError('disk-full', 'No room.', { retry: 'later' });
    };
    expect((await harness.run()).state).toMatchObject(failedWith('disk-full'));
    expect(harness.instance.times('download')).toHaveLength(1);
  });

  it('is not repeated if an earlier attempt already stored the archive', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const commit = harness.archives.createPending.bind(harness.archives);
    let broken = true;
    harness.archives.createPending = async (...args) => {
      const pending = await commit(...args);
      if (!broken) return pending;
      broken = false;
      return {
        ...pending,
        commit: async (fields) => {
          await pending.commit(fields);
          throw new AppError('catalogue-busy', 'The row could not be written.', { retry: 'later' });
        },
      };
    };
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('download')).toHaveLength(1);
    expect(harness.archives.stored).toHaveLength(1);
  });
});

describe('an interrupted download', () => {
  const lost = (more: object = {}) =>
    new AppError('connection-lost', 'The connection broke.', { retry: 'later', ...more });
  const facts = { totalBytes: 7, lastModified: null };

  /**
   * Interrupts the next download once per entry of `cuts`; each resume sends a request to the instance or to a presigned
   * address.
   */
  function interruptDownload(harness: ExportHarness, ...cuts: Partial<DownloadInterruption>[]): void {
    harness.instance.downloadExport = async (projectId, sink) => {
      await FakeInstance.prototype.downloadExport.call(
        harness.instance,
        projectId,
        {
          ...sink,
          onStart: async () => {
            await sink.onStart(facts);
            for (const cut of cuts) {
              await sink.beforeResume({
                error: lost(),
                bytes: 3,
                emptyResumes: 0,
                contactsInstance: true,
                ...cut,
              });
              harness.instance.calls.push({ what: 'resume', at: harness.clock.now(), about: projectId });
              if (cut.bytes === 0) await sink.onStart(facts);
            }
          },
        },
        new AbortController().signal,
      );
    };
  }

  it('waits for its turn under the limit before each new request to the instance, and stores one archive', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    interruptDownload(harness, {}, {});
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    const [startedAt = 0] = harness.instance.times('download');
    expect(harness.instance.times('download')).toHaveLength(1);
    expect(harness.instance.times('resume').map((at) => at - startedAt)).toEqual([minute, 2 * minute]);
    expect(harness.archives.stored).toHaveLength(1);
    expect(harness.archives.startedCount).toBe(1);
    const messages = harness.bench.events(job.id).map(({ message }) => message);
    expect(messages.filter((message) => /interrupted after 3 bytes/.test(message))).toHaveLength(2);
  });

  it('resumes immediately at a presigned address', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    interruptDownload(harness, { contactsInstance: false });
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('resume')).toEqual(harness.instance.times('download'));
  });

  it('discards the earlier bytes if the file restarts from its beginning', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    interruptDownload(harness, { bytes: 0 });
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.archives.startedCount).toBe(2);
    expect(harness.archives).toMatchObject({ pending: 0, trash: [], stored: [{}] });
  });

  it('waits longer before each resume if the server sends nothing in between', async () => {
    const harness = new ExportHarness({ downloadsPerMinute: 0 }).states('none', 'finished');
    interruptDownload(harness, {}, { emptyResumes: 1 }, { emptyResumes: 2 });
    expect((await harness.run()).state.status).toBe('succeeded');
    const [startedAt = 0] = harness.instance.times('download');
    expect(harness.instance.times('resume').map((at) => at - startedAt)).toEqual([0, 10_000, 30_000]);
  });

  it('waits as long as the server asks, but discards the partial archive before a long wait', async () => {
    const harness = new ExportHarness({ downloadsPerMinute: 0 }).states('none', 'finished');
    interruptDownload(harness, { error: lost({ retry: { afterMs: 80_000 } }) });
    expect((await harness.run()).state.status).toBe('succeeded');
    const [startedAt = 0] = harness.instance.times('download');
    expect(harness.instance.times('resume')).toEqual([startedAt + 80_000]);

    const long = new ExportHarness({ downloadsPerMinute: 0 }).states('none', 'finished');
    interruptDownload(long, { error: lost({ retry: { afterMs: 10 * minute } }) });
    const job = long.enqueue();
    const waiting = await long.bench.until(job.id, ({ state, step }) => {
      return step === 'store' && state.status === 'waiting';
    });
    expect(waiting.state).toMatchObject({ reason: 'network' });
    expect(long.archives.pending).toBe(0);
  });

  it('discards the partial archive if its turn comes late, and restarts at that turn', async () => {
    const harness = new ExportHarness({ downloadScope: 'namespace' });
    const requested = new Set<number>();
    harness.instance.onRequest = (projectId) => requested.add(projectId);
    harness.instance.onState = (projectId) => (requested.has(projectId) ? 'finished' : 'none');
    const jobs = [1, 2, 3, 4].map((at) => harness.enqueue({ projectId: at, fullPath: `group/p${at}` }));
    let broken = false;
    const download = harness.instance.downloadExport.bind(harness.instance);
    harness.instance.downloadExport = async (projectId, sink, signal) => {
      if (projectId === 1 && !broken) {
        broken = true;
        await sink.onStart(facts);
        await sink.beforeResume({ error: lost(), bytes: 3, emptyResumes: 0, contactsInstance: true });
      }
      await download(projectId, sink, signal);
    };
    for (const { id } of jobs) expect((await harness.bench.ended(id)).state.status).toBe('succeeded');
    const waits = jobs.map(
      (job) => harness.waits(job).filter((text) => text === 'The connection broke.').length,
    );
    expect(waits).toEqual([1, 0, 0, 0]);
    expect(harness.archives).toMatchObject({ pending: 0, trash: [] });
    expect(harness.archives.stored).toHaveLength(4);
  });

  it('can be cancelled while it waits to resume', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    interruptDownload(harness, {});
    const job = harness.enqueue();
    await harness.bench.until(job.id, () => harness.archives.pending === 1, minute / 2);
    harness.bench.runner.cancel(job.id, 'me');
    expect((await harness.bench.ended(job.id)).state.status).toBe('cancelled');
    expect(harness.instance.times('resume')).toEqual([]);
    expect(harness.archives.pending).toBe(0);
  });

  it('is repeated completely if the resumed archive is unreadable', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.archives.onInspect = sequence(
      { ...soundInspection, verdict: 'unusable' as const },
      soundInspection,
    );
    interruptDownload(harness, {});
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.instance.times('download')).toHaveLength(2);
    expect(harness.instance.times('request')).toHaveLength(1);
  });
});
