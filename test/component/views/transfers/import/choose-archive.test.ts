import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import { expectAccessible, fails, pending, scriptWindow } from '../../../support/window.ts';
import { inspection } from '../../archives/archives.ts';
import { payload, script, show, start } from './import-window.ts';

test('a stored archive is found by its project, and the newest one is selected', async () => {
  scriptWindow(script());
  await show();
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByText('Choose an archive first.')).toBeVisible();
  await expectAccessible();
  await page.getByRole('searchbox', { name: 'Search stored archives by project' }).fill('app');
  await page.getByRole('button', { name: /^group\/app work/ }).click();
  expect(router.parameter('archive')).toBe('archive-1');
  await page.getByLabelText('Stored', { exact: true }).selectOptions('archive-2');
  expect(router.parameter('archive')).toBe('archive-2');
});

test('the list of stored archives shows that it is loading, that it is empty, or why it failed', async () => {
  const bridge = scriptWindow(script({ 'archive.projects': pending }));
  await show();
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading…' }).first()).toBeVisible();
  bridge.answer('archive.projects', { projects: [], total: 0 });
  bridge.emit('archive.changed', { archiveId: null, revision: 1 });
  router.go('archives');
  await show();
  await expect.element(page.getByText('Nothing is stored yet')).toBeVisible();
  bridge.answer('archive.projects', fails('catalogue-busy'));
  await show();
  await expect.element(page.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a dropped file is selected as the archive', async () => {
  scriptWindow(script({ 'archive.show': fails('archive-missing'), 'archive.inspect': inspection() }));
  await show();
  const dropped = new DataTransfer();
  dropped.items.add(new File(['x'], 'y_export.tar.gz'));
  page
    .getByRole('group', { name: 'Drop an export archive here' })
    .element()
    .dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  await expect.poll(() => router.parameter('archive')).toBe('/dropped/y_export.tar.gz');
});

test('a suspicious file is read first, and is imported only after an explicit confirmation', async () => {
  const bridge = scriptWindow(
    script({
      'archive.show': fails('archive-missing'),
      'archive.inspect': inspection({
        verdict: 'suspicious',
        findings: [{ code: 'link', severity: 'warning', message: payload, where: 'x' }],
      }),
    }),
  );
  await show({ archive: '/downloads/2026-11-20_08-00-000_group_app_export.tar.gz' });
  await expect.element(page.getByLabelText('Path', { exact: true })).toHaveValue('group_app');
  await expect.element(page.getByText(payload)).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Import the archive although it looks suspicious').click();
  await expectAccessible();
  await start.click();
  await expect.poll(() => bridge.asked('import.start')).toMatchObject([{ allowSuspicious: true }]);
  expect(document.title).not.toBe('ran');
});

test('a file is read with progress, and the reading can be cancelled', async () => {
  scriptWindow(
    script({
      'archive.show': fails('archive-missing'),
      'archive.inspect': async (_request, { progress, signal }) => {
        progress({ step: 'read', unit: 'bytes', done: 1_000_000, total: 2_000_000 });
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        return fails('cancelled');
      },
    }),
  );
  await show({ archive: '/downloads/app_export.tar.gz' });
  await expect.element(page.getByText('1 MB of 2 MB')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('Reading was stopped.')).toBeVisible();
});
