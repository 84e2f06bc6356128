/**
 * @file Imports whose job ended before GitLab finished them. The next job for the same import follows it and sends no
 * request.
 */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { maxOutageMs } from '../../../../src-main/jobs/running/retry.ts';
import { importOf } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ImportHarness, importTarget, lostReply } from '../../../support/jobs/import-harness.ts';

const away = new AppError('server-error', 'HTTP 503', { retry: 'later', details: { status: 503 } });
const failure = {
  id: 5,
  createdAt: '2026-11-20T12:00:00Z',
  exceptionClass: 'ActiveRecord::RecordInvalid',
  exceptionMessage: null,
  source: 'process_relation_item!',
  relation: 'issues',
  line: 1,
};

/** Returns the harness after an outage in which the job failed and GitLab finished the import. */
async function afterFailedJob(
  change: (bench: ImportHarness) => void = () => undefined,
): Promise<ImportHarness> {
  const bench = new ImportHarness();
  bench.instance.onImportStatus = () => importOf({ state: 'started', failures: [failure] });
  const { id } = bench.enqueue();
  await bench.bench.until(id, ({ step, state }) => step === 'wait' && state.status === 'waiting');
  bench.there = bench.ours({ importStatus: 'finished' });
  bench.instance.away = away;
  expect((await bench.bench.ended(id, 2 * maxOutageMs)).state).toMatchObject(failedWith('server-error'));
  bench.instance.away = null;
  bench.instance.onImportStatus = () => importOf();
  change(bench);
  return bench;
}

describe('an import that continued after its job failed', () => {
  it('is followed to its end and compared without another request', async () => {
    const bench = await afterFailedJob();
    const again = await bench.run();
    expect(again.state.status).toBe('succeeded');
    expect(again.result).toMatchObject({ projectId: 90 });
    expect(again.result).toHaveProperty('reconciliation.rows');
    expect(bench.sendings).toBe(1);
  });

  it('keeps the failures that the first job read', async () => {
    const bench = await afterFailedJob();
    const again = await bench.run();
    expect(again.result).toMatchObject({ failures: [{ failure: { id: 5 } }] });
    expect(bench.bench.failures.findByImport(again.id)).toHaveLength(1);
  });

  it('is followed even if the reply to its request was lost', async () => {
    const bench = new ImportHarness();
    bench.instance.onImport = (): ImportStatus => {
      bench.there = bench.ours({ importStatus: 'started' });
      bench.instance.away = away;
      throw lostReply;
    };
    expect((await bench.run()).state).toMatchObject(failedWith('server-error'));
    bench.instance.away = null;
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(1);
  });

  it.each([
    [
      'another project',
      (bench: ImportHarness) => (bench.there = bench.ours({ id: 91, importStatus: 'finished' })),
    ],
    [
      'a project whose import failed',
      (bench: ImportHarness) => (bench.there = bench.ours({ importStatus: 'failed' })),
    ],
  ])('is not confused with %s at its path', async (_which, change) => {
    const bench = await afterFailedJob(change);
    expect((await bench.run()).state).toMatchObject(failedWith('path-taken'));
    expect(bench.sendings).toBe(1);
  });

  it('is not confused with an import with other parameters', async () => {
    const bench = await afterFailedJob();
    const job = await bench.run({ overrideParams: { visibility: 'public' } });
    expect(job.state).toMatchObject(failedWith('path-taken'));
  });

  it('that was followed to its end is not resumed by a second job', async () => {
    const bench = new ImportHarness();
    expect((await bench.run()).state.status).toBe('succeeded');
    bench.there = bench.ours({ importStatus: 'finished' });
    expect((await bench.run()).state).toMatchObject(failedWith('path-taken'));
    expect(importTarget).toBe('group/copy');
  });
});
