import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import StorageSettings from '../../../../src-renderer/views/settings/StorageSettings.svelte';
import { exampleCapabilities } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow } from '../../support/window.ts';

const exports = {
  name: 'exports',
  region: 'eu-central-1',
  bucket: 'gitlab-exports',
  accessKeyId: 'AKIA1',
};
const secret = 'wJalrXUtnFEMI/K7MDENG';
const dialog = page.getByRole('dialog');

test('the list shows that it is loading, that it is empty, and an error after which it can be loaded again', async () => {
  const bridge = scriptWindow({ 'storage.list': pending });
  const loading = await render(StorageSettings);
  await expect.element(page.getByText('Loading…')).toBeVisible();
  await loading.unmount();
  bridge.answer('storage.list', fails('settings-unreadable'));
  await render(StorageSettings);
  await expectAccessible();
  bridge.answer('storage.list', { storages: [] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('No storage yet.')).toBeVisible();
  await expectAccessible();
});

test('a storage is added by keyboard; its secret is sent once and removed from the window', async () => {
  const bridge = scriptWindow({ 'storage.list': { storages: [] }, 'storage.save': pending });
  await render(StorageSettings);
  await page.getByRole('button', { name: 'Add a storage…' }).click();
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();
  await userEvent.keyboard('Exports{Enter}');
  await expect.element(dialog.getByText(/begin with a letter or digit/)).toBeVisible();
  expect(dialog.getByText('Fill this in.').elements()).toHaveLength(4);
  await expectAccessible();
  await dialog.getByLabelText('Name').fill(exports.name);
  await dialog.getByLabelText('Bucket').fill(exports.bucket);
  await dialog.getByLabelText('Region').fill(exports.region);
  await dialog.getByLabelText('Access key ID').fill(exports.accessKeyId);
  const field = dialog.getByLabelText('Secret access key');
  await expect.element(field).toHaveAttribute('type', 'password');
  await field.fill(secret);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('storage.save').length).toBe(1);
  expect(bridge.asked('storage.save')).toEqual([
    { storage: exports, secretAccessKey: secret, keep: 'keychain' },
  ]);
  await expect.element(field).toHaveValue('');
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

test('a refused save keeps the input except the secret', async () => {
  const bridge = scriptWindow({
    'storage.list': { storages: [exports] },
    'storage.save': fails('keychain-locked'),
  });
  await render(StorageSettings);
  await page.getByRole('button', { name: 'Edit the storage exports' }).click();
  await dialog.getByLabelText('Bucket').fill('other');
  await dialog.getByLabelText('Secret access key').fill(secret);
  await dialog.getByRole('button', { name: 'Save the storage' }).click();
  await expect.element(dialog.getByText('The keychain is locked.')).toBeVisible();
  await expect.element(dialog.getByLabelText('Bucket')).toHaveValue('other');
  await expect.element(dialog.getByLabelText('Secret access key')).toHaveValue('');
  bridge.answer('storage.save', { ...exports, bucket: 'other' });
  await dialog.getByRole('button', { name: 'Save the storage' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('storage.save').at(-1)).toEqual({
    storage: { ...exports, bucket: 'other' },
    secretAccessKey: null,
    keep: 'keychain',
  });
});

test('a name that is already in use is refused before anything is sent', async () => {
  const bridge = scriptWindow({ 'storage.list': { storages: [exports] } });
  await render(StorageSettings);
  await page.getByRole('button', { name: 'Add a storage…' }).click();
  await dialog.getByLabelText('Name').fill('exports');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText('A storage with that name already exists.')).toBeVisible();
  expect(bridge.asked('storage.save')).toEqual([]);
});

test('a storage is removed only after a confirmation', async () => {
  const bridge = scriptWindow({ 'storage.list': { storages: [exports] }, 'storage.remove': {} });
  await render(StorageSettings);
  await expect.element(page.getByText('gitlab-exports in eu-central-1 · Access key AKIA1')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Remove the storage exports' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await expectAccessible();
  expect(bridge.asked('storage.remove')).toEqual([]);
  bridge.answer('storage.list', { storages: [] });
  await dialog.getByRole('button', { name: 'Remove the storage' }).click();
  await expect.element(page.getByText('No storage yet.')).toBeVisible();
  expect(bridge.asked('storage.remove')).toEqual([{ name: 'exports' }]);
});

test('without a keychain the key is kept in memory only, and the view states this beforehand', async () => {
  const bridge = scriptWindow({
    'storage.save': ({ storage }) => storage,
    'storage.list': { storages: [] },
    'host.capabilities': exampleCapabilities({ keychain: false }),
  });
  await host.load();
  await render(StorageSettings);
  await expect.element(page.getByText('There is no usable keychain')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Add a storage…' }).click();
  await expect.element(page.getByText(/in memory until Packhorse stops, and sent/)).toBeVisible();
  for (const name of ['Name', 'Bucket', 'Region', 'Access key ID', 'Secret access key']) {
    await page.getByRole('dialog').getByLabelText(name, { exact: true }).fill('exports-1');
  }
  await page.getByRole('button', { name: 'Save the storage' }).click();
  await expect.poll(() => bridge.asked('storage.save')).toMatchObject([{ keep: 'session' }]);
});
