import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { exampleInstance, examplePlan } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending } from '../../support/window.ts';
import { exampleToken, openTokens } from './tokens.ts';

const table = () => page.getByRole('table', { name: 'Tokens', exact: true });
const rowOf = (name: string) => table().getByRole('row').filter({ hasText: name });
const noFilter = {
  state: null,
  revoked: null,
  search: null,
  createdAfter: null,
  createdBefore: null,
  lastUsedAfter: null,
  lastUsedBefore: null,
  user: null,
};

test('the view of tokens shows that it is loading', async () => {
  await openTokens({ 'instance.list': pending });
  await expect.element(page.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('the view shows how to begin if there is no instance', async () => {
  await openTokens({ 'instance.list': { instances: [] } });
  await expect.element(page.getByText('No instance yet')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect(window.location.hash).toBe('#/instances?add=1');
});

test('an instance that does not respond shows an error in each part, and each part can be loaded again', async () => {
  const bridge = await openTokens({
    'token.list': fails('connection-refused'),
    'token.show': fails('connection-refused'),
  });
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).elements().length).toBe(2);
  await expectAccessible();
  bridge.answer('token.list', { tokens: [exampleToken()], next: null });
  await page.getByRole('button', { name: 'Try again' }).nth(1).click();
  await expect.element(rowOf('packhorse')).toBeVisible();
  bridge.answer('token.show', exampleToken());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('button', { name: 'Replace…' })).toBeVisible();
});

test('tokens are listed with their use by Packhorse, their status and their expiry', async () => {
  await openTokens();
  await expect.element(rowOf('packhorse spare').getByText('Spare', { exact: true })).toBeVisible();
  await expect.element(table().getByText('In use', { exact: true })).toBeVisible();
  await expect.element(table().getByText('Expires soon')).toBeVisible();
  await expect.element(rowOf('build server').getByText('Revoked')).toBeVisible();
  await expect.element(rowOf('last year').getByText('Expired')).toBeVisible();
  await expect.element(rowOf('laptop').getByText('Never')).toBeVisible();
  await expectAccessible();
});

test('the token in use shows which plans stop without it', async () => {
  await openTokens({
    'plan.list': { plans: [examplePlan(), examplePlan({ id: 'p2', name: 'lab', instance: 'lab' })] },
  });
  await expect.element(page.getByText('The plan work, daily at 02:30 Europe/Berlin')).toBeVisible();
  expect(page.getByText(/^The plan /).elements()).toHaveLength(1);
  await expect.element(page.getByText('Backups and imports that you start')).toBeVisible();
});

test('the filters are sent to the instance and stored in the address', async () => {
  const bridge = await openTokens();
  await expect.element(rowOf('laptop')).toBeVisible();
  expect(bridge.asked('token.list')).toEqual([
    { instance: 'work', filter: noFilter, cursor: null, limit: 50 },
  ]);
  await page.getByLabelText('State', { exact: true }).selectOptions('inactive');
  await page.getByLabelText('Revoked or not').selectOptions('no');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('pack');
  await page.getByText('Filter by dates').click();
  await page.getByLabelText('Created from').fill('2026-01-02');
  await page.getByLabelText('Created until').fill('2026-03-04');
  await page.getByLabelText('Used from').fill('2026-05-06');
  await page.getByLabelText('Used from: time of day').fill('07:15');
  await page.getByLabelText('Used until').fill('2026-07-08');
  await expect
    .poll(() => bridge.asked('token.list').at(-1)?.filter)
    .toEqual({
      state: 'inactive',
      revoked: false,
      search: 'pack',
      createdAfter: '2026-01-01T23:00:00Z',
      createdBefore: '2026-03-04T22:59:59.999Z',
      lastUsedAfter: '2026-05-06T05:15:00Z',
      lastUsedBefore: '2026-07-08T21:59:59.999Z',
      user: null,
    });
  expect(window.location.hash).toContain('lastUsedBefore=2026-07-08');
  await expectAccessible();
  bridge.answer('token.list', { tokens: [], next: null });
  await page.getByLabelText('Revoked or not').selectOptions('yes');
  await expect.element(page.getByText('No token matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => bridge.asked('token.list').at(-1)?.filter).toEqual(noFilter);
});

test('an administrator can filter by one user, by ID or username; for other accounts it is neither offered nor sent', async () => {
  const bridge = await openTokens({
    'instance.list': { instances: [exampleInstance({ administrator: true })] },
  });
  await page.getByText('Filter by dates and user').click();
  const user = page.getByLabelText('User', { exact: true });
  await user.fill('ada byron');
  await expect.element(user).toHaveAttribute('aria-invalid', 'true');
  await user.fill('42');
  await page.getByLabelText('Created from').click();
  await expect.poll(() => bridge.asked('token.list').at(-1)?.filter.user).toBe('42');
  await user.fill('ada.byron');
  await page.getByLabelText('Created from').click();
  await expect.poll(() => bridge.asked('token.list').at(-1)?.filter.user).toBe('ada.byron');
  bridge.answer('instance.list', { instances: [exampleInstance()] });
  bridge.emit('instance.changed', { name: 'work', revision: 2 });
  await expect.element(page.getByText('Filter by dates', { exact: true })).toBeVisible();
  await expect.element(user).not.toBeInTheDocument();
  await expect.poll(() => bridge.asked('token.list').at(-1)?.filter.user).toBe(null);
});

test('the next page is appended to the shown tokens', async () => {
  const bridge = await openTokens({
    'token.list': ({ cursor }) =>
      cursor === null
        ? { tokens: [exampleToken({ id: 1, name: 'first' })], next: '2' }
        : { tokens: [exampleToken({ id: 2, name: 'second' })], next: null },
  });
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(rowOf('second')).toBeVisible();
  await expect.element(rowOf('first')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  expect(bridge.asked('token.list').map(({ cursor }) => cursor)).toEqual([null, '2']);
});

test('the details of a token state in words what it can do', async () => {
  await openTokens();
  await table().getByRole('link', { name: 'laptop' }).click();
  const panel = page.getByRole('complementary');
  await expect.element(panel.getByText(/Read everything the account may see/)).toBeVisible();
  await expect.element(panel.getByText('read_api')).toBeVisible();
  await expect.element(panel.getByText(/^Nothing in Packhorse/)).toBeVisible();
  await expectAccessible();
  await table().getByRole('link', { name: 'last year' }).click();
  await expect.element(panel.getByText(/A scope that Packhorse does not know/)).toBeVisible();
});

test('choosing another instance requests its tokens', async () => {
  const bridge = await openTokens();
  await expect.element(rowOf('laptop')).toBeVisible();
  await page.getByLabelText('Instance').selectOptions('lab');
  await expect.poll(() => bridge.asked('token.list').at(-1)?.instance).toBe('lab');
  await expect.poll(() => bridge.asked('token.show').at(-1)).toEqual({ instance: 'lab', id: null });
});
