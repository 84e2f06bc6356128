/** @file Counts a list without reading all of its pages. */
import type { InstanceClient } from './client.ts';
import { readFullList, type FullList, type FullListOptions } from './full-list.ts';
import { getPage, perPage } from './pages.ts';

/**
 * Returns the total that the first and the last page of a list confirm. Returns the records if the list has only one page,
 * or if its pages do not confirm the total.
 */
export async function listTotal<Wire, T>(
  client: InstanceClient,
  path: string,
  options: FullListOptions<Wire & { id?: number | null | undefined }, T>,
): Promise<number | FullList<T>> {
  const pageAt = (number: number) =>
    getPage(client, path, {
      ...options,
      page: { cursor: `page=${number}`, limit: perPage, signal: options.signal },
    });
  const first = await pageAt(1);
  const { total } = first;
  if (total !== null) {
    const lastNumber = Math.max(1, Math.ceil(total / perPage));
    const last = lastNumber === 1 ? first : await pageAt(lastNumber);
    const isConfirmed =
      first.records.length === Math.min(total, perPage) &&
      last.records.length === total - (lastNumber - 1) * perPage &&
      last.total === total &&
      last.next === null;
    if (isConfirmed) return lastNumber === 1 ? { records: first.records, contradiction: null } : total;
  }
  return readFullList(client, path, options);
}
