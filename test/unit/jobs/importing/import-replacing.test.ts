/** @file Imports that replace a project: never sent again while the first may arrive. */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { importOf, inTurn } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import {
  ImportHarness,
  importTarget as target,
  lostReply as lost,
} from '../../../support/jobs/import-harness.ts';

describe('an overwriting import', () => {
  it('is never sent again by itself', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = inTurn<ImportStatus>(lost);
    expect((await bench.run({ overwrite: true })).state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('is adopted once another project is at the path', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = () => {
      bench.there = bench.ours();
      throw lost;
    };
    expect((await bench.run({ overwrite: true })).state.status).toBe('succeeded');
  });

  const temporary = `${target}-${'0a'.repeat(16)}`;

  it('is adopted while it runs under the path that GitLab gives it until its end', async () => {
    const { bench, job } = await lostOne((bench) => [bench.ours({ fullPath: temporary })]);
    expect(job.state.status).toBe('succeeded');
    expect(job.result).toMatchObject({ projectId: 90 });
    expect(bench.sendings).toBe(1);
  });

  const others: [string, (bench: ImportHarness) => Project[]][] = [
    ['made by somebody else', (bench) => [bench.ours({ fullPath: temporary, creatorId: 4 })]],
    ['that was not imported', (bench) => [bench.ours({ fullPath: temporary, importType: null })]],
    ['from before the request', (bench) => [bench.ours({ fullPath: temporary, createdAt: isoTime(0) })]],
    ['in another group', (bench) => [bench.ours({ fullPath: `other/copy-${'0a'.repeat(16)}` })]],
    ['of a path that goes on otherwise', (bench) => [bench.ours({ fullPath: `${target}-old-0a0a` })]],
    [
      'of two that may be it',
      (bench) => [
        bench.ours({ fullPath: temporary }),
        bench.ours({ id: 91, fullPath: `${target}-${'0b'.repeat(16)}` }),
      ],
    ],
  ];

  it.each(others)('does not adopt a project %s', async (_which, projects) => {
    const { bench, job } = await lostOne(projects);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('that was lost is adopted by the next of the same archive, however late it arrived', async () => {
    const { bench, job } = await lostOne(() => []);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    const late = bench.ours({ createdAt: isoTime(bench.clock.now()) });
    bench.there = late;
    const next = await bench.run({ overwrite: true, archivePath: '/elsewhere/archive' });
    expect(next.state.status).toBe('succeeded');
    expect(next.result).toMatchObject({ projectId: late.id });
    expect(bench.sendings).toBe(1);
  });

  it('that was lost is not sent by the next ones either, as long as it may arrive', async () => {
    const { bench, job } = await lostOne(() => []);
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await bench.run({ overwrite: true })).state).toMatchObject({
        status: 'failed',
        error: { code: 'import-ambiguous', details: { lostJob: expect.any(String) as unknown } },
      });
    }
    expect(bench.sendings).toBe(1);
    expect(bench.bench.store.outputs(job.id)['send']).toBeUndefined();
  });

  it('that was cancelled while it was sent may have arrived, too', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = () => {
      bench.bench.runner.cancel(first.id, 'me');
      throw new AppError('cancelled', 'The job was cancelled.', { details: { sentAll: true } });
    };
    const first = bench.enqueue({ overwrite: true });
    expect((await bench.bench.ended(first.id)).state.status).toBe('cancelled');
    bench.there = bench.ours();
    expect((await bench.run({ overwrite: true })).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(1);
  });

  it('of another archive waits for the end of the one that was lost, and then replaces what it made', async () => {
    const { bench } = await lostOne(() => []);
    const states = ['scheduled', 'started', 'finished'];
    bench.instance.onProjects = () => [
      bench.ours({
        fullPath: temporary,
        createdAt: isoTime(start),
        importStatus: states.shift() ?? 'finished',
      }),
    ];
    const start = bench.clock.now();
    bench.instance.onImport = () => importOf({ state: 'scheduled', projectId: 95 });
    const other = { overwrite: true, overrideParams: { visibility: 'private' } };
    const next = await bench.run(other);
    expect(next.state.status).toBe('succeeded');
    expect(next.result).toMatchObject({ projectId: 95 });
    expect(states).toEqual([]);
    expect(bench.sendings).toBe(2);
  });

  it('of another archive is not sent while the one that was lost may arrive', async () => {
    const { bench } = await lostOne(() => []);
    const other = { overwrite: true, overrideParams: { visibility: 'private' } };
    expect((await bench.run(other)).state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('that the server refused leaves nothing behind for the next to look for', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = inTurn(new AppError('import-refused', 'No.'), importOf({ state: 'scheduled' }));
    expect((await bench.run({ overwrite: true })).state).toMatchObject(failedWith('import-refused'));
    expect((await bench.run({ overwrite: true })).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(2);
  });
});

/** An import that replaces a project and whose answer was lost; these projects exist afterwards. */
async function lostOne(projects: (bench: ImportHarness) => Project[]) {
  const bench = new ImportHarness();
  bench.there = bench.ours({ id: 20 });
  bench.instance.onImport = () => {
    const made = projects(bench);
    bench.instance.onProjects = () => made;
    throw lost;
  };
  return { bench, job: await bench.run({ overwrite: true }) };
}
