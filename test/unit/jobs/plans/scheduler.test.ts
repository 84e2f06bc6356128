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
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    bench.onProjects = () => [
      projectOf({ id: 1, fullPath: 'g/mine' }),
      projectOf({ id: 2, fullPath: 'g/reported', accessLevel: 20 }),
      projectOf({ id: 3, fullPath: 'g/unsaid', accessLevel: null }),
    ];
    const { plan, nextRunAt } = await bench.begin('02:30', { keepLast: 7 });
    expect(nextRunAt).toBe(iso('2026-11-21T02:30:00Z'));
    await bench.clock.advance(14 * hour + 30 * minute - 1);
    expect(bench.runs).toEqual([]);
    await bench.clock.advance(1 + second);
    expect(bench.fired).toEqual([iso('2026-11-21T02:30:00Z')]);
    expect(bench.jobs.openJobs().map(({ project, kind, step }) => [project, kind, step])).toEqual([
      ['g/mine', 'export', 'prepare'],
      ['g/unsaid', 'export', 'prepare'],
    ]);
    expect(bench.plansOfJobs).toEqual([plan.id, plan.id]);
    expect(bench.status).toMatchObject({
      nextRunAt: iso('2026-11-22T02:30:00Z'),
      lastRun: { dueAt: iso('2026-11-21T02:30:00Z'), outcome: 'running' },
      overdue: null,
    });
  });

  it('runs once a day in its own time zone, even if daylight saving skips its time', async () => {
    const bench = new PlanHarness('2026-03-28T00:00:00Z');
    await bench.begin('02:30', { timeZone: 'Europe/Berlin' });
    for (let days = 0; days < 4; days++) {
      await bench.clock.advance(2 * hour);
      expect(bench.runs).toHaveLength(days + 1);
      bench.endJobs();
      await bench.sleepThrough(22 * hour);
    }
    expect(bench.fired).toEqual([
      iso('2026-03-28T01:30:00Z'),
      iso('2026-03-29T01:00:00Z'),
      iso('2026-03-30T00:30:00Z'),
      iso('2026-03-31T00:30:00Z'),
    ]);
  });

  it('without a project to export still starts a run, with a warning', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.onProjects = () => [];
    await bench.begin('02:30');
    await bench.clock.advance(3 * minute);
    expect(bench.runs).toMatchObject([{ outcome: 'warnings', jobs: {} }]);
    expect(bench.status.overdue).toBeNull();
  });

  it('joins the open jobs of its last run and reports which projects it leaves out', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    const { plan } = await bench.begin('02:30', { keepLast: 7 });
    await bench.clock.advance(2 * minute);
    await bench.save({ id: plan.id, keepLast: 3 });
    await bench.clock.advance(day);
    expect(bench.runs).toMatchObject([
      { jobs: { queued: 1 } },
      { jobs: { queued: 1 }, leftOut: { count: 0 } },
    ]);
    expect(bench.jobs.openJobs()).toHaveLength(1);
    // The project was deleted, and another was created at its path.
    bench.onProjects = () => [projectOf({ id: 99 })];
    await bench.sleepThrough(day);
    expect(bench.runs.at(-1)).toMatchObject({
      outcome: 'warnings',
      leftOut: { count: 1, projects: ['group/project'] },
    });
    expect(bench.jobs.openJobs()).toHaveLength(1);
  });

  it('that is disabled starts no run and does not catch up when it is enabled', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    const { plan } = await bench.begin('02:30');
    const off = await bench.save({ id: plan.id, enabled: false });
    expect(off).toMatchObject({ nextRunAt: null, overdue: null });
    await bench.clock.advance(2 * day);
    const on = await bench.save({ id: plan.id, enabled: true });
    expect(on).toMatchObject({ nextRunAt: iso('2026-11-22T02:30:00Z'), overdue: null });
    await bench.clock.advance(30 * second);
    expect(bench.runs).toEqual([]);
    await bench.clock.advance(minute);
    expect(bench.fired).toEqual([iso('2026-11-22T02:30:00Z')]);
  });

  it('with a changed time does not run for that time if it has passed today', async () => {
    const bench = new PlanHarness('2026-11-20T10:00:00Z');
    const { plan } = await bench.begin('13:00');
    await bench.clock.advance(2 * hour);
    await bench.save({ id: plan.id, at: '11:00' });
    await bench.clock.advance(3 * minute);
    expect(bench.runs).toEqual([]);
    await bench.sleepThrough(day);
    expect(bench.fired).toEqual([iso('2026-11-21T11:00:00Z')]);
  });

  it('that is changed while its projects are requested runs as changed, or not at all if it was deleted', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    const answer = Promise.withResolvers<Project[]>();
    bench.onProjects = () => answer.promise;
    const { plan } = await bench.begin('02:30', { keepLast: 9 });
    await bench.clock.advance(2 * minute);
    expect(bench.asked).toHaveLength(1);
    await bench.save({ id: plan.id, keepLast: 2 });
    answer.resolve([projectOf()]);
    await bench.clock.advance(second);
    expect(bench.runs).toHaveLength(1);
    expect(bench.asked).toHaveLength(2);

    const late = Promise.withResolvers<Project[]>();
    bench.onProjects = () => late.promise;
    await bench.sleepThrough(day);
    await bench.schedule.planChanges.remove(plan.id);
    late.resolve([projectOf()]);
    await bench.clock.advance(second);
    expect(bench.runs).toHaveLength(1);
  });
});

describe('a missed due time', () => {
  it('is caught up once after a sleep of three days', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.begin('02:30');
    bench.clock.jump(3 * day);
    expect(bench.status.overdue).toEqual({ since: iso('2026-11-21T02:30:00Z'), error: null });
    await bench.clock.advance(minute);
    expect(bench.fired).toEqual([iso('2026-11-23T02:30:00Z')]);
    expect(bench.status).toMatchObject({ overdue: null, nextRunAt: iso('2026-11-24T02:30:00Z') });
    await bench.clock.advance(hour);
    expect(bench.runs).toHaveLength(1);
  });

  it('is caught up immediately when the machine wakes', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.begin('02:30');
    await bench.clock.advance(second);
    bench.clock.jump(day);
    bench.schedule.scheduler.wake();
    await bench.clock.advance(0);
    expect(bench.runs).toHaveLength(1);
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
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    expect(first.fired).toEqual([iso('2026-11-22T02:30:00Z')]);
  });

  it('waits until the process runs the jobs', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.holdsLease = false;
    await bench.begin('02:30');
    await bench.clock.advance(hour);
    expect(bench.asked).toEqual([]);
    expect(bench.status.overdue).toEqual({ since: iso('2026-11-20T02:30:00Z'), error: null });
    bench.holdsLease = true;
    await bench.clock.advance(2 * second);
    expect(bench.fired).toEqual([iso('2026-11-20T02:30:00Z')]);
  });
});

describe('a plan whose run cannot start', () => {
  it('is overdue with the reason, is retried after growing waits, and then runs once', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.cut(offline);
    await bench.begin('02:30');
    await bench.clock.advance(minute + 5 * second);
    expect(bench.status.overdue).toEqual({ since: iso('2026-11-20T02:30:00Z'), error: offline.toData() });
    await bench.clock.advance(2 * hour);
    const waits = bench.asked.slice(1).map((at, index) => at - (bench.asked[index] ?? 0));
    const doubling = [30, 60, 120, 240, 480].map((seconds) => seconds * second);
    expect(waits.slice(0, 5)).toEqual(doubling);
    expect(new Set(waits.slice(5))).toEqual(new Set([10 * minute]));
    bench.cut(null);
    await bench.clock.advance(10 * minute);
    expect(bench.fired).toEqual([iso('2026-11-20T02:30:00Z')]);
    expect(bench.status.overdue).toBeNull();
    await bench.clock.advance(10 * hour);
    expect(bench.runs).toHaveLength(1);
  });

  it('is retried immediately when the program is woken', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.cut(offline);
    await bench.begin('02:30');
    await bench.clock.advance(hour);
    const before = bench.asked.length;
    bench.schedule.scheduler.wake();
    await bench.clock.advance(0);
    expect(bench.asked).toHaveLength(before + 1);
    // The waits start again: a network that is just coming up needs a moment.
    await bench.clock.advance(30 * second);
    expect(bench.asked).toHaveLength(before + 2);
  });

  it('runs only for the newest due time if others passed in the meantime', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.cut(offline);
    await bench.begin('02:30');
    await bench.clock.advance(hour);
    await bench.sleepThrough(day);
    await bench.sleepThrough(day);
    expect(bench.status.overdue).toMatchObject({ since: iso('2026-11-20T02:30:00Z') });
    bench.cut(null);
    await bench.clock.advance(10 * minute);
    expect(bench.fired).toEqual([iso('2026-11-22T02:30:00Z')]);
    expect(bench.status.overdue).toBeNull();
  });

  it('is retried at its next due time, however long the wait has become', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.cut(offline);
    await bench.begin('02:30');
    await bench.clock.advance(hour);
    bench.clock.jump(23 * hour);
    bench.cut(null);
    const before = bench.asked.length;
    await bench.clock.advance(minute + second);
    expect(bench.asked).toHaveLength(before + 1);
    expect(bench.asked.at(-1)).toBe(Date.parse('2026-11-21T02:30:00Z'));
  });

  it('reports its reason in another process too', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    bench.cut(new AppError('token-missing', 'No token.'));
    await bench.begin('02:30');
    await bench.clock.advance(2 * minute);
    const other = new PlanHarness('', bench);
    expect(other.status.overdue?.error).toMatchObject({ code: 'token-missing' });
  });

  it('does not delay the other plans', async () => {
    const bench = new PlanHarness('2026-11-20T02:29:00Z');
    await bench.begin('02:30');
    await bench.addInstance('other');
    await bench.save({ instance: 'other' });
    const never = Promise.withResolvers<Project[]>();
    const answers = [never.promise, Promise.resolve([projectOf()])];
    bench.onProjects = () => answers.shift() ?? [];
    await bench.clock.advance(2 * minute);
    expect(bench.runs).toHaveLength(1);
    never.resolve([]);
    await bench.clock.advance(second);
    expect(bench.runs).toHaveLength(2);
  });
});

describe('a clock that is set', () => {
  it('back by a day starts no run twice', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.begin('02:30');
    await bench.sleepThrough(day);
    bench.endJobs();
    bench.clock.jump(-day);
    await bench.clock.advance(minute);
    expect(bench.status).toMatchObject({ nextRunAt: iso('2026-11-22T02:30:00Z'), overdue: null });
    await bench.sleepThrough(day);
    expect(bench.fired).toEqual([iso('2026-11-21T02:30:00Z')]);
    await bench.sleepThrough(day);
    expect(bench.fired).toEqual([iso('2026-11-21T02:30:00Z'), iso('2026-11-22T02:30:00Z')]);
  });

  it('ahead by a day and back again several times starts only one more run', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.begin('02:30');
    await bench.sleepThrough(day);
    bench.clock.jump(day);
    await bench.clock.advance(hour);
    expect(bench.runs).toHaveLength(2);
    for (const direction of [-1, 1, -1, 1, -1]) {
      bench.clock.jump(direction * day);
      await bench.clock.advance(2 * minute);
    }
    expect(bench.fired).toEqual([iso('2026-11-21T02:30:00Z'), iso('2026-11-22T02:30:00Z')]);
  });

  it('years ahead for a moment does not suspend the plan for years', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.begin('02:30');
    bench.clock.jump(1_000 * day);
    await bench.clock.advance(2 * minute);
    expect(bench.runs).toHaveLength(1);
    bench.clock.jump(-1_000 * day);
    await bench.sleepThrough(day);
    expect(bench.fired.at(-1)).toBe(iso('2026-11-21T02:30:00Z'));
    expect(bench.status.nextRunAt).toBe(iso('2026-11-22T02:30:00Z'));
  });

  it('years ahead while the plan is saved does not suspend it for years', async () => {
    const bench = new PlanHarness('2036-11-20T12:00:00Z');
    await bench.begin('02:30');
    bench.clock.jump(-3_652 * day);
    await bench.clock.advance(2 * minute);
    expect(bench.runs).toHaveLength(1);
    await bench.sleepThrough(day);
    expect(bench.runs).toHaveLength(2);
  });
});

it('a scheduler that stops abandons its request for projects and leaves the plan due', async () => {
  const bench = new PlanHarness('2026-11-20T02:29:00Z');
  const answer = Promise.withResolvers<Project[]>();
  bench.onProjects = () => answer.promise;
  await bench.begin('02:30');
  await bench.clock.advance(2 * minute);
  const stopped = bench.schedule.scheduler.stop();
  answer.resolve([projectOf()]);
  await bench.clock.finish(stopped);
  expect(bench.runs).toEqual([]);
  bench.schedule.scheduler.start();
  await bench.clock.advance(second);
  expect(bench.fired).toEqual([iso('2026-11-20T02:30:00Z')]);
});
