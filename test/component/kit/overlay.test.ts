import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { AppError } from '../../../src-contract/errors.ts';
import type { DestroyedData } from '../../../src-contract/host.ts';
import ConfirmDialog from '../../../src-renderer/kit/overlay/ConfirmDialog.svelte';
import Menu from '../../../src-renderer/kit/overlay/Menu.svelte';
import OverlayHolder from './OverlayHolder.svelte';
import { expectAccessible } from '../support/window.ts';

const destroys: DestroyedData[] = [
  { what: 'token', name: 'work', count: null },
  { what: 'project-list', name: 'work', count: 2413 },
];
const removal = {
  onclose: () => undefined,
  title: 'Remove the instance?',
  confirmation: { destroyedItems: destroys, error: null },
  call: { busy: false, error: null },
  confirmLabel: 'Remove the instance',
};

test('a dialog traps the focus, closes on Escape and returns the focus', async () => {
  await render(OverlayHolder, { part: 'dialog' });
  const opener = page.getByRole('button', { name: 'Open' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Add an instance' });
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await expectAccessible();
  for (let presses = 0; presses < 8; presses += 1) {
    await userEvent.keyboard('{Tab}');
    expect(dialog.element().contains(document.activeElement)).toBe(true);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('neither Escape nor a click outside closes a locked dialog', async () => {
  await render(OverlayHolder, { part: 'dialog', locked: true });
  await page.getByRole('button', { name: 'Open' }).click();
  const dialog = page.getByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await page.elementLocator(document.querySelector('.dialog-veil') ?? document.body).click({
    position: { x: 5, y: 5 },
  });
  await expect.element(dialog).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument();
});

test('a confirmation names what it will destroy, and Enter alone destroys nothing', async () => {
  const onconfirm = vi.fn();
  await render(ConfirmDialog, { ...removal, keptText: 'Its archives stay.', onconfirm });
  const dialog = page.getByRole('dialog', { name: 'Remove the instance?' });
  await expect.element(dialog.getByText('The token of work')).toBeVisible();
  await expect.element(dialog.getByText('The stored project list of work (2,413)')).toBeVisible();
  await expect.element(dialog.getByText('Its archives stay.')).toBeVisible();
  await expectAccessible();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onconfirm).not.toHaveBeenCalled();
});

test('a confirmation is given with its button', async () => {
  const onconfirm = vi.fn();
  await render(ConfirmDialog, { ...removal, onconfirm });
  await page.getByRole('button', { name: 'Remove the instance' }).click();
  expect(onconfirm).toHaveBeenCalledOnce();
});

test('a confirmation cannot be given before the app knows what will be destroyed', async () => {
  await render(ConfirmDialog, {
    ...removal,
    confirmation: { destroyedItems: null, error: null },
    onconfirm: vi.fn(),
  });
  await expect.element(page.getByRole('button', { name: 'Remove the instance' })).toBeDisabled();
  await expectAccessible();
});

test('a confirmation that requires a text accepts only exactly that text', async () => {
  const onconfirm = vi.fn();
  await render(ConfirmDialog, { ...removal, requiredText: 'group/app', onconfirm });
  const confirm = page.getByRole('button', { name: 'Remove the instance' });
  const field = page.getByRole('textbox', { name: /group\/app/ });
  await field.fill('group/ap');
  await expect.element(confirm).toBeDisabled();
  await field.fill('group/app');
  await confirm.click();
  expect(onconfirm).toHaveBeenCalledOnce();
});

test('the dialog of a confirmation stays open during the deletion and shows the error if it fails', async () => {
  const onconfirm = vi.fn();
  const { rerender } = await render(ConfirmDialog, {
    ...removal,
    call: { busy: true, error: null },
    onconfirm,
  });
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the instance' }).click({ force: true });
  expect(onconfirm).not.toHaveBeenCalled();
  const error = new AppError('confirmation-missing', 'late').toData();
  await rerender({ ...removal, call: { busy: false, error }, onconfirm });
  await expect.element(page.getByRole('alert')).toMatchTextContent('was not confirmed');
});

test('a menu can be used with the keyboard, which skips disabled entries', async () => {
  const run = vi.fn<(id: string) => void>();
  const entries = [
    {
      id: 'copy',
      label: 'Copy the path',
      run: () => {
        run('copy');
      },
    },
    {
      id: 'off',
      label: 'Not now',
      disabled: true,
      run: () => {
        run('off');
      },
    },
    {
      id: 'remove',
      label: 'Remove…',
      danger: true,
      separatorBefore: true,
      run: () => {
        run('remove');
      },
    },
  ];
  await render(Menu, { label: 'Actions', entries });
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Copy the path' })).toHaveFocus();
  await expectAccessible();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Remove…' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(run.mock.calls).toEqual([['remove']]);
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Actions' })).toHaveFocus();
});

test('a menu stays open when one of its checkbox entries is toggled', async () => {
  await render(OverlayHolder, { part: 'menu' });
  await page.getByRole('button', { name: 'Actions' }).click();
  const entry = page.getByRole('menuitemcheckbox', { name: 'Show archived' });
  await expect.element(entry).toHaveAttribute('aria-checked', 'false');
  await entry.click();
  await expect.element(entry).toHaveAttribute('aria-checked', 'true');
});

test('a menu is closed by its button, by a click outside and by Escape, and a letter focuses the matching entry', async () => {
  await render(OverlayHolder, { part: 'menu' });
  const button = page.getByRole('button', { name: 'Actions' });
  const menu = page.getByRole('menu');
  await button.click();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await button.click();
  await expect.element(menu).not.toBeInTheDocument();
  await button.click();
  await expect.element(menu).toBeVisible();
  await page.elementLocator(document.body).click({ position: { x: 600, y: 600 } });
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await userEvent.keyboard('s');
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'Show archived' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('Escape closes a menu in a dialog, and the dialog stays open', async () => {
  await render(OverlayHolder, { part: 'menu in a dialog' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{ArrowDown}{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Actions' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a menu stays within the window, even if its button is in a corner', async () => {
  for (const corner of ['inset: 0 auto auto 0', 'inset: auto 0 0 auto']) {
    const { unmount } = await render(OverlayHolder, { part: 'menu', corner });
    await page.getByRole('button', { name: 'Actions' }).click();
    const { left, top, right, bottom } = page.getByRole('menu').element().getBoundingClientRect();
    expect([left >= 0, top >= 0, right <= innerWidth, bottom <= innerHeight]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await unmount();
  }
});
