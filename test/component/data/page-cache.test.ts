import { expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { PageCache, type Page } from '../../../src-renderer/data/calls/page-cache.svelte.ts';
import type { Result } from '../../../src-contract/calls.ts';

interface PageRequest {
  offset: number;
  signal: AbortSignal;
  answer: (result: Result<Page<string>>) => void;
}

function scripted(options?: { pageSize?: number; maxCachedPages?: number }) {
  const requests: PageRequest[] = [];
  const cache = new PageCache<string>(
    (offset, _limit, signal) =>
      new Promise((answer) => {
        requests.push({ offset, signal, answer });
      }),
    { pageSize: 10, ...options },
  );
  const rows = (offset: number, edition = '') =>
    Array.from({ length: 10 }, (_, at) => `${edition}${offset + at}`);
  const settle = async (request: PageRequest | undefined, edition = '', total = 1000): Promise<void> => {
    request?.answer({ ok: true, value: { rows: rows(request.offset, edition), total } });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { cache, requests, settle };
}

test('pages in view are requested once', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 25);
  cache.loadRange(5, 25);
  expect(requests.map(({ offset }) => offset)).toEqual([0, 10, 20]);
  for (const request of requests) await settle(request);
  cache.loadRange(0, 25);
  expect(requests).toHaveLength(3);
  expect([cache.total, cache.rowAt(0), cache.rowAt(24), cache.rowAt(30)]).toEqual([1000, '0', '24', null]);
  expect(cache.busy).toBe(false);
});

test('the request for a page is cancelled when the user scrolls past it', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(requests[0]);
  cache.loadRange(500, 510);
  cache.loadRange(900, 910);
  expect(requests.map(({ offset, signal }) => [offset, signal.aborted])).toEqual([
    [0, false],
    [500, true],
    [900, false],
  ]);
  await settle(requests[1]);
  expect(cache.rowAt(500)).toBeNull();
});

test('the pages that were not in view for the longest time are removed', async () => {
  const { cache, requests, settle } = scripted({ maxCachedPages: 3 });
  for (const page of [0, 1, 2]) {
    cache.loadRange(page * 10, page * 10 + 10);
    await settle(requests.at(-1));
  }
  cache.loadRange(0, 10);
  cache.loadRange(300, 310);
  await settle(requests.at(-1));
  expect([0, 10, 20, 300].map((index) => cache.rowAt(index))).toEqual(['0', null, '20', '300']);
});

test('when the list changes, old rows stay visible until new ones arrive', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 20);
  for (const request of [...requests]) await settle(request);
  cache.refresh();
  expect(cache.rowAt(0)).toBe('0');
  expect(requests.slice(2).map(({ offset }) => offset)).toEqual([0, 10]);
  await settle(requests[2], 'new ', 999);
  expect([cache.rowAt(0), cache.rowAt(10), cache.total]).toEqual(['new 0', '10', 999]);
  await settle(requests[3], 'new ', 999);
  expect(cache.rowAt(10)).toBe('new 10');
});

test('old rows that are out of view are requested again when they come into view', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(requests[0]);
  cache.loadRange(500, 510);
  await settle(requests[1]);
  cache.refresh();
  await settle(requests[2], 'new ');
  expect(cache.rowAt(0)).toBeNull();
  cache.loadRange(0, 10);
  await settle(requests[3], 'new ');
  expect(cache.rowAt(0)).toBe('new 0');
});

test('a reply to a request from before a change of the list is discarded', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 10);
  cache.restart();
  expect(requests[0]?.signal.aborted).toBe(true);
  await settle(requests[1], 'new ');
  await settle(requests[0]);
  expect(cache.rowAt(0)).toBe('new 0');
});

test('a page that fails to load reports the error, and is requested again when it is next in view', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 10);
  requests[0]?.answer({ ok: false, error: new AppError('catalogue-busy', 'x').toData() });
  await expect.poll(() => cache.error?.code).toBe('catalogue-busy');
  expect(cache.busy).toBe(false);
  cache.loadRange(0, 10);
  await settle(requests[1]);
  expect([cache.error, cache.rowAt(0)]).toEqual([null, '0']);
});

test('the parts of a range that are not cached are fetched', async () => {
  const { cache, requests, settle } = scripted();
  cache.loadRange(0, 10);
  await settle(requests[0]);
  const range = cache.rowsBetween(8, 22);
  await settle(requests[1]);
  await settle(requests[2]);
  expect(await range).toEqual(['8', '9', ...Array.from({ length: 12 }, (_, at) => String(10 + at))]);
  expect(requests.map(({ offset }) => offset)).toEqual([0, 10, 20]);
});
