import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallReply } from '../../../../../src-contract/calls.ts';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import { expectAccessible, fails, pending, scriptWindow } from '../../../support/window.ts';
import { script, show, start } from './import-window.ts';

const secret = 'X-Amz-Signature=5f2a';
const address = `https://storage.example.com/exports/2026-11-20_08-00-000_app_export.tar.gz?${secret}`;
const started = { runId: 'run-1', jobId: 'job-1', target: 'mel/app', comparison: null };
const bucket = { name: 'exports', region: 'eu-central-1', bucket: 'gitlab-exports', accessKeyId: 'AKIA1' };

async function from(source: RegExp): Promise<void> {
  await page.getByRole('radio', { name: source }).click();
}

test('an address is sent once, names the project as a file does, and is then removed from the window', async () => {
  const bridge = scriptWindow(script({ 'import.url': started }));
  await show();
  await from(/address/);
  const field = page.getByLabelText('Address of the archive');
  await expect.element(field).toHaveAttribute('type', 'password');
  await field.fill(address);
  await expect.element(page.getByLabelText('Path', { exact: true })).toHaveValue('app');
  await expectAccessible();
  await page.getByLabelText('Group', { exact: true }).fill('moved');
  await page.getByText('Equivalent command').click();
  await expect
    .element(
      page.getByText('packhorse import url --instance work --namespace moved --path app', { exact: true }),
    )
    .toBeVisible();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.url')).toEqual([
    {
      instance: 'work',
      url: address,
      namespace: 'moved',
      path: 'app',
      name: null,
      overwrite: false,
      overrideParams: {},
      compare: 'contents',
      archive: null,
      confirmation: null,
    },
  ]);
  expect(document.documentElement.outerHTML).not.toContain(secret);
  expect(window.location.href).not.toContain(secret);
});

test('the address is removed from its field while it is sent, and must be entered again after a refusal', async () => {
  const bridge = scriptWindow(script({ 'import.url': pending }));
  await show();
  await from(/address/);
  const field = page.getByLabelText('Address of the archive');
  await field.fill(address);
  await expect.element(start).toBeEnabled();
  await field.click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('import.url').length).toBe(1);
  await expect.element(field).toHaveValue('');
  await page.getByRole('button', { name: 'Cancel' }).click();
  bridge.answer('import.url', fails('import-refused', 'no', { reason: 'no' }));
  await field.fill(address);
  await start.click();
  await expect.element(page.getByText(/enter it again/)).toBeVisible();
  await expect.element(page.getByLabelText('Path', { exact: true })).toHaveValue('app');
  await expect.element(start).toBeDisabled();
  await expectAccessible();
});

test('an invalid address is reported before anything is sent', async () => {
  const bridge = scriptWindow(script());
  await show();
  await from(/address/);
  await expect.element(page.getByText('Enter the address of the archive.')).toBeVisible();
  await page.getByLabelText('Address of the archive').fill('s3://exports/app.tar.gz');
  await expect.element(page.getByText(/must start with https/).first()).toBeVisible();
  await expect.element(start).toBeDisabled();
  expect(bridge.asked('import.url')).toEqual([]);
});

test('replacing a project from an address requires a confirmation, and the address is still sent', async () => {
  const bridge = scriptWindow(
    script({
      'import.url': started,
      'host.confirm': {
        confirmation: 'word',
        destroys: [{ what: 'project', name: 'mel/app', count: null }],
        deletion: null,
      } as CallReply<'host.confirm'>,
    }),
  );
  await show();
  await from(/address/);
  await page.getByLabelText('Address of the archive').fill(address);
  await page.getByRole('checkbox', { name: /Replace a project/ }).click();
  await start.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText(/Type “app”/).fill('app');
  await dialog.getByRole('button', { name: 'Replace the project' }).click();
  await expect
    .poll(() => bridge.asked('import.url'))
    .toMatchObject([{ url: address, overwrite: true, confirmation: 'word' }]);
});

test('an archive in a storage is named by its key, and replacing a project is not offered', async () => {
  const bridge = scriptWindow(
    script({ 'storage.list': { storages: [bucket, { ...bucket, name: 'old' }] }, 'import.s3': started }),
  );
  await show();
  await from(/storage/);
  await page.getByLabelText('Storage', { exact: true }).selectOptions('old');
  await page.getByLabelText('Key of the archive').fill('2026/app_export.tar.gz');
  await expect.element(page.getByText(/GitLab cannot replace a project from a storage/)).toBeVisible();
  expect(page.getByRole('checkbox', { name: /Replace a project/ }).elements()).toEqual([]);
  await expectAccessible();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.s3')).toEqual([
    {
      instance: 'work',
      storage: 'old',
      key: '2026/app_export.tar.gz',
      namespace: null,
      path: 'app',
      name: null,
      overrideParams: {},
      compare: 'contents',
      archive: null,
    },
  ]);
});

test('the form links to the settings if there is no storage; a list that fails to load can be loaded again', async () => {
  const bridge = scriptWindow(script({ 'storage.list': fails('settings-unreadable') }));
  await show();
  await from(/storage/);
  bridge.answer('storage.list', { storages: [] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect
    .element(page.getByRole('link', { name: 'Add a storage in the settings' }))
    .toHaveAttribute('href', '#/settings?storage=new');
  await expectAccessible();
});

test('an available archive is sent along, to be compared with the imported project', async () => {
  const bridge = scriptWindow(script({ 'import.url': started }));
  await show({ archive: 'archive-1' });
  await from(/address/);
  await page.getByLabelText('Address of the archive').fill(address);
  await expect.element(start).toBeEnabled();
  await start.click();
  await expect.poll(() => bridge.asked('import.url')).toMatchObject([{ archive: 'archive-1' }]);
});
