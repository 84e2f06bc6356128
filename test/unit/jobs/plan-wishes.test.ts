import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { projectOf } from '../../support/jobs/fake-instance.ts';
import { PlanHarness } from '../../support/jobs/plan-harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (time: string): string => new Date(time).toISOString();
const signal = new AbortController().signal;

/** Starts a harness at noon of the 20th with a plan that is due daily at 02:30 UTC. */
async function startHarness(): Promise<PlanHarness & { planId: string }> {
  const harness = new PlanHarness('2026-11-20T12:00:00Z');
  const { plan } = await harness.start('02:30');
  return Object.assign(harness, { planId: plan.id });
}

const runRequest = ({ planId }: { planId: string }) => ({ id: planId, keepsFailure: true });

describe('a paused plan', () => {
  it('starts no run, records each due time with the reason, and catches up once after the pause', async () => {
    const harness = await startHarness();
    const until = iso('2026-11-23T08:00:00Z');
    const [paused] = await harness.schedule.planChanges.pause(null, until);
    expect(paused).toMatchObject({ nextRunAt: until, overdue: null, plan: { pausedUntil: until } });
    for (let days = 0; days < 2; days++) await harness.sleepThrough(day);
    expect(harness.runs).toMatchObject([
      {
        dueAt: iso('2026-11-21T02:30:00Z'),
        outcome: 'skipped',
        skippedWhy: 'The plan was paused.',
        jobs: {},
      },
      { dueAt: iso('2026-11-22T02:30:00Z'), outcome: 'skipped', jobs: {} },
    ]);
    expect(harness.status).toMatchObject({ lastRun: null, overdue: null, nextRunAt: until });
    await harness.sleepThrough(20 * hour - minute);
    expect(harness.requestTimes).toEqual([]);
    await harness.clock.advance(2 * minute);
    expect(harness.requestTimes).toHaveLength(1);
    expect(harness.runs.map(({ dueAt, outcome }) => [dueAt?.slice(0, 10), outcome])).toEqual([
      ['2026-11-21', 'skipped'],
      ['2026-11-22', 'skipped'],
      ['2026-11-23', 'running'],
    ]);
    expect(harness.status).toMatchObject({
      nextRunAt: iso('2026-11-24T02:30:00Z'),
      plan: { pausedUntil: null },
      lastRun: { dueAt: iso('2026-11-23T02:30:00Z') },
    });
  });

  it('starts a run immediately when a user ends the pause, and the run replaces the skipped due time', async () => {
    const harness = await startHarness();
    await harness.schedule.planChanges.pause(harness.planId, iso('2027-01-01T00:00:00Z'));
    await harness.sleepThrough(day);
    expect(harness.runs).toMatchObject([{ outcome: 'skipped' }]);
    await harness.schedule.planChanges.pause(null, null);
    await harness.clock.advance(0);
    expect(harness.runs).toMatchObject([
      { dueAt: iso('2026-11-21T02:30:00Z'), skippedWhy: null, jobs: { queued: 1 } },
    ]);
  });

  it('runs at its next due time if nothing was due in the pause, and cannot be paused until a past time', async () => {
    const harness = await startHarness();
    const [paused] = await harness.schedule.planChanges.pause(harness.planId, iso('2026-11-20T20:00:00Z'));
    expect(paused?.nextRunAt).toBe(iso('2026-11-21T02:30:00Z'));
    await expect(harness.schedule.planChanges.pause(null, iso('2026-11-20T11:00:00Z'))).rejects.toMatchObject(
      {
        code: 'invalid-input',
      },
    );
  });
});

describe('a skipped due time', () => {
  it('starts no run, is recorded with the reason, is not caught up, and is the only one that is skipped', async () => {
    const harness = await startHarness();
    const skipped = await harness.schedule.planChanges.skipNext(harness.planId, true);
    expect(skipped).toMatchObject({
      nextRunAt: iso('2026-11-22T02:30:00Z'),
      plan: { skippedDue: iso('2026-11-21T02:30:00Z') },
    });
    // A second request returns the same time.
    expect(await harness.schedule.planChanges.skipNext(harness.planId, true)).toEqual(skipped);
    await harness.sleepThrough(day);
    expect(harness.runs).toMatchObject([
      {
        dueAt: iso('2026-11-21T02:30:00Z'),
        outcome: 'skipped',
        skippedWhy: expect.stringMatching(/skipped on request/) as unknown,
      },
    ]);
    expect(harness.status).toMatchObject({ overdue: null, plan: { skippedDue: null } });
    // A skipped time that has passed cannot be restored, and the next one can be skipped as well.
    await harness.schedule.planChanges.skipNext(harness.planId, false);
    await harness.schedule.planChanges.skipNext(harness.planId, true);
    await harness.clock.advance(hour);
    expect(harness.requestTimes).toEqual([]);
    await harness.sleepThrough(day);
    await harness.sleepThrough(day);
    expect(harness.firedDueTimes).toEqual(['21', '22', '23'].map((date) => iso(`2026-11-${date}T02:30:00Z`)));
    expect(harness.runs.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'running']);
  });

  it('starts a run if the skip is revoked in time or the schedule changes', async () => {
    const harness = await startHarness();
    await harness.schedule.planChanges.skipNext(harness.planId, true);
    expect(await harness.schedule.planChanges.skipNext(harness.planId, false)).toMatchObject({
      nextRunAt: iso('2026-11-21T02:30:00Z'),
    });
    await harness.schedule.planChanges.skipNext(harness.planId, true);
    await harness.save({ id: harness.planId, at: '03:00' });
    await harness.sleepThrough(day);
    expect(harness.runs).toMatchObject([{ dueAt: iso('2026-11-21T03:00:00Z'), skippedWhy: null }]);
  });

  it('is not caught up even if no process ran that could record it', async () => {
    const harness = await startHarness();
    await harness.schedule.planChanges.skipNext(harness.planId, true);
    await harness.schedule.scheduler.stop();
    harness.clock.jump(20 * hour);
    expect(harness.status.overdue).toBeNull();
    harness.schedule.scheduler.start();
    await harness.clock.advance(minute);
    expect(harness.requestTimes).toEqual([]);
    expect(harness.runs).toMatchObject([{ outcome: 'skipped' }]);
  });

  it('cannot be requested for a disabled plan', async () => {
    const harness = await startHarness();
    await harness.save({ id: harness.planId, enabled: false });
    await expect(harness.schedule.planChanges.skipNext(harness.planId, true)).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('a manual run of a plan', () => {
  it('starts now, counts as a run of the plan, and is joined by a second request while it is in progress', async () => {
    const harness = await startHarness();
    const { runId, jobs } = await harness.schedule.planRuns.run(runRequest(harness), signal);
    expect(jobs).toBe(1);
    expect(await harness.schedule.planRuns.run(runRequest(harness), signal)).toEqual({ runId, jobs });
    expect(harness.status.lastRun).toMatchObject({ runId, dueAt: iso('2026-11-20T12:00:00Z') });
    harness.endJobs();
    const again = await harness.schedule.planRuns
      .run(runRequest(harness), signal)
      .catch((thrown: unknown) => AppError.from(thrown));
    // Two runs within the same millisecond cannot be distinguished.
    expect(again).toMatchObject({ code: 'job-busy' });
    await harness.clock.advance(1);
    expect((await harness.schedule.planRuns.run(runRequest(harness), signal)).runId).not.toBe(runId);
  });

  it('catches up an overdue run, and also starts while the plan is disabled or paused', async () => {
    const harness = await startHarness();
    harness.holdsLease = false;
    await harness.sleepThrough(day);
    expect(harness.status.overdue).not.toBeNull();
    await harness.schedule.planRuns.run(runRequest(harness), signal);
    expect(harness.status).toMatchObject({ overdue: null, lastRun: { dueAt: iso('2026-11-21T02:30:00Z') } });
    harness.endJobs();
    await harness.schedule.planChanges.pause(null, iso('2027-01-01T00:00:00Z'));
    await harness.save({ id: harness.planId, enabled: false });
    expect((await harness.schedule.planRuns.run(runRequest(harness), signal)).jobs).toBe(1);
  });

  it('is stored as failed with the reason if the instance cannot be reached', async () => {
    const harness = await startHarness();
    harness.failRequests(new AppError('address-unknown', 'The name is not known.'));
    await expect(harness.schedule.planRuns.run(runRequest(harness), signal)).rejects.toMatchObject({
      code: 'address-unknown',
    });
    expect(harness.runs).toMatchObject([
      { outcome: 'failed', jobs: {}, notes: [{ severity: 'warning', error: { code: 'address-unknown' } }] },
    ]);
  });
});

describe('the notes of a run', () => {
  it('name the projects that the plan finds for the first time, except those of its first run', async () => {
    const harness = await startHarness();
    await harness.sleepThrough(day);
    harness.endJobs();
    expect(harness.runs).toMatchObject([{ notes: [] }]);
    harness.onProjects = () =>
      ['b/two', 'a/one', 'group/project'].map((fullPath, at) => projectOf({ id: 9 - at, fullPath }));
    await harness.sleepThrough(day);
    harness.endJobs();
    expect(harness.runs[1]?.notes).toEqual([{ severity: 'info', message: '2 new projects: a/one, b/two.' }]);
    await harness.sleepThrough(day);
    harness.endJobs();
    expect(harness.runs[2]).toMatchObject({ notes: [], outcome: 'succeeded' });
  });

  it('name the chosen projects that are missing or may not be exported, and the run ends with warnings', async () => {
    const harness = await startHarness();
    harness.onProjects = () => [
      projectOf({ id: 1, fullPath: 'a/renamed' }),
      projectOf({ id: 2, fullPath: 'a/low', accessLevel: 30 }),
    ];
    await harness.save({
      id: harness.planId,
      selection: { kind: 'projects', projects: [1, 2, 3].map((id) => ({ id, fullPath: `a/${id}` })) },
    });
    await harness.sleepThrough(day);
    expect(harness.jobs.openJobs().map(({ project }) => project)).toEqual(['a/renamed']);
    harness.endJobs();
    expect(harness.runs).toMatchObject([
      {
        outcome: 'warnings',
        notes: [
          {
            severity: 'warning',
            message: 'Not backed up: a/low: an export needs the role Maintainer.',
            notBackedUp: 1,
          },
          {
            severity: 'warning',
            message: 'Not backed up: a/3: it was deleted, or this account can no longer see it.',
            notBackedUp: 1,
          },
        ],
      },
    ]);
  });
});

describe('the history of a plan', () => {
  it('has an entry for each date in its time zone: the worst outcome of its runs, missed, skipped, or nothing due', async () => {
    const harness = await startHarness();
    await harness.sleepThrough(day);
    harness.endJobs();
    await harness.schedule.planChanges.skipNext(harness.planId, true);
    await harness.sleepThrough(day);
    await harness.schedule.scheduler.stop();
    harness.clock.jump(2 * day);
    const days = (count: number) => harness.schedule.plans.history(count).plans[0]?.days;
    expect(days(7)?.map(({ date, outcome }) => [date, outcome])).toEqual([
      ['2026-11-18', null],
      ['2026-11-19', null],
      ['2026-11-20', null],
      ['2026-11-21', 'succeeded'],
      ['2026-11-22', 'skipped'],
      ['2026-11-23', 'missed'],
      ['2026-11-24', 'missed'],
    ]);
    const { runId } = await harness.schedule.planRuns.run(runRequest(harness), signal);
    expect(days(1)).toEqual([{ date: '2026-11-24', outcome: 'running', runId }]);
    harness.endJobs();
    harness.failRequests(new AppError('address-unknown', 'The name is not known.'));
    await harness.clock.advance(1);
    await expect(harness.schedule.planRuns.run(runRequest(harness), signal)).rejects.toThrow();
    harness.failRequests(null);
    await harness.clock.advance(1);
    await harness.schedule.planRuns.run(runRequest(harness), signal);
    const runsOfDay = harness.runs.slice(-3);
    expect(runsOfDay.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'running']);
    expect(days(1)).toEqual([{ date: '2026-11-24', outcome: 'failed', runId: runsOfDay[1]?.id }]);
  });

  it('of an hourly plan has one entry for each day of a year', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.addInstance('source');
    await harness.save({ schedule: { kind: 'hourly', minute: 0, timeZone: 'Europe/Berlin' } });
    harness.clock.jump(365 * day);
    const days = harness.schedule.plans.history(366).plans[0]?.days ?? [];
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([366, '2026-11-20', '2027-11-20']);
    expect(new Set(days.map(({ outcome }) => outcome))).toEqual(new Set(['missed']));
  });
});

it('a run that was missed during sleep is reported within a minute and caught up when the network is available again', async () => {
  const harness = await startHarness();
  harness.failRequests(new AppError('address-unknown', 'The name is not known.', { retry: 'later' }));
  harness.clock.jump(7 * day);
  await harness.clock.advance(minute);
  expect(harness.status.overdue).toMatchObject({
    since: iso('2026-11-21T02:30:00Z'),
    error: { code: 'address-unknown' },
  });
  harness.failRequests(null);
  await harness.clock.advance(2 * minute);
  expect(harness.firedDueTimes).toEqual([iso('2026-11-27T02:30:00Z')]);
  await harness.clock.advance(hour);
  expect(harness.runs).toHaveLength(1);
});
