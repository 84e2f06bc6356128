/** @file Imports whose archive GitLab fetches: the request, the comparison and the secret. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import type { ImportInput, ImportSource, StoredJob } from '../../../src-contract/runs/job.ts';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { importJob } from '../../../src-main/jobs/importing/import-job.ts';
import { numbersAgree } from '../../../src-contract/transfers/import.ts';
import type { RemoteImportRequest } from '../../../src-main/jobs/ports.ts';
import { isoTime } from '../../../src-main/platform/clock.ts';
import {
  FakeArchives,
  FakeInstance,
  importOf,
  sequence,
  projectOf,
  soundInspection,
} from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { failedWith, JobHarness } from '../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const missing = new AppError('project-missing', 'There is no project.');
const lost = new AppError('connection-lost', 'The reply was lost.', { retry: 'later' });
const completeUrl = 'https://storage.example/a.tar.gz?X-Amz-Signature=0123456789abcdef';
const byAddress: ImportSource = { kind: 'url', address: 'https://storage.example/a.tar.gz', secret: 'key' };
const byStorage: ImportSource = { kind: 's3', storage: 'exports', key: 'a/b.tar.gz' };
const storage = { name: 'exports', region: 'eu-west-1', bucket: 'backups', accessKeyId: 'AKIA' };
const { sha256, sizeBytes } = soundInspection;
const available = { archivePath: '/archives/archive', sha256, sizeBytes, archiveId: '1' };
const unavailable = { archivePath: null, sha256: null, sizeBytes: null, archiveId: null };

class SourceHarness {
  readonly clock = new SteppedClock();
  readonly instance = new FakeInstance(this.clock);
  readonly archives = new FakeArchives();
  readonly bench: JobHarness;
  readonly secrets = new Map([['key', completeUrl]]);
  readonly storages = new Map([['exports', { storage, secretAccessKey: 'of the bucket' }]]);
  readonly sent: RemoteImportRequest[] = [];
  existing: Project | null = null;

  constructor() {
    const { clock, instance, archives } = this;
    instance.onProject = (idOrPath) => {
      if (typeof idOrPath === 'number') return this.createdProject();
      if (this.existing === null) throw missing;
      return this.existing;
    };
    instance.onImportRemote = (request) => {
      this.sent.push(request);
      return importOf({ state: 'scheduled' });
    };
    const ports = {
      instance,
      archives,
      secrets: {
        importUrl: (key: string) => {
          const found = this.secrets.get(key);
          if (found === undefined) throw new AppError('secret-lost', 'Gone.');
          return found;
        },
        storage: (name: string) => {
          const found = this.storages.get(name);
          if (found === undefined) return Promise.reject(new AppError('storage-missing', 'None.'));
          return Promise.resolve(found);
        },
      },
      tokens: noTokens,
      appVersion: '1',
      retentionOf: () => null,
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    this.bench = new JobHarness({ definitions: [importJob], ports, clock }).start();
    onTestFinished(() => this.bench.runner.stop());
  }

  createdProject(): Project {
    const marks = { importType: 'gitlab_project', creatorId: 3, createdAt: isoTime(this.clock.now()) };
    return projectOf({ id: 90, fullPath: 'group/copy', ...marks });
  }

  async run(source: ImportSource, changes: Partial<ImportInput> = {}): Promise<StoredJob> {
    const target = { namespace: 'group', path: 'copy', name: null, overwrite: false, overrideParams: {} };
    const input: ImportInput = { source, ...unavailable, ...target, ...changes };
    return this.bench.ended(this.bench.enqueue('group/copy', input, 'import').id);
  }
}

describe('an archive that GitLab fetches', () => {
  it('is requested with the complete address, which is kept in memory', async () => {
    const harness = new SourceHarness();
    await harness.run(byAddress);
    expect(harness.sent).toMatchObject([{ from: { url: completeUrl }, namespace: 'group', path: 'copy' }]);
  });

  it('is requested with the coordinates of its storage and the key from the keychain', async () => {
    const harness = new SourceHarness();
    await harness.run(byStorage);
    expect(harness.sent).toMatchObject([
      { from: { storage, secretAccessKey: 'of the bucket', key: 'a/b.tar.gz' } },
    ]);
  });

  it('is not requested if its address was lost with the process or its storage was deleted', async () => {
    const harness = new SourceHarness();
    harness.secrets.clear();
    harness.storages.clear();
    expect((await harness.run(byAddress)).state).toMatchObject(failedWith('secret-lost'));
    expect((await harness.run(byStorage)).state).toMatchObject(failedWith('storage-missing'));
    expect(harness.sent).toEqual([]);
  });

  it('is adopted even without its address if the request arrived', async () => {
    const harness = new SourceHarness();
    harness.instance.onImportRemote = () => {
      harness.existing = harness.createdProject();
      harness.secrets.clear();
      throw lost;
    };
    expect((await harness.run(byAddress)).result).toMatchObject({ projectId: 90 });
    expect(harness.instance.times('import')).toHaveLength(1);
  });

  it('is requested again if the request did not arrive', async () => {
    const harness = new SourceHarness();
    harness.instance.onImportRemote = sequence(lost, importOf({ state: 'scheduled' }));
    expect((await harness.run(byAddress)).state.status).toBe('succeeded');
    expect(harness.instance.times('import')).toHaveLength(2);
  });
});

describe('the imported project', () => {
  it('is not compared if no archive is available, and one warning reports that', async () => {
    const harness = new SourceHarness();
    const job = await harness.run(byAddress);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'not-compared' }] });
    const { reconciliation } = importResultSchema.parse(job.result);
    expect(reconciliation.reconciled).toBe(false);
    expect(
      reconciliation.rows.every(({ archive, verdict }) => archive === null && verdict === 'unknown'),
    ).toBe(true);
    expect(reconciliation.rows.some(({ target }) => target !== null)).toBe(true);
  });

  it('is compared with the available archive but does not prove it, because GitLab may have fetched another one', async () => {
    const harness = new SourceHarness();
    const counted = { at: '', counts: await harness.instance.counts(1), lastActivityAt: null };
    const key = {
      instanceUrl: 'https://source.example',
      projectId: 1,
      fullPath: 'group/project',
      receivedAt: 0,
    };
    await (
      await harness.archives.createPending(key, null)
    ).commit({
      instance: { name: 'source', url: key.instanceUrl, username: null },
      project: { id: 1, fullPath: key.fullPath, name: 'project' },
      serverVersion: null,
      jobId: 'backup',
      appVersion: '1',
      sourceCounts: { before: counted, after: counted },
      findings: [],
    });
    const job = await harness.run(byAddress, available);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'contents-not-compared' }] });
    expect(numbersAgree(importResultSchema.parse(job.result).reconciliation.rows)).toBe(true);
    expect(harness.archives.proofs).toEqual([]);
  });
});
