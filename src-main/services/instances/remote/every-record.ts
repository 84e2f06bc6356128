/** @file Reads all pages of a list. */
import type { Page } from '../../../gitlab/http/pages.ts';

/** Yields the records of all pages. `page` reads one page; null is the cursor of the first page. */
export async function* everyRecord<T>(
  page: (cursor: string | null) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  let cursor: string | null = null;
  do {
    const { records, next }: Page<T> = await page(cursor);
    yield* records;
    cursor = next;
  } while (cursor !== null);
}
