import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import { exampleInstance } from '../../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow } from '../../../support/window.ts';
import { projectRow } from '../rows.ts';
import { dialog, grid, list, panel, parts, script, show } from './find-window.ts';

test('the first page of all visible projects is requested at once, and further pages on request', async () => {
  const bridge = scriptWindow(script({ 'project.find': parts(250) }));
  await show();
  await expect.element(page.getByText('100 of 250 projects')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(page.getByText('250 projects', { exact: true })).toBeVisible();
  expect(page.getByRole('button', { name: 'Show more' }).query()).toBeNull();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '251');
  const request = { instance: 'work', list: 'all', of: null, query: {}, limit: 100 } as const;
  expect(bridge.asked('project.find')).toEqual([
    { ...request, cursor: null },
    { ...request, cursor: '100' },
    { ...request, cursor: '200' },
  ]);
});

test('the projects of a user are requested only after the user is given', async () => {
  const bridge = scriptWindow(script());
  await show({ instance: 'work' });
  await expect.element(page.getByText('3 projects')).toBeVisible();
  await list.selectOptions('Contributed to by a user');
  await expect.element(page.getByText('Enter whose projects to list')).toBeVisible();
  await expectAccessible();
  expect(page.getByRole('searchbox').query()).toBeNull();
  await page.getByLabelText('Username or ID').fill('brook');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect.element(page.getByText('3 projects')).toBeVisible();
  await list.selectOptions('Starred by a user');
  await page.getByRole('button', { name: 'Myself' }).click();
  await expect
    .poll(() => bridge.asked('project.find').map(({ list: kind, of }) => [kind, of]))
    .toEqual([
      ['all', null],
      ['contributed', 'brook'],
      ['starred', 'brook'],
      ['starred', 'ada'],
    ]);
  await list.selectOptions('Projects of a group');
  await expect.element(page.getByText('Type the full path or the ID of a group.')).toBeVisible();
});

test('filters are applied together, listed and cleared again, and the equivalent command has the same meaning', async () => {
  const bridge = scriptWindow(script());
  await show({ instance: 'work' });
  await expect.element(page.getByText('3 projects')).toBeVisible();
  await page.getByRole('button', { name: 'More filters…' }).click();
  await dialog.getByLabelText('Archived on GitLab').selectOptions('No');
  await dialog.getByLabelText('Visibility').selectOptions('Internal');
  await dialog.getByLabelText('Role of the account at least').selectOptions('Maintainer');
  await dialog.getByLabelText('Topics', { exact: true }).fill('maps,north');
  await dialog.getByLabelText('Last activity from').fill('2026-11-01');
  await dialog.getByLabelText('Last activity from: time of day').fill('14:30');
  await expect.element(dialog.getByLabelText('Changed from')).toBeDisabled();
  expect(dialog.getByLabelText('Include hidden projects').query()).toBeNull();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Find', exact: true }).click();
  const query = {
    archived: false,
    visibility: 'internal',
    min_access_level: 40,
    topic: 'maps,north',
    last_activity_after: '2026-11-01T13:30:00Z',
  };
  await expect.poll(() => bridge.asked('project.find').at(-1)?.query).toEqual(query);
  await expect.element(page.getByText('Archived on GitLab: No')).toBeVisible();
  await expect.element(page.getByText('Role of the account at least: Maintainer')).toBeVisible();
  await expect.element(page.getByText('Last activity from: 2026-11-01 14:30')).toBeVisible();
  await page.getByText('Equivalent command').click();
  await expect
    .element(
      page.getByText(
        'packhorse project find --instance work --no-archived --min-access-level 40 --visibility internal --last-activity-after 2026-11-01T13:30:00Z --topic maps,north',
      ),
    )
    .toBeVisible();
  await page.getByRole('searchbox').fill('compass');
  await expect
    .poll(() => bridge.asked('project.find').at(-1)?.query)
    .toEqual({ ...query, search: 'compass' });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => bridge.asked('project.find').at(-1)?.query).toEqual({ search: 'compass' });
});

test('choosing another instance requests its projects and clears the selection and the panel', async () => {
  const bridge = scriptWindow(script());
  await show({ instance: 'work' });
  await expect.element(page.getByText('3 projects')).toBeVisible();
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard(' {ArrowDown}');
  await expect.element(panel).toBeVisible();
  await page.getByLabelText('Instance').selectOptions('mirror');
  await expect.poll(() => bridge.asked('project.find').at(-1)?.instance).toBe('mirror');
  expect(panel.query()).toBeNull();
  expect(page.getByText('1 selected').query()).toBeNull();
});

test('the instance sorts the projects, by an order chosen by name or by a column header', async () => {
  const bridge = scriptWindow(script());
  await show();
  await page.getByLabelText('Order').selectOptions('By last activity');
  await expect
    .poll(() => bridge.asked('project.find').at(-1)?.query)
    .toEqual({ order_by: 'last_activity_at' });
  await expect
    .element(page.getByRole('columnheader', { name: 'Last activity' }))
    .toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('columnheader', { name: 'Project' }).click();
  await expect
    .poll(() => bridge.asked('project.find').at(-1)?.query)
    .toEqual({ order_by: 'path', sort: 'asc' });
  await page.getByRole('button', { name: 'Ascending' }).click();
  await expect.poll(() => bridge.asked('project.find').at(-1)?.query).toEqual({ order_by: 'path' });
});

test('a slow search can be cancelled and started again', async () => {
  const bridge = scriptWindow(script({ 'project.find': pending }));
  await show();
  await expect.element(page.getByText('Listing projects on work')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('The search was cancelled')).toBeVisible();
  bridge.answer('project.find', parts(2));
  await page.getByRole('button', { name: 'Search again' }).click();
  await expect.element(page.getByText('2 projects')).toBeVisible();
});

test('a page that fails to load keeps the earlier pages and can be requested again', async () => {
  const bridge = scriptWindow(script({ 'project.find': parts(150) }));
  await show();
  await expect.element(page.getByText('100 of 150 projects')).toBeVisible();
  bridge.answer('project.find', fails('rate-limited'));
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '101');
  bridge.answer('project.find', parts(150));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '151');
  expect(bridge.asked('project.find').at(-1)?.cursor).toBe('100');
});

test.each([
  ['without a network', fails('address-unknown', 'no', { host: 'gitlab.example.com' }), /cannot be found/],
  ['for an unknown user', fails('not-found', 'There is no such user.'), /There is no such user/],
  ['that the instance rejects', fails('forbidden'), /refuses this to the account/],
])('a search %s shows why it failed and what to do', async (_, answer, why) => {
  scriptWindow(script({ 'project.find': answer }));
  await show({ list: 'user', whose: 'nobody' });
  await expect.element(page.getByRole('alert').getByText(why).first()).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible();
});

test('a search without a match states that no project was found', async () => {
  scriptWindow(script({ 'project.find': { projects: [], next: null, total: 0 } }));
  await show({ search: 'nothing is called so' });
  await expect.element(page.getByText('No project found')).toBeVisible();
});

test('without an account the view states that only public projects are found, and a backup is disabled', async () => {
  const anonymous = exampleInstance({ anonymous: true, username: null, administrator: false });
  const bridge = scriptWindow(script({ 'instance.list': { instances: [anonymous] } }));
  await show({ owned: 'true' });
  await expect.element(page.getByText(/only public projects are found/)).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  expect(bridge.asked('project.find')[0]?.query).toEqual({});
  await page.getByRole('button', { name: 'More filters…' }).click();
  expect(dialog.getByLabelText('Owned by the account').query()).toBeNull();
});

test('the view offers to add an instance if there is none', async () => {
  scriptWindow(script({ 'instance.list': { instances: [] } }));
  await show();
  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect(window.location.hash).toMatch(/^#\/instances/);
});

test('in a small window the list, its number and the filters are in view', async () => {
  scriptWindow(script({ 'project.find': parts(250) }));
  await show({ instance: 'work' }, 692);
  for (const shown of [
    page.getByText('100 of 250 projects'),
    page.getByRole('searchbox'),
    page.getByRole('button', { name: 'More filters…' }),
    grid.getByText('project-00001', { exact: true }),
  ]) {
    await expect.element(shown).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole('button', { name: 'Stored lists' }).click();
  expect(window.location.hash).toMatch(/^#\/projects/);
  await expectAccessible();
});

test('names are shown as text, never as markup', async () => {
  const payload = '<img src=x onerror="document.title=\'ran\'">';
  const evil = projectRow(1, { fullPath: `group/${payload}`, name: payload, description: payload });
  scriptWindow(script({ 'project.find': { projects: [evil], next: null, total: 1 }, 'project.show': evil }));
  await show({ instance: 'work', project: evil.fullPath, search: payload });
  await expect.element(panel.getByRole('heading', { name: evil.fullPath })).toBeVisible();
  expect(document.title).not.toBe('ran');
  expect(document.querySelectorAll('img')).toHaveLength(0);
  expect(router.parameter('search')).toBe(payload);
});
