/** @file Fetches and prints the lists that an instance returns in pages. */
import type { ListOptions } from '../running/app-command.ts';
import type { Session } from '../running/session.ts';
import { joinLines, tableOf, type Cell } from '../terminal/format.ts';

/** The maximum page size of GitLab. Pages are numbered, so all pages of a list must have one size. */
const pageSize = 100;

interface PageRequest {
  limit: number;
  cursor: string | null;
}
type Page<Key extends string, Entry> = Record<Key, Entry[]> & { next: string | null };

/** Returns as many entries of the list `key` as are wanted; `more` is true if there are others. */
export async function collectList<Key extends string, Entry>(
  { limit, all = false }: Pick<ListOptions, 'limit' | 'all'>,
  key: Key,
  fetchPage: (pageRequest: PageRequest) => Promise<Page<Key, Entry>>,
): Promise<{ entries: Entry[]; more: boolean }> {
  const wanted = all ? Infinity : limit;
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Key, Entry> = await fetchPage({ limit: Math.min(pageSize, wanted), cursor });
    entries.push(...page[key]);
    cursor = page.next;
  } while (cursor !== null && entries.length < wanted);
  return { entries: entries.slice(0, wanted), more: cursor !== null || entries.length > wanted };
}

/** Prints as many entries of the list `key` as are wanted, as a table; `none` is the text for an empty list. */
export async function showList<Key extends string, Entry>(
  { terminal }: Session,
  options: ListOptions,
  list: {
    key: Key;
    fetchPage: (pageRequest: PageRequest) => Promise<Page<Key, Entry>>;
    none: string;
    cellsOf: (entry: Entry) => Record<string, Cell>;
  },
): Promise<undefined> {
  const { entries, more } = await collectList(options, list.key, list.fetchPage);
  terminal.result({ [list.key]: entries, more }, () =>
    entries.length === 0 ? list.none : joinLines(tableOf(entries, list.cellsOf), more && ['', moreLine]),
  );
}

/** The line below a list that was cut short. */
export const moreLine = 'There are more; see --limit and --all.';
