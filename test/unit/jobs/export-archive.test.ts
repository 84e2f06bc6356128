import { describe, expect, it } from 'vitest';
import { countsOf, sequence, projectOf } from '../../support/jobs/fake-instance.ts';
import { ExportHarness } from './export-harness.ts';

describe('a project that moved', () => {
  it('is stored under its path at the start of the job', async () => {
    const harness = new ExportHarness().states('none', 'started', 'finished');
    harness.instance.onProject = () => projectOf({ id: 7, fullPath: 'elsewhere/project' });
    expect((await harness.run({ fullPath: 'group/project' })).state.status).toBe('succeeded');
    const [stored] = harness.archives.stored;
    expect([stored?.key.fullPath, stored?.manifest.project.fullPath]).toEqual([
      'elsewhere/project',
      'elsewhere/project',
    ]);
  });
});

describe('data missing from the archive', () => {
  it('causes a warning if the source had it before and after the export', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.instance.onCounts = () => countsOf(2, { issues: 5 });
    const job = await harness.run();
    expect(job.state).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'export-incomplete', where: 'issues' }],
    });
  });

  it('is reported as a changed source if the source changed during the export', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    harness.instance.onCounts = sequence(countsOf(2), countsOf(2, { issues: 3 }));
    const job = await harness.run();
    expect(job.result).toMatchObject({ findings: [{ code: 'source-moved' }] });
    expect(harness.archives.stored[0]?.manifest.findings).toMatchObject([{ code: 'source-moved' }]);
  });
});
