import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { PlannedRepair, RepairPlan } from '../../../../src-contract/migrations/repair.ts';
import { expectAccessible, fails, pending, type Script } from '../../support/window.ts';
import { at, button, differs, ended, panel, payload, reconciliation } from './ended-migration.ts';
import { openMigrations, pagesOf } from './migrations.ts';

const repair = (change: Partial<PlannedRepair> & { difference: string }): PlannedRepair => ({
  ...{ relation: 'issues', key: '4', field: 'title', expected: 'Fix the login page', found: 'Fix the page' },
  ...{ body: { title: 'Fix the login page' }, lost: 'on-import', isGrave: false },
  ...change,
});
const plan: RepairPlan = {
  target: 'moved/app',
  repairs: [
    repair({
      ...{
        difference: '1-a',
        relation: 'settings',
        key: '',
        field: 'description',
        expected: '',
        found: payload,
      },
      body: { description: '' },
    }),
    repair({
      ...{ difference: '1-b', relation: 'labels', key: 'bug', field: null, expected: 'bug', found: null },
      body: { name: 'bug', color: '#ff0000' },
    }),
    repair({ difference: '1-c' }),
    repair({
      ...{ difference: '1-d', field: 'confidential', expected: 'true', found: 'false', isGrave: true },
      body: { confidential: true },
    }),
  ],
  unrepairable: [
    { difference: '1-e', what: 'milestones: #9', reason: 'import-again' },
    { difference: '1-f', what: 'issues: #5, upvotes: "0" instead of "2"', reason: 'no-request' },
    { difference: '1-g', what: 'issues: #6, upvotes: "0" instead of "3"', reason: 'no-request' },
  ],
};
const dialog = page.getByRole('dialog');
const checkbox = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
const record = (name: string) => dialog.getByRole('group', { name, exact: true });

async function openRepair(script: Script = {}) {
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': { reconciliation, differences: [] },
      'migration.repairs': plan,
      'migration.repair': { runId: '8', jobId: '8' },
      ...script,
    },
    at({ project: 'group/app' }),
  );
  await panel.getByRole('button', { name: 'Repair…' }).click();
  return bridge;
}

test('repairs are shown by record with both values, grave ones first, and all are sent unless some are unselected', async () => {
  const bridge = await openRepair();
  await expect.element(page.getByRole('heading', { name: 'Repair moved/app' })).toBeVisible();
  await expect.element(dialog.getByText(/Each repair is a request to new-home/)).toBeVisible();
  const records = [...dialog.element().querySelectorAll('legend')];
  expect(records.map((each) => each.textContent)).toEqual(['Issues #4', 'Settings', 'Labels bug']);
  const issue = record('Issues #4').getByRole('checkbox').elements();
  expect(issue.map((each) => (each as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'confidential',
    'title',
  ]);
  await expect.element(record('Issues #4').getByText('Grave', { exact: true })).toBeVisible();
  await expect.element(record('Settings').getByText(payload)).toBeVisible();
  await expect.element(record('Settings').getByText('no value')).toBeVisible();
  await expect.element(record('Labels bug').getByText('color: #ff0000')).toBeVisible();
  expect(document.querySelector('img')).toBeNull();
  await expectAccessible();
  await button('Send 4 requests').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('migration.repairs')).toEqual([{ migration: 'm1', project: '1' }]);
  expect(bridge.asked('migration.repair')).toEqual([
    { migration: 'm1', project: '1', differences: ['1-a', '1-b', '1-c', '1-d'] },
  ]);
});

test('only the words that differ are marked', async () => {
  await openRepair();
  await expect.element(record('Issues #4')).toBeVisible();
  const marked = [...record('Issues #4').element().querySelectorAll('mark')];
  expect(marked.map((each) => each.textContent.trim())).toEqual(['false', 'true', 'login']);
});

test('a protection to add is shown with its rights, and its name is not shown as a number', async () => {
  const protection = repair({
    ...{ difference: '1-a', relation: 'protected_branches', key: '2024', field: null, found: null },
    ...{ expected: '2024', isGrave: true, body: { name: '2024', push_access_level: 40 } },
  });
  await openRepair({ 'migration.repairs': { ...plan, repairs: [protection] } });
  const branch = record('Protected branches 2024');
  await expect.element(branch.getByText('push_access_level: 40')).toBeVisible();
  await expectAccessible();
});

test('a part of the repairs is selected with the keyboard, and the command repairs the same part', async () => {
  const bridge = await openRepair();
  const all = checkbox('All 4 repairs');
  await expect.element(all).toBeChecked();
  all.element().focus();
  await userEvent.keyboard(' ');
  await expect.element(button('Send 0 requests')).toBeDisabled();
  await expect.element(dialog.getByText('Equivalent command')).not.toBeInTheDocument();
  await userEvent.keyboard('{Tab}');
  await expect.element(checkbox('confidential')).toHaveFocus();
  await userEvent.keyboard(' {Tab}{Tab} ');
  await expect.element(checkbox('confidential')).toBeChecked();
  await expect.element(checkbox('title')).not.toBeChecked();
  await expect.element(checkbox('description')).toBeChecked();
  expect(all.element()).toHaveProperty('indeterminate', true);
  await dialog.getByText('Equivalent command').click();
  const command = "packhorse migration repair 'autumn move' group/app --difference 1-a --difference 1-d";
  await expect.element(dialog.getByText(command)).toBeVisible();
  await expectAccessible();
  button('Send 2 requests').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('migration.repair')).toMatchObject([{ differences: ['1-a', '1-d'] }]);
});

test('differences without a repair are folded, with one reason for all that share it', async () => {
  await openRepair();
  await expect.element(dialog.getByText('milestones: #9')).not.toBeInTheDocument();
  await dialog.getByText('3 differences without a repair').click();
  await expect.element(dialog.getByText('milestones: #9')).toBeVisible();
  await expect.element(dialog.getByText('issues: #6, upvotes: "0" instead of "3"')).toBeVisible();
  await expect
    .element(dialog.getByText('Missing records are imported with “Import a part again…”.'))
    .toBeVisible();
  expect(dialog.getByText('Packhorse cannot repair this kind of loss.').elements()).toHaveLength(1);
  await expectAccessible();
});

test('the dialog says that nothing can be repaired, and why', async () => {
  await openRepair({ 'migration.repairs': { ...plan, repairs: [] } });
  await expect.element(dialog.getByText('Nothing can be repaired')).toBeVisible();
  await expect.element(dialog.getByText('milestones: #9')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: /^Send/ })).not.toBeInTheDocument();
  await expectAccessible();
  await dialog.getByText('Close', { exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the dialog says that no difference is open', async () => {
  await openRepair({ 'migration.repairs': { ...plan, repairs: [], unrepairable: [] } });
  await expect.element(dialog.getByText('No open difference')).toBeVisible();
  await expectAccessible();
});

test('closing the dialog cancels the reading of lost values', async () => {
  let wasCancelled = false;
  const bridge = await openRepair({
    'migration.repairs': async (_request, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      wasCancelled = true;
      return plan;
    },
  });
  await expect.element(dialog.getByRole('progressbar', { name: 'Reading the lost values' })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => wasCancelled).toBe(true);
  expect(bridge.asked('migration.repair')).toEqual([]);
});

test('a plan that could not be read is read again', async () => {
  const bridge = await openRepair({ 'migration.repairs': fails('connection-refused') });
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: /^Send/ })).not.toBeInTheDocument();
  await expectAccessible();
  bridge.answer('migration.repairs', plan);
  await button('Try again').click();
  await expect.element(button('Send 4 requests')).toBeVisible();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
});

test('refused repairs stay selected, and the plan is read again on request', async () => {
  const bridge = await openRepair({ 'migration.repair': fails('invalid-input') });
  await checkbox('title').click();
  await button('Send 3 requests').click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await expect.element(button('Send 3 requests')).toBeEnabled();
  await expectAccessible();
  bridge.answer('migration.repairs', { ...plan, repairs: plan.repairs.slice(0, 2) });
  await button('Read the repairs again').click();
  await expect.element(button('Send 2 requests')).toBeVisible();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
});

test('300 repairs scroll inside the dialog, and the button that sends them stays visible', async () => {
  const repairs = Array.from({ length: 300 }, (_, index) =>
    repair({ difference: `1-${index}`, key: String(index + 1), isGrave: index === 299 }),
  );
  await openRepair({ 'migration.repairs': { ...plan, repairs } });
  await expect.element(button('Send 300 requests')).toBeInViewport();
  await expect.element(record('Issues #300')).toBeInViewport();
  const content = dialog.element().querySelector('.dialog-content');
  expect(content?.scrollHeight).toBeGreaterThan(content?.clientHeight ?? 0);
  await checkbox('title').last().click();
  await expect.element(record('Issues #299')).toBeInViewport();
  await expect.element(button('Send 299 requests')).toBeInViewport();
});

test('a repaired project is compared again, and its repair is one of its jobs', async () => {
  const bridge = await openRepair();
  await expect.element(button('Send 4 requests')).toBeVisible();
  const finishing = { ...differs, state: 'finishing' as const, retryJobs: ['8'] };
  bridge.answer('migration.projects', pagesOf([finishing]));
  await button('Send 4 requests').click();
  bridge.emit('migration.changed', { migrationId: 'm1', revision: 2 });
  await expect.element(panel.getByText('Finishing', { exact: true })).toBeVisible();
  await expect.element(panel.getByRole('link', { name: 'Retry or repair 1' })).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Repair…' })).not.toBeInTheDocument();
});

test('only a project that differs can be repaired', async () => {
  await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([{ ...differs, state: 'arrived', missing: 0 }]),
      'migration.reconciliation': pending,
    },
    at({ project: 'group/app' }),
  );
  await expect.element(panel.getByRole('button', { name: 'Import a part again…' })).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Repair…' })).not.toBeInTheDocument();
});
