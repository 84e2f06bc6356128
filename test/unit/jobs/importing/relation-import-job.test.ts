import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob, RelationImportInput } from '../../../../src-contract/runs/job.ts';
import type { RelationImport } from '../../../../src-contract/transfers/transfer.ts';
import { relationImportJob } from '../../../../src-main/jobs/importing/relation-import-job.ts';
import {
  countsOf,
  FakeArchives,
  FakeInstance,
  sequence,
  noSecrets,
  relationImportOf,
  soundInspection,
} from '../../../support/jobs/fake-instance.ts';
import { noTokens } from '../../../support/tokens/fake-tokens.ts';
import { failedWith, JobHarness } from '../../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minute = 60_000;
const lost = new AppError('connection-lost', 'The reply was lost.', {
  retry: 'later',
  details: { sentAll: true },
});
const refused = new AppError('request-refused', 'No.', { details: { sentAll: true } });
class RelationHarness {
  readonly clock = new SteppedClock();
  readonly instance = new FakeInstance(this.clock, { deadlineMs: 30 * minute });
  readonly archives = new FakeArchives();
  readonly bench: JobHarness;
  /** The relation imports that the server lists. */
  list: RelationImport[] = [];

  constructor() {
    const { clock, instance } = this;
    instance.onRelationImports = () => this.list;
    instance.onImportRelation = () => this.accept();
    const ports = {
      instance,
      archives: this.archives,
      secrets: noSecrets,
      tokens: noTokens,
      appVersion: '1',
      retentionOf: () => null,
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    this.bench = new JobHarness({ definitions: [relationImportJob], ports, clock }).start();
    onTestFinished(() => this.bench.runner.stop());
  }

  /** Accepts the import as the server does, and lists it as finished at the next poll. */
  accept(changes: Partial<RelationImport> = {}): RelationImport {
    const accepted = relationImportOf(changes);
    this.list = [...this.list, { ...accepted, status: 'finished' }];
    return accepted;
  }

  run(input: Partial<RelationImportInput> = {}): Promise<StoredJob> {
    const { sha256, sizeBytes } = soundInspection;
    const archive = { archivePath: '/archives/archive', sha256, sizeBytes, archiveId: '1' };
    const about = { projectId: 7, fullPath: 'group/project', relation: 'issues' };
    const completeInput = { ...archive, ...about, ...input };
    return this.bench.ended(this.bench.enqueue('group/project', completeInput, 'relation-import').id);
  }

  get sendings(): number {
    return this.instance.times('import relation').length;
  }
}

describe('a relation import', () => {
  it('reports the counts of the archive, and of the project before and after', async () => {
    const harness = new RelationHarness();
    harness.instance.onCounts = sequence(countsOf(1), countsOf(2));
    expect(await harness.run()).toMatchObject({
      state: { status: 'succeeded', warnings: [] },
      result: { id: 11, relation: 'issues', fullPath: 'group/project', inArchive: 2, before: 1, after: 2 },
    });
    expect(harness.sendings).toBe(1);
  });

  it('warns if fewer records arrived than the archive contains', async () => {
    const harness = new RelationHarness();
    harness.instance.onCounts = sequence(countsOf(0), countsOf(1));
    expect((await harness.run()).state).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'lost-on-import', where: 'issues' }],
    });
  });

  it.each<[string, restCount: number, before: number[], after: number[] | null, missing: number[] | null]>([
    ['names missing records, even if the project has as many records as the archive', 0, [], [], [1, 2]],
    ['names the records that GitLab left out again', 0, [], [2], [1]],
    ['finds all records', 0, [2], [1], []],
    ['says nothing about records that were not looked up', 1, [2], [1], null],
    ['says nothing about records that cannot be looked up afterwards', 0, [2], null, null],
  ])('%s', async (_, restCount, before, after, missing) => {
    const harness = new RelationHarness();
    harness.archives.onInspect = () => ({ ...soundInspection, relations: { issues: 2 + restCount } });
    const records = [1, 2].map((iid) => ({ iid, author: 'dora' }));
    harness.archives.onAuthors = () => ({ records, restCount });
    const authorsOf = (iids: number[] | null) => iids && new Map(iids.map((iid) => [iid, 'dora']));
    harness.instance.onRecordAuthors = sequence(authorsOf(before), authorsOf(after));
    harness.instance.onCounts = sequence(countsOf(4));
    const { state, result } = await harness.run();
    expect(result).toMatchObject({ before: 4, after: 4, missingIids: missing });
    const names = missing?.map((iid) => `#${iid}`).join(', ') ?? '';
    const message = `issues: the project still lacks these records of the archive: ${names}.`;
    const warnings = names === '' ? [] : [{ code: 'lost-on-import', where: 'issues', message }];
    expect(state).toMatchObject({ status: 'succeeded', warnings });
  });

  it('succeeds with warnings if the records cannot be counted afterwards', async () => {
    const harness = new RelationHarness();
    harness.instance.onCounts = sequence(countsOf(0), new AppError('forbidden', 'No.'));
    expect(await harness.run()).toMatchObject({
      state: { status: 'succeeded', warnings: [{ code: 'not-counted' }, { code: 'effects-not-compared' }] },
      result: { before: 0, after: null },
    });
  });

  it('waits until another relation import into the same project has ended', async () => {
    const harness = new RelationHarness();
    harness.instance.onRelationImports = sequence(
      [relationImportOf({ id: 5, status: 'created' })],
      [relationImportOf({ id: 5, status: 'started' })],
      [relationImportOf({ id: 5, status: 'finished' })],
      [relationImportOf({ id: 11, status: 'finished' })],
    );
    harness.instance.onImportRelation = () => relationImportOf();
    expect((await harness.run()).state.status).toBe('succeeded');
    const requests = harness.instance.calls.map(({ what }) => what);
    const before = requests.slice(0, requests.indexOf('import relation'));
    expect(before.filter((what) => what === 'relation imports')).toHaveLength(3);
  });

  it('fails at the deadline if another relation import never ends', async () => {
    const harness = new RelationHarness();
    harness.list = [relationImportOf({ id: 5, status: 'started' })];
    expect((await harness.run()).state).toMatchObject(failedWith('deadline-passed'));
    expect(harness.sendings).toBe(0);
  });

  it('is not sent if the file differs from the chosen archive', async () => {
    const harness = new RelationHarness();
    const job = await harness.run({ sha256: 'b'.repeat(64) });
    expect(job.state).toMatchObject(failedWith('archive-changed'));
    expect(harness.sendings).toBe(0);
  });
});

describe('a lost reply', () => {
  it('to a request that arrived is resolved by the newer entry in the list of the server', async () => {
    const harness = new RelationHarness();
    harness.list = [relationImportOf({ id: 5, status: 'finished' })];
    harness.instance.onImportRelation = () => {
      harness.accept({ id: 12 });
      throw lost;
    };
    expect((await harness.run()).result).toMatchObject({ id: 12 });
    expect(harness.sendings).toBe(1);
  });

  it.each([
    ['an older entry', { id: 5 }],
    ['an entry of another relation', { id: 12, relation: 'milestones' }],
  ])('is not resolved by %s', async (_what, entry) => {
    const harness = new RelationHarness();
    harness.list = [relationImportOf({ id: 5, status: 'finished' })];
    let sendings = 0;
    harness.instance.onImportRelation = () => {
      sendings += 1;
      if (sendings > 1) return harness.accept({ id: 13 });
      harness.list = [...harness.list, relationImportOf({ ...entry, status: 'finished' })];
      throw lost;
    };
    expect((await harness.run()).result).toMatchObject({ id: 13 });
    const [first = 0, second = 0] = harness.instance.times('import relation');
    expect(second - first).toBeGreaterThanOrEqual(2 * minute);
  });

  it('causes at most three requests', async () => {
    const harness = new RelationHarness();
    harness.instance.onImportRelation = sequence<RelationImport>(lost);
    expect((await harness.run()).state).toMatchObject(failedWith('connection-lost'));
    expect(harness.sendings).toBe(3);
  });
});

describe('the reply of the server', () => {
  it('ends the job immediately if it is a rejection', async () => {
    const harness = new RelationHarness();
    harness.instance.onImportRelation = sequence<RelationImport>(refused);
    expect((await harness.run()).state).toMatchObject(failedWith('request-refused'));
    expect(harness.sendings).toBe(1);
  });

  it.each([
    [
      'fails the job if the import failed',
      [relationImportOf({ status: 'failed' })],
      'relation-import-failed',
    ],
    ['fails the job if the import is no longer listed', [], 'relation-import-failed'],
    [
      'fails the job at the deadline if the import never ends',
      [relationImportOf({ status: 'started' })],
      'deadline-passed',
    ],
  ])('%s', async (_what, list, code) => {
    const harness = new RelationHarness();
    harness.instance.onImportRelation = () => {
      harness.list = list;
      return relationImportOf();
    };
    expect((await harness.run()).state).toMatchObject(failedWith(code));
  });
});
