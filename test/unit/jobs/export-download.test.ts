import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { inTurn, soundInspection } from '../../support/fake-instance.ts';
import { failedWith } from '../../support/job-bench.ts';
import { ExportBench, minute } from './export-bench.ts';

describe('the download', () => {
  it('of a finished export that is gone is preceded by one more export, and by one only', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', '404'));
    expect((await bench.run()).state).toMatchObject(failedWith('export-gone'));
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.instance.times('download')).toHaveLength(2);
  });

  it('of a finished export that is gone succeeds with the second', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', '404'), {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('of an export that is not there yet is tried again without another export', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const soon = new AppError('export-gone', 'not available yet', { retry: 'later' });
    bench.instance.onDownload = inTurn<object>(soon, soon, {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('of a file from before the request is refused', async () => {
    const bench = new ExportBench().states('finished', 'finished');
    const lastModified = bench.clock.now() - minute;
    bench.instance.onDownload = inTurn<object>({ facts: { lastModified } }, {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.archives.stored).toHaveLength(1);
    expect(bench.archives.pending).toBe(0);
  });

  it('that cannot be read is kept in the trash folder and not asked for again where its length was right', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const broken = { code: 'gzip-damaged', severity: 'error', message: 'Cut short.', where: null } as const;
    bench.archives.onInspect = () => ({ ...soundInspection, verdict: 'unusable', findings: [broken] });
    bench.instance.onDownload = () => ({ facts: { totalBytes: 7 } });
    expect((await bench.run()).state).toMatchObject({
      status: 'failed',
      error: { code: 'archive-corrupt', details: { finding: 'gzip-damaged' } },
    });
    expect(bench.instance.times('download')).toHaveLength(1);
    expect(bench.archives.trash).toEqual(['Cut short.']);
    expect(bench.archives.stored).toEqual([]);
  });

  it('that cannot be read is tried again where the server told no length', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const broken = inTurn({ ...soundInspection, verdict: 'unusable' as const }, soundInspection);
    bench.archives.onInspect = broken;
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(bench.instance.times('download')).toHaveLength(2);
  });

  it('for which there is no room fails at once, and tells so', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.archives.onBegin = () => {
      throw new AppError('disk-full', 'No room.', { retry: 'later' });
    };
    expect((await bench.run()).state).toMatchObject(failedWith('disk-full'));
    expect(bench.instance.times('download')).toHaveLength(1);
  });

  it('that an earlier try stored already is not repeated', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const commit = bench.archives.begin.bind(bench.archives);
    let broken = true;
    bench.archives.begin = async (...given) => {
      const pending = await commit(...given);
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
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('download')).toHaveLength(1);
    expect(bench.archives.stored).toHaveLength(1);
  });
});
