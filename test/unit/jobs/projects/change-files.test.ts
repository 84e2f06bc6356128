import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src-contract/projects/change.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { sequence } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import { ChangeHarness, lost } from './change-harness.ts';
import { uploadAt } from './change-kinds.ts';

describe('an upload whose reply is lost', () => {
  const upload: Change = { kind: 'upload', file: '/files/a b.txt', sizeBytes: 5 };

  it('is reported without its address, which GitLab returns only once', async () => {
    const harness = new ChangeHarness();
    harness.instance.changes.onUpload = () => {
      harness.instance.changes.onUploads = () => [uploadAt(harness, 9)];
      throw lost;
    };
    expect((await harness.result(upload)).uploaded).toEqual({
      id: 9,
      name: 'a_b.txt',
      url: null,
      markdown: null,
    });
  });

  it.each([
    ['another size', { sizeBytes: 6 }],
    ['another name', { fileName: 'other.txt' }],
    ['another uploader', { uploadedBy: 'you' }],
    ['an earlier id', { id: 1 }],
  ])('is not confused with an upload with %s', async (_what, marks) => {
    const harness = new ChangeHarness();
    harness.instance.changes.onUploads = () => [
      { ...uploadAt(harness, 1), createdAt: '2026-11-01T00:00:00Z' },
    ];
    let sendings = 0;
    harness.instance.changes.onUpload = () => {
      sendings += 1;
      harness.instance.changes.onUploads = () => [{ ...uploadAt(harness, 9), ...marks }];
      if (sendings === 1) throw lost;
      return { id: 10, name: 'a_b.txt', url: '/u', markdown: 'm' };
    };
    expect((await harness.result(upload)).uploaded?.id).toBe(10);
    expect(sendings).toBe(2);
  });

  it('is never sent again if the server does not list uploads', async () => {
    const harness = new ChangeHarness();
    harness.instance.changes.onUploads = () => {
      throw new AppError('server-too-old', '16.0');
    };
    harness.instance.changes.onUpload = () => {
      throw lost;
    };
    expect((await harness.run(upload)).state).toMatchObject(failedWith('change-ambiguous'));
    expect(harness.times('upload')).toHaveLength(1);
  });
});

describe('a requested export', () => {
  const exportChange: Change = { kind: 'export', description: null, pushTo: null };

  it('waits until another export has ended', async () => {
    const harness = new ChangeHarness();
    harness.instance.onState = sequence('queued', 'started', 'finished');
    await harness.result(exportChange);
    const [requestedAt = 0] = harness.times('request');
    expect(harness.times('state').filter((at) => at <= requestedAt)).toHaveLength(3);
  });

  it('is requested again after a lost reply if a finished export existed before, since that proves nothing', async () => {
    const harness = new ChangeHarness();
    harness.instance.onState = () => 'finished';
    let sendings = 0;
    harness.instance.onRequest = () => {
      sendings += 1;
      if (sendings === 1) throw lost;
    };
    await harness.result(exportChange);
    expect(sendings).toBe(2);
  });

  it('is not requested if its address was lost, as after a restart', async () => {
    const harness = new ChangeHarness();
    const pushTo = { address: 'https://storage.example/a', method: 'PUT' as const };
    const job = await harness.run({ ...exportChange, pushTo }, { secret: 'gone' });
    expect(job.state).toMatchObject(failedWith('secret-lost'));
    expect(harness.times('request')).toHaveLength(0);
  });
});
