/**
 * @file Imports whose job ended before GitLab finished them. The next job for the same import follows it and sends no
 * request.
 */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ImportInput } from '../../../../src-contract/runs/job.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { maxOutageMs } from '../../../../src-main/jobs/running/retry.ts';
import { importOf, soundInspection } from '../../../support/jobs/fake-instance.ts';
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
  change: (harness: ImportHarness) => void = () => undefined,
): Promise<ImportHarness> {
  const harness = new ImportHarness();
  harness.instance.onImportStatus = () => importOf({ state: 'started', failures: [failure] });
  const { id } = harness.enqueue();
  await harness.harness.until(id, ({ step, state }) => step === 'wait' && state.status === 'waiting');
  harness.targetProject = harness.importedProject({ importStatus: 'finished' });
  harness.instance.unreachableError = away;
  expect((await harness.harness.ended(id, 2 * maxOutageMs)).state).toMatchObject(failedWith('server-error'));
  harness.instance.unreachableError = null;
  harness.instance.onImportStatus = () => importOf();
  change(harness);
  return harness;
}

describe('an import that continued after its job failed', () => {
  it('is followed to its end and compared without another request', async () => {
    const harness = await afterFailedJob();
    const again = await harness.run();
    expect(again.state.status).toBe('succeeded');
    expect(again.result).toMatchObject({ projectId: 90 });
    expect(again.result).toHaveProperty('reconciliation.rows');
    expect(harness.sentImports).toBe(1);
  });

  it('keeps the failures that the first job read', async () => {
    const harness = await afterFailedJob();
    const again = await harness.run();
    expect(again.result).toMatchObject({ failures: [{ failure: { id: 5 } }] });
    expect(harness.harness.failures.findByImport(again.id)).toHaveLength(1);
  });

  it('is followed even if the reply to its request was lost', async () => {
    const harness = new ImportHarness();
    harness.instance.onImport = (): ImportStatus => {
      harness.targetProject = harness.importedProject({ importStatus: 'started' });
      harness.instance.unreachableError = away;
      throw lostReply;
    };
    expect((await harness.run()).state).toMatchObject(failedWith('server-error'));
    harness.instance.unreachableError = null;
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(1);
  });

  it.each([
    [
      'another project',
      (harness: ImportHarness) =>
        (harness.targetProject = harness.importedProject({ id: 91, importStatus: 'finished' })),
    ],
    [
      'a project whose import failed',
      (harness: ImportHarness) =>
        (harness.targetProject = harness.importedProject({ importStatus: 'failed' })),
    ],
  ])('is not confused with %s at its path', async (_which, change) => {
    const harness = await afterFailedJob(change);
    expect((await harness.run()).state).toMatchObject(failedWith('path-taken'));
    expect(harness.sentImports).toBe(1);
  });

  it.each<[string, Partial<ImportInput>]>([
    ['of another archive', { sha256: 'b'.repeat(64) }],
    ['with other parameters', { overrideParams: { visibility: 'public' } }],
  ])('is not confused with an import %s', async (_which, input) => {
    const harness = await afterFailedJob();
    harness.archives.onInspect = () => ({
      ...soundInspection,
      sha256: input.sha256 ?? soundInspection.sha256,
    });
    expect((await harness.run(input)).state).toMatchObject(failedWith('path-taken'));
    expect(harness.sentImports).toBe(1);
  });

  it('that was followed to its end is not resumed by a second job', async () => {
    const harness = new ImportHarness();
    expect((await harness.run()).state.status).toBe('succeeded');
    harness.targetProject = harness.importedProject({ importStatus: 'finished' });
    expect((await harness.run()).state).toMatchObject(failedWith('path-taken'));
    expect(importTarget).toBe('group/copy');
  });
});
