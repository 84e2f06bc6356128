import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { countsOf } from '../../../../src-main/archive/compare.ts';
import type { PlanRetention } from '../../../../src-main/archive/retention.ts';
import { exportJob } from '../../../../src-main/jobs/exporting/export-job.ts';
import { isoTime } from '../../../../src-main/platform/clock.ts';
import {
  FakeArchives,
  FakeInstance,
  countsOf as sourceCounts,
  sequence,
  soundInspection,
  noSecrets,
} from '../../../support/jobs/fake-instance.ts';
import { noTokens } from '../../../support/tokens/fake-tokens.ts';
import { JobHarness } from '../../../support/jobs/job-harness.ts';
import { keepsAll } from '../../../support/jobs/plan-draft.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const day = 86_400_000;

/** A project with archives of the last days, newest first: `d1`, `d2` … */
class PruneHarness {
  readonly clock = new SteppedClock();
  readonly instance = new FakeInstance(this.clock);
  readonly archives = new FakeArchives();
  readonly bench: JobHarness;
  /** The limits of other plans for the project. */
  others: PlanRetention['otherPlans'] = [];
  /** Returns the `keepLast` of a plan each time its limits are read; `null` for no limits. */
  onKeepLast: (planId: string) => number | null = () => null;

  constructor(days: number) {
    const { instance } = this;
    instance.onState = sequence('none', 'started', 'finished');
    const ports = {
      instance,
      archives: this.archives,
      secrets: noSecrets,
      tokens: noTokens,
      appVersion: '1',
      retentionOf: (planId: string) => {
        const keepLast = this.onKeepLast(planId);
        return keepLast === null
          ? null
          : {
              retention: { ...keepsAll, keepLast },
              timeZone: 'UTC',
              archiveRoot: null,
              otherPlans: this.others,
            };
      },
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    this.archives.earlierArchives = Array.from({ length: days }, (_, at) => ({
      id: `d${at + 1}`,
      path: `old/d${at + 1}`,
      storedAt: isoTime(this.clock.now() - (at + 1) * day),
      sizeBytes: soundInspection.sizeBytes,
      counts: countsOf(soundInspection),
      sourceCounts: {},
      source: null,
      root: '/archives',
      condition: 'complete' as const,
      level: 'L2' as const,
      readable: true,
      mayBeReadable: true,
      damaged: false,
      pinned: false,
      inUse: false,
      takenInAt: null,
    }));
    this.bench = new JobHarness({ definitions: [exportJob], ports, clock: this.clock }).start();
    onTestFinished(() => this.bench.runner.stop());
  }

  backUp(keepLast: number | null): Promise<StoredJob> {
    this.onKeepLast = () => keepLast;
    return this.run({ planId: 'nightly' });
  }

  run(more: Record<string, unknown>): Promise<StoredJob> {
    const input = { projectId: 7, fullPath: 'group/project', keepExisting: false, ...more };
    return this.bench.ended(this.bench.enqueue('group/project', input).id);
  }

  messages(job: StoredJob): string[] {
    return this.bench.events(job.id).map(({ message }) => message);
  }
}

it('a backup with a limit moves the archives beyond it to the trash folder and logs each one', async () => {
  const harness = new PruneHarness(4);
  const job = await harness.backUp(3);
  expect(job.state).toEqual({ status: 'succeeded', warnings: [] });
  expect(harness.archives.discarded).toEqual(['d3', 'd4']);
  expect(job.result).toMatchObject({ prunedCount: 2 });
  const messages = harness.messages(job);
  for (const path of ['old/d3', 'old/d4']) {
    expect(messages).toContain(
      `Moved to the trash folder: ${path}. Outside the limits that the plan sets for each project: the newest 3.`,
    );
  }
  expect(messages).toContain('Kept 3 archives, moved 2 to the trash folder.');
});

it('a backup without a limit keeps every archive', async () => {
  const harness = new PruneHarness(4);
  expect((await harness.backUp(null)).state.status).toBe('succeeded');
  expect(harness.archives.discarded).toEqual([]);
});

it('archives that another plan for the project keeps in the same folder are kept, even if that plan keeps all', async () => {
  const harness = new PruneHarness(4);
  const policy = { timeZone: 'UTC', archiveRoot: null };
  harness.others = [{ ...policy, retention: { ...keepsAll, keepLast: 4 } }];
  await harness.backUp(1);
  expect(harness.archives.discarded).toEqual(['d4']);
  harness.others = [{ ...policy, retention: keepsAll }];
  await harness.backUp(1);
  expect(harness.archives.discarded).toEqual(['d4']);
  // A plan that stores in another folder has no effect here.
  harness.others = [{ ...policy, archiveRoot: '/elsewhere', retention: keepsAll }];
  await harness.backUp(3);
  expect(harness.archives.discarded).toEqual(['d4', 'd1', 'd2', 'd3']);
});

it('an archive outside the plan’s folder is neither moved nor counted', async () => {
  const harness = new PruneHarness(4);
  for (const archive of harness.archives.earlierArchives.slice(0, 2)) archive.root = '/elsewhere';
  await harness.backUp(2);
  expect(harness.archives.discarded).toEqual(['d4']);
});

it('the limit is read from the plan after the archive is stored, not when the job is created', async () => {
  const harness = new PruneHarness(4);
  const reads: [string, number][] = [];
  harness.onKeepLast = (planId) => {
    reads.push([planId, harness.archives.stored.length]);
    return 3;
  };
  await harness.run({ planId: 'nightly', keepLast: 1 });
  expect(reads).toEqual([['nightly', 1]]);
  expect(harness.archives.discarded).toEqual(['d3', 'd4']);
});

it.each<[string, Record<string, unknown>]>([
  ['without a plan', {}],
  ['from a version that stored the limit with the job', { keepLast: 1 }],
])('a backup %s keeps every archive', async (_what, input) => {
  const harness = new PruneHarness(4);
  harness.onKeepLast = () => 1;
  expect((await harness.run(input)).state.status).toBe('succeeded');
  expect(harness.archives.discarded).toEqual([]);
});

it('a backup keeps every archive and warns if the plans cannot be read', async () => {
  const harness = new PruneHarness(4);
  harness.onKeepLast = () => {
    throw new AppError('settings-unreadable', 'The settings cannot be read.');
  };
  expect((await harness.run({ planId: 'nightly' })).state).toMatchObject({
    status: 'succeeded',
    warnings: [
      { code: 'prune-failed', message: expect.stringContaining('The settings cannot be read') as unknown },
    ],
  });
  expect(harness.archives.discarded).toEqual([]);
});

it('a backup that contains suspiciously less than before prunes nothing and warns', async () => {
  const harness = new PruneHarness(4);
  harness.archives.onInspect = () => ({
    ...soundInspection,
    relations: { ...soundInspection.relations, issues: 0 },
  });
  const job = await harness.backUp(1);
  expect(job.state).toMatchObject({
    status: 'succeeded',
    warnings: expect.arrayContaining([
      {
        code: 'archive-shrank',
        severity: 'warning',
        message: 'Older archives were kept: the new archive holds 0 issues, an earlier archive holds 2.',
        where: 'issues',
      },
    ]) as unknown,
  });
  expect(harness.archives.discarded).toEqual([]);
});

it('a backup that lacks most of the source’s data prunes nothing if an earlier archive contains more', async () => {
  const harness = new PruneHarness(4);
  harness.instance.onCounts = () => sourceCounts(5);
  const setIssues = (issues: number) => {
    harness.archives.earlierArchives = harness.archives.earlierArchives.map((archive) => ({
      ...archive,
      counts: { ...archive.counts, issues },
    }));
  };
  setIssues(3);
  const job = await harness.backUp(1);
  const message =
    'Older archives were kept: the source had 5 issues, the new archive holds 2, an earlier archive holds more.';
  expect(job.state).toMatchObject({
    status: 'succeeded',
    warnings: expect.arrayContaining([
      { code: 'archive-shrank', severity: 'warning', message, where: 'issues' },
      expect.objectContaining({ code: 'export-incomplete', where: 'issues' }),
    ]) as unknown,
  });
  expect(harness.archives.discarded).toEqual([]);
});

it('a backup whose repository lost most of its branches prunes nothing', async () => {
  const harness = new PruneHarness(4);
  harness.archives.earlierArchives = harness.archives.earlierArchives.map((archive) => ({
    ...archive,
    counts: { ...archive.counts, branches: 100 },
  }));
  const job = await harness.backUp(1);
  expect(job.state).toMatchObject({ warnings: [{ code: 'archive-shrank', where: 'branches' }] });
  expect(harness.archives.discarded).toEqual([]);
});

it('a backup whose own archive is unreliable prunes nothing', async () => {
  const harness = new PruneHarness(4);
  const finding = { code: 'bundle-checksum', severity: 'error', message: 'm', where: null } as const;
  harness.archives.onInspect = () => ({ ...soundInspection, verdict: 'suspicious', findings: [finding] });
  const job = await harness.backUp(1);
  expect(job.state.status).toBe('succeeded');
  expect(harness.archives.discarded).toEqual([]);
  expect(harness.messages(job)).toContain('Nothing was pruned: the new archive is not reliable.');
});

it('an archive that cannot be moved causes a warning, but the backup succeeds and the other archives are moved', async () => {
  const harness = new PruneHarness(4);
  harness.archives.onDiscard = (id) => {
    if (id === 'd3') throw new AppError('disk-denied', 'The disk does not allow this');
    return true;
  };
  const job = await harness.backUp(2);
  expect(job.state).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'prune-failed', where: 'old/d3' }],
  });
  expect(harness.archives.discarded).toEqual(['d2', 'd4']);
});

it('an archive that was pinned meanwhile is kept and not reported as moved', async () => {
  const harness = new PruneHarness(2);
  harness.archives.onDiscard = (id) => id !== 'd1';
  const job = await harness.backUp(1);
  expect(harness.messages(job).filter((message) => message.startsWith('Moved'))).toHaveLength(1);
  expect(harness.messages(job)).toContain('Kept 2 archives, moved 1 to the trash folder.');
});

it('interrupted pruning continues with the remaining archives', async () => {
  const harness = new PruneHarness(4);
  let calls = 0;
  harness.archives.onDiscard = () => {
    calls += 1;
    if (calls === 2) throw new AppError('catalogue-busy', 'The catalogue is busy.', { retry: 'later' });
    return true;
  };
  const job = await harness.backUp(1);
  expect(job.state).toEqual({ status: 'succeeded', warnings: [] });
  expect(harness.archives.discarded.toSorted()).toEqual(['d1', 'd2', 'd3', 'd4']);
  expect(harness.archives.stored).toHaveLength(1);
});
