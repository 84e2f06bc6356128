import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { AppError } from '../../../src-contract/errors.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import { toasts } from '../../../src-renderer/data/toasts.svelte.ts';
import { planRunToasts } from '../../../src-renderer/shell/plan-run-toasts.ts';
import ToastArea from '../../../src-renderer/shell/ToastArea.svelte';
import { examplePlan } from '../support/overview-examples.ts';
import { expectAccessible, scriptWindow, type ScriptedWindow } from '../support/window.ts';
import { job, run } from '../views/runs/jobs.ts';

let end = (): void => undefined;
afterEach(() => {
  end();
});

const ofPlan = { planId: 'p1', dueAt: '2026-11-20T01:30:00.000Z' };
const running = run(1, { ...ofPlan, outcome: 'running', jobs: { running: 2 } });
const less = 'Older archives were kept: the new archive holds 3 issues, an earlier archive holds 40.';
const shrank = { code: 'archive-shrank', severity: 'warning', message: less, where: 'issues' } as const;

async function follow(...runs: Run[]): Promise<ScriptedWindow> {
  const bridge = scriptWindow({
    'run.list': { runs, next: null },
    'plan.list': { plans: [examplePlan({ id: 'p1', name: 'nightly' })] },
    'job.list': { jobs: [job(1, { status: 'succeeded', warnings: [shrank] })], next: null },
  });
  await render(ToastArea);
  end = planRunToasts.follow();
  await expect.poll(() => bridge.asked('run.list').length).toBe(1);
  return bridge;
}

/** Sets the runs; resolves when the window has requested them. */
async function setRuns(bridge: ScriptedWindow, ...runs: Run[]): Promise<void> {
  const before = bridge.asked('run.list').length;
  bridge.answer('run.list', { runs, next: null });
  bridge.emit('job.changed', { jobId: 'job-1', runId: 'run-1', revision: 2 });
  await expect.poll(() => bridge.asked('run.list').length, { timeout: 5000 }).toBeGreaterThan(before);
}

test('a failed run of a plan is reported once, and the button leads to it', async () => {
  const bridge = await follow(running);
  const ended = run(1, { ...ofPlan, outcome: 'partly-failed', jobs: { failed: 1, succeeded: 1 } });
  await setRuns(bridge, ended);
  const notification = page.getByText('nightly: 1 of 2 projects was not backed up.');
  await expect.element(notification).toBeVisible();
  await expectAccessible();
  await setRuns(bridge, ended);
  expect(notification.elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Show the run' }).click();
  expect(window.location.hash).toBe('#/activity?part=history&run=run-1');
  await expect.element(notification).not.toBeInTheDocument();
});

test('an archive that shrank is reported with the records that it has fewer of', async () => {
  const bridge = await follow(running);
  await setRuns(bridge, run(1, { ...ofPlan, outcome: 'warnings', jobs: { succeeded: 2 } }));
  await expect
    .element(page.getByText(`nightly: The new archive of group/project-1 looks suspicious. ${less}`))
    .toBeVisible();
});

test('a run that did not take place is reported with the reason', async () => {
  const bridge = await follow();
  const message = 'The program before the run failed with the exit code 32, so nothing was backed up.';
  const error = new AppError('hook-failed', message).toData();
  await setRuns(
    bridge,
    run(2, { ...ofPlan, outcome: 'failed', jobs: {}, notes: [{ severity: 'warning', message, error }] }),
  );
  await expect.element(page.getByText(`nightly: ${message}`)).toBeVisible();
});

test('nothing is reported for a run that succeeded, was cancelled, had already ended, or was started by a user', async () => {
  const old = run(1, { ...ofPlan, outcome: 'failed', jobs: { failed: 2 } });
  const later = { createdAt: '2026-11-20T09:00:00.000Z' };
  const bridge = await follow(old);
  await setRuns(
    bridge,
    run(4, { ...later, outcome: 'failed', jobs: { failed: 1 } }),
    run(3, { ...later, ...ofPlan, outcome: 'cancelled', jobs: { cancelled: 2 } }),
    run(2, { ...later, ...ofPlan }),
    old,
  );
  await setRuns(bridge, old);
  expect(toasts.list).toEqual([]);
});
