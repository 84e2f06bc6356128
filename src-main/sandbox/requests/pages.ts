/** @file GitLab's offset and keyset pagination (gitlab-facts 3). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { falsifyPage } from '../faults/false-lists.ts';
import { parameterError } from './api-error.ts';
import { queryOf } from './query.ts';
import { takeListFaults } from './server.ts';

/** With more rows than this, totals are no longer counted. */
const countLimit = 10_000;
const offsetLimit = 50_000;

/**
 * Sets the `X-` and `Link` headers, and applies the scripted faults of lists. `base` is the configured URL, not the
 * requested one.
 */
export function offsetPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  rows: readonly Row[],
  isOffsetLimited = false,
): Row[] {
  const page = positiveParameter(request, 'page', 1);
  const perPage = Math.min(positiveParameter(request, 'per_page', 20), 100);
  if (isOffsetLimited && page * perPage > offsetLimit) {
    const text =
      `Offset pagination has a maximum allowed offset of ${offsetLimit} for requests that return objects of type Project. ` +
      'Remaining records can be retrieved using keyset pagination.';
    throw parameterError(405, text);
  }
  const { pageRows, total } = falsifyPage(rows, { page, perPage }, takeListFaults(request));
  const hasNext = page * perPage < rows.length;
  const link = (to: number, rel: string) =>
    `<${linkUrl(request, base, { page: `${to}`, per_page: `${perPage}` })}>; rel="${rel}"`;
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(hasNext ? [link(page + 1, 'next')] : []),
    link(1, 'first'),
  ];
  reply
    .header('X-Page', `${page}`)
    .header('X-Per-Page', `${perPage}`)
    .header('X-Next-Page', hasNext ? `${page + 1}` : '')
    .header('X-Prev-Page', page > 1 ? `${page - 1}` : '');
  if (rows.length <= countLimit) {
    const pages = Math.max(1, Math.ceil(total / perPage));
    reply.header('X-Total', `${total}`).header('X-Total-Pages', `${pages}`);
    links.push(link(pages, 'last'));
  }
  reply.header('Link', links.join(', '));
  return pageRows;
}

/**
 * Pages rows that are already filtered by `id_after`/`id_before` and sorted by id. The only link is `next`. The last
 * page with records also has this link, although nothing follows. Reads no more rows than the page holds.
 */
export function keysetPage<Row extends { id: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  rows: Iterable<Row>,
): Row[] {
  const query = queryOf(request);
  if (query.get('order_by') !== 'id') {
    throw parameterError(405, 'Keyset pagination is not yet available for this type of request');
  }
  const perPage = Math.min(positiveParameter(request, 'per_page', 20), 100);
  const page: Row[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length === perPage) break;
  }
  const last = page.at(-1);
  if (last !== undefined) {
    const key = query.get('sort') === 'asc' ? 'id_after' : 'id_before';
    const url = linkUrl(request, base, { [key]: `${last.id}`, per_page: `${perPage}` });
    reply.header('Link', `<${url}>; rel="next"`);
  }
  return page;
}

function positiveParameter(request: FastifyRequest, name: string, fallback: number): number {
  const text = queryOf(request).get(name);
  if (text === null || text === '') return fallback;
  if (!/^-?\d+$/.test(text)) throw parameterError(400, `${name} is invalid`);
  const value = Number(text);
  if (value < 1) throw parameterError(400, `${name} does not have a valid value`);
  return value;
}

function linkUrl(request: FastifyRequest, base: string, changed: Record<string, string>): string {
  const query = new URLSearchParams(queryOf(request));
  query.delete('private_token');
  for (const [key, value] of Object.entries(changed)) query.set(key, value);
  const path = request.url.split('?')[0] ?? '';
  return `${base}${path}?${query.toString()}`;
}
