import { beforeEach, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { RunStore } from '../../../../src-main/catalogue/runs/runs.ts';
import type { StoredJob, JobState } from '../../../../src-contract/runs/job.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';

const began = Date.UTC(2026, 10, 20, 2, 30);
const minuteMs = 60_000;
const event = { type: 'changed', message: 'for a test' };
const time = (minutes: number): string => new Date(began + minutes * minuteMs).toISOString();

let catalogue: Catalogue;
let jobs: JobStore;
let runs: RunStore;
let runStore: number;
beforeEach(() => {
  catalogue = catalogueForTest();
  jobs = new JobStore(catalogue);
  runs = new RunStore(catalogue, jobs);
  runStore = 0;
});

function fire(projects: string[], forecast: { endsAt: number; count: number; known: number } | null) {
  const id = jobs.newId(began);
  runStore += 1;
  const fired = runs.fire(
    { id, kind: 'export', request: {}, at: began, planId: 'plan', dueAt: began + runStore, forecast },
    projects.map((project) => ({
      id: jobs.newId(began),
      kind: 'export',
      instance: 'source',
      project,
      input: { projectId: 1 },
      firstStep: 'prepare',
    })),
  );
  return { id, jobs: fired?.jobs ?? [] };
}

/** Lets the job wait for five minutes, and ends it `minutes` after its request. */
function store(
  job: StoredJob | undefined,
  minutes: number,
  state: JobState = { status: 'succeeded', warnings: [] },
) {
  if (job === undefined) throw new Error('There is no such job.');
  const requestedAt = began + 5 * minuteMs;
  const storedAt = requestedAt + minutes * minuteMs;
  jobs.beginStep(job.id, 'prepare', began);
  jobs.finishStep(job.id, 'prepare', null, 'request', event, requestedAt);
  jobs.beginStep(job.id, 'request', requestedAt);
  jobs.finishStep(job.id, 'request', null, 'store', event, requestedAt);
  jobs.beginStep(job.id, 'store', requestedAt);
  if (state.status === 'succeeded') jobs.finishStep(job.id, 'store', null, null, event, storedAt);
  const { revision } = jobs.get(job.id) ?? job;
  jobs.change(job.id, revision, { state, event, at: storedAt });
}

const forecast = { endsAt: began + 30 * minuteMs, count: 3, known: 2 };

/** Stores a run in which `g/a` took 4 minutes and `g/b` 10. */
function history(): void {
  const before = fire(['g/a', 'g/b'], null);
  store(before.jobs[0], 4);
  store(before.jobs[1], 10);
}

describe('the forecast of a run', () => {
  test('is stored with the run, and is reported alone until the run has ended', () => {
    history();
    const run = fire(['g/a', 'g/b', 'g/new'], forecast);
    store(run.jobs[0], 4);
    expect(runs.forecasts.forRun(run.id)).toEqual({
      ...{ startsAt: time(0), endsAt: time(30), count: 3, known: 2 },
      came: null,
    });
  });

  test('is compared with the end of the run, and each project with its last duration from request to archive', () => {
    history();
    const run = fire(['G/A', 'g/b', 'g/new'], forecast);
    store(run.jobs[0], 12);
    store(run.jobs[1], 9);
    store(run.jobs[2], 40);
    const came = {
      endedAt: time(45),
      furthestOff: [
        { project: 'G/A', expectedMs: 4 * minuteMs, tookMs: 12 * minuteMs },
        { project: 'g/b', expectedMs: 10 * minuteMs, tookMs: 9 * minuteMs },
      ],
    };
    expect(runs.forecasts.forRun(run.id)?.came).toEqual(came);
    const next = fire(['g/a'], forecast);
    store(next.jobs[0], 20);
    expect(runs.forecasts.forRun(next.id)?.came?.furthestOff).toEqual([
      { project: 'g/a', expectedMs: 12 * minuteMs, tookMs: 20 * minuteMs },
    ]);
    expect(runs.forecasts.forRun(run.id)?.came).toEqual(came);
  });

  test('is compared also if a project failed, which has no duration', () => {
    history();
    const run = fire(['g/a', 'g/b'], forecast);
    const error = { code: 'timeout', message: 'm', retry: 'later', details: {} } as const;
    store(run.jobs[0], 4);
    store(run.jobs[1], 50, { status: 'failed', error });
    expect(runs.forecasts.forRun(run.id)?.came).toEqual({ endedAt: time(55), furthestOff: [] });
  });

  test('is not compared if the run stored nothing, or if a part of it was cancelled', () => {
    history();
    const cut = fire(['g/a', 'g/b'], forecast);
    store(cut.jobs[0], 4);
    store(cut.jobs[1], 1, { status: 'cancelled', by: 'somebody' });
    expect(runs.forecasts.forRun(cut.id)?.came).toBeNull();
    const idle = fire(['g/a'], forecast);
    store(idle.jobs[0], 1, { status: 'skipped', why: 'nothing has changed' });
    expect(runs.forecasts.forRun(idle.id)?.came).toBeNull();
  });

  test('is null for a run without a forecast, and for an unknown run', () => {
    expect(runs.forecasts.forRun(fire(['g/a'], null).id)).toBeNull();
    expect(runs.forecasts.forRun('no such run')).toBeNull();
  });
});
