/** @file Collects lists from calls that return pages. */

const largestPage = 500;

export interface Page<Entry> {
  entries: Entry[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** Returns at most `most` entries; `next` is null if there are no more. */
export async function inPages<Entry>(
  most: number,
  fetchPage: (limit: number, from: string | null) => Promise<Page<Entry>>,
): Promise<Page<Entry>> {
  const entries: Entry[] = [];
  let next: string | null = null;
  do {
    const page: Page<Entry> = await fetchPage(Math.min(largestPage, most - entries.length), next);
    entries.push(...page.entries);
    ({ next } = page);
  } while (next !== null && entries.length < most);
  return { entries, next };
}
