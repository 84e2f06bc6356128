import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Button from '../../../src-renderer/ui/controls/Button.svelte';
import { expectAccessible } from '../support/window.ts';

test('a busy button keeps the focus and cannot be pressed again', async () => {
  const onclick = vi.fn();
  const screen = await render(Button, { label: 'Back up', busy: true, onclick });
  const button = screen.getByRole('button', { name: 'Back up' });
  button.element().focus();
  await userEvent.keyboard('{Enter}');
  expect(onclick).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await expectAccessible();
});
