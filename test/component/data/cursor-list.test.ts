import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { CursorList } from '../../../src-renderer/data/calls/cursor-list.svelte.ts';
import Host from './Host.svelte';

interface Row {
  id: string;
  text: string;
}

/** Creates a list of these rows, newest first, and records its requests. Rows may be added later. */
async function listOf(
  rows: Row[],
): Promise<{ list: CursorList<Row>; requests: [before: string | null, limit: number][] }> {
  const requests: [string | null, number][] = [];
  let list: CursorList<Row> | undefined;
  const load = (before: string | null, limit: number) => {
    requests.push([before, limit]);
    const from = before === null ? 0 : rows.findIndex(({ id }) => id === before) + 1;
    const page = rows.slice(from, from + limit);
    const next = from + limit < rows.length ? (page.at(-1)?.id ?? null) : null;
    return Promise.resolve({ ok: true as const, value: { rows: page, next } });
  };
  await render(Host, { setUp: () => (list = new CursorList<Row>(() => load)) });
  return { list: list as unknown as CursorList<Row>, requests };
}

const row = (number: number, text = ''): Row => ({ id: String(number), text });
const many = (count: number): Row[] => Array.from({ length: count }, (_, at) => row(count - at));

async function growTo(list: CursorList<Row>, length: number): Promise<void> {
  while ((list.rows?.length ?? 0) < length) {
    const before = list.rows?.length ?? 0;
    list.loadRange(before, before + 1);
    await expect.poll(() => list.rows?.length ?? 0).toBeGreaterThan(before);
  }
}

test('a reload requests only the newest rows, and the rows below them stay', async () => {
  const rows = many(1500);
  const { list, requests } = await listOf(rows);
  await expect.poll(() => list.rows?.length).toBe(100);
  await growTo(list, 800);
  rows.unshift(row(1501));
  rows[3] = row(1498, 'changed');
  requests.length = 0;
  await list.reload();
  expect(requests).toEqual([[null, 500]]);
  expect(list.rows).toEqual(rows.slice(0, 801));
  // The list continues where it ended.
  await growTo(list, 900);
  expect(list.rows).toEqual(rows.slice(0, 901));
  expect(list.total).toBe(902);
});

test('the list starts again if there are so many new rows that none of the known ones is reached', async () => {
  const rows = many(300);
  const { list } = await listOf(rows);
  await expect.poll(() => list.rows?.length).toBe(100);
  rows.unshift(...Array.from({ length: 400 }, (_, at) => row(1000 - at)));
  await list.reload();
  expect(list.rows).toEqual(rows.slice(0, 100));
  await growTo(list, 200);
  expect(list.rows).toEqual(rows.slice(0, 200));
});

test('reloads that are requested during a reload are merged into one', async () => {
  const { list, requests } = await listOf(many(10));
  await expect.poll(() => list.total).toBe(10);
  requests.length = 0;
  for (let times = 0; times < 100; times += 1) void list.reload();
  await expect.poll(() => requests.length).toBe(2);
  expect(list.total).toBe(10);
});
