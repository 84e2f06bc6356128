import { expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { PageCache, type Page } from '../../../src-renderer/data/calls/page-cache.svelte.ts';
import type { Result } from '../../../src-contract/calls.ts';

interface Asked {
  offset: number;
  signal: AbortSignal;
  answer: (result: Result<Page<string>>) => void;
}

function scripted(options?: { pageSize?: number; maxCachedPages?: number }) {
  const asked: Asked[] = [];
  const cache = new PageCache<string>(
    (offset, _limit, signal) =>
      new Promise((answer) => {
        asked.push({ offset, signal, answer });
      }),
    { pageSize: 10, ...options },
  );
  const rows = (offset: number, edition = '') =>
    Array.from({ length: 10 }, (_, at) => `${edition}${offset + at}`);
  const settle = async (which: Asked | undefined, edition = '', total = 1000): Promise<void> => {
    which?.answer({ ok: true, value: { rows: rows(which.offset, edition), total } });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { cache, asked, settle };
}

test('pages that are looked at are asked for once', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 25);
  cache.loadRange(5, 25);
  expect(asked.map(({ offset }) => offset)).toEqual([0, 10, 20]);
  for (const one of asked) await settle(one);
  cache.loadRange(0, 25);
  expect(asked).toHaveLength(3);
  expect([cache.total, cache.rowAt(0), cache.rowAt(24), cache.rowAt(30)]).toEqual([1000, '0', '24', null]);
  expect(cache.busy).toBe(false);
});

test('whoever scrolls past a page does not wait for it', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(asked[0]);
  cache.loadRange(500, 510);
  cache.loadRange(900, 910);
  expect(asked.map(({ offset, signal }) => [offset, signal.aborted])).toEqual([
    [0, false],
    [500, true],
    [900, false],
  ]);
  await settle(asked[1]);
  expect(cache.rowAt(500)).toBeNull();
});

test('the pages not looked at for longest are let go', async () => {
  const { cache, asked, settle } = scripted({ maxCachedPages: 3 });
  for (const page of [0, 1, 2]) {
    cache.loadRange(page * 10, page * 10 + 10);
    await settle(asked.at(-1));
  }
  cache.loadRange(0, 10);
  cache.loadRange(300, 310);
  await settle(asked.at(-1));
  expect([0, 10, 20, 300].map((index) => cache.rowAt(index))).toEqual(['0', null, '20', '300']);
});

test('when the list changes, old rows stay in sight until new ones come', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 20);
  for (const one of [...asked]) await settle(one);
  cache.invalidate();
  expect(cache.rowAt(0)).toBe('0');
  expect(asked.slice(2).map(({ offset }) => offset)).toEqual([0, 10]);
  await settle(asked[2], 'new ', 999);
  expect([cache.rowAt(0), cache.rowAt(10), cache.total]).toEqual(['new 0', '10', 999]);
  await settle(asked[3], 'new ', 999);
  expect(cache.rowAt(10)).toBe('new 10');
});

test('old rows that are out of sight are asked for again when they are looked at', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(asked[0]);
  cache.loadRange(500, 510);
  await settle(asked[1]);
  cache.invalidate();
  await settle(asked[2], 'new ');
  expect(cache.rowAt(0)).toBeNull();
  cache.loadRange(0, 10);
  await settle(asked[3], 'new ');
  expect(cache.rowAt(0)).toBe('new 0');
});

test('an answer to what was asked before the list changed is dropped', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 10);
  cache.restart();
  expect(asked[0]?.signal.aborted).toBe(true);
  await settle(asked[1], 'new ');
  await settle(asked[0]);
  expect(cache.rowAt(0)).toBe('new 0');
});

test('a page that fails says why, and is asked for again with the next look', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 10);
  asked[0]?.answer({ ok: false, error: new AppError('catalogue-busy', 'x').toData() });
  await expect.poll(() => cache.error?.code).toBe('catalogue-busy');
  expect(cache.busy).toBe(false);
  cache.loadRange(0, 10);
  await settle(asked[1]);
  expect([cache.error, cache.rowAt(0)]).toEqual([null, '0']);
});

test('a range is fetched where it is not held', async () => {
  const { cache, asked, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(asked[0]);
  const range = cache.rowsBetween(8, 22);
  await settle(asked[1]);
  await settle(asked[2]);
  expect(await range).toEqual(['8', '9', ...Array.from({ length: 12 }, (_, at) => String(10 + at))]);
  expect(asked.map(({ offset }) => offset)).toEqual([0, 10, 20]);
});
