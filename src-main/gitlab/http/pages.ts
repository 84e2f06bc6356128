/**
 * @file Paginated lists, one page at a time or as async iterators (gitlab-facts 3). Only the query of a `Link` is used.
 * Its host is the server's configured host, which may differ from ours. [Note: token stays on its origin]
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from './client.ts';
import type { CallOptions, Cancellable, Query } from './exchange.ts';

/** The maximum number of records of a page. */
export const perPage = 100;

/**
 * Maximum number of pages of a list by page number: a million records. GitLab itself ends lists of projects at 50,000
 * records.
 */
const maxNumberedPages = 10_000;
/** Maximum number of pages of a list by id: two million projects. */
const maxKeysetPages = 20_000;
/** A list may grow while it is read, but not to more than twice its size plus this number. */
export const maxGrowth = 1000;

/** The options of a list, without `page`, `per_page` and the keyset parameters. */
export interface ListOptions extends Omit<CallOptions, 'query'> {
  query?: Query;
}

export interface PageRequest extends Cancellable {
  /** `next` of the previous page; null for the first page. */
  cursor?: string | null;
  /** Number of records, at most 100. Default: 20. */
  limit?: number;
}

export interface Page<T> {
  records: T[];
  /** Opaque; null at the end of the list. */
  next: string | null;
  /** Number of records in the whole list; null if the server does not report it, as above 10,000. */
  total: number | null;
}

/** Query parameters for a position in a list; a cursor is a query of only these. */
const positionParameters = ['page', 'id_after', 'id_before', 'cursor'];

/** Returns one page. Use `keyset` only for a list that supports it; the query must then have `order_by=id`. */
export async function getPage<Wire, T>(
  client: InstanceClient,
  path: string,
  {
    record,
    toRecord,
    page,
    keyset = false,
    ...options
  }: ListOptions & {
    record: z.ZodType<Wire>;
    toRecord: (wire: Wire) => T;
    page: PageRequest;
    keyset?: boolean;
  },
): Promise<Page<T>> {
  const position = parseCursor(page.cursor ?? null);
  const parameters = { ...(keyset && { pagination: 'keyset' }), per_page: sizeOf(page.limit) };
  const query: Query = { ...options.query, ...parameters, ...Object.fromEntries(position) };
  const call = { ...options, query, signal: page.signal };
  const { data, headers } = await client.getJson(path, z.array(record), call);
  let next: string | null;
  if (keyset) {
    next = nextCursorOf(data.length, headers);
  } else {
    const pageNumber = Number(position.get('page') ?? 1);
    const number = nextPage(pageNumber, data.length, headers, parameters.per_page);
    if (number !== null && number <= pageNumber) throw repeatedPageError(path);
    next = number === null ? null : `page=${number}`;
  }
  if (next !== null && next === position.toString()) throw repeatedPageError(path);
  return { records: data.map(toRecord), next, total: parseInteger(headers['x-total']) };
}

function parseCursor(cursor: string | null): URLSearchParams {
  const position = new URLSearchParams(cursor ?? '');
  if ([...position.keys()].every((name) => positionParameters.includes(name))) return position;
  throw new AppError('invalid-input', 'The cursor of the list is not valid.');
}

function sizeOf(limit = 20): number {
  if (Number.isInteger(limit) && limit > 0) return Math.min(limit, perPage);
  throw new AppError('invalid-input', 'A page has at least one record.');
}

function nextCursorOf(recordCount: number, headers: IncomingHttpHeaders): string | null {
  const query = recordCount === 0 ? null : linkedQuery(headers);
  if (query === null) return null;
  const position = [...query].filter(([name]) => positionParameters.includes(name));
  return position.length === 0 ? null : new URLSearchParams(position).toString();
}

/** A page of a list that is read by number. */
export interface NumberedPage<T> {
  records: T[];
  /** Number of records in the whole list; null if the server does not report it. */
  total: number | null;
  /** True if the headers name a next page. Without headers, one may follow. An empty page is always the last one. */
  announcesNext: boolean;
  /** True if the next page would be one that was read before. No page follows then. */
  leadsBack: boolean;
}

/**
 * Yields pages by number, for every list except large lists of projects. Headers contain the number of the next page.
 * If a proxy removed them, a full page means that another may follow. Throws only for a list that is too long.
 */
export async function* numberedPages<T>(
  client: InstanceClient,
  path: string,
  record: z.ZodType<T>,
  options: ListOptions = {},
): AsyncGenerator<NumberedPage<T>, void> {
  const recordsSchema = z.array(record);
  let number = 1;
  for (let pageCount = 1; ; pageCount += 1) {
    if (pageCount > maxNumberedPages)
      throw listError(`The list has more than ${maxNumberedPages} pages`, path);
    const query: Query = { ...options.query, per_page: perPage, page: number };
    const { data, headers } = await client.getJson(path, recordsSchema, { ...options, query });
    const next = nextPage(number, data.length, headers);
    const leadsBack = next !== null && next <= number;
    const announcesNext = next !== null && hasNextPageHeader(headers);
    yield { records: data, total: parseInteger(headers['x-total']), announcesNext, leadsBack };
    if (next === null || leadsBack) return;
    number = next;
  }
}

/** Yields the records of numbered pages. Throws `unexpected-response` for an endless list. */
export async function* offsetPages<T>(
  client: InstanceClient,
  path: string,
  record: z.ZodType<T>,
  options: ListOptions = {},
): AsyncGenerator<T[], void> {
  const check = createEndCheck(path, maxNumberedPages);
  for await (const { records, total, leadsBack } of numberedPages(client, path, record, options)) {
    check(records, total);
    if (records.length > 0) yield records;
    if (leadsBack) throw repeatedPageError(path);
  }
}

export async function readAllRecords<T>(
  client: InstanceClient,
  path: string,
  record: z.ZodType<T>,
  options: ListOptions,
): Promise<T[]> {
  const records: T[] = [];
  for await (const page of offsetPages(client, path, record, options)) records.push(...page);
  return records;
}

/**
 * Yields pages by id, in ascending order unless the query has `sort`. Only for lists that support
 * `pagination=keyset&order_by=id`. The last page with records still has a link. The list ends with a page without a
 * link, or an empty page. The next page is requested as soon as its position is known, so a caller that stops early has
 * requested one page too many.
 */
export async function* keysetPages<T>(
  client: InstanceClient,
  path: string,
  record: z.ZodType<T>,
  options: ListOptions = {},
): AsyncGenerator<T[], void> {
  const { sort = 'asc' } = options.query ?? {};
  const parameters = { pagination: 'keyset', order_by: 'id', sort, per_page: perPage };
  const controller = new AbortController();
  const signals = [controller.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const call = { ...options, signal: AbortSignal.any(signals) };
  const recordsSchema = z.array(record);
  const seen = new Set<string>();
  const check = createEndCheck(path, maxKeysetPages);
  const requestPage = (query: Query | URLSearchParams): PendingPage<T> => {
    const position = Promise.withResolvers<URLSearchParams | null>();
    const response = client
      .getJson(path, recordsSchema, {
        ...call,
        query,
        onResponseHeaders: (headers) => {
          position.resolve(linkedQuery(headers));
        },
      })
      .then(({ data, headers }) => {
        position.resolve(linkedQuery(headers));
        return data;
      });
    // A failure reaches the code that waits for this page. If nothing waits for it any more, the failure is ignored.
    response.catch(position.reject);
    position.promise.catch(() => undefined);
    return { records: response, next: position.promise };
  };
  try {
    let page: PendingPage<T> | null = requestPage({ ...options.query, ...parameters });
    while (page !== null) {
      const next: URLSearchParams | null = await page.next;
      if (next !== null && seen.has(next.toString())) throw repeatedPageError(path);
      if (next !== null) seen.add(next.toString());
      const pendingNext: PendingPage<T> | null = next === null ? null : requestPage(next);
      const data = await page.records;
      if (data.length === 0) return;
      check(data, null);
      yield data;
      page = pendingNext;
    }
  } finally {
    controller.abort();
  }
}

/**
 * Returns a function that throws `unexpected-response` for an endless list: more pages than any list has, far more
 * records than the server reported, or the same records again.
 */
function createEndCheck(path: string, maxPages: number) {
  let [pageCount, count, previousIds] = [0, 0, ''];
  return (records: readonly unknown[], total: number | null): void => {
    pageCount += 1;
    count += records.length;
    if (pageCount > maxPages || (total !== null && count > 2 * total + maxGrowth)) {
      throw listError(`The list has no end after ${count} records`, path);
    }
    const ids = idsOf(records);
    if (ids !== null && ids === previousIds) throw repeatedPageError(path);
    previousIds = ids ?? '';
  };
}

/** Returns null if a record has no id, because two different records may then be equal. */
function idsOf(records: readonly unknown[]): string | null {
  const ids = records.map((record) =>
    typeof record === 'object' && record !== null && 'id' in record ? record.id : null,
  );
  return ids.length === 0 || ids.includes(null) ? null : JSON.stringify(ids);
}

/** A requested page, and the position of the next page, which is known before the page itself. */
interface PendingPage<T> {
  records: Promise<T[]>;
  next: Promise<URLSearchParams | null>;
}

/**
 * Returns the number of records from `X-Total`. Null if it is absent (above 10,000, or never sent), or if the list is
 * empty although it reports records, or the reverse.
 */
export async function reportedTotal(
  client: InstanceClient,
  path: string,
  options: ListOptions = {},
): Promise<number | null> {
  const query: Query = { ...options.query, per_page: 1 };
  const { data, headers } = await client.getJson(path, z.array(z.unknown()), { ...options, query });
  const total = parseInteger(headers['x-total']);
  if (total === null) return data.length === 0 ? 0 : null;
  return data.length > 0 === total > 0 ? total : null;
}

/** Like `reportedTotal`, but counts the records of all pages instead of returning null. */
export async function countOf(client: InstanceClient, path: string, options: ListOptions = {}) {
  const total = await reportedTotal(client, path, options);
  if (total !== null) return total;
  let count = 0;
  for await (const page of offsetPages(client, path, z.unknown(), options)) count += page.length;
  return count;
}

/** Returns the number of the next page, which may be one that was read before; null at the end. */
function nextPage(
  page: number,
  recordCount: number,
  headers: IncomingHttpHeaders,
  size = perPage,
): number | null {
  if (recordCount === 0) return null;
  const header = headers['x-next-page'];
  const linkedPage = linkedQuery(headers)?.get('page');
  if (header !== undefined) return parseInteger(header);
  if (linkedPage !== undefined) return parseInteger(linkedPage ?? undefined);
  if (headers.link !== undefined) return null;
  return recordCount >= size ? page + 1 : null;
}

const hasNextPageHeader = (headers: IncomingHttpHeaders): boolean =>
  headers['x-next-page'] !== undefined || headers.link !== undefined;

/** Returns the query of `Link: <…>; rel="next"`; null if there is no such link. */
function linkedQuery(headers: IncomingHttpHeaders): URLSearchParams | null {
  const link = [headers.link ?? []].flat().join(', ');
  const next = /<([^>]*)>\s*;[^<]*\brel="?next"?/.exec(link)?.[1];
  const query = next?.split('?', 2)[1];
  return query === undefined ? null : new URLSearchParams(query);
}

function parseInteger(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;
}

const repeatedPageError = (where: string): AppError =>
  listError('The list returns the same page again', where);

function listError(what: string, where: string): AppError {
  return new AppError('unexpected-response', `${what} (${where}).`);
}
