import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import { scriptWindow } from '../../../support/window.ts';
import { script, show, start } from './import-window.ts';

test('replacing a project names what is destroyed and requires its path to be typed', async () => {
  const bridge = scriptWindow(
    script({
      'host.confirm': {
        confirmation: 'word-1',
        deletion: null,
        destroys: [
          { what: 'project', name: 'mel/app', count: null },
          { what: 'records', name: 'issues', count: 24 },
        ],
      },
    }),
  );
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Replace a project that is already there').click();
  await start.click();
  const dialog = page.getByRole('dialog', { name: 'Replace mel/app?' });
  await expect.element(dialog.getByText(/The project mel\/app on the instance/)).toBeVisible();
  await expect.element(dialog.getByText('Issues: 24')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Replace the project' });
  await expect.element(confirm).toBeDisabled();
  expect(bridge.asked('import.start')).toEqual([]);
  await dialog.getByRole('textbox').fill('app');
  await confirm.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('host.confirm')).toMatchObject([
    { action: 'import.overwrite', instance: 'new', project: 'mel/app' },
  ]);
  expect(bridge.asked('import.start')).toMatchObject([{ overwrite: true, confirmation: 'word-1' }]);
});

test('an import needs no confirmation if there is no project to replace', async () => {
  const bridge = scriptWindow(
    script({ 'host.confirm': { confirmation: 'word-2', destroys: [], deletion: null } }),
  );
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Replace a project that is already there').click();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.start')).toMatchObject([{ overwrite: true, confirmation: 'word-2' }]);
});
