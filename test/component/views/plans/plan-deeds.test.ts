/** @file The actions on a plan's card: run, skip, pause, switch off, remove. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { toasts } from '../../../../src-renderer/data/toasts.svelte.ts';
import { expectAccessible, fails, pending } from '../../support/window.ts';
import { button, card, examplePlanStatus, openPlans } from './plans.ts';

const menu = async (entry: string): Promise<void> => {
  await button('More about nightly').click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test('a plan can be run now, and its notification opens the run', async () => {
  const bridge = await openPlans({ 'plan.run': { runId: 'r9', jobs: 3 } });
  await button('Run now').click();
  await expect.poll(() => bridge.asked('plan.run')).toEqual([{ id: 'p1', keepsFailure: true, waits: true }]);
  await expect.poll(() => toasts.list.at(-1)?.text).toBe('nightly started with 3 jobs.');
  toasts.list.at(-1)?.action?.run();
  expect(window.location.hash).toBe('#/activity?run=r9');
});

const preventedRun = (
  message: string,
  code: 'hook-failed' | 'cancelled',
): CallReply<'run.list'>['runs'][number] => ({
  ...{
    id: 'r9',
    kind: 'export',
    planId: 'p1',
    dueAt: null,
    manual: false,
    createdAt: '2026-11-20T01:30:00.000Z',
    endedAt: '2026-11-20T01:30:00.000Z',
    bytes: 0,
  },
  ...{ outcome: 'nothing', instances: ['work'], jobs: {}, project: null, deed: null, skippedWhy: null },
  leftOut: { count: 0, projects: [] },
  notes: [{ severity: 'warning', message, error: new AppError(code, message).toData() }],
});

test('a plan shows that the program before a run prevented the run, with a link to the run', async () => {
  const message = 'The program before the run exited with 3, so nothing was backed up.';
  const bridge = await openPlans({
    'plan.run': { runId: 'r9', jobs: 0 },
    'run.list': { runs: [preventedRun(message, 'hook-failed')], next: null },
  });
  const before = toasts.list.length;
  await button('Run now').click();
  const notice = card('nightly').getByRole('alert');
  await expect.element(notice.getByText(message)).toBeVisible();
  await expect
    .element(notice.getByRole('link', { name: 'Show the run' }))
    .toHaveAttribute('href', '#/activity?run=r9');
  expect(toasts.list).toHaveLength(before);
  await expectAccessible();

  bridge.answer('run.list', { runs: [], next: null });
  await button('Run now').click();
  await expect.poll(() => toasts.list.at(-1)?.text).toBe('nightly found nothing to back up.');
  await expect.element(notice).not.toBeInTheDocument();
});

test('a run that waits for its instance shows since when, until it starts or is cancelled', async () => {
  const waitingText = 'The instance has not answered since 14:02 (HTTP 502).';
  let answer = (_: { runId: string; jobs: number }): void => undefined;
  await openPlans({
    'plan.run': (_, { progress, signal }) => {
      progress({ step: 'wait', unit: 'requests', done: 0, total: null, waiting: waitingText });
      return new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener('abort', () => {
          resolve(fails('cancelled'));
        });
      });
    },
  });
  await button('Run now').click();
  const notice = card('nightly').getByRole('status');
  await expect.element(notice.getByText(`Waiting: ${waitingText}`)).toBeVisible();
  await expectAccessible();
  answer({ runId: 'r9', jobs: 3 });
  await expect.poll(() => toasts.list.at(-1)?.text).toBe('nightly started with 3 jobs.');
  await expect.element(notice.getByText(`Waiting: ${waitingText}`)).not.toBeInTheDocument();

  await button('Run now').click();
  await notice.getByRole('button', { name: 'Cancel' }).click();
  await expect
    .poll(() => toasts.list.at(-1)?.text)
    .toBe('The run of nightly was cancelled before it started.');
});

test('a requested run can be cancelled while the program before it is running', async () => {
  const before = {
    ...{ program: '/bin/mount', arguments: [], timeLimitSeconds: 600 },
    ifFails: 'skip' as const,
  };
  await openPlans({
    'plan.list': { plans: [examplePlanStatus({}, { hooks: { before, after: null } })] },
    'plan.run': pending,
  });
  expect(button('Cancel the run').query()).toBeNull();
  await button('Run now').click();
  await button('Cancel the run').click();
  await expect
    .poll(() => toasts.list.at(-1)?.text)
    .toBe('The run of nightly was cancelled before it started.');
  await expect.element(button('Cancel the run')).not.toBeInTheDocument();
});

test('the program before a run that this window did not start is shown with its running time and can be stopped', async () => {
  const since = new Date(Date.now() - 2 * 60_000 - 5_000).toISOString();
  const starting = (cancelling: boolean) => examplePlanStatus({ beginning: { since, cancelling } });
  const bridge = await openPlans({
    'plan.list': { plans: [starting(false)] },
    'plan.cancelBeginning': starting(true),
  });
  const words = card('nightly');
  await expect
    .element(words.getByText(/^The program before the run has been running for 2 mins?$/))
    .toBeVisible();
  await expect.element(words.getByText('Starting', { exact: true })).toBeVisible();
  await expect.element(button('Run now')).toBeDisabled();
  await expectAccessible();

  await button('Cancel the run').click();
  await expect.poll(() => bridge.asked('plan.cancelBeginning')).toEqual([{ id: 'p1', by: 'the window' }]);
  bridge.answer('plan.list', { plans: [starting(true)] });
  bridge.emit('plan.changed', { planId: 'p1', revision: 2 });
  await expect.element(words.getByText('The program before the run is being stopped')).toBeVisible();
  (button('Cancel the run').element() as HTMLElement).click();
  expect(bridge.asked('plan.cancelBeginning')).toHaveLength(1);

  bridge.answer('plan.list', { plans: [examplePlanStatus()] });
  bridge.emit('plan.changed', { planId: 'p1', revision: 3 });
  await expect.element(button('Cancel the run')).not.toBeInTheDocument();
  await expect.element(button('Run now')).toBeEnabled();
});

test('stopping a program before a run that has already ended shows an error', async () => {
  const since = new Date().toISOString();
  await openPlans({
    'plan.list': { plans: [examplePlanStatus({ beginning: { since, cancelling: false } })] },
    'plan.cancelBeginning': fails('job-ended'),
  });
  await expect
    .element(card('nightly').getByText('The program before the run has been running for less than a minute'))
    .toBeVisible();
  await button('Cancel the run').click();
  await expect.element(card('nightly').getByRole('alert')).toBeVisible();
});

test('a rejected run shows its error at the plan', async () => {
  await openPlans({ 'plan.run': fails('token-missing') });
  await button('Run now').click();
  await expect.element(card('nightly').getByRole('alert')).toBeVisible();
});

test('the next run can be skipped, and the skip can be undone', async () => {
  const skipped = examplePlanStatus({}, { skippedDue: new Date(Date.now() + 3_600_000).toISOString() });
  const bridge = await openPlans({ 'plan.skipNext': skipped });
  await menu('Skip the next run');
  await expect.poll(() => bridge.asked('plan.skipNext')).toEqual([{ id: 'p1', skip: true }]);
  bridge.answer('plan.list', { plans: [skipped] });
  bridge.emit('plan.changed', { planId: 'p1', revision: 2 });
  await expect.element(card('nightly').getByText('Skips')).toBeVisible();
  await button('Do not skip it').click();
  await expect.poll(() => bridge.asked('plan.skipNext').at(-1)).toEqual({ id: 'p1', skip: false });
  // A past due time stays in the plan but is no longer skipped.
  bridge.answer('plan.list', {
    plans: [examplePlanStatus({}, { skippedDue: new Date(Date.now() - 3_600_000).toISOString() })],
  });
  bridge.emit('plan.changed', { planId: 'p1', revision: 3 });
  await expect.element(card('nightly').getByText('Skips')).not.toBeInTheDocument();
});

test('a plan is paused until a day, or until it is resumed', async () => {
  const bridge = await openPlans({ 'plan.pause': { plans: [] } });
  await menu('Pause…');
  const dialog = page.getByRole('dialog', { name: 'Pause nightly' });
  await expectAccessible();
  await dialog.getByLabelText('Resumes on').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.element(dialog.getByText('Enter a day after today.')).toBeVisible();
  await dialog.getByLabelText('Resumes on').fill('2030-06-01');
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('plan.pause')).toEqual([{ id: 'p1', until: '2030-05-31T22:00:00.000Z' }]);
  expect(toasts.list.at(-1)?.text).toBe('nightly is paused.');
  await menu('Pause…');
  await expect.element(dialog.getByLabelText('Resumes on')).not.toHaveValue('2030-06-01');
  await dialog.getByRole('radio', { name: 'Until it is resumed' }).click();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.poll(() => bridge.asked('plan.pause').at(-1)?.until).toBe('9999-12-31T00:00:00.000Z');

  bridge.answer('plan.list', {
    plans: [examplePlanStatus({}, { pausedUntil: '9999-12-31T00:00:00.000Z' })],
  });
  bridge.emit('plan.changed', { planId: 'p1', revision: 3 });
  await expect.element(card('nightly').getByText('Paused until it is resumed')).toBeVisible();
  await expect.element(card('nightly').getByText(/Next run\s+None/)).toBeVisible();
  await button('Resume').click();
  await expect.poll(() => bridge.asked('plan.pause').at(-1)).toEqual({ id: 'p1', until: null });
});

test('all plans can be paused together', async () => {
  const bridge = await openPlans({
    'plan.list': { plans: [examplePlanStatus(), examplePlanStatus({}, { id: 'p2', name: 'weekly' })] },
    'plan.pause': { plans: [] },
  });
  await button('Pause all…').click();
  const dialog = page.getByRole('dialog', { name: 'Pause all plans' });
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.poll(() => bridge.asked('plan.pause')).toMatchObject([{ id: null }]);
});

test('switching a plan off keeps all its other settings', async () => {
  const bridge = await openPlans({ 'plan.save': examplePlanStatus() });
  await menu('Switch off');
  const { plan } = examplePlanStatus();
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toEqual([
      {
        id: 'p1',
        name: 'nightly',
        instance: 'work',
        selection: plan.selection,
        schedule: plan.schedule,
        retention: plan.retention,
        skipUnchanged: true,
        enabled: false,
      },
    ]);
});

test('a plan is removed only after a confirmation', async () => {
  const bridge = await openPlans({ 'plan.remove': {} });
  await menu('Remove…');
  const dialog = page.getByRole('dialog', { name: 'Remove the plan nightly' });
  await expect.element(dialog.getByText(/Its archives are kept/)).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('plan.remove')).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove the plan' }).click();
  await expect.poll(() => bridge.asked('plan.remove')).toEqual([{ id: 'p1' }]);
  await expect.element(dialog).not.toBeInTheDocument();
  expect(toasts.list.at(-1)?.text).toBe('The plan nightly is removed.');
});
