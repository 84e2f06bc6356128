/**
 * @file Paginated lists, one page at a time or as async iterators (gitlab-facts 3). Only the query of a `Link` is used.
 * Its host is the server's configured host, which may differ from ours. [Note: token stays on its origin]
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from './client.ts';
import type { CallOptions, Cancellable, Query } from './exchange.ts';

const perPage = 100;

/**
 * Maximum number of pages of a list by page number: a million records. GitLab itself ends lists of projects at 50,000
 * records.
 */
const maxNumberedPages = 10_000;
/** Maximum number of pages of a list by id: two million projects. */
const maxKeysetPages = 20_000;
/** A list may grow while it is read, but not to more than twice its size plus this number. */
const maxGrownBy = 1000;

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
const places = ['page', 'id_after', 'id_before', 'cursor'];

/** Returns one page. Use `keyset` only for a list that supports it; the query must then have `order_by=id`. */
export async function onePage<Wire, T>(
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
  const place = placeOf(page.cursor ?? null);
  const fixed = { ...(keyset && { pagination: 'keyset' }), per_page: sizeOf(page.limit) };
  const query: Query = { ...options.query, ...fixed, ...Object.fromEntries(place) };
  const call = { ...options, query, signal: page.signal };
  const { data, headers } = await client.getJson(path, z.array(record), call);
  let next: string | null;
  if (keyset) {
    next = linkedPlace(data.length, headers);
  } else {
    const number = nextPage(Number(place.get('page') ?? 1), data.length, headers, fixed.per_page);
    next = number === null ? null : `page=${number}`;
  }
  if (next !== null && next === place.toString()) throw goesInCircles(path);
  return { records: data.map(toRecord), next, total: wholeNumber(headers['x-total']) };
}

function placeOf(cursor: string | null): URLSearchParams {
  const place = new URLSearchParams(cursor ?? '');
  if ([...place.keys()].every((name) => places.includes(name))) return place;
  throw new AppError('invalid-input', 'The cursor of the list is not valid.');
}

function sizeOf(limit = 20): number {
  if (Number.isInteger(limit) && limit > 0) return Math.min(limit, perPage);
  throw new AppError('invalid-input', 'A page has at least one record.');
}

function linkedPlace(records: number, headers: IncomingHttpHeaders): string | null {
  const query = records === 0 ? null : linkedQuery(headers);
  if (query === null) return null;
  const place = [...query].filter(([name]) => places.includes(name));
  return place.length === 0 ? null : new URLSearchParams(place).toString();
}

/**
 * Yields pages by number, for every list except large lists of projects. Headers contain the number of the next page.
 * If a proxy removed them, a full page means that another may follow.
 */
export async function* offsetPages<T>(
  client: InstanceClient,
  path: string,
  record: z.ZodType<T>,
  options: ListOptions = {},
): AsyncGenerator<T[], void> {
  const records = z.array(record);
  const check = createEndCheck(path, maxNumberedPages);
  let page: number | null = 1;
  while (page !== null) {
    const query: Query = { ...options.query, per_page: perPage, page };
    const { data, headers } = await client.getJson(path, records, { ...options, query });
    check(data, headers);
    if (data.length > 0) yield data;
    page = nextPage(page, data.length, headers);
  }
}

export async function everyRecord<T>(
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
  const fixed = { pagination: 'keyset', order_by: 'id', sort, per_page: perPage };
  const stopped = new AbortController();
  const signals = [stopped.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const call = { ...options, signal: AbortSignal.any(signals) };
  const records = z.array(record);
  const seen = new Set<string>();
  const check = createEndCheck(path, maxKeysetPages);
  const ask = (query: Query | URLSearchParams): PageAsked<T> => {
    const place = Promise.withResolvers<URLSearchParams | null>();
    const answer = client
      .getJson(path, records, {
        ...call,
        query,
        onResponseHeaders: (headers) => {
          place.resolve(linkedQuery(headers));
        },
      })
      .then(({ data, headers }) => {
        place.resolve(linkedQuery(headers));
        return data;
      });
    // A failure reaches the code that waits for this page. If nothing waits for it any more, the failure is ignored.
    answer.catch(place.reject);
    place.promise.catch(() => undefined);
    return { answer, next: place.promise };
  };
  try {
    let page: PageAsked<T> | null = ask({ ...options.query, ...fixed });
    while (page !== null) {
      const next: URLSearchParams | null = await page.next;
      if (next !== null && seen.has(next.toString())) throw goesInCircles(path);
      if (next !== null) seen.add(next.toString());
      const ahead: PageAsked<T> | null = next === null ? null : ask(next);
      const data = await page.answer;
      if (data.length === 0) return;
      check(data, {});
      yield data;
      page = ahead;
    }
  } finally {
    stopped.abort();
  }
}

/**
 * Returns a function that throws `unexpected-response` for an endless list: more pages than any list has, far more
 * records than the server reported, or the same records again.
 */
function createEndCheck(path: string, maxPages: number) {
  let [pages, count, before] = [0, 0, ''];
  return (records: readonly unknown[], headers: IncomingHttpHeaders): void => {
    pages += 1;
    count += records.length;
    const said = wholeNumber(headers['x-total']);
    if (pages > maxPages || (said !== null && count > 2 * said + maxGrownBy)) {
      throw listError(`The list has no end after ${count} records`, path);
    }
    const page = idsOf(records);
    if (page !== null && page === before) throw goesInCircles(path);
    before = page ?? '';
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
interface PageAsked<T> {
  answer: Promise<T[]>;
  next: Promise<URLSearchParams | null>;
}

/** Returns the number of records from `X-Total`; null if it is absent (above 10,000, or never sent). */
export async function reportedTotal(
  client: InstanceClient,
  path: string,
  options: ListOptions = {},
): Promise<number | null> {
  const query: Query = { ...options.query, per_page: 1 };
  const { data, headers } = await client.getJson(path, z.array(z.unknown()), { ...options, query });
  return wholeNumber(headers['x-total']) ?? (data.length === 0 ? 0 : null);
}

/** Like `reportedTotal`, but counts the records of all pages if `X-Total` is absent. */
export async function countOf(client: InstanceClient, path: string, options: ListOptions = {}) {
  const total = await reportedTotal(client, path, options);
  if (total !== null) return total;
  let count = 0;
  for await (const page of offsetPages(client, path, z.unknown(), options)) count += page.length;
  return count;
}

function nextPage(
  page: number,
  records: number,
  headers: IncomingHttpHeaders,
  size = perPage,
): number | null {
  if (records === 0) return null;
  const header = headers['x-next-page'];
  const linked = linkedQuery(headers)?.get('page');
  let next: number | null;
  if (header !== undefined) next = wholeNumber(header);
  else if (linked !== undefined) next = wholeNumber(linked ?? undefined);
  else if (headers.link !== undefined) next = null;
  else next = records >= size ? page + 1 : null;
  if (next !== null && next <= page) throw goesInCircles(`page ${page}`);
  return next;
}

/** Returns the query of `Link: <…>; rel="next"`; null if there is no such link. */
function linkedQuery(headers: IncomingHttpHeaders): URLSearchParams | null {
  const link = [headers.link ?? []].flat().join(', ');
  const next = /<([^>]*)>\s*;[^<]*\brel="?next"?/.exec(link)?.[1];
  const query = next?.split('?', 2)[1];
  return query === undefined ? null : new URLSearchParams(query);
}

function wholeNumber(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;
}

const goesInCircles = (where: string): AppError => listError('The list returns the same page again', where);

function listError(what: string, where: string): AppError {
  return new AppError('unexpected-response', `${what} (${where}).`);
}
