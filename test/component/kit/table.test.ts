import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { TableLayout } from '../../../src-contract/settings.ts';
import { PageCache } from '../../../src-renderer/data/calls/page-cache.svelte.ts';
import { createRowSource } from '../../../src-renderer/kit/table/row-source.ts';
import { RowSelection } from '../../../src-renderer/kit/table/row-selection.svelte.ts';
import { fitColumns, layoutOf, placeColumns, type Column } from '../../../src-renderer/kit/table/columns.ts';
import { expectAccessible } from '../support/window.ts';
import TableHolder from './TableHolder.svelte';
import type { Row } from './table-row.ts';

const total = 50_000;
const rowAt = (index: number): Row => ({ key: `row ${index}`, name: `Name ${index}`, size: index * 3 });

function manyRows() {
  const requestedOffsets: number[] = [];
  const source = new PageCache<Row>((offset, limit) => {
    requestedOffsets.push(offset);
    const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, at) => rowAt(offset + at));
    return Promise.resolve({ ok: true, value: { rows, total } });
  });
  return { requestedOffsets, source };
}

const rows = () => document.querySelectorAll('[role=row]').length;
const grid = () => page.getByRole('grid', { name: 'Rows' });
const rowNamed = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) });
const scroller = () => grid().element();

test('a table of 50,000 rows keeps at most 100 of them in the document, and scrolling reaches any row', async () => {
  const { source, requestedOffsets } = manyRows();
  await render(TableHolder, { source });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  expect(grid().element().getAttribute('aria-rowcount')).toBe('50001');
  for (const top of [0, 400_000, 850_000, scroller().scrollHeight]) {
    scroller().scrollTop = top;
    const first = Math.min(Math.floor(top / 34) + 3, total - 1);
    await expect.element(rowNamed(`Name ${first}`)).toBeVisible();
    expect(rows()).toBeLessThanOrEqual(100);
  }
  expect(requestedOffsets.length).toBeLessThanOrEqual(10);
});

test('a scroll event that arrives after the table was removed changes nothing', async () => {
  const { source } = manyRows();
  const screen = await render(TableHolder, { source });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  const removed = scroller();
  await screen.unmount();
  const errors: unknown[] = [];
  const onError = (event: ErrorEvent): void => {
    event.preventDefault();
    errors.push(event.error);
  };
  window.addEventListener('error', onError);
  removed.dispatchEvent(new Event('scroll'));
  window.removeEventListener('error', onError);
  expect(errors).toEqual([]);
});

test('dragging the scroll bar requests only the rows at which it stops, and shows them', async () => {
  const { source, requestedOffsets } = manyRows();
  await render(TableHolder, { source });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  const before = requestedOffsets.length;
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 60; frames += 1) {
    scroller().scrollTop += 20_000;
    await frame();
  }
  await expect.element(rowNamed(`Name ${Math.floor((60 * 20_000) / 34) + 3}`)).toBeVisible();
  // On a slow machine, a pause looks like the end of scrolling.
  expect(requestedOffsets.length - before).toBeLessThan(60 / 3);
});

test('the ARIA index of a row is its position among all rows', async () => {
  const { source } = manyRows();
  await render(TableHolder, { source });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  scroller().scrollTop = 34 * 1000;
  await expect.element(rowNamed('Name 1000')).toHaveAttribute('aria-rowindex', '1002');
});

test('arrow keys, page keys, Home and End move the current row and scroll it into view', async () => {
  const { source } = manyRows();
  const oncurrent = vi.fn();
  await render(TableHolder, { source, oncurrent });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  const current = () => {
    const id = grid().element().getAttribute('aria-activedescendant') ?? '';
    const row = document.getElementById(id);
    const box = row?.getBoundingClientRect();
    const around = scroller().getBoundingClientRect();
    const head = scroller().querySelector('[role=row]')?.getBoundingClientRect().height ?? 0;
    return {
      index: Number(row?.getAttribute('aria-rowindex')) - 2,
      inSight: box !== undefined && box.top >= around.top + head && box.bottom <= around.bottom + 1,
    };
  };
  scroller().focus();
  for (const [keys, index] of [
    ['{ArrowDown}{ArrowDown}', 2],
    ['{ArrowUp}', 1],
    ['{End}', total - 1],
    ['{ArrowDown}', total - 1],
    ['{Home}', 0],
    ['{ArrowUp}', 0],
  ] as const) {
    await userEvent.keyboard(keys);
    await expect.poll(current).toEqual({ index, inSight: true });
  }
  await userEvent.keyboard('{PageDown}');
  const page1 = current().index;
  expect(page1).toBeGreaterThan(5);
  await userEvent.keyboard('{PageDown}');
  await expect.poll(current).toEqual({ index: page1 * 2, inSight: true });
  await userEvent.keyboard('{PageUp}{PageUp}');
  await expect.poll(current).toEqual({ index: 0, inSight: true });
  expect(oncurrent).toHaveBeenCalledWith(rowAt(2));
  await expect.element(grid()).toHaveFocus();
});

test('a row that is reached before it is loaded becomes the current row once it is loaded', async () => {
  const { source } = manyRows();
  const oncurrent = vi.fn();
  await render(TableHolder, { source, oncurrent });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  scroller().focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => oncurrent.mock.calls).toEqual([[rowAt(total - 1)]]);
});

test('Enter and a double click open a row', async () => {
  const onopen = vi.fn();
  await render(TableHolder, { source: createRowSource(() => [rowAt(0), rowAt(1), rowAt(2)]), onopen });
  scroller().focus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onopen).toHaveBeenLastCalledWith(rowAt(1));
  await rowNamed('Name 2').dblClick();
  expect(onopen).toHaveBeenLastCalledWith(rowAt(2));
});

test('rows are selected by Space, by their checkbox, one by one with Ctrl and as a range with Shift', async () => {
  const { source } = manyRows();
  const selection = new RowSelection();
  await render(TableHolder, { source, selection });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  const chosen = () => [...selection.keys].sort();
  scroller().focus();
  await userEvent.keyboard('{ArrowDown} ');
  expect(chosen()).toEqual(['row 1']);
  await expect.element(rowNamed('Name 1')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.poll(chosen).toEqual(['row 1', 'row 2', 'row 3']);
  await rowNamed('Name 2').click({ modifiers: ['ControlOrMeta'] });
  await expect.poll(chosen).toEqual(['row 1', 'row 3']);
  await rowNamed('Name 5').click({ modifiers: ['Shift'] });
  await expect.poll(chosen).toEqual(['row 1', 'row 2', 'row 3', 'row 4', 'row 5']);
  await rowNamed('Name 4').getByRole('gridcell').first().click();
  await expect.poll(chosen).toEqual(['row 1', 'row 2', 'row 3', 'row 5']);
  await userEvent.keyboard('{Escape}');
  expect(chosen()).toEqual([]);
});

test('a range also selects rows that were never in view', async () => {
  const { source } = manyRows();
  const selection = new RowSelection();
  await render(TableHolder, { source, selection });
  await rowNamed('Name 0').click();
  await userEvent.keyboard('{Shift>}{PageDown}{/Shift}');
  scroller().scrollTop = 34 * 1500;
  await expect.element(rowNamed('Name 1510')).toBeVisible();
  await rowNamed('Name 1510').click({ modifiers: ['Shift'] });
  await expect.poll(() => selection.count(total)).toBe(1511);
});

test('Ctrl+A and the checkbox in the header select all matching rows, and single rows can be deselected', async () => {
  const { source } = manyRows();
  const selection = new RowSelection();
  await render(TableHolder, { source, selection });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  scroller().focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  expect(selection.count(total)).toBe(total);
  await rowNamed('Name 3').getByRole('gridcell').first().click();
  expect(selection.count(total)).toBe(total - 1);
  expect(selection.has('row 3')).toBe(false);
  expect(selection.has('row 49999')).toBe(true);
  const box = page.getByRole('checkbox', { name: 'Select all rows' });
  await expect.element(box).toBePartiallyChecked();
  await box.click();
  expect(selection.count(total)).toBe(total);
  await box.click();
  expect(selection.count(total)).toBe(0);
});

test('a click or Enter on a column header sorts by it, and a second one reverses the order', async () => {
  const onlayout = vi.fn<(layout: TableLayout) => void>();
  await render(TableHolder, { source: createRowSource(() => [rowAt(0)]), onlayout });
  const name = page.getByRole('columnheader', { name: 'Name' });
  const size = page.getByRole('columnheader', { name: 'Size' });
  await expect.element(name).toHaveAttribute('aria-sort', 'ascending');
  await name.click();
  expect(onlayout.mock.lastCall?.[0].sort).toEqual({ column: 'name', descending: true });
  await expect.element(name).toHaveAttribute('aria-sort', 'descending');
  name.element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(size).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onlayout.mock.lastCall?.[0].sort).toEqual({ column: 'size', descending: false });
  await expect.element(name).not.toHaveAttribute('aria-sort');
});

test('a column is resized by Shift with an arrow key and by dragging, but never below its minimum width', async () => {
  const onlayout = vi.fn<(layout: TableLayout) => void>();
  await render(TableHolder, { source: createRowSource(() => [rowAt(0)]), onlayout });
  const size = page.getByRole('columnheader', { name: 'Size' });
  const width = () => size.element().getBoundingClientRect().width;
  expect(width()).toBe(120);
  size.element().focus();
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await expect.poll(width).toBe(152);
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  await expect.poll(width).toBe(136);
  await expect.element(size).toHaveFocus();
  for (let press = 0; press < 8; press += 1) await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  await expect.poll(width).toBe(80);
  expect(onlayout.mock.lastCall?.[0].columns.find(({ id }) => id === 'size')?.width).toBe(80);
  const handle = size.element().querySelector('.handle');
  if (handle === null) throw new Error('no handle');
  const drag = (type: string, clientX: number) =>
    handle.dispatchEvent(new PointerEvent(type, { clientX, pointerId: 1, bubbles: true }));
  handle.setPointerCapture = () => undefined;
  drag('pointerdown', 500);
  drag('pointermove', 550);
  drag('pointerup', 550);
  await expect.poll(width).toBe(130);
});

test('columns are shown and hidden from the menu, except the one that is always visible', async () => {
  const onlayout = vi.fn<(layout: TableLayout) => void>();
  await render(TableHolder, { source: createRowSource(() => [rowAt(0)]), onlayout });
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Size' }).click();
  expect(onlayout.mock.lastCall?.[0].columns).toContainEqual({ id: 'size', width: 120, visible: false });
  await expect.element(page.getByRole('columnheader', { name: 'Size' })).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('menuitemcheckbox', { name: 'Name' }))
    .toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('menuitem', { name: /Reset columns/ }).click();
  await expect.element(page.getByRole('columnheader', { name: 'Size' })).toBeVisible();
});

test('a stored layout is restored, and columns that it lacks appear at their declared position', async () => {
  const layout: TableLayout = {
    columns: [
      { id: 'size', width: 200, visible: true },
      { id: 'gone', width: 100, visible: true },
    ],
    sort: { column: 'size', descending: true },
  };
  await render(TableHolder, { source: createRowSource(() => [rowAt(0)]), layout });
  const size = page.getByRole('columnheader', { name: 'Size' });
  await expect.element(size).toHaveAttribute('aria-sort', 'descending');
  expect(size.element().getBoundingClientRect().width).toBe(200);
  const headers = page.getByRole('columnheader').elements();
  expect(headers.map((header) => header.textContent.trim()).filter(Boolean)).toEqual([
    'Name',
    'Size',
    'State',
  ]);
});

test('the context menu belongs to the row under the pointer, otherwise to the current row', async () => {
  const seen: string[] = [];
  const menu = (row: Row) => [{ id: 'say', label: `Say ${row.name}`, run: () => seen.push(row.name) }];
  await render(TableHolder, { source: createRowSource(() => [rowAt(0), rowAt(1), rowAt(2)]), menu });
  await rowNamed('Name 2').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Say Name 2' }).click();
  expect(seen).toEqual(['Name 2']);
  scroller().focus();
  await userEvent.keyboard('{ArrowUp}');
  scroller().dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  await page.getByRole('menuitem', { name: 'Say Name 1' }).click();
  expect(seen).toEqual(['Name 2', 'Name 1']);
});

test('a row that is not loaded yet shows only placeholders', async () => {
  const source = { ...createRowSource<Row>(() => []), total: 3, rowAt: () => null };
  await render(TableHolder, { source });
  await expect.element(page.getByRole('row').nth(1)).toBeVisible();
  expect(document.querySelectorAll('.absent')).toHaveLength(9);
  await expectAccessible();
});

test('the table is accessible in both themes while a row is selected', async () => {
  const { source } = manyRows();
  const selection = new RowSelection();
  await render(TableHolder, { source, selection, menu: () => [] });
  await expect.element(rowNamed('Name 0')).toBeVisible();
  selection.set('row 1', true);
  await expectAccessible();
});

test('the focus frame is also visible over the rows', async () => {
  const { source } = manyRows();
  await render(TableHolder, { source });
  await expect.element(rowNamed('Name 3')).toBeVisible();
  scroller().focus();
  await userEvent.keyboard('{ArrowDown}');
  const [row, around] = [rowNamed('Name 3').element(), scroller()].map((element) =>
    element.getBoundingClientRect(),
  );
  if (row === undefined || around === undefined) throw new Error('no row');
  const picture = await page.screenshot({ element: scroller(), save: false });
  const y = Math.round(row.top + row.height / 2 - around.top);
  const accent = await colourOf('var(--accent)');
  expect(await pixelOf(picture, 1, y)).toEqual(accent);
  expect(await pixelOf(picture, 30, y)).not.toEqual(accent);
});

test('columns with a hide order are hidden while there is too little room, but never after the user arranged the columns', () => {
  const column = (id: string, width: number, hideOrder?: number): Column<Row> => ({
    id,
    header: id,
    width,
    ...(hideOrder === undefined ? {} : { hideOrder }),
  });
  const columns = [column('a', 200), column('b', 100, 1), column('c', 100, 2), column('d', 100)];
  const shownIn = (room: number, layout: TableLayout | null = null) =>
    fitColumns(columns, placeColumns(columns, layout), { room, fixed: 36 })
      .map(({ column: { id } }) => id)
      .join('');
  expect(shownIn(536)).toBe('abcd');
  expect(shownIn(535)).toBe('abd');
  expect(shownIn(435)).toBe('ad');
  expect(shownIn(10)).toBe('ad');
  const sorted = layoutOf(placeColumns(columns, null), { column: 'a', descending: true });
  expect(shownIn(435, sorted)).toBe('ad');
  const [first, ...others] = sorted.columns;
  if (first === undefined) throw new Error('no column');
  expect(shownIn(10, { ...sorted, columns: [{ ...first, width: 201 }, ...others] })).toBe('abcd');
});

async function colourOf(value: string): Promise<number[]> {
  const probe = document.createElement('div');
  Object.assign(probe.style, { width: '4px', height: '4px', background: value });
  document.body.append(probe);
  const picture = await page.screenshot({ element: probe, save: false });
  probe.remove();
  return pixelOf(picture, 1, 1);
}

async function pixelOf(png: string, x: number, y: number): Promise<number[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d');
  if (drawn === null) throw new Error('nothing to draw on');
  drawn.drawImage(image, 0, 0);
  return [...drawn.getImageData(x, y, 1, 1).data];
}
