/** @file Imports that replace a project. No second request is sent while the first may still arrive. */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ImportInput } from '../../../../src-contract/runs/job.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { importOf, sequence, soundInspection } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import {
  ImportHarness,
  importTarget as target,
  lostReply as lost,
} from '../../../support/jobs/import-harness.ts';

describe('an overwriting import', () => {
  it('is never sent again automatically', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject({ id: 20 });
    harness.instance.onImport = sequence<ImportStatus>(lost);
    expect((await harness.run({ overwrite: true })).state).toMatchObject(failedWith('import-ambiguous'));
    expect(harness.sentImports).toBe(1);
  });

  it('is adopted if a new project exists at the path after a lost reply', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject({ id: 20 });
    harness.instance.onImport = () => {
      harness.targetProject = harness.importedProject();
      throw lost;
    };
    expect((await harness.run({ overwrite: true })).state.status).toBe('succeeded');
  });

  const temporary = `${target}-${'0a'.repeat(16)}`;

  it('is adopted while it runs under its temporary path', async () => {
    const { harness, job } = await runWithLostReply((harness) => [
      harness.importedProject({ fullPath: temporary }),
    ]);
    expect(job.state.status).toBe('succeeded');
    expect(job.result).toMatchObject({ projectId: 90 });
    expect(harness.sentImports).toBe(1);
  });

  const otherProjects: [string, (harness: ImportHarness) => Project[]][] = [
    [
      'created by another user',
      (harness) => [harness.importedProject({ fullPath: temporary, creatorId: 4 })],
    ],
    [
      'that was not imported',
      (harness) => [harness.importedProject({ fullPath: temporary, importType: null })],
    ],
    [
      'from before the request',
      (harness) => [harness.importedProject({ fullPath: temporary, createdAt: isoTime(0) })],
    ],
    [
      'in another group',
      (harness) => [harness.importedProject({ fullPath: `other/copy-${'0a'.repeat(16)}` })],
    ],
    [
      'whose path has another suffix',
      (harness) => [harness.importedProject({ fullPath: `${target}-old-0a0a` })],
    ],
    [
      'if two projects match',
      (harness) => [
        harness.importedProject({ fullPath: temporary }),
        harness.importedProject({ id: 91, fullPath: `${target}-${'0b'.repeat(16)}` }),
      ],
    ],
  ];

  it.each(otherProjects)('does not adopt a project %s', async (_which, projects) => {
    const { harness, job } = await runWithLostReply(projects);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    expect(harness.sentImports).toBe(1);
  });

  it('whose reply was lost is adopted by the next import of the same archive, however late it arrived', async () => {
    const { harness, job } = await runWithLostReply(() => []);
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    const late = harness.importedProject({ createdAt: isoTime(harness.clock.now()) });
    harness.targetProject = late;
    const next = await harness.run({ overwrite: true, archivePath: '/elsewhere/archive' });
    expect(next.state.status).toBe('succeeded');
    expect(next.result).toMatchObject({ projectId: late.id });
    expect(harness.sentImports).toBe(1);
  });

  it('whose reply was lost is not sent again by the next jobs either while it may still arrive', async () => {
    const { harness, job } = await runWithLostReply(() => []);
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await harness.run({ overwrite: true })).state).toMatchObject({
        status: 'failed',
        error: { code: 'import-ambiguous', details: { lostJob: expect.any(String) as unknown } },
      });
    }
    expect(harness.sentImports).toBe(1);
    expect(harness.harness.store.outputs(job.id)['send']).toBeUndefined();
  });

  it('that was cancelled during its request is adopted by the next job if it arrived', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject({ id: 20 });
    harness.instance.onImport = () => {
      harness.harness.runner.cancel(first.id, 'me');
      throw new AppError('cancelled', 'The job was cancelled.', { details: { sentAll: true } });
    };
    const first = harness.enqueue({ overwrite: true });
    expect((await harness.harness.ended(first.id)).state.status).toBe('cancelled');
    harness.targetProject = harness.importedProject();
    expect((await harness.run({ overwrite: true })).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(1);
  });

  const otherImports: [string, Partial<ImportInput>][] = [
    ['of another archive', { sha256: 'b'.repeat(64) }],
    ['with other parameters', { overrideParams: { visibility: 'private' } }],
  ];

  it.each(otherImports)(
    '%s waits for the end of the import whose reply was lost, and then replaces its project',
    async (_which, input) => {
      const { harness } = await runWithLostReply(() => []);
      harness.archives.onInspect = () => ({
        ...soundInspection,
        sha256: input.sha256 ?? soundInspection.sha256,
      });
      const states = ['scheduled', 'started', 'finished'];
      harness.instance.onProjects = () => [
        harness.importedProject({
          fullPath: temporary,
          createdAt: isoTime(start),
          importStatus: states.shift() ?? 'finished',
        }),
      ];
      const start = harness.clock.now();
      harness.instance.onImport = () => importOf({ state: 'scheduled', projectId: 95 });
      const next = await harness.run({ overwrite: true, ...input });
      expect(next.state.status).toBe('succeeded');
      expect(next.result).toMatchObject({ projectId: 95 });
      expect(states).toEqual([]);
      expect(harness.sentImports).toBe(2);
    },
  );

  it.each(otherImports)(
    '%s is not sent while the import whose reply was lost may still arrive',
    async (_which, input) => {
      const { harness } = await runWithLostReply(() => []);
      harness.archives.onInspect = () => ({
        ...soundInspection,
        sha256: input.sha256 ?? soundInspection.sha256,
      });
      expect((await harness.run({ overwrite: true, ...input })).state).toMatchObject(
        failedWith('import-ambiguous'),
      );
      expect(harness.sentImports).toBe(1);
    },
  );

  it('that the server rejected does not affect the next import', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject({ id: 20 });
    harness.instance.onImport = sequence(
      new AppError('import-refused', 'No.'),
      importOf({ state: 'scheduled' }),
    );
    expect((await harness.run({ overwrite: true })).state).toMatchObject(failedWith('import-refused'));
    expect((await harness.run({ overwrite: true })).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(2);
  });
});

/** Runs an overwriting import whose reply is lost; `projects` exist afterwards. */
async function runWithLostReply(projects: (harness: ImportHarness) => Project[]) {
  const harness = new ImportHarness();
  harness.targetProject = harness.importedProject({ id: 20 });
  harness.instance.onImport = () => {
    const created = projects(harness);
    harness.instance.onProjects = () => created;
    throw lost;
  };
  return { harness, job: await harness.run({ overwrite: true }) };
}
