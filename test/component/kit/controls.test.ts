import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Button from '../../../src-renderer/kit/controls/Button.svelte';
import Checkbox from '../../../src-renderer/kit/controls/Checkbox.svelte';
import NumberField from '../../../src-renderer/kit/controls/NumberField.svelte';
import RadioGroup from '../../../src-renderer/kit/controls/RadioGroup.svelte';
import SearchField from '../../../src-renderer/kit/controls/SearchField.svelte';
import Select from '../../../src-renderer/kit/controls/Select.svelte';
import Switch from '../../../src-renderer/kit/controls/Switch.svelte';
import TextField from '../../../src-renderer/kit/controls/TextField.svelte';
import FormHolder from './FormHolder.svelte';

test.each(['primary', 'plain', 'quiet', 'danger'] as const)(
  'a %s button is pressed by Enter and by Space',
  async (tone) => {
    const onclick = vi.fn();
    await render(Button, { label: 'Back up', tone, onclick });
    await userEvent.keyboard('{Tab}{Enter} ');
    expect(onclick).toHaveBeenCalledTimes(2);
  },
);

test('a busy button keeps the focus and cannot be pressed again', async () => {
  const onclick = vi.fn();
  await render(Button, { label: 'Back up', tone: 'primary', busy: true, onclick });
  const button = page.getByRole('button', { name: 'Back up' });
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(button).toHaveFocus();
  expect(onclick).not.toHaveBeenCalled();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
});

test('a busy submit button does not submit its form', async () => {
  const onsubmit = vi.fn();
  const { rerender } = await render(FormHolder, { busy: true, onsubmit });
  await page.getByRole('button', { name: 'Send' }).click({ force: true });
  expect(onsubmit).not.toHaveBeenCalled();
  await rerender({ busy: false, onsubmit });
  await page.getByRole('button', { name: 'Send' }).click();
  expect(onsubmit).toHaveBeenCalledOnce();
});

test('an invalid field shows its error and keeps its hint', async () => {
  await render(TextField, { label: 'Name', value: 'X', hint: 'Lower case.', error: 'Use lower case.' });
  const field = page.getByRole('textbox', { name: 'Name' });
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveAccessibleDescription('Lower case. Use lower case.');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Use lower case.');
});

test('a secret is hidden until the user shows it', async () => {
  const oninput = vi.fn();
  await render(FormHolder, { secret: true, oninput });
  const field = page.getByLabelText('Token', { exact: true });
  await field.fill('glpat-1');
  expect(oninput).toHaveBeenLastCalledWith('glpat-1');
  await expect.element(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show the typed text' }).click();
  await expect.element(field).toHaveAttribute('type', 'text');
  await expect.element(field).toHaveAttribute('autocomplete', 'new-password');
});

test('a number field without a number reports null', async () => {
  const onchange = vi.fn();
  await render(NumberField, { label: 'Keep', value: 5, min: 1, onchange });
  const field = page.getByRole('spinbutton', { name: 'Keep' });
  await field.clear();
  await userEvent.keyboard('{Tab}');
  expect(onchange).toHaveBeenLastCalledWith(null);
  await field.fill('12');
  await userEvent.keyboard('{Tab}');
  expect(onchange).toHaveBeenLastCalledWith(12);
});

test('a time of day is reported as HH:MM', async () => {
  const onchange = vi.fn();
  await render(TextField, { type: 'time', label: 'Every day at', value: '02:30', onchange });
  await page.getByLabelText('Every day at').fill('23:05');
  await userEvent.keyboard('{Tab}');
  expect(onchange).toHaveBeenLastCalledWith('23:05');
});

test('a select reports the chosen option', async () => {
  const onchange = vi.fn();
  const options = [
    { value: 'all', label: 'All projects' },
    { value: 'never', label: 'Never backed up' },
  ];
  await render(Select, { label: 'Backup status', value: 'all', options, onchange });
  await page.getByRole('combobox', { name: 'Backup status' }).selectOptions('Never backed up');
  expect(onchange).toHaveBeenLastCalledWith('never');
});

test('radio buttons are one tab stop, and arrow keys move between them', async () => {
  const onchange = vi.fn();
  const options = [
    { value: 'tray', label: 'Stay', hint: 'Schedules go on.' },
    { value: 'quit', label: 'Quit', hint: 'Schedules wait.' },
  ];
  await render(RadioGroup, { label: 'Closing', value: 'tray', options, onchange });
  await userEvent.keyboard('{Tab}{ArrowDown}');
  expect(onchange).toHaveBeenLastCalledWith('quit');
  await expect
    .element(page.getByRole('radio', { name: 'Quit' }))
    .toHaveAccessibleDescription('Schedules wait.');
});

test.each([
  ['checkbox', Checkbox],
  ['switch', Switch],
] as const)('a %s is toggled by Space and by its label', async (role, component) => {
  const onchange = vi.fn();
  await render(component, { label: 'Overwrite', checked: false, hint: 'Destroys it.', onchange });
  await userEvent.keyboard('{Tab} ');
  expect(onchange).toHaveBeenLastCalledWith(true);
  await page.getByText('Overwrite').click();
  expect(onchange).toHaveBeenLastCalledWith(false);
  await expect.element(page.getByRole(role)).toHaveAccessibleDescription('Destroys it.');
});

test('a checkbox for several items is partially checked if only some of them are chosen', async () => {
  await render(Checkbox, { label: 'All projects', checked: false, indeterminate: true });
  await expect.element(page.getByRole('checkbox', { name: 'All projects' })).toBePartiallyChecked();
});

test('a search starts after a pause in typing or at once on Enter, and Escape clears it', async () => {
  const onsearch = vi.fn();
  await render(SearchField, { label: 'Search projects', value: '', delay: 2000, onsearch });
  const field = page.getByRole('searchbox', { name: 'Search projects' });
  await field.click();
  await userEvent.keyboard('app');
  await expect.poll(() => onsearch.mock.calls, { timeout: 20_000 }).toEqual([['app']]);
  await userEvent.keyboard('x{Enter}');
  expect(onsearch).toHaveBeenLastCalledWith('appx');
  await userEvent.keyboard('{Escape}');
  expect(onsearch).toHaveBeenLastCalledWith('');
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('a');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.element(field).toHaveFocus();
  expect(onsearch).toHaveBeenLastCalledWith('');
});
