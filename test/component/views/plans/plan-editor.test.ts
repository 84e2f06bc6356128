import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ScheduleDraft } from '../../../../src-contract/plans/plan.ts';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { exampleCapabilities, keepAll } from '../../support/overview-examples.ts';
import { expectAccessible, fails } from '../../support/window.ts';
import { examplePlanStatus, openPlans } from './plans.ts';

const field = (name: string) => page.getByLabelText(name, { exact: true });
const radio = (name: string) => page.getByRole('radio', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const add = { parameters: { add: 'lab' } };
const edit = { parameters: { edit: 'p1' } };

const kinds: [kind: string, fill: () => Promise<void>, draft: ScheduleDraft][] = [
  ['Hourly', () => field('Minute of the hour').fill('15'), { kind: 'hourly', minute: 15, timeZone: null }],
  ['Daily', () => field('Time of day').fill('04:15'), { kind: 'daily', at: '04:15', timeZone: null }],
  [
    'Weekly',
    async () => {
      await button('Sun').click();
      await button('Fri').click();
      await button('Mon').click();
    },
    { kind: 'weekly', weekdays: [1, 5], at: '02:30', timeZone: null },
  ],
  [
    'Monthly',
    () => field('Day of the month').fill('31'),
    { kind: 'monthly', day: 31, at: '02:30', timeZone: null },
  ],
  [
    'Cron',
    () => field('Cron expression').fill('0 3 * * 1-5'),
    { kind: 'cron', expression: '0 3 * * 1-5', timeZone: null },
  ],
];

test.each(kinds)(
  'a plan with the schedule %s shows its next runs and is added',
  async (kind, fill, schedule) => {
    const bridge = await openPlans({ 'plan.save': examplePlanStatus() }, add);
    await expect.element(field('Name')).toHaveFocus();
    await field('Name').fill('  mine ');
    await radio(kind).click();
    await fill();
    await expect.poll(() => bridge.asked('plan.dueTimes').at(-1)).toEqual({ schedule, count: 5 });
    await expect.element(page.getByText(/^Sat,? 21 Nov 2026,? 02:30$/)).toBeVisible();
    await expect.element(page.getByText('Times in Europe/Berlin.')).toBeVisible();
    await page.getByText('Equivalent command').click();
    const command = new RegExp(
      `^packhorse plan add --instance lab --name mine --all --${kind} .*--keep 7$`,
      'i',
    );
    await expect.element(page.getByText(command)).toBeVisible();
    await expectAccessible();
    await button('Save the plan').click();
    await expect
      .poll(() => bridge.asked('plan.save'))
      .toEqual([
        {
          id: null,
          name: 'mine',
          instance: 'lab',
          selection: { kind: 'all', scope: 'member' },
          schedule,
          retention: { ...keepAll, keepLast: 7 },
          skipUnchanged: true,
          enabled: true,
        },
      ]);
    await expect.poll(() => window.location.hash).toBe('#/plans');
  },
);

test('a new plan keeps the newest 7 archives, and a plan that keeps all warns that the folder grows', async () => {
  await openPlans({}, add);
  await expect.element(page.getByText(/^Keeps the newest 7/i)).toBeVisible();
  await radio('All archives').click();
  await expect.element(page.getByText(/the folder grows without limit/)).toBeVisible();
});

test('each invalid field shows its error, and nothing is sent', async () => {
  const bridge = await openPlans({}, add);
  await field('Name').fill('NIGHTLY');
  await radio('Chosen projects').click();
  await radio('Weekly').click();
  await button('Sun').click();
  await field('Time of day').fill('');
  await field('The newest').fill('0');
  await button('Save the plan').click();
  for (const [name, words] of [
    ['Name', 'Another plan has this name.'],
    ['Time of day', 'Enter a time, for example 02:30.'],
    ['The newest', 'Enter a number from 1 to 1,000.'],
  ] as const) {
    await expect.element(field(name)).toHaveAccessibleDescription(new RegExp(words));
  }
  await expect.element(page.getByText('Choose at least one project.')).toBeVisible();
  await expect.element(page.getByText('Choose at least one day.')).toBeVisible();
  await expect.element(field('Name')).toHaveFocus();
  await expectAccessible();
  await field('The newest').fill('');
  await expect.element(page.getByText('Set at least one limit.')).toBeVisible();
  expect(bridge.asked('plan.save')).toEqual([]);
});

test('an invalid cron expression shows its error at the field', async () => {
  const bridge = await openPlans({}, add);
  await radio('Cron').click();
  bridge.answer('plan.dueTimes', fails('invalid-input', 'There is no minute 61.'));
  await field('Cron expression').fill('61 3 * * *');
  await expect.element(field('Cron expression')).toHaveAccessibleDescription(/There is no minute 61/);
  await field('Cron expression').fill('3 *');
  await button('Save the plan').click();
  await expect.element(field('Cron expression')).toHaveAccessibleDescription(/Enter five fields/);
});

test('a rejected plan shows the error beside the button, and the input stays', async () => {
  await openPlans({ 'plan.save': fails('catalogue-busy') }, add);
  await field('Name').fill('mine');
  await button('Save the plan').click();
  await expect.element(page.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  const footer = button('Save the plan').element().closest('footer');
  expect(footer?.textContent).toContain('Another process keeps the catalogue busy.');
  await expect.element(field('Name')).toHaveValue('mine');
});

test('a name that already exists shows its error at the field until it is changed', async () => {
  await openPlans({ 'plan.save': fails('already-exists', 'There is a plan named "mine" already.') }, add);
  await field('Name').fill('mine');
  await button('Save the plan').click();
  await expect.element(field('Name')).toHaveAccessibleDescription(/There is a plan named "mine" already/);
  await field('Name').fill('mine too');
  await expect.element(field('Name')).not.toHaveAttribute('aria-invalid');
});

test('projects are chosen from the list of the instance and can be left out again', async () => {
  const bridge = await openPlans({ 'plan.save': examplePlanStatus() }, add);
  await field('Name').fill('mine');
  await radio('Chosen projects').click();
  await page.getByRole('checkbox', { name: 'group/web' }).click();
  await page.getByRole('checkbox', { name: 'group/app' }).click();
  await expect.element(page.getByText('Chosen: 2 projects')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the project list' }).fill('web');
  await expect
    .poll(() => bridge.asked('project.page').at(-1))
    .toMatchObject({ instance: 'lab', search: 'web' });
  await button('Leave group/app out').click();
  await expectAccessible();
  await button('Save the plan').click();
  await expect
    .poll(() => bridge.asked('plan.save').at(-1)?.selection)
    .toEqual({ kind: 'projects', projects: [{ id: 2, fullPath: 'group/web' }] });
});

test('a rule shows which projects match now, and which are left out and why', async () => {
  const bridge = await openPlans(
    {
      'plan.matches': {
        count: 120,
        projects: ['atlas/api', 'atlas/web'],
        leftOut: [{ project: 'atlas/secret', why: 'The role is too low for an export.' }],
        covers: 'projects that ada is a member of',
        beyond: 3,
        leftOutCount: 3,
      },
    },
    add,
  );
  await radio('By a rule').click();
  await field('In the group').fill('atlas');
  await field('Visibility').selectOptions('private');
  await field('Starred by me').selectOptions('no');
  await field('Active within this many days').fill('30');
  await field('Except').fill('atlas/old\n\n atlas/*-test ');
  await button('Show matching projects').click();
  await expect
    .poll(() => bridge.asked('plan.matches'))
    .toEqual([
      {
        instance: 'lab',
        selection: {
          kind: 'rule',
          scope: 'member',
          group: 'atlas',
          topic: null,
          visibility: 'private',
          markedArchived: null,
          activeWithinDays: 30,
          starred: false,
          owned: null,
          name: null,
          except: ['atlas/old', 'atlas/*-test'],
        },
      },
    ]);
  await expect.element(page.getByText('120 projects match now.')).toBeVisible();
  await expect.element(page.getByText('atlas/web')).toBeVisible();
  await page.getByText('Left out: 3 projects').click();
  await expect.element(page.getByText('The role is too low for an export.')).toBeVisible();
  await expect.element(page.getByText('and 2 more')).toBeVisible();
  await expectAccessible();
  await field('In the group').fill('atlas/core');
  await expect.element(page.getByText('120 projects match now.')).not.toBeInTheDocument();
});

test('an existing plan shows which archives its limits would remove now, and why', async () => {
  const bridge = await openPlans(
    {
      'plan.prunePreview': {
        projects: [
          {
            project: 'group/app',
            archives: [
              {
                id: 'a3',
                storedAt: '2026-11-20T01:30:00Z',
                sizeBytes: 3_000_000,
                condition: 'complete',
                proof: { level: 'L3', at: '2026-11-20T05:00:00Z', detail: null },
                damaged: null,
                keep: true,
                reason: 'newest-readable',
              },
              {
                id: 'a2',
                storedAt: '2026-11-19T01:30:00Z',
                sizeBytes: 2_000_000,
                condition: 'complete',
                proof: { level: 'L2', at: '2026-11-19T01:31:00Z', detail: null },
                damaged: null,
                keep: true,
                reason: 'weekly',
              },
              {
                id: 'a1',
                storedAt: '2026-11-18T01:30:00Z',
                sizeBytes: 1_500_000,
                condition: 'damaged',
                proof: { level: 'L2', at: '2026-11-18T01:31:00Z', detail: null },
                damaged: { at: '2026-11-16T03:00:00Z', reason: 'The file is shorter than it was.' },
                keep: false,
                reason: 'beyond-limits',
              },
            ],
          },
          {
            project: 'group/web',
            archives: [
              {
                id: 'b1',
                storedAt: '2026-11-20T01:30:00Z',
                sizeBytes: 5_000,
                condition: 'complete',
                proof: null,
                damaged: null,
                keep: true,
                reason: 'pinned',
              },
            ],
          },
        ],
        removedCount: 1,
        removedBytes: 1_500_000,
        absentCount: 2,
      },
      'plan.save': examplePlanStatus(),
    },
    edit,
  );
  await expect.element(field('Name')).toHaveValue('nightly');
  await field('The newest').fill('');
  await field('One per week, for how many weeks').fill('1');
  await expect.element(page.getByText('Keeps one per week for 1 week.')).toBeVisible();
  await button('Show what would be removed now').click();
  await expect.element(page.getByText('1 archive would be removed now, 1.5 MB.')).toBeVisible();
  await expect.element(page.getByText('Not available: 2 archives. Is the disk mounted?')).toBeVisible();
  const table = page.getByRole('table', { name: 'Archives of group/app' });
  const row = (text: string) => table.getByRole('row').filter({ hasText: text });
  await expect.element(row('18 Nov').getByText('Removed', { exact: true })).toBeVisible();
  await expect.element(row('18 Nov').getByText('No limit keeps it')).toBeVisible();
  await expect.element(row('18 Nov').getByText('Damaged')).toBeVisible();
  await expect.element(row('18 Nov').getByText('16 Nov 2026')).toBeVisible();
  await expect.element(row('19 Nov').getByText('Readable')).toBeVisible();
  await expect.element(row('20 Nov').getByText('Proven')).toBeVisible();
  await expect.element(row('19 Nov').getByText('The last one of its week')).toBeVisible();
  await expect.element(page.getByText('Nothing would be removed from 1 project.')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('plan.prunePreview')).toEqual([{ id: 'p1', retention: { ...keepAll, weekly: 1 } }]);
  await button('Save the plan').click();
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toMatchObject([{ id: 'p1', name: 'nightly', retention: { ...keepAll, weekly: 1 } }]);
});

test('the input stays when the plan is reloaded during editing', async () => {
  const bridge = await openPlans({}, edit);
  await field('Name').fill('other');
  bridge.emit('plan.changed', { planId: 'p1', revision: 2 });
  await expect.poll(() => bridge.asked('plan.list').length).toBe(2);
  await expect.element(field('Name')).toHaveValue('other');
});

test('a plan that no longer exists is reported as not found', async () => {
  await openPlans({}, { parameters: { edit: 'p9' } });
  await expect.element(page.getByText('Plan not found')).toBeVisible();
  await page.getByRole('link', { name: 'All plans' }).click();
  await expect.poll(() => window.location.hash).toBe('#/plans');
});

const hooks = {
  before: {
    program: '/usr/local/bin/mount-drive',
    arguments: ['-o', 'a b'],
    timeLimitSeconds: 600,
    ifFails: 'skip' as const,
  },
  after: null,
};
const withHooks = {
  'plan.list': { plans: [examplePlanStatus({}, { hooks, heartbeat: { origin: 'https://hc.example' } })] },
};

test('the desktop window offers to choose programs before and after a run, and sends the heartbeat address once', async () => {
  const bridge = await openPlans(
    {
      ...withHooks,
      'host.capabilities': exampleCapabilities({ choosePath: true }),
      'host.choosePath': { path: '/usr/local/bin/unmount-drive' },
      'plan.save': examplePlanStatus(),
    },
    edit,
  );
  await host.load();
  await expect.element(page.getByText('A program set here runs with your rights')).toBeVisible();
  await field('Arguments').fill('one\ntwo three');
  await field('Time limit in seconds').fill('0');
  await radio('Run anyway, with a warning').click();
  await button('Choose a program…').click();
  await expect.poll(() => page.getByLabelText('Program', { exact: true }).elements().length).toBe(2);
  await field('New address').fill('https://hc.example/secret');
  await expectAccessible();
  await button('Save the plan').click();
  await expect.element(field('Time limit in seconds').first()).toHaveAccessibleDescription(/from 1 to 3,600/);
  await field('Time limit in seconds').first().fill('30');
  await button('Save the plan').click();
  const after = { program: '/usr/local/bin/unmount-drive', arguments: [], timeLimitSeconds: 600 };
  await expect
    .poll(() => bridge.asked('plan.save'))
    .toMatchObject([
      {
        hooks: {
          before: { ...hooks.before, arguments: ['one', 'two three'], timeLimitSeconds: 30, ifFails: 'run' },
          after,
        },
        heartbeat: { secretAddress: 'https://hc.example/secret' },
      },
    ]);
});

test('a browser page shows the programs and why it cannot change them, and sends none', async () => {
  const bridge = await openPlans(
    {
      ...withHooks,
      'host.capabilities': exampleCapabilities({ host: 'browser', choosePath: false }),
      'plan.save': examplePlanStatus(),
    },
    edit,
  );
  await host.load();
  await expect.element(page.getByText('Programs cannot be changed from a browser')).toBeVisible();
  await expect.element(field('Program')).toHaveValue('/usr/local/bin/mount-drive');
  await expect.element(field('Arguments')).toBeDisabled();
  await expect.element(button('Choose a program…')).not.toBeInTheDocument();
  await expectAccessible();
  await button('Remove the heartbeat').click();
  await button('Save the plan').click();
  await expect.poll(() => bridge.asked('plan.save')).toMatchObject([{ id: 'p1', heartbeat: null }]);
  expect(bridge.asked('plan.save')[0]).not.toHaveProperty('hooks');
});
