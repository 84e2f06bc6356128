import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { toasts } from '../../../../src-renderer/data/toasts.svelte.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import InstancesView from '../../../../src-renderer/views/instances/InstancesView.svelte';
import {
  exampleCapabilities,
  exampleCheck,
  exampleInstance,
  exampleInstanceOverview,
  exampleOverview,
  examplePlan,
} from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';

import { exampleToken } from '../tokens/tokens.ts';

const filled: Script = {
  'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'lab', username: null })] },
  'overview.show': exampleOverview({
    instances: [exampleInstanceOverview(), exampleInstanceOverview({ name: 'lab' })],
    attention: [{ kind: 'token-missing', instance: 'lab' }],
  }),
};

async function open(script: Script, hash = '#/instances') {
  const bridge = scriptWindow({
    'host.capabilities': exampleCapabilities(),
    'plan.list': { plans: [examplePlan()] },
    ...script,
  });
  window.location.hash = hash;
  onTestFinished(router.follow());
  await host.load();
  return { bridge, screen: await render(InstancesView) };
}

test('the list of instances shows that it is loading', async () => {
  const { screen } = await open({ 'instance.list': pending, 'overview.show': pending });
  await expect.element(screen.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('a load error states what happened, and the list can be loaded again', async () => {
  const { bridge, screen } = await open({
    ...filled,
    'instance.list': fails('settings-unreadable', 'bad', { path: '/data/settings.json', why: 'cut' }),
  });
  await expect
    .element(screen.getByText('The settings in /data/settings.json cannot be read: cut.'))
    .toBeVisible();
  await expectAccessible();
  bridge.answer('instance.list', { instances: [exampleInstance()] });
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByRole('heading', { level: 2, name: 'work' })).toBeVisible();
});

test('an empty list shows how to begin', async () => {
  const { screen } = await open({
    'instance.list': { instances: [] },
    'overview.show': exampleOverview({ instances: [] }),
  });
  await expect.element(screen.getByText('No instance yet')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Open the sandbox' })).toBeVisible();
  await expectAccessible();
});

test('each instance shows its account and the status of its token, its project list and its plans', async () => {
  const payload = '<img src=x onerror="document.title=\'ran\'">';
  const { screen } = await open({
    ...filled,
    'instance.list': {
      instances: [
        exampleInstance({ username: payload, administrator: true, tokenExpiresOn: '2020-01-01' }),
        exampleInstance({ name: 'lab' }),
      ],
    },
  });
  const work = screen.getByRole('region', { name: 'work' });
  await expect.element(work.getByText(`${payload} (administrator)`)).toBeVisible();
  await expect.element(work.getByText('Expired on 1 Jan 2020')).toBeVisible();
  await expect.element(work.getByText(/212 projects\s+·\s+list fetched\s+3 hours ago/)).toBeVisible();
  await expect
    .element(
      work.getByText(
        'all projects that the account is a member of and may export, daily at 02:30 Europe/Berlin',
      ),
    )
    .toBeVisible();
  const lab = screen.getByRole('region', { name: 'lab' });
  await expect.element(lab.getByText('None available')).toBeVisible();
  await expect.element(lab.getByRole('button', { name: 'Enter a new token…' })).toBeVisible();
  await expect.element(lab.getByRole('button', { name: 'Add a plan…' })).toBeVisible();
  await expectAccessible();
  expect(document.querySelector('img')).toBeNull();
});

test('an instance without an account offers neither a token nor a plan, but the option to use an account', async () => {
  const { screen } = await open({
    'instance.list': { instances: [exampleInstance({ anonymous: true, username: null })] },
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ anonymous: true })] }),
  });
  const card = screen.getByRole('region', { name: 'work' });
  await expect
    .element(card.getByText('None: only public projects are visible, and nothing can be changed'))
    .toBeVisible();
  for (const name of [/token/i, /plan/i, /requests/i]) {
    expect(card.getByRole('button', { name }).elements()).toEqual([]);
    expect(card.getByRole('link', { name }).elements()).toEqual([]);
  }
  await expectAccessible();
  await card.getByRole('button', { name: 'More about work' }).click();
  await screen.getByRole('menuitem', { name: 'Use it with an account…' }).click();
  await expect.element(screen.getByRole('dialog').getByLabelText('Personal access token')).toBeVisible();
});

test('the instances are shown even if the overview cannot be loaded', async () => {
  const { screen } = await open({ ...filled, 'overview.show': fails('catalogue-busy') });
  await expect.element(screen.getByRole('region', { name: 'work' })).toBeVisible();
  await expect.element(screen.getByText('Another process keeps the catalogue busy.')).toBeVisible();
});

test('a new check shows what the token can do, and an error replaces this and states what to do', async () => {
  const { bridge, screen } = await open({
    ...filled,
    'instance.list': { instances: [exampleInstance({ tokenExpiresOn: '2099-01-01' })] },
    'instance.check': exampleCheck({ notes: ['A note.'] }),
  });
  const work = screen.getByRole('region', { name: 'work' });
  await work.getByRole('button', { name: 'Check again' }).click();
  const good = work.getByText('This token can do everything that Packhorse needs.');
  await expect.element(good).toBeVisible();
  await expect.element(work.getByText('A note.')).toBeVisible();
  await expect.element(work.getByText('Expires on 1 Jan 2099')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('instance.check')).toEqual([{ name: 'work' }]);
  bridge.answer('instance.check', fails('token-expired'));
  await work.getByRole('button', { name: 'Check again' }).click();
  await expect.element(work.getByText('The token has expired.')).toBeVisible();
  await expect.element(work.getByText(/^Make a new personal access token/)).toBeVisible();
  await expect.element(work.getByText('The token has expired', { exact: true })).toBeVisible();
  expect(good.elements()).toEqual([]);
  expect(work.getByText('Expires on 1 Jan 2099').elements()).toEqual([]);
});

test('a refusal that becomes known elsewhere replaces the result of a check and the green mark', async () => {
  const expiring = exampleInstance({ tokenExpiresOn: '2099-01-01' });
  const { bridge, screen } = await open({
    ...filled,
    'instance.list': { instances: [expiring] },
    'instance.check': exampleCheck(),
  });
  const work = screen.getByRole('region', { name: 'work' });
  await work.getByRole('button', { name: 'Check again' }).click();
  const good = work.getByText('This token can do everything that Packhorse needs.');
  await expect.element(good).toBeVisible();
  const tokenRefused = { code: 'token-revoked' as const, at: '2026-11-01T08:00:00.000Z' };
  bridge.answer('instance.list', { instances: [{ ...expiring, tokenRefused }] });
  bridge.emit('instance.changed', { name: 'work', revision: 2 });
  await expect.element(work.getByText('The token was revoked')).toBeVisible();
  expect(good.elements()).toEqual([]);
  expect(work.getByText('Expires on 1 Jan 2099').elements()).toEqual([]);
});

test('a token is replaced, checked, and removed from the window', async () => {
  const { bridge, screen } = await open({
    ...filled,
    'instance.setToken': {},
    'instance.check': exampleCheck({ name: 'lab', tokenSource: 'keychain' }),
  });
  await screen
    .getByRole('region', { name: 'lab' })
    .getByRole('button', { name: 'Enter a new token…' })
    .click();
  const dialog = screen.getByRole('dialog', { name: 'Token of lab' });
  await expectAccessible();
  await dialog.getByLabelText('Personal access token').fill('glpat-new');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('instance.setToken')).toEqual([{ name: 'lab', token: 'glpat-new', keep: 'keychain' }]);
  expect(bridge.asked('instance.check')).toEqual([{ name: 'lab' }]);
  await expect
    .element(screen.getByRole('region', { name: 'lab' }).getByText('Token from the keychain'))
    .toBeVisible();
  expect(document.body.innerHTML).not.toContain('glpat-new');
});

test('a token that was lost earlier is shown for revocation as soon as it is found, whatever else fails', async () => {
  const lost = exampleToken({ id: 31, expiresOn: '2027-05-01' });
  const { screen } = await open({
    ...filled,
    'instance.setToken': { lost },
    'instance.check': fails('connection-refused'),
  });
  await screen
    .getByRole('region', { name: 'lab' })
    .getByRole('button', { name: 'Enter a new token…' })
    .click();
  const dialog = screen.getByRole('dialog', { name: 'Token of lab' });
  await dialog.getByLabelText('Personal access token').fill('glpat-new');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => window.location.hash).toBe('#/tokens?instance=lab&token=31');
  expect(toasts.list.map(({ tone, text }) => [tone, text])).toContainEqual([
    'bad',
    'The lost token still works on GitLab. You can revoke it here.',
  ]);
});

test('a link to a missing token opens its dialog once', async () => {
  const { screen } = await open(filled, '#/instances?instance=lab&token=enter');
  const dialog = screen.getByRole('dialog', { name: 'Token of lab' });
  await expect.element(dialog.getByLabelText('Personal access token')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(window.location.hash).toBe('#/instances');
});

test('an instance is removed only after the dialog names what is deleted with it', async () => {
  const { bridge, screen } = await open({
    ...filled,
    'host.confirm': {
      confirmation: 'word',
      deletion: null,
      destroys: [
        { what: 'token', name: 'work', count: null },
        { what: 'project-list', name: 'work', count: 212 },
        { what: 'plan', name: 'work', count: 2 },
      ],
    },
    'instance.remove': {},
  });
  await screen.getByRole('button', { name: 'More about work' }).click();
  await screen.getByRole('menuitem', { name: 'Remove…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Remove work?' });
  for (const words of [
    'The token of work',
    'The stored project list of work (212)',
    'The plans of work (2)',
    /^Archives stay where they are/,
  ]) {
    await expect.element(dialog.getByText(words)).toBeVisible();
  }
  await expectAccessible();
  expect(bridge.asked('instance.remove')).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove the instance' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('host.confirm')).toMatchObject([
    { action: 'instance.remove', instance: 'work', project: null },
  ]);
  expect(bridge.asked('instance.remove')).toEqual([{ name: 'work', confirmation: 'word' }]);
  expect(toasts.list.at(-1)?.text).toBe('work is removed. Its archives stay.');
});
