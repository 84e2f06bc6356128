import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Failure, ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { importResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { countsOf, importOf, sequence, soundInspection } from '../../../support/jobs/fake-instance.ts';
import { failedWith } from '../../../support/jobs/job-harness.ts';
import {
  ImportHarness,
  importTarget as target,
  lostReply as lost,
} from '../../../support/jobs/import-harness.ts';

const minute = 60_000;
const taken = new AppError('path-taken', 'The path is already taken.');

const failureOf = (id: number): Failure => ({
  id,
  createdAt: '',
  exceptionClass: 'E',
  exceptionMessage: null,
  source: '',
  relation: 'issues',
  line: id,
});

describe('before the request', () => {
  it('a taken path is rejected', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject();
    expect((await harness.run()).state).toMatchObject(failedWith('path-taken'));
    expect(harness.sentImports).toBe(0);
  });

  it('the old path of a moved project is free', async () => {
    const harness = new ImportHarness();
    harness.targetProject = harness.importedProject({ fullPath: 'group/elsewhere' });
    expect((await harness.run()).state.status).toBe('succeeded');
  });

  it.each([
    ['15.11.0', 'failed', 0],
    ['18.5.0-ee', 'failed', 0],
    ['15.10.8', 'succeeded', 1],
    [null, 'succeeded', 1],
  ] as const)(
    'an import of an archive of the legacy layout into version %s has the status %s',
    async (version, status, sent) => {
      const harness = new ImportHarness();
      harness.instance.version = version;
      harness.archives.onInspect = () => ({ ...soundInspection, layout: 'legacy' });
      const job = await harness.run();
      expect(job.state).toMatchObject(status === 'failed' ? failedWith('layout-refused') : { status });
      expect(harness.sentImports).toBe(sent);
      const warned = harness.harness
        .events(job.id)
        .some(({ message }) => message.includes('has the old layout'));
      expect(warned).toBe(version === null);
    },
  );

  it('a different file under the name of the chosen archive is rejected', async () => {
    const harness = new ImportHarness();
    expect((await harness.run({ sha256: 'b'.repeat(64) })).state).toMatchObject(
      failedWith('archive-changed'),
    );
    expect(harness.sentImports).toBe(0);
  });
});

describe('a lost reply', () => {
  it('to a request that arrived is resolved by adopting the created project', async () => {
    const harness = new ImportHarness();
    harness.instance.onImport = () => {
      harness.targetProject = harness.importedProject();
      throw lost;
    };
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    expect(job.result).toMatchObject({ projectId: 90 });
    expect(harness.sentImports).toBe(1);
  });

  it.each(['connection-lost', 'timeout', 'server-error', 'not-gitlab', 'unexpected-response'] as const)(
    'with %s is checked twice, at least a minute apart, before the request is sent again',
    async (code) => {
      const harness = new ImportHarness();
      harness.instance.onImport = sequence(
        new AppError(code, 'x', { details: { sentAll: true } }),
        importOf({ state: 'scheduled' }),
      );
      expect((await harness.run()).state.status).toBe('succeeded');
      const { calls } = harness.instance;
      const from = calls.findIndex(({ what }) => what === 'import');
      const [sent, first, second, again] = calls.slice(from, from + 4);
      expect([first, second].map((call) => call?.about)).toEqual([target, target]);
      expect(again?.what).toBe('import');
      expect((first?.at ?? 0) - (sent?.at ?? 0)).toBeGreaterThanOrEqual(minute);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(minute);
    },
  );

  it('to a body that was not sent completely only causes the request to be sent again', async () => {
    const harness = new ImportHarness();
    const cut = new AppError('connection-lost', 'x', { retry: 'later', details: { sentAll: false } });
    harness.instance.onImport = sequence(cut, importOf({ state: 'scheduled' }));
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    const waits = harness.harness.events(job.id).filter((event) => event.type === 'wait');
    expect(waits.map((event) => event.message)).not.toContain(expect.stringContaining('was lost'));
    expect(harness.sentImports).toBe(2);
  });

  it('causes at most three requests', async () => {
    const harness = new ImportHarness();
    harness.instance.onImport = sequence<ImportStatus>(
      new AppError('server-error', 'HTTP 500', { retry: 'later' }),
    );
    expect((await harness.run()).state).toMatchObject(failedWith('server-error'));
    expect(harness.sentImports).toBe(3);
  });

  it('to a request that arrives late is resolved when the second request finds the path taken', async () => {
    const harness = new ImportHarness();
    let sendings = 0;
    harness.instance.onImport = () => {
      if (sendings++ === 0) throw lost;
      harness.targetProject = harness.importedProject({ createdAt: isoTime(harness.clock.now() - minute) });
      throw taken;
    };
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(2);
  });

  it('is not forgotten while the second request waits for its turn', async () => {
    const harness = new ImportHarness({ importsPerMinute: 1, lookAgainMs: 20_000 });
    harness.instance.onImport = sequence<ImportStatus>(lost, taken);
    const { onProject } = harness.instance;
    let checks = 0;
    harness.instance.onProject = (idOrPath) => {
      // The job checks once before the first request, twice after it, and a fourth time when the turn comes.
      if (typeof idOrPath === 'string' && ++checks === 4)
        harness.targetProject = harness.importedProject({ createdAt: begun });
      return onProject(idOrPath);
    };
    const begun = isoTime(harness.clock.now() + 1_000);
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(1);
  });

  it('is not forgotten when the second request gets a 429', async () => {
    const harness = new ImportHarness();
    const rateLimited = new AppError('rate-limited', '429', { retry: { afterMs: minute } });
    let sendings = 0;
    const first = isoTime(harness.clock.now() + 1_000);
    harness.instance.onImport = () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      harness.targetProject = harness.importedProject({ createdAt: first });
      throw rateLimited;
    };
    expect((await harness.run()).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(2);
  });
});

describe('a project at the target path that may not be the imported one', () => {
  const otherProjects: [string, (harness: ImportHarness) => Partial<Project>][] = [
    ['has an id from before the request', () => ({ id: 50 })],
    ['was not imported', () => ({ importType: null })],
    ['was imported from another service', () => ({ importType: 'github' })],
    ['was created by another user', () => ({ creatorId: 4 })],
    ['was created before the request', (harness) => ({ createdAt: isoTime(harness.clock.now() - minute) })],
    ['has no creation time', () => ({ createdAt: null })],
  ];

  it.each(otherProjects)('stops the import when it %s', async (_what, changes) => {
    const harness = new ImportHarness();
    harness.instance.onImport = () => {
      harness.targetProject = harness.importedProject(changes(harness));
      throw lost;
    };
    const job = await harness.run();
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    expect(harness.sentImports).toBe(1);
  });
});

describe('a definite rejection', () => {
  it.each(['path-taken', 'import-refused', 'namespace-missing', 'upload-too-large'] as const)(
    '%s ends the import immediately',
    async (code) => {
      const harness = new ImportHarness();
      harness.instance.onImport = sequence<ImportStatus>(
        new AppError(code, 'x', { details: { sentAll: true } }),
      );
      expect((await harness.run()).state).toMatchObject(failedWith(code));
      expect(harness.sentImports).toBe(1);
    },
  );
});

describe('waiting for an import', () => {
  const states = (...all: ImportStatus['state'][]) => sequence(...all.map((state) => importOf({ state })));

  it('continues through none, scheduled and started', async () => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = states('none', 'scheduled', 'started', 'finished');
    expect((await harness.run()).state.status).toBe('succeeded');
  });

  it('fails if the import does not start within the grace period', async () => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = states('none');
    expect((await harness.run()).state).toMatchObject(failedWith('import-failed'));
  });

  it.each(['failed', 'canceled'] as const)('fails when the state of the import is %s', async (state) => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = states('started', state);
    expect((await harness.run()).state).toMatchObject(failedWith('import-failed'));
  });

  it('fails at the deadline if the import never ends', async () => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = states('started');
    expect((await harness.run()).state).toMatchObject(failedWith('deadline-passed'));
  });

  it('collects the failures of all polls, since the server lists only the newest ones', async () => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = sequence(
      importOf({ state: 'started', failures: [failureOf(1), failureOf(2)] }),
      importOf({ state: 'finished', failures: [failureOf(2), failureOf(3)] }),
    );
    const job = await harness.run();
    const { failures } = job.result as { failures: { failure: { id: number } }[] };
    expect(failures.map(({ failure }) => failure.id)).toEqual([1, 2, 3]);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{}, {}, {}] });
  });
});

describe('the end of an import', () => {
  /** Stores an archive of a backup, with the counts of its source. */
  async function storeWithSource(harness: ImportHarness, counts = countsOf(2)): Promise<void> {
    const counted = { at: '', counts, lastActivityAt: null };
    const key = {
      instanceUrl: 'https://source.example',
      projectId: 1,
      fullPath: 'group/project',
      receivedAt: 0,
    };
    const pending = await harness.archives.createPending(key, null);
    await pending.commit({
      instance: { name: 'source', url: key.instanceUrl, username: null },
      project: { id: 1, fullPath: key.fullPath, name: 'project' },
      serverVersion: null,
      jobId: 'backup',
      appVersion: '1',
      sourceCounts: { before: counted, after: counted },
      findings: [],
    });
  }

  it('proves nothing if source, archive and target agree only in their numbers', async () => {
    const harness = new ImportHarness();
    await storeWithSource(harness);
    await harness.run();
    expect(harness.archives.proofs).toEqual([]);
  });

  it('proves nothing about an archive whose source was never counted', async () => {
    const harness = new ImportHarness();
    await harness.run();
    expect(harness.archives.proofs).toEqual([]);
  });

  it('proves nothing and warns if the target contains less', async () => {
    const harness = new ImportHarness();
    await storeWithSource(harness);
    harness.instance.onCounts = () => countsOf(2, { merge_request_notes: 1 });
    const job = await harness.run();
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'lost-on-import' }] });
    expect(harness.archives.proofs).toEqual([]);
  });

  it('warns of losses on export and of records that could not be counted on the target', async () => {
    const harness = new ImportHarness();
    await storeWithSource(harness, countsOf(2, { issues: 3 }));
    harness.instance.onCounts = () => countsOf(2, { issues: null });
    const job = await harness.run();
    expect(job.state).toMatchObject({
      status: 'succeeded',
      warnings: [
        { code: 'lost-on-export', where: 'issues' },
        { code: 'not-counted', where: 'issues' },
      ],
    });
  });

  it('is reported even if the target cannot be counted, and no row is called equal', async () => {
    const harness = new ImportHarness();
    await storeWithSource(harness);
    harness.instance.onCounts = () => {
      throw new AppError('forbidden', 'No.');
    };
    const job = await harness.run();
    expect(job.state.status).toBe('succeeded');
    const { projectId, reconciliation } = importResultSchema.parse(job.result);
    expect(projectId).toBe(90);
    expect(reconciliation.reconciled).toBe(false);
    expect(reconciliation.rows.every((row) => row.verdict === 'unknown')).toBe(true);
    expect(harness.archives.proofs).toEqual([]);
  });

  it('warns if the target cannot be read, even if the archive has no counted records', async () => {
    const harness = new ImportHarness();
    harness.archives.onInspect = () => ({ ...soundInspection, relations: {}, notes: {}, bundles: [] });
    harness.instance.onCounts = () => {
      throw new AppError('forbidden', 'No.');
    };
    const job = await harness.run();
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'not-compared' }] });
    expect(harness.harness.events(job.id).at(-1)?.message).not.toContain('agree');
  });

  it.each([
    ['a warning if no other comparison follows', {}, ['contents-not-compared']],
    ['no warning if the comparison of a migration follows', { comparedLater: true }, []],
  ])('that compared only numbers has %s', async (_, change, codes) => {
    const harness = new ImportHarness();
    const job = await harness.run(change);
    const { reconciliation } = importResultSchema.parse(job.result);
    expect(reconciliation).toMatchObject({ depth: 'numbers', reconciled: false });
    const warnings = job.state.status === 'succeeded' ? job.state.warnings : null;
    expect(warnings?.map(({ code }) => code)).toEqual(codes);
  });

  it('is reported even if the archive no longer exists', async () => {
    const harness = new ImportHarness();
    harness.instance.onImportStatus = () => {
      harness.archives.records = () => Promise.reject(new AppError('archive-missing', 'Gone.'));
      return importOf({ state: 'finished', failures: [failureOf(1)] });
    };
    const job = await harness.run();
    expect(importResultSchema.parse(job.result).failures).toEqual([{ failure: failureOf(1), record: null }]);
  });
});
