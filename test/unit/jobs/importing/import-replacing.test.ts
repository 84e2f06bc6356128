/** @file Imports that replace a project. No second request is sent while the first may still arrive. */
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
  it('is never sent again automatically', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = inTurn<ImportStatus>(lost);
    expect((await bench.run({ overwrite: true })).state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('is adopted if a new project exists at the path after a lost reply', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = () => {
      bench.there = bench.ours();
      throw lost;
    };
    expect((await bench.run({ overwrite: true })).state.status).toBe('succeeded');
  });

  const temporary = `${target}-${'0a'.repeat(16)}`;

  it('is adopted while it runs under its temporary path', async () => {
    const { bench, job } = await runWithLostReply((bench) => [bench.ours({ fullPath: temporary })]);
    expect(job.state.status).toBe('succeeded');
    expect(job.result).toMatchObject({ projectId: 90 });
    expect(bench.sendings).toBe(1);
  });

  const otherProjects: [string, (bench: ImportHarness) => Project[]][] = [
    ['created by another user', (bench) => [bench.ours({ fullPath: temporary, creatorId: 4 })]],
    ['that was not imported', (bench) => [bench.ours({ fullPath: temporary, importType: null })]],
    ['from before the request', (bench) => [bench.ours({ fullPath: temporary, createdAt: isoTime(0) })]],
    ['in another group', (bench) => [bench.ours({ fullPath: `other/copy-${'0a'.repeat(16)}` })]],
    ['whose path has another suffix', (bench) => [bench.ours({ fullPath: `${target}-old-0a0a` })]],
    [
      'if two projects match',
      (bench) => [
        bench.ours({ fullPath: temporary }),
        bench.ours({ id: 91, fullPath: `${target}-${'0b'.repeat(16)}` }),
      ],
    ],
  ];

  it.each(otherProjects)('does not adopt a project %s', async (_which, projects) => {
    const { bench, job } = await runWithLostReply(projects);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('whose reply was lost is adopted by the next import of the same archive, however late it arrived', async () => {
    const { bench, job } = await runWithLostReply(() => []);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    const late = bench.ours({ createdAt: isoTime(bench.clock.now()) });
    bench.there = late;
    const next = await bench.run({ overwrite: true, archivePath: '/elsewhere/archive' });
    expect(next.state.status).toBe('succeeded');
    expect(next.result).toMatchObject({ projectId: late.id });
    expect(bench.sendings).toBe(1);
  });

  it('whose reply was lost is not sent again by the next jobs either while it may still arrive', async () => {
    const { bench, job } = await runWithLostReply(() => []);
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await bench.run({ overwrite: true })).state).toMatchObject({
        status: 'failed',
        error: { code: 'import-ambiguous', details: { lostJob: expect.any(String) as unknown } },
      });
    }
    expect(bench.sendings).toBe(1);
    expect(bench.bench.store.outputs(job.id)['send']).toBeUndefined();
  });

  it('that was cancelled during its request is adopted by the next job if it arrived', async () => {
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

  it('with other parameters waits for the end of the import whose reply was lost, and then replaces its project', async () => {
    const { bench } = await runWithLostReply(() => []);
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

  it('with other parameters is not sent while the import whose reply was lost may still arrive', async () => {
    const { bench } = await runWithLostReply(() => []);
    const other = { overwrite: true, overrideParams: { visibility: 'private' } };
    expect((await bench.run(other)).state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });

  it('that the server rejected does not affect the next import', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ id: 20 });
    bench.instance.onImport = inTurn(new AppError('import-refused', 'No.'), importOf({ state: 'scheduled' }));
    expect((await bench.run({ overwrite: true })).state).toMatchObject(failedWith('import-refused'));
    expect((await bench.run({ overwrite: true })).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(2);
  });
});

/** Runs an overwriting import whose reply is lost; `projects` exist afterwards. */
async function runWithLostReply(projects: (bench: ImportHarness) => Project[]) {
  const bench = new ImportHarness();
  bench.there = bench.ours({ id: 20 });
  bench.instance.onImport = () => {
    const created = projects(bench);
    bench.instance.onProjects = () => created;
    throw lost;
  };
  return { bench, job: await bench.run({ overwrite: true }) };
}
