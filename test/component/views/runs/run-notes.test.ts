import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import ActivityView from '../../../../src-renderer/views/runs/ActivityView.svelte';
import { expectAccessible, scriptWindow } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { job, run } from './jobs.ts';

const panel = page.getByRole('complementary');
const payload = '<img src=x onerror="document.title=\'ran\'">';

async function open(shown: Run, jobs = [job(1, { status: 'succeeded', warnings: [] })]) {
  const bridge = scriptWindow({
    'run.list': { runs: [shown], next: null },
    'run.forecast': { forecast: null },
    'plan.list': { plans: [] },
    'job.list': { jobs, next: null },
  });
  await showView(ActivityView, 'activity', { parameters: { part: 'history', run: shown.id } });
  return bridge;
}

const ofPlan = { planId: 'p1', dueAt: '2026-11-20T01:30:00.000Z' };

test('a run shows its notes, with the output of a program line by line', async () => {
  const bridge = await open(
    run(1, {
      ...ofPlan,
      outcome: 'warnings',
      notes: [
        { severity: 'info', message: 'The program before the run succeeded.', output: 'mounted\n' },
        { severity: 'info', message: 'New since the run before: group/fresh.' },
        {
          severity: 'warning',
          message: 'The program after the run failed with the exit code 23.',
          output: `copy 1 of 2\ncopy 2 of 2: ${payload}\n`,
        },
      ],
    }),
  );
  const notes = panel.getByRole('list', { name: 'Notes' });
  await expect.element(notes.getByText('New since the run before: group/fresh.')).toBeVisible();
  const printed = notes.getByRole('region', { name: /The end of the output. The program after/ });
  await expect.poll(() => printed.element().textContent).toBe(`copy 1 of 2\ncopy 2 of 2: ${payload}`);
  expect(getComputedStyle(printed.element()).whiteSpace).toBe('pre-wrap');
  expect(notes.getByText('mounted').query()).toBeNull();
  await notes.getByText('Program output').first().click();
  await expect.element(notes.getByText('mounted')).toBeVisible();

  await expectAccessible();
  expect(document.title).not.toBe('ran');

  bridge.answer('run.list', {
    runs: [run(1, { ...ofPlan, notes: [{ severity: 'info', message: 'Told.' }] })],
    next: null,
  });
  bridge.emit('plan.changed', { planId: 'p1', revision: 2 });
  await expect.element(notes.getByText('Told.')).toBeVisible();
});

test('a run that did not take place shows the reason, and not that there was nothing to do', async () => {
  const error = new AppError('hook-failed', 'The program before the run failed.').toData();
  const message = 'The program before the run failed with the exit code 32, so nothing was backed up.';
  await open(
    run(1, {
      ...ofPlan,
      outcome: 'failed',
      jobs: {},
      notes: [{ severity: 'warning', message, output: 'no drive\n', error }],
    }),
    [],
  );
  await expect.element(panel.getByText(message)).toBeVisible();
  await expect.element(panel.getByText('no drive')).toBeVisible();
  expect(panel.getByText('There was nothing to do.').query()).toBeNull();
  await expectAccessible();
});

test('a skipped due time shows the reason', async () => {
  await open(run(1, { ...ofPlan, outcome: 'skipped', jobs: {}, skippedWhy: 'The plan was paused.' }), []);
  await expect.element(panel.getByText('The plan was paused.')).toBeVisible();
  expect(panel.getByText('There was nothing to do.').query()).toBeNull();
});

test('a run of one job is shown as a run if it has notes', async () => {
  await open(
    run(1, {
      ...ofPlan,
      jobs: { succeeded: 1 },
      project: 'group/app',
      notes: [{ severity: 'info', message: 'Told.' }],
    }),
  );
  await page.getByRole('grid', { name: 'Runs' }).getByText('Backup of group/app').click();
  await expect.element(panel.getByText('Told.')).toBeVisible();
});
