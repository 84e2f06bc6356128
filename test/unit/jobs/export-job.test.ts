import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Pace } from '../../../src-preload/contract/instance.ts';
import type { ExportInput, Job } from '../../../src-preload/contract/job.ts';
import { exportJob } from '../../../src-main/jobs/export-job.ts';
import type { ExportState } from '../../../src-main/jobs/ports.ts';
import {
  countsOf,
  FakeArchives,
  FakeInstance,
  inTurn,
  projectOf,
  soundInspection,
} from '../../support/fake-instance.ts';
import { JobBench } from '../../support/job-bench.ts';
import { SteppedClock } from '../../support/stepped-clock.ts';

const minute = 60_000;

class ExportBench {
  readonly clock = new SteppedClock();
  readonly instance: FakeInstance;
  readonly archives = new FakeArchives();
  readonly bench: JobBench;

  constructor(pace: Partial<Pace> = {}, concurrency = 4) {
    this.instance = new FakeInstance(this.clock, { deadlineMs: 30 * minute, ...pace });
    const { clock, instance, archives } = this;
    const ports = { instance, archives, appVersion: '1', keepLast: () => null };
    this.bench = new JobBench({ definitions: [exportJob], ports, clock, concurrency }).start();
    onTestFinished(() => this.bench.runner.stop());
  }

  /** The states that the server tells, after the one that `prepare` sees. */
  states(before: ExportState, ...after: (ExportState | AppError)[]): this {
    this.instance.onState = inTurn<ExportState>(before, ...after);
    return this;
  }

  enqueue(input: Partial<ExportInput> = {}): Job {
    const fullPath = input.fullPath ?? 'group/project';
    return this.bench.enqueue(fullPath, { projectId: 7, fullPath, keepExisting: false, ...input });
  }

  run(input: Partial<ExportInput> = {}): Promise<Job> {
    return this.bench.ended(this.enqueue(input).id);
  }

  /** Every wait that was stored, by its text. */
  waits(job: Job): string[] {
    const waits = this.bench.events(job.id).filter((event) => event.type === 'wait');
    return waits.map((event) => event.message);
  }
}

const failedWith = (code: string) => ({ status: 'failed', error: { code } });
const lost = new AppError('connection-lost', 'The reply was lost.', { retry: 'later' });

describe('a project that moved', () => {
  it('is stored under the path that it has when its job begins', async () => {
    const bench = new ExportBench().states('none', 'started', 'finished');
    bench.instance.onProject = () => projectOf({ id: 7, fullPath: 'elsewhere/project' });
    expect((await bench.run({ fullPath: 'group/project' })).state.status).toBe('succeeded');
    const [stored] = bench.archives.stored;
    expect([stored?.key.fullPath, stored?.manifest.project.fullPath]).toEqual([
      'elsewhere/project',
      'elsewhere/project',
    ]);
  });
});

describe('waiting for an export', () => {
  it('takes none and failed for old answers right after the request', async () => {
    const bench = new ExportBench().states('failed', 'failed', 'none', 'failed', 'started', 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('keeps waiting while the state is regeneration_in_progress', async () => {
    const running = 'regeneration_in_progress';
    const bench = new ExportBench().states('none', 'queued', running, running, running, 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
  });

  it('takes a running export that falls back to none for failed', async () => {
    const bench = new ExportBench().states('none', 'started', 'none');
    expect((await bench.run()).state).toMatchObject(failedWith('export-failed'));
    // At once: what has been running cannot be an old answer.
    expect(bench.instance.times('state')).toHaveLength(3);
    expect(bench.instance.times('download')).toHaveLength(0);
  });

  it.each(['failed', 'none'] as const)('gives up a lasting %s once the grace is over', async (state) => {
    const bench = new ExportBench().states('none', state);
    const job = await bench.run();
    expect(job.state).toMatchObject(failedWith('export-failed'));
    const [asked = 0] = bench.instance.times('request');
    const looks = bench.instance.times('state').filter((at) => at >= asked);
    expect((looks.at(-1) ?? 0) - asked).toBeGreaterThan(2 * minute);
    expect((looks.at(-1) ?? 0) - asked).toBeLessThan(4 * minute);
  });

  it('gives up an export that never ends at its deadline, looking ever less often', async () => {
    const bench = new ExportBench().states('none', 'started');
    const job = await bench.run();
    expect(job.state).toMatchObject(failedWith('deadline-passed'));
    const [asked = 0] = bench.instance.times('request');
    const looks = bench.instance.times('state').filter((at) => at >= asked);
    expect((looks.at(-1) ?? 0) - asked).toBeGreaterThan(30 * minute);
    expect(looks.length).toBeLessThan(45);
    expect((looks[2] ?? 0) - (looks[1] ?? 0)).toBeLessThan(20_000);
  });

  it('does not go on with a state that it does not know', async () => {
    const unknown = new AppError('unknown-state', 'The instance reports "resting".');
    const bench = new ExportBench().states('none', 'queued', unknown);
    expect((await bench.run()).state).toMatchObject(failedWith('unknown-state'));
    expect(bench.instance.times('download')).toHaveLength(0);
  });

  it('survives a server that is away for a moment', async () => {
    const away = new AppError('server-error', '502', { retry: 'later' });
    const bench = new ExportBench().states('none', 'started', away, away, 'started', away, 'finished');
    expect((await bench.run()).state.status).toBe('succeeded');
  });
});

describe('what was there before', () => {
  it('an export that somebody else runs is waited for', async () => {
    const bench = new ExportBench().states('started', 'started', 'finished', 'started', 'finished');
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    const asked = bench.instance.calls.findIndex(({ what }) => what === 'request');
    const before = bench.instance.calls.slice(0, asked).filter(({ what }) => what === 'state');
    expect(before).toHaveLength(3);
    expect(bench.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it('a request that somebody else was quicker with is sent again only when theirs has ended', async () => {
    const bench = new ExportBench().states('none', 'started', 'started', 'none', 'started', 'finished');
    const refused = new AppError('export-refused', 'An export is already running.', { retry: 'later' });
    bench.instance.onRequest = inTurn<AppError | undefined>(refused, undefined);
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.waits(job)[0]).toMatch('Another export of this project is running');
  });

  it('an export of somebody else that never ends is not waited for for ever', async () => {
    const bench = new ExportBench().states('queued');
    expect((await bench.run()).state).toMatchObject(failedWith('deadline-passed'));
    expect(bench.instance.times('request')).toHaveLength(0);
  });

  it('a finished export of somebody else is downloaded first where that is wanted', async () => {
    const bench = new ExportBench().states('finished', 'started', 'finished');
    const job = await bench.run({ keepExisting: true });
    expect(job.state.status).toBe('succeeded');
    const { calls } = bench.instance;
    const order = calls.map((call) => call.what).filter((what) => what === 'download' || what === 'request');
    expect(order).toEqual(['download', 'request', 'download']);
    const [kept, fresh] = bench.archives.stored;
    // Nobody counted the source when somebody else's export was made.
    expect(kept?.manifest.sourceCounts).toBeNull();
    expect(fresh?.manifest.sourceCounts).not.toBeNull();
    expect(job.result).toMatchObject({ archiveId: '2' });
  });

  it('a finished export of somebody else that is gone by then does not stop the backup', async () => {
    const bench = new ExportBench().states('finished', 'started', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', 'expired'), {});
    expect((await bench.run({ keepExisting: true })).state.status).toBe('succeeded');
    expect(bench.archives.stored).toHaveLength(1);
  });

  it('is not downloaded where nobody wants it', async () => {
    const bench = new ExportBench().states('finished', 'started', 'finished');
    await bench.run();
    expect(bench.instance.times('download')).toHaveLength(1);
  });
});

describe('the request', () => {
  it('needs the role Maintainer, and is not sent without it', async () => {
    const bench = new ExportBench();
    bench.instance.onProject = () => projectOf({ accessLevel: 30 });
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(0);
  });

  it('is left to the server where the role is not told', async () => {
    const bench = new ExportBench().states('none');
    bench.instance.onProject = () => projectOf({ accessLevel: null });
    bench.instance.onRequest = inTurn<undefined>(new AppError('role-too-low', '403'));
    expect((await bench.run()).state).toMatchObject(failedWith('role-too-low'));
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('that arrived without an answer is not sent again', async () => {
    const bench = new ExportBench().states('none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    const job = await bench.run();
    expect(job.state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(bench.waits(job)[0]).toMatch('answer to the export request was lost');
  });

  it('that is finished already is ours when there was no export before', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('is sent again when a finished export may be the one from before', async () => {
    const bench = new ExportBench().states('finished', 'finished', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('is sent again only after two looks, at least a minute apart, found nothing', async () => {
    const bench = new ExportBench().states('none', 'none', 'none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    const { calls } = bench.instance;
    const between = calls.slice(calls.findIndex(({ what }) => what === 'request'));
    expect(between.slice(0, 4).map(({ what }) => what)).toEqual(['request', 'state', 'state', 'request']);
    const [sent = 0, first = 0, second = 0] = between.map(({ at }) => at);
    expect(first - sent).toBeGreaterThanOrEqual(minute);
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('that fails every time is given up after three sendings, with the reason', async () => {
    const bench = new ExportBench().states('none');
    const broken = new AppError('server-error', 'The instance failed with HTTP 500.', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(broken);
    expect((await bench.run()).state).toMatchObject(failedWith('server-error'));
    expect(bench.instance.times('request')).toHaveLength(3);
  });

  it('of an earlier sending that arrives late is found when the second is refused', async () => {
    const bench = new ExportBench().states('none', 'none', 'none', 'started', 'finished');
    const busy = new AppError('export-refused', 'already running or queued', { retry: 'later' });
    bench.instance.onRequest = inTurn<undefined>(lost, busy);
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('keeps knowing of the first sending while the second waits for its turn', async () => {
    const bench = new ExportBench({ exportsPerMinute: 1, lookAgainMs: 20_000 });
    bench.states('none', 'none', 'none', 'started', 'finished');
    bench.instance.onRequest = inTurn<undefined>(lost, undefined);
    expect((await bench.run()).state.status).toBe('succeeded');
    // The export had arrived when its turn came.
    expect(bench.instance.times('request')).toHaveLength(1);
  });
});

describe('the limits of an instance', () => {
  it('at most six exports in any minute, one download per project, over twenty projects', async () => {
    const bench = new ExportBench();
    const asked = new Set<number>();
    bench.instance.onRequest = (project) => asked.add(project);
    bench.instance.onState = (project) => (asked.has(project) ? 'finished' : 'none');
    const jobs = Array.from({ length: 20 }, (_, at) =>
      bench.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    const begun = bench.clock.now();
    for (const { id } of jobs) expect((await bench.bench.ended(id)).state.status).toBe('succeeded');
    const requests = bench.instance.times('request');
    expect(requests).toHaveLength(20);
    for (const at of requests) {
      expect(requests.filter((other) => other >= at && other - at < minute).length).toBeLessThanOrEqual(6);
    }
    expect((requests.at(-1) ?? 0) - begun).toBeLessThan(4 * minute);
    for (const at of asked) expect(bench.instance.times('download', at)).toHaveLength(1);
  });

  it('a second download of a project waits for the minute to pass', async () => {
    const bench = new ExportBench().states('finished', 'started', 'finished');
    await bench.run({ keepExisting: true });
    const [first = 0, second = 0] = bench.instance.times('download');
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('a refusal for being too fast is waited out as long as the server asks, without holding a slot', async () => {
    const bench = new ExportBench({}, 1).states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: 5 * minute } });
    bench.instance.onRequest = inTurn<undefined>(slow, undefined);
    const first = bench.enqueue();
    const limited = await bench.bench.until(first.id, (job) => job.state.status === 'waiting');
    expect(limited.state).toMatchObject({ reason: 'rate-limited' });
    const other = bench.enqueue({ projectId: 8, fullPath: 'group/other' });
    await bench.bench.ended(other.id, 2 * minute);
    expect((await bench.bench.ended(first.id)).state.status).toBe('succeeded');
    const [refused = 0, again = 0, third] = bench.instance.times('request', 7);
    expect(again - refused).toBeGreaterThanOrEqual(5 * minute);
    expect(third).toBeUndefined();
  });

  it('being refused again and again makes no storm', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: minute } });
    bench.instance.onDownload = inTurn<object>(...Array<AppError>(10).fill(slow), {});
    expect((await bench.run()).state.status).toBe('succeeded');
    const times = bench.instance.times('download');
    expect(times).toHaveLength(11);
    for (const [at, time] of times.entries()) {
      expect(time - (times[at - 1] ?? -Infinity)).toBeGreaterThanOrEqual(minute);
    }
  });
});

describe('the download', () => {
  it('of a finished export that is gone is preceded by one more export, and by one only', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', '404'));
    expect((await bench.run()).state).toMatchObject(failedWith('export-gone'));
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.instance.times('download')).toHaveLength(2);
  });

  it('of a finished export that is gone succeeds with the second', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onDownload = inTurn<object>(new AppError('export-gone', '404'), {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
  });

  it('of an export that is not there yet is tried again without another export', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const soon = new AppError('export-gone', 'not available yet', { retry: 'later' });
    bench.instance.onDownload = inTurn<object>(soon, soon, {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
  });

  it('of a file from before the request is refused', async () => {
    const bench = new ExportBench().states('finished', 'finished');
    const lastModified = bench.clock.now() - minute;
    bench.instance.onDownload = inTurn<object>({ facts: { lastModified } }, {});
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(2);
    expect(bench.archives.stored).toHaveLength(1);
    expect(bench.archives.pending).toBe(0);
  });

  it('that cannot be read is kept in the trash folder and not asked for again where its length was right', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const broken = { code: 'gzip-damaged', severity: 'error', message: 'Cut short.', where: null } as const;
    bench.archives.onInspect = () => ({ ...soundInspection, verdict: 'unusable', findings: [broken] });
    bench.instance.onDownload = () => ({ facts: { totalBytes: 7 } });
    expect((await bench.run()).state).toMatchObject({
      status: 'failed',
      error: { code: 'archive-corrupt', details: { finding: 'gzip-damaged' } },
    });
    expect(bench.instance.times('download')).toHaveLength(1);
    expect(bench.archives.trash).toEqual(['Cut short.']);
    expect(bench.archives.stored).toEqual([]);
  });

  it('that cannot be read is tried again where the server told no length', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const broken = inTurn({ ...soundInspection, verdict: 'unusable' as const }, soundInspection);
    bench.archives.onInspect = broken;
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(1);
    expect(bench.instance.times('download')).toHaveLength(2);
  });

  it('for which there is no room fails at once, and tells so', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.archives.onBegin = () => {
      throw new AppError('disk-full', 'No room.', { retry: 'later' });
    };
    expect((await bench.run()).state).toMatchObject(failedWith('disk-full'));
    expect(bench.instance.times('download')).toHaveLength(1);
  });

  it('that an earlier try stored already is not repeated', async () => {
    const bench = new ExportBench().states('none', 'finished');
    const commit = bench.archives.begin.bind(bench.archives);
    let broken = true;
    bench.archives.begin = async (...given) => {
      const pending = await commit(...given);
      if (!broken) return pending;
      broken = false;
      return {
        ...pending,
        commit: async (fields) => {
          await pending.commit(fields);
          throw new AppError('catalogue-busy', 'The row could not be written.', { retry: 'later' });
        },
      };
    };
    expect((await bench.run()).state.status).toBe('succeeded');
    expect(bench.instance.times('download')).toHaveLength(1);
    expect(bench.archives.stored).toHaveLength(1);
  });
});

describe('what the archive lacks', () => {
  it('is a warning when the source had it before and after', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onCounts = () => countsOf(2, { issues: 5 });
    const job = await bench.run();
    expect(job.state).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'export-incomplete', where: 'issues' }],
    });
  });

  it('is told as a source that moved when it changed meanwhile', async () => {
    const bench = new ExportBench().states('none', 'finished');
    bench.instance.onCounts = inTurn(countsOf(2), countsOf(2, { issues: 3 }));
    const job = await bench.run();
    expect(job.result).toMatchObject({ findings: [{ code: 'source-moved' }] });
    expect(bench.archives.stored[0]?.manifest.findings).toMatchObject([{ code: 'source-moved' }]);
  });
});
