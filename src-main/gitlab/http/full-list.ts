/**
 * @file Reads a list in full, and checks it against its own headers and ids. Records may be added or deleted during a
 * reading, so a list that contradicts itself is read a second time.
 */
import type { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from './client.ts';
import { maxGrowth, numberedPages, type ListOptions } from './pages.ts';

export interface ListContradiction {
  /** Number of records that the list announced; null if it announced more than it has, without a number. */
  announced: number | null;
  /** Number of different records that it has. */
  listed: number;
}

/** The records of a list; none if it contradicted itself in both readings. */
export type FullList<T> =
  | {
      records: T[];
      contradiction: null;
      /** Number of announced records that the account may not see; absent unless the list has `totalCountsHidden`. */
      hiddenCount?: number;
    }
  | { records: null; contradiction: ListContradiction };

/** The field that identifies a record in its list is the first of these that it has. */
interface IdentifiedRecord {
  id?: number | string | null | undefined;
  tag_name?: string | null | undefined;
  name?: string | null | undefined;
}

export interface FullListOptions<Wire, T> extends ListOptions {
  record: z.ZodType<Wire>;
  toRecord: (wire: Wire) => T;
  /** True if `X-Total` also counts records that the account may not see. A larger total is then as expected. */
  totalCountsHidden?: boolean;
}

/**
 * A list contradicts itself if its number of records is not `X-Total`, if `X-Total` decreased between pages, if a record
 * is in it twice, or, without `X-Total`, if an announced page is empty or was read before (gitlab-facts 3).
 */
export async function readFullList<Wire extends IdentifiedRecord, T>(
  client: InstanceClient,
  path: string,
  options: FullListOptions<Wire, T>,
): Promise<FullList<T>> {
  const first = await readOnce(client, path, options);
  return first.contradiction === null ? first : readOnce(client, path, options);
}

async function readOnce<Wire extends IdentifiedRecord, T>(
  client: InstanceClient,
  path: string,
  { record, toRecord, totalCountsHidden = false, ...options }: FullListOptions<Wire, T>,
): Promise<FullList<T>> {
  const records: T[] = [];
  const keys = new Set<string | number>();
  let [listed, highestTotal] = [0, 0];
  let total: number | null = null;
  let hiddenCount = 0;
  let [hasFewer, isAnnounced, endsEarly] = [false, false, false];
  for await (const page of numberedPages(client, path, record, options)) {
    const listedBefore = listed;
    const pageTotal = totalCountsHidden ? null : page.total;
    for (const wire of page.records) {
      const key = wire.id ?? wire.tag_name ?? wire.name ?? null;
      if (key === null || !keys.has(key)) listed += 1;
      if (key !== null) keys.add(key);
      records.push(toRecord(wire));
    }
    hasFewer ||= pageTotal !== null && pageTotal < highestTotal;
    total = pageTotal;
    hiddenCount = (page.total ?? listed) - listed;
    highestTotal = Math.max(highestTotal, total ?? 0);
    const isEmpty = page.records.length === 0;
    endsEarly = page.leadsBack || (isEmpty && isAnnounced);
    isAnnounced = page.announcesNext;
    // The list may be endless.
    if (!isEmpty && listed === listedBefore) break;
    if (total !== null && records.length > 2 * total + maxGrowth) break;
  }
  const contradiction = contradictionOf({
    count: records.length,
    listed,
    total,
    highestTotal,
    hasFewer,
    endsEarly,
  });
  if (contradiction !== null) return { records: null, contradiction };
  return totalCountsHidden ? { records, contradiction, hiddenCount } : { records, contradiction };
}

interface ReadList {
  /** Number of records with those that occurred again. */
  count: number;
  listed: number;
  /** `X-Total` of the last page. */
  total: number | null;
  highestTotal: number;
  hasFewer: boolean;
  endsEarly: boolean;
}

function contradictionOf(list: ReadList): ListContradiction | null {
  const { count, listed, total, highestTotal, hasFewer, endsEarly } = list;
  if (total === null) {
    if (count !== listed) return { announced: count, listed };
    return endsEarly ? { announced: null, listed } : null;
  }
  if (total !== listed) return { announced: total, listed };
  if (count !== listed) return { announced: count, listed };
  return hasFewer ? { announced: highestTotal, listed } : null;
}
