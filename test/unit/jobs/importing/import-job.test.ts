import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Failure, ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { importResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import { countsOf, importOf, inTurn, soundInspection } from '../../../support/jobs/fake-instance.ts';
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

describe('before anything is sent', () => {
  it('a taken path is refused', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours();
    expect((await bench.run()).state).toMatchObject(failedWith('path-taken'));
    expect(bench.sendings).toBe(0);
  });

  it('a project that has moved away leaves its old path free', async () => {
    const bench = new ImportHarness();
    bench.there = bench.ours({ fullPath: 'group/elsewhere' });
    expect((await bench.run()).state.status).toBe('succeeded');
  });

  it.each([
    ['15.11.0', 'failed', 0],
    ['18.5.0-ee', 'failed', 0],
    ['15.10.8', 'succeeded', 1],
    [null, 'succeeded', 1],
  ] as const)('an archive of the legacy layout and a target of version %s: %s', async (version, is, sent) => {
    const bench = new ImportHarness();
    bench.instance.version = version;
    bench.archives.onInspect = () => ({ ...soundInspection, layout: 'legacy' });
    const job = await bench.run();
    expect(job.state).toMatchObject(is === 'failed' ? failedWith('layout-refused') : { status: is });
    expect(bench.sendings).toBe(sent);
    const warned = bench.bench.events(job.id).some(({ message }) => message.includes('has the old layout'));
    expect(warned).toBe(version === null);
  });

  it('another file under the name of the chosen one is refused', async () => {
    const bench = new ImportHarness();
    expect((await bench.run({ sha256: 'b'.repeat(64) })).state).toMatchObject(failedWith('archive-changed'));
    expect(bench.sendings).toBe(0);
  });
});

describe('a lost answer', () => {
  it('to a request that arrived is resolved by adopting the project', async () => {
    const bench = new ImportHarness();
    bench.instance.onImport = () => {
      bench.there = bench.ours();
      throw lost;
    };
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(job.result).toMatchObject({ projectId: 90 });
    expect(bench.sendings).toBe(1);
  });

  it.each(['connection-lost', 'timeout', 'server-error', 'not-gitlab', 'unexpected-response'] as const)(
    '%s is checked twice, at least a minute apart, before it is sent again',
    async (code) => {
      const bench = new ImportHarness();
      bench.instance.onImport = inTurn(
        new AppError(code, 'x', { details: { sentAll: true } }),
        importOf({ state: 'scheduled' }),
      );
      expect((await bench.run()).state.status).toBe('succeeded');
      const { calls } = bench.instance;
      const from = calls.findIndex(({ what }) => what === 'import');
      const [sent, first, second, again] = calls.slice(from, from + 4);
      expect([first, second].map((call) => call?.about)).toEqual([target, target]);
      expect(again?.what).toBe('import');
      expect((first?.at ?? 0) - (sent?.at ?? 0)).toBeGreaterThanOrEqual(minute);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(minute);
    },
  );

  it('a body of which the server cannot have the end is simply sent again', async () => {
    const bench = new ImportHarness();
    const cut = new AppError('connection-lost', 'x', { retry: 'later', details: { sentAll: false } });
    bench.instance.onImport = inTurn(cut, importOf({ state: 'scheduled' }));
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    const waits = bench.bench.events(job.id).filter((event) => event.type === 'wait');
    expect(waits.map((event) => event.message)).not.toContain(expect.stringContaining('was lost'));
    expect(bench.sendings).toBe(2);
  });

  it('is not sent forever', async () => {
    const bench = new ImportHarness();
    bench.instance.onImport = inTurn<ImportStatus>(
      new AppError('server-error', 'HTTP 500', { retry: 'later' }),
    );
    expect((await bench.run()).state).toMatchObject(failedWith('server-error'));
    expect(bench.sendings).toBe(3);
  });

  it('a first request that arrives late is adopted when the second finds the path taken', async () => {
    const bench = new ImportHarness();
    let sendings = 0;
    bench.instance.onImport = () => {
      if (sendings++ === 0) throw lost;
      bench.there = bench.ours({ createdAt: isoTime(bench.clock.now() - minute) });
      throw taken;
    };
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(2);
  });

  it('is not forgotten while the second sending waits for its turn', async () => {
    const bench = new ImportHarness({ importsPerMinute: 1, lookAgainMs: 20_000 });
    bench.instance.onImport = inTurn<ImportStatus>(lost, taken);
    const { onProject } = bench.instance;
    let looks = 0;
    bench.instance.onProject = (idOrPath) => {
      // One check before the first sending, two after it, and the fourth when the turn has come.
      if (typeof idOrPath === 'string' && ++looks === 4) bench.there = bench.ours({ createdAt: begun });
      return onProject(idOrPath);
    };
    const begun = isoTime(bench.clock.now() + 1_000);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(1);
  });

  it('is not forgotten when the second sending is refused for being too fast', async () => {
    const bench = new ImportHarness();
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: minute } });
    let sendings = 0;
    const first = isoTime(bench.clock.now() + 1_000);
    bench.instance.onImport = () => {
      sendings += 1;
      if (sendings === 1) throw lost;
      bench.there = bench.ours({ createdAt: first });
      throw slow;
    };
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(2);
  });
});

describe('a project at the target path that may be another one', () => {
  const foreign: [string, (bench: ImportHarness) => Partial<Project>][] = [
    ['has an id from before', () => ({ id: 50 })],
    ['was not imported', () => ({ importType: null })],
    ['was imported from elsewhere', () => ({ importType: 'github' })],
    ['was made by somebody else', () => ({ creatorId: 4 })],
    ['was made before the request', (bench) => ({ createdAt: isoTime(bench.clock.now() - minute) })],
    ['does not tell when it was made', () => ({ createdAt: null })],
  ];

  it.each(foreign)('stops the import when it %s', async (_what, changes) => {
    const bench = new ImportHarness();
    bench.instance.onImport = () => {
      bench.there = bench.ours(changes(bench));
      throw lost;
    };
    const job = await bench.run();
    expect(job.state).toMatchObject(failedWith('import-ambiguous'));
    expect(bench.sendings).toBe(1);
  });
});

describe('a clear refusal', () => {
  it.each(['path-taken', 'import-refused', 'namespace-missing', 'upload-too-large'] as const)(
    '%s ends the import at once',
    async (code) => {
      const bench = new ImportHarness();
      bench.instance.onImport = inTurn<ImportStatus>(new AppError(code, 'x', { details: { sentAll: true } }));
      expect((await bench.run()).state).toMatchObject(failedWith(code));
      expect(bench.sendings).toBe(1);
    },
  );
});

describe('waiting for an import', () => {
  const states = (...all: ImportStatus['state'][]) => inTurn(...all.map((state) => importOf({ state })));

  it('continues through none, scheduled and started', async () => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = states('none', 'scheduled', 'started', 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
  });

  it('an import that never starts is given up once the grace is over', async () => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = states('none');
    expect((await bench.run()).state).toMatchObject(failedWith('import-failed'));
  });

  it.each(['failed', 'canceled'] as const)('ends when the import %s', async (state) => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = states('started', state);
    expect((await bench.run()).state).toMatchObject(failedWith('import-failed'));
  });

  it('an import that never ends is given up at its deadline', async () => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = states('started');
    expect((await bench.run()).state).toMatchObject(failedWith('deadline-passed'));
  });

  it('unites the failures of all polls, of which the server lists only the newest', async () => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = inTurn(
      importOf({ state: 'started', failures: [failureOf(1), failureOf(2)] }),
      importOf({ state: 'finished', failures: [failureOf(2), failureOf(3)] }),
    );
    const job = await bench.run();
    const { failures } = job.result as { failures: { failure: { id: number } }[] };
    expect(failures.map(({ failure }) => failure.id)).toEqual([1, 2, 3]);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{}, {}, {}] });
  });
});

describe('the end of an import', () => {
  /** An archive stored by a backup, with the counts of its source. */
  async function storeWithSource(bench: ImportHarness): Promise<void> {
    const held = { at: '', counts: countsOf(2), lastActivityAt: null };
    const key = {
      instanceUrl: 'https://source.example',
      projectId: 1,
      fullPath: 'group/project',
      receivedAt: 0,
    };
    const pending = await bench.archives.createPending(key, null);
    await pending.commit({
      instance: { name: 'source', url: key.instanceUrl, username: null },
      project: { id: 1, fullPath: key.fullPath, name: 'project' },
      serverVersion: null,
      jobId: 'backup',
      appVersion: '1',
      sourceCounts: { before: held, after: held },
      findings: [],
    });
  }

  it('proves nothing where source, archive and target agree by number alone', async () => {
    const bench = new ImportHarness();
    await storeWithSource(bench);
    await bench.run();
    expect(bench.archives.proofs).toEqual([]);
  });

  it('proves nothing about an archive whose source was never counted', async () => {
    const bench = new ImportHarness();
    await bench.run();
    expect(bench.archives.proofs).toEqual([]);
  });

  it('proves nothing, and warns, when the target holds less', async () => {
    const bench = new ImportHarness();
    await storeWithSource(bench);
    bench.instance.onCounts = () => countsOf(2, { merge_request_notes: 1 });
    const job = await bench.run();
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'lost-on-import' }] });
    expect(bench.archives.proofs).toEqual([]);
  });

  it('a finished import is reported also when the target cannot be counted, and nothing is called equal', async () => {
    const bench = new ImportHarness();
    await storeWithSource(bench);
    bench.instance.onCounts = () => {
      throw new AppError('forbidden', 'No.');
    };
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    const { projectId, reconciliation } = importResultSchema.parse(job.result);
    expect(projectId).toBe(90);
    expect(reconciliation.reconciled).toBe(false);
    expect(reconciliation.rows.every((row) => row.verdict === 'unknown')).toBe(true);
    expect(bench.archives.proofs).toEqual([]);
  });

  it('a finished import is reported also when its archive is gone by then', async () => {
    const bench = new ImportHarness();
    bench.instance.onImportStatus = () => {
      bench.archives.records = () => Promise.reject(new AppError('archive-missing', 'Gone.'));
      return importOf({ state: 'finished', failures: [failureOf(1)] });
    };
    const job = await bench.run();
    expect(importResultSchema.parse(job.result).failures).toEqual([{ failure: failureOf(1), record: null }]);
  });
});
