import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import { expectAccessible, fails, scriptWindow } from '../../../support/window.ts';
import { described } from '../../archives/archives.ts';
import { check, instance, script, show, start, stored } from './import-window.ts';

test('the view offers to add an instance if there is none', async () => {
  scriptWindow(script({ 'instance.list': { instances: [] } }));
  await show({ archive: 'archive-1' });
  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect([router.view, router.parameter('add')]).toEqual(['instances', '1']);
});

test('an import starts with the entered values, into an instance other than the source', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await expect.element(page.getByLabelText('Instance', { exact: true })).toHaveValue('new');
  await expect
    .element(page.getByText(/Connected as mel, GitLab 18\.5\.0\. The token expires on 1 Feb 2027/))
    .toBeVisible();
  await expect.element(page.getByText('mel/app')).toBeVisible();
  await page.getByLabelText('Group', { exact: true }).fill('/moved/here/');
  await page.getByLabelText('Path', { exact: true }).fill('app-2');
  await page.getByLabelText('Name', { exact: true }).fill('App two');
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await expect.element(page.getByLabelText('Name of setting 1')).toHaveFocus();
  await userEvent.keyboard('visibility');
  await page.getByLabelText('Value of setting 1').fill('private');
  await page.getByRole('radio', { name: 'Numbers only' }).click();
  await expectAccessible();
  await page.getByText('Equivalent command').click();
  await expect
    .element(
      page.getByText(
        `packhorse import file ${stored.absolutePath} --override visibility=private --instance new --namespace moved/here --name 'App two' --compare counts --path app-2`,
      ),
    )
    .toBeVisible();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.start')).toEqual([
    {
      instance: 'new',
      archive: 'archive-1',
      namespace: 'moved/here',
      path: 'app-2',
      name: 'App two',
      overwrite: false,
      allowSuspicious: false,
      overrideParams: { visibility: 'private' },
      compare: 'counts',
      confirmation: null,
    },
  ]);
});

test('an import starts into the source if the source is chosen', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Instance', { exact: true }).selectOptions('work');
  await start.click();
  await expect.poll(() => bridge.asked('import.start').map(({ instance: to }) => to)).toEqual(['work']);
});

test('the form says how many requests the comparison takes at the chosen depth', async () => {
  scriptWindow(script());
  await show({ archive: 'archive-1' });
  await expect.element(page.getByText('The comparison takes at least 33 requests.')).toBeVisible();
  await page.getByRole('radio', { name: 'Numbers only' }).click();
  await expect.element(page.getByText('The comparison takes about 16 requests.')).toBeVisible();
});

test('Enter in a field of the target starts the import without a pointer', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await expect.element(start).toBeEnabled();
  page.getByLabelText('Path', { exact: true }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('import.start').length).toBe(1);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('each obstacle is shown, and no import is started', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Path', { exact: true }).fill('a/b');
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByText(/begin with a letter/).first()).toBeVisible();
  await page.getByLabelText('Path', { exact: true }).fill('ok');
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await page.getByLabelText('Name of setting 1').fill('visibility');
  await page.getByLabelText('Name of setting 2').fill('visibility');
  await expect.element(page.getByText('This setting is already listed.')).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Name of setting 2').fill('');
  await expect.element(page.getByText(/ignores a setting without one/)).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Value of setting 1').fill('private');
  await expect.element(start).toBeEnabled();
  await page.getByLabelText('Value of setting 2').fill('private');
  await expect.element(page.getByText('Enter its name.')).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Name of setting 2').fill('visibility');
  await page.getByRole('button', { name: 'Remove visibility' }).last().click();
  await expect.element(start).toBeEnabled();
  expect(bridge.asked('import.start')).toEqual([]);
});

test('a read-only token is refused before anything is sent', async () => {
  scriptWindow(script({ 'instance.check': ({ name }) => check(name, { canWrite: false }) }));
  await show({ archive: 'archive-1' });
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByRole('link', { name: 'Replace the token' })).toBeVisible();
  await expectAccessible();
});

test.for([
  ['is used without an account', { anonymous: true, username: null }, 'Give it an account'],
  ['is set to read only', { readOnly: true }, 'Show its settings'],
] as const)('an instance that %s is reported beforehand, and another one is suggested', async (row) => {
  const [words, use, link] = row;
  const instances = [instance('work'), instance('closed', use), instance('new')];
  scriptWindow(
    script({
      'instance.list': { instances },
      'instance.check': ({ name }) =>
        check(name, name === 'closed' && 'anonymous' in use ? { canWrite: false } : {}),
    }),
  );
  await show({ archive: 'archive-1' });
  await expect.element(page.getByLabelText('Instance')).toHaveValue('new');
  await expect.element(start).toBeEnabled();
  await page.getByLabelText('Instance').selectOptions('closed');
  await expect.element(page.getByRole('link', { name: link })).toBeVisible();
  await expect.element(page.getByRole('listitem').filter({ hasText: words })).toBeVisible();
  await expect.element(start).toBeDisabled();
  await expectAccessible();
});

test('a damaged archive is reported beforehand', async () => {
  const damaged = { ...stored, damaged: { at: '2026-11-20T08:00:00.000Z', reason: 'Its size changed' } };
  scriptWindow(script({ 'archive.show': described(damaged) }));
  await show({ archive: 'archive-1' });
  await expect
    .element(page.getByText('This archive is damaged and cannot be imported. Its size changed.'))
    .toBeVisible();
  await expect.element(start).toBeDisabled();
});

test('a refused start shows the reason and keeps the input', async () => {
  scriptWindow(script({ 'import.start': fails('namespace-missing') }));
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Group', { exact: true }).fill('nowhere');
  await start.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByLabelText('Group', { exact: true })).toHaveValue('nowhere');
});

test('the reason for a refused start is completely in view, together with the button', async () => {
  scriptWindow(script({ 'import.start': fails('namespace-missing') }));
  await show({ archive: 'archive-1' }, { width: 1072, height: 700 });
  await start.click();
  const alert = page.getByRole('alert');
  await expect.element(alert).toBeVisible();
  const bottom = (element: Element) => element.getBoundingClientRect().bottom;
  await expect
    .poll(() => Math.max(bottom(alert.element()), bottom(start.element())))
    .toBeLessThanOrEqual(700);
  expect(alert.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
});

// The space that a window of 900 × 600 leaves next to the navigation, and one of 1280 × 800 at 200 %.
test.each([
  [692, 600],
  [584, 400],
])('nothing is cut off in an area of %d × %d', async (width, height) => {
  scriptWindow(script());
  await show({ archive: 'archive-1' }, { width, height });
  await expect.element(start).toBeEnabled();
  const main = document.querySelector('main');
  expect(main?.scrollWidth).toBeLessThanOrEqual(main?.clientWidth ?? 0);
});
