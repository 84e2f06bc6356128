/** @file Tests the program before a scheduled run, with a real program and a stepped clock. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import type { Hooks } from '../../../../src-contract/plans/hook.ts';
import { PlanHarness } from '../../../support/jobs/plan-harness.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const second = 1_000;
const minute = 60_000;
const due = '2026-11-20T02:30:00.000Z';
const nextDue = '2026-11-21T02:30:00.000Z';

/** Returns a program that records its process id and waits unless the file `go` exists. */
function waitingProgram() {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('before'), `#!/bin/sh\necho $$ >> ${at('pids')}\n[ -e ${at('go')} ] || exec sleep 60\n`);
  chmodSync(at('before'), 0o700);
  const hooks: Hooks = {
    before: { program: at('before'), arguments: [], timeLimitSeconds: 600, ifFails: 'skip' },
    after: null,
  };
  const pids = (): number[] =>
    existsSync(at('pids')) ? readFileSync(at('pids'), 'utf8').trim().split('\n').map(Number) : [];
  return {
    hooks,
    pids,
    letGo: () => {
      writeFileSync(at('go'), '');
    },
    /** Resolves when the program has been started that many times. */
    async started(times: number): Promise<void> {
      while (pids().length < times) await systemClock.sleep(5);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(5);
}

it('the program before a run is reported while it runs, and nothing is backed up for the due time if a user ends it', async () => {
  const program = waitingProgram();
  const harness = new PlanHarness('2026-11-20T02:29:00Z');
  const { plan, beginning } = await harness.start('02:30', { hooks: program.hooks });
  expect(beginning).toBeNull();
  await harness.clock.advance(minute + second);
  await program.started(1);
  expect(harness.announced.at(-1)).toBe(plan.id);
  await harness.clock.advance(5 * minute);
  expect(harness.status).toMatchObject({
    beginning: { since: due, cancelling: false },
    overdue: null,
    lastRun: null,
  });

  // Later changes of the plan have no effect.
  await harness.save({ id: plan.id, hooks: program.hooks, keepLast: 3 });
  const cancelled = harness.schedule.planRuns.cancelBeginning(plan.id, 'the window');
  expect(cancelled.beginning).toEqual({ since: due, cancelling: true });
  await until(() => harness.status.beginning === null);
  expect(() => process.kill(program.pids()[0] ?? 0, 0)).toThrow('ESRCH');
  const message = 'The program before the run was ended by the window; nothing was backed up.';
  expect(harness.runs).toMatchObject([
    {
      dueAt: due,
      outcome: 'cancelled',
      jobs: {},
      notes: [{ severity: 'info', message, error: { code: 'cancelled' } }],
    },
  ]);
  expect(harness.status).toMatchObject({
    lastRun: { dueAt: due, outcome: 'cancelled' },
    nextRunAt: nextDue,
    overdue: null,
  });
  expect(() => harness.schedule.planRuns.cancelBeginning(plan.id, 'the window')).toThrow(
    expect.objectContaining({ code: 'job-ended' }),
  );

  await harness.clock.advance(30 * minute);
  expect(program.pids()).toHaveLength(1);
  program.letGo();
  harness.clock.jump(23 * 60 * minute);
  await harness.clock.advance(30 * minute);
  await until(() => harness.runs.length === 2);
  expect(harness.runs[1]).toMatchObject({ dueAt: nextDue, jobs: { queued: 1 } });
});

it('the program before a run is reported in another process and can be ended from there', async () => {
  const program = waitingProgram();
  const harness = new PlanHarness('2026-11-20T02:29:00Z');
  const { plan } = await harness.start('02:30', { hooks: program.hooks });
  const other = new PlanHarness('', harness);
  other.schedule.preparationPoll.start();
  await harness.clock.advance(minute + second);
  await program.started(1);
  await harness.clock.advance(2 * second);
  expect(other.announced).toEqual([plan.id]);
  expect(other.status.beginning).toEqual({ since: due, cancelling: false });
  const request = { id: plan.id, keepsFailure: true };
  await expect(other.schedule.planRuns.run(request, new AbortController().signal)).rejects.toMatchObject({
    code: 'job-busy',
  });
  expect(program.pids()).toHaveLength(1);

  other.schedule.planRuns.cancelBeginning(plan.id, 'the command line');
  // The first requester stays recorded.
  other.schedule.planRuns.cancelBeginning(plan.id, 'somebody else');
  expect(harness.status.beginning).toEqual({ since: due, cancelling: true });
  await harness.clock.advance(second);
  await until(() => harness.runs.length === 1);
  expect(harness.runs[0]?.notes[0]?.message).toMatch(/ended by the command line/);
  await harness.clock.advance(2 * second);
  expect(other.status).toMatchObject({ beginning: null, lastRun: { outcome: 'cancelled' } });
  expect(other.announced.at(-1)).toBe(plan.id);
});
