import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import { PlanHarness } from '../../../support/jobs/plan-harness.ts';

const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;
const day = 24 * hour;
const offline = new AppError('address-unknown', 'The name is not known.', { retry: 'later' });
const iso = (time: string): string => new Date(time).toISOString();

describe('a plan', () => {
  it('starts a run at its due time, with a job for each project that may be exported', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    harness.onProjects = () => [
      projectOf({ id: 1, fullPath: 'g/mine' }),
      projectOf({ id: 2, fullPath: 'g/reported', accessLevel: 20 }),
      projectOf({ id: 3, fullPath: 'g/unsaid', accessLevel: null }),
    ];
    const { plan, nextRunAt } = await harness.start('02:30', { keepLast: 7 });
    expect(nextRunAt).toBe(iso('2026-11-21T02:30:00Z'));
    await harness.clock.advance(14 * hour + 30 * minute - 1);
    expect(harness.runs).toEqual([]);
    await harness.clock.advance(1 + second);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-21T02:30:00Z')]);
    expect(harness.jobs.openJobs().map(({ project, kind, step }) => [project, kind, step])).toEqual([
      ['g/mine', 'export', 'prepare'],
      ['g/unsaid', 'export', 'prepare'],
    ]);
    expect(harness.plansOfJobs).toEqual([plan.id, plan.id]);
    expect(harness.status).toMatchObject({
      nextRunAt: iso('2026-11-22T02:30:00Z'),
      lastRun: { dueAt: iso('2026-11-21T02:30:00Z'), outcome: 'running' },
      overdue: null,
    });
  });

  it('runs once a day in its own time zone, even if daylight saving skips its time', async () => {
    const harness = new PlanHarness('2026-03-28T00:00:00Z');
    await harness.start('02:30', { timeZone: 'Europe/Berlin' });
    for (let days = 0; days < 4; days++) {
      await harness.clock.advance(2 * hour);
      expect(harness.runs).toHaveLength(days + 1);
      harness.endJobs();
      await harness.sleepThrough(22 * hour);
    }
    expect(harness.firedDueTimes).toEqual([
      iso('2026-03-28T01:30:00Z'),
      iso('2026-03-29T01:00:00Z'),
      iso('2026-03-30T00:30:00Z'),
      iso('2026-03-31T00:30:00Z'),
    ]);
  });

  it('without a project to export still starts a run, with a warning', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.onProjects = () => [];
    await harness.start('02:30');
    await harness.clock.advance(3 * minute);
    expect(harness.runs).toMatchObject([{ outcome: 'warnings', jobs: {} }]);
    expect(harness.status.overdue).toBeNull();
  });

  it('joins the open jobs of its last run and reports which projects it leaves out', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    const { plan } = await harness.start('02:30', { keepLast: 7 });
    await harness.clock.advance(2 * minute);
    await harness.save({ id: plan.id, keepLast: 3 });
    await harness.clock.advance(day);
    expect(harness.runs).toMatchObject([
      { jobs: { queued: 1 } },
      { jobs: { queued: 1 }, leftOut: { count: 0 } },
    ]);
    expect(harness.jobs.openJobs()).toHaveLength(1);
    // The project was deleted, and another was created at its path.
    harness.onProjects = () => [projectOf({ id: 99 })];
    await harness.sleepThrough(day);
    expect(harness.runs.at(-1)).toMatchObject({
      outcome: 'warnings',
      leftOut: { count: 1, projects: ['group/project'] },
    });
    expect(harness.jobs.openJobs()).toHaveLength(1);
  });

  it('that is disabled starts no run and does not catch up when it is enabled', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    const { plan } = await harness.start('02:30');
    const off = await harness.save({ id: plan.id, enabled: false });
    expect(off).toMatchObject({ nextRunAt: null, overdue: null });
    await harness.clock.advance(2 * day);
    const on = await harness.save({ id: plan.id, enabled: true });
    expect(on).toMatchObject({ nextRunAt: iso('2026-11-22T02:30:00Z'), overdue: null });
    await harness.clock.advance(30 * second);
    expect(harness.runs).toEqual([]);
    await harness.clock.advance(minute);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-22T02:30:00Z')]);
  });

  it('with a changed time does not run for that time if it has passed today', async () => {
    const harness = new PlanHarness('2026-11-20T10:00:00Z');
    const { plan } = await harness.start('13:00');
    await harness.clock.advance(2 * hour);
    await harness.save({ id: plan.id, at: '11:00' });
    await harness.clock.advance(3 * minute);
    expect(harness.runs).toEqual([]);
    await harness.sleepThrough(day);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-21T11:00:00Z')]);
  });

  it('that is changed while its projects are requested runs as changed, or not at all if it was deleted', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    const answer = Promise.withResolvers<Project[]>();
    harness.onProjects = () => answer.promise;
    const { plan } = await harness.start('02:30', { keepLast: 9 });
    await harness.clock.advance(2 * minute);
    expect(harness.requestTimes).toHaveLength(1);
    await harness.save({ id: plan.id, keepLast: 2 });
    answer.resolve([projectOf()]);
    await harness.clock.advance(second);
    expect(harness.runs).toHaveLength(1);
    expect(harness.requestTimes).toHaveLength(2);

    const late = Promise.withResolvers<Project[]>();
    harness.onProjects = () => late.promise;
    await harness.sleepThrough(day);
    await harness.schedule.planChanges.remove(plan.id);
    late.resolve([projectOf()]);
    await harness.clock.advance(second);
    expect(harness.runs).toHaveLength(1);
  });
});

describe('a missed due time', () => {
  it('is caught up once after a sleep of three days', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.start('02:30');
    harness.clock.jump(3 * day);
    expect(harness.status.overdue).toEqual({ since: iso('2026-11-21T02:30:00Z'), error: null });
    await harness.clock.advance(minute);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-23T02:30:00Z')]);
    expect(harness.status).toMatchObject({ overdue: null, nextRunAt: iso('2026-11-24T02:30:00Z') });
    await harness.clock.advance(hour);
    expect(harness.runs).toHaveLength(1);
  });

  it('is caught up immediately when the machine wakes', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.start('02:30');
    await harness.clock.advance(second);
    harness.clock.jump(day);
    harness.schedule.scheduler.wake();
    await harness.clock.advance(0);
    expect(harness.runs).toHaveLength(1);
  });

  it('is caught up by a process that starts later, and by only one of two processes', async () => {
    const first = new PlanHarness('2026-11-20T12:00:00Z');
    await first.addInstance('source');
    await first.save({});
    first.clock.jump(2 * day);
    const second = new PlanHarness('', first);
    first.schedule.scheduler.start();
    second.schedule.scheduler.start();
    await first.clock.advance(2 * minute);
    expect([first.requestTimes.length, second.requestTimes.length]).toEqual([1, 1]);
    expect(first.firedDueTimes).toEqual([iso('2026-11-22T02:30:00Z')]);
  });

  it('waits until the process runs the jobs', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.holdsLease = false;
    await harness.start('02:30');
    await harness.clock.advance(hour);
    expect(harness.requestTimes).toEqual([]);
    expect(harness.status.overdue).toEqual({ since: iso('2026-11-20T02:30:00Z'), error: null });
    harness.holdsLease = true;
    await harness.clock.advance(2 * second);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-20T02:30:00Z')]);
  });
});

describe('a plan whose run cannot start', () => {
  it('is overdue with the reason, is retried after growing waits, and then runs once', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.failRequests(offline);
    await harness.start('02:30');
    await harness.clock.advance(minute + 5 * second);
    expect(harness.status.overdue).toEqual({ since: iso('2026-11-20T02:30:00Z'), error: offline.toData() });
    await harness.clock.advance(2 * hour);
    const waits = harness.requestTimes.slice(1).map((at, index) => at - (harness.requestTimes[index] ?? 0));
    const doubling = [30, 60, 120, 240, 480].map((seconds) => seconds * second);
    expect(waits.slice(0, 5)).toEqual(doubling);
    expect(new Set(waits.slice(5))).toEqual(new Set([10 * minute]));
    harness.failRequests(null);
    await harness.clock.advance(10 * minute);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-20T02:30:00Z')]);
    expect(harness.status.overdue).toBeNull();
    await harness.clock.advance(10 * hour);
    expect(harness.runs).toHaveLength(1);
  });

  it('is retried immediately when the program is woken', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.failRequests(offline);
    await harness.start('02:30');
    await harness.clock.advance(hour);
    const before = harness.requestTimes.length;
    harness.schedule.scheduler.wake();
    await harness.clock.advance(0);
    expect(harness.requestTimes).toHaveLength(before + 1);
    // The waits start again: a network that is just coming up needs a moment.
    await harness.clock.advance(30 * second);
    expect(harness.requestTimes).toHaveLength(before + 2);
  });

  it('runs only for the newest due time if others passed in the meantime', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.failRequests(offline);
    await harness.start('02:30');
    await harness.clock.advance(hour);
    await harness.sleepThrough(day);
    await harness.sleepThrough(day);
    expect(harness.status.overdue).toMatchObject({ since: iso('2026-11-20T02:30:00Z') });
    harness.failRequests(null);
    await harness.clock.advance(10 * minute);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-22T02:30:00Z')]);
    expect(harness.status.overdue).toBeNull();
  });

  it('is retried at its next due time, however long the wait has become', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.failRequests(offline);
    await harness.start('02:30');
    await harness.clock.advance(hour);
    harness.clock.jump(23 * hour);
    harness.failRequests(null);
    const before = harness.requestTimes.length;
    await harness.clock.advance(minute + second);
    expect(harness.requestTimes).toHaveLength(before + 1);
    expect(harness.requestTimes.at(-1)).toBe(Date.parse('2026-11-21T02:30:00Z'));
  });

  it('reports its reason in another process too', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    harness.failRequests(new AppError('token-missing', 'No token.'));
    await harness.start('02:30');
    await harness.clock.advance(2 * minute);
    const other = new PlanHarness('', harness);
    expect(other.status.overdue?.error).toMatchObject({ code: 'token-missing' });
  });

  it('does not delay the other plans', async () => {
    const harness = new PlanHarness('2026-11-20T02:29:00Z');
    await harness.start('02:30');
    await harness.addInstance('other');
    await harness.save({ instance: 'other' });
    const never = Promise.withResolvers<Project[]>();
    const answers = [never.promise, Promise.resolve([projectOf()])];
    harness.onProjects = () => answers.shift() ?? [];
    await harness.clock.advance(2 * minute);
    expect(harness.runs).toHaveLength(1);
    never.resolve([]);
    await harness.clock.advance(second);
    expect(harness.runs).toHaveLength(2);
  });
});

describe('a clock that is set', () => {
  it('back by a day starts no run twice', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.start('02:30');
    await harness.sleepThrough(day);
    harness.endJobs();
    harness.clock.jump(-day);
    await harness.clock.advance(minute);
    expect(harness.status).toMatchObject({ nextRunAt: iso('2026-11-22T02:30:00Z'), overdue: null });
    await harness.sleepThrough(day);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-21T02:30:00Z')]);
    await harness.sleepThrough(day);
    expect(harness.firedDueTimes).toEqual([iso('2026-11-21T02:30:00Z'), iso('2026-11-22T02:30:00Z')]);
  });

  it('ahead by a day and back again several times starts only one more run', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.start('02:30');
    await harness.sleepThrough(day);
    harness.clock.jump(day);
    await harness.clock.advance(hour);
    expect(harness.runs).toHaveLength(2);
    for (const direction of [-1, 1, -1, 1, -1]) {
      harness.clock.jump(direction * day);
      await harness.clock.advance(2 * minute);
    }
    expect(harness.firedDueTimes).toEqual([iso('2026-11-21T02:30:00Z'), iso('2026-11-22T02:30:00Z')]);
  });

  it('years ahead for a moment does not suspend the plan for years', async () => {
    const harness = new PlanHarness('2026-11-20T12:00:00Z');
    await harness.start('02:30');
    harness.clock.jump(1_000 * day);
    await harness.clock.advance(2 * minute);
    expect(harness.runs).toHaveLength(1);
    harness.clock.jump(-1_000 * day);
    await harness.sleepThrough(day);
    expect(harness.firedDueTimes.at(-1)).toBe(iso('2026-11-21T02:30:00Z'));
    expect(harness.status.nextRunAt).toBe(iso('2026-11-22T02:30:00Z'));
  });

  it('years ahead while the plan is saved does not suspend it for years', async () => {
    const harness = new PlanHarness('2036-11-20T12:00:00Z');
    await harness.start('02:30');
    harness.clock.jump(-3_652 * day);
    await harness.clock.advance(2 * minute);
    expect(harness.runs).toHaveLength(1);
    await harness.sleepThrough(day);
    expect(harness.runs).toHaveLength(2);
  });
});

it('a scheduler that stops abandons its request for projects and leaves the plan due', async () => {
  const harness = new PlanHarness('2026-11-20T02:29:00Z');
  const answer = Promise.withResolvers<Project[]>();
  harness.onProjects = () => answer.promise;
  await harness.start('02:30');
  await harness.clock.advance(2 * minute);
  const stopped = harness.schedule.scheduler.stop();
  answer.resolve([projectOf()]);
  await harness.clock.finish(stopped);
  expect(harness.runs).toEqual([]);
  harness.schedule.scheduler.start();
  await harness.clock.advance(second);
  expect(harness.firedDueTimes).toEqual([iso('2026-11-20T02:30:00Z')]);
});
