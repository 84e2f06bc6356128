import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { notices } from '../../../src-renderer/state/notices.svelte.ts';
import ScheduleDialog from '../../../src-renderer/views/schedule/ScheduleDialog.svelte';
import { examplePlan } from '../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow } from '../support/window.ts';

test('a new schedule is set by keyboard alone', async () => {
  const bridge = scriptWindow({ 'plan.save': examplePlan() });
  const screen = await render(ScheduleDialog, { open: true, instance: 'work', plan: null });
  const dialog = screen.getByRole('dialog', { name: 'Daily backup of work' });
  await expect.element(dialog.getByRole('switch', { name: 'Back up every day' })).toBeChecked();
  await expectAccessible();
  await dialog.getByLabelText('Time of day').fill('04:15');
  await dialog.getByLabelText('How many').fill('3');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toEqual([{ id: null, instance: 'work', at: '04:15', timeZone: null, keepLast: 3, enabled: true }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('what is wrong is said at the field, and nothing is sent', async () => {
  const bridge = scriptWindow({});
  const screen = await render(ScheduleDialog, { open: true, instance: 'work', plan: examplePlan().plan });
  await screen.getByLabelText('How many').fill('0');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByLabelText('How many')).toHaveAttribute('aria-invalid', 'true');
  await expect.element(screen.getByText('Give a number from 1 to 1,000.')).toBeVisible();
  expect(bridge.asked('plan.save')).toEqual([]);
});

test('a plan is changed in place, and keeps its zone', async () => {
  const bridge = scriptWindow({ 'plan.save': fails('plan-missing', 'There is no plan p1.') });
  const { plan } = examplePlan({ schedule: { kind: 'daily', at: '23:00', timeZone: 'UTC' } });
  const screen = await render(ScheduleDialog, { open: true, instance: 'work', plan });
  await screen.getByRole('radio', { name: 'All of them' }).click();
  await screen.getByRole('switch', { name: 'Back up every day' }).click();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toEqual([{ id: 'p1', instance: 'work', at: '23:00', timeZone: 'UTC', keepLast: null, enabled: false }]);
  await expect.element(screen.getByText('There is no plan p1.')).toBeVisible();
});

test('what was typed stays when the plan is loaded again meanwhile', async () => {
  scriptWindow({});
  const screen = await render(ScheduleDialog, { open: true, instance: 'work', plan: examplePlan().plan });
  await screen.getByLabelText('How many').fill('30');
  await screen.rerender({ open: true, instance: 'work', plan: examplePlan().plan });
  await expect.element(screen.getByLabelText('How many')).toHaveValue(30);
});

test('a removed schedule can be put back as it was', async () => {
  const bridge = scriptWindow({ 'plan.remove': {}, 'plan.save': examplePlan() });
  const screen = await render(ScheduleDialog, { open: true, instance: 'work', plan: examplePlan().plan });
  await screen.getByRole('button', { name: 'Remove the schedule' }).click();
  await expect.poll(() => bridge.asked('plan.remove')).toEqual([{ id: 'p1' }]);
  await expect.poll(() => notices.list.at(-1)?.action?.label).toBe('Undo');
  notices.list.at(-1)?.action?.run();
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toEqual([
      { id: null, instance: 'work', at: '02:30', timeZone: 'Europe/Berlin', keepLast: 7, enabled: true },
    ]);
});
