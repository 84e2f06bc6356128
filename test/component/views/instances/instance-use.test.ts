import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import InstanceSettings from '../../../../src-renderer/views/instances/InstanceSettings.svelte';
import { exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow } from '../../support/window.ts';

const readOnly = page.getByRole('switch', { name: 'Read only: change nothing there' });
const proxy = page.getByLabelText('Proxy for this instance');

test('an instance is set to read-only at once, and a refusal resets the switch', async () => {
  const bridge = scriptWindow({ 'instance.change': fails('settings-unreadable') });
  await render(InstanceSettings, { instance: exampleInstance() });
  await readOnly.click();
  await expect.poll(() => bridge.asked('instance.change')).toEqual([{ name: 'work', readOnly: true }]);
  await expect.element(readOnly).not.toBeChecked();
  await expectAccessible();
  bridge.answer('instance.change', exampleInstance({ readOnly: true }));
  await readOnly.click();
  await expect.element(readOnly).toBeChecked();
});

test('a proxy is tested before it is used; a refused one stays to be corrected, and an empty field removes it', async () => {
  const bridge = scriptWindow({ 'instance.change': fails('connection-refused') });
  const { rerender } = await render(InstanceSettings, { instance: exampleInstance() });
  await expect.element(page.getByRole('button', { name: 'Test and use it' })).toBeDisabled();
  await proxy.fill('http://proxy.example.com:3128');
  await userEvent.keyboard('{Enter}');
  await expect.element(proxy).toHaveAttribute('aria-invalid', 'true');
  await expect.element(proxy).toHaveValue('http://proxy.example.com:3128');
  await expectAccessible();
  const changed = exampleInstance({ proxy: 'http://proxy.example.com:3128' });
  bridge.answer('instance.change', changed);
  await page.getByRole('button', { name: 'Test and use it' }).click();
  await rerender({ instance: changed });
  await expect.element(page.getByRole('button', { name: 'Test and use it' })).toBeDisabled();
  await proxy.fill('');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => bridge.asked('instance.change').map((change) => change.proxy))
    .toEqual(['http://proxy.example.com:3128', 'http://proxy.example.com:3128', null]);
});

test('an instance used without an account is always read-only', async () => {
  scriptWindow();
  await render(InstanceSettings, { instance: exampleInstance({ anonymous: true }) });
  await expect.element(readOnly).toBeChecked();
  await expect.element(readOnly).toBeDisabled();
});
