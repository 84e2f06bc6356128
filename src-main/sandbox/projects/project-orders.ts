/** @file Sorts a list of projects (gitlab-facts 14.2 and 3). */
import { isSortedBySimilarity } from './project-filters.ts';
import { statisticsOf } from './project-facts.ts';
import { choiceOf } from '../requests/query.ts';
import type { Project, User } from '../sandbox-database.ts';

type Key = (project: Project) => number | string;

const byId: Key = (project) => project.id;

/** Creation times follow the ids, as on a real server. */
const plainOrders = {
  id: byId,
  created_at: byId,
  name: (project) => project.name.toLowerCase(),
  path: (project) => project.path.toLowerCase(),
  updated_at: (project) => project.updatedAt,
  last_activity_at: (project) => project.lastActivityAt,
  star_count: (project) => project.stars.size,
} satisfies Record<string, Key>;

const plainNames = Object.keys(plainOrders) as (keyof typeof plainOrders)[];
const sizeNames = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const;

type Order = (typeof plainNames)[number] | (typeof sizeNames)[number] | 'similarity';

export interface Sorting {
  order: Order;
  sort: 'asc' | 'desc';
}

/** Returns the requested order. Throws 400 for an unknown order. Only the global list supports sizes and similarity. */
export function sortingOf(query: URLSearchParams, isGlobalList: boolean): Sorting {
  const names: readonly Order[] = isGlobalList ? [...plainNames, ...sizeNames, 'similarity'] : plainNames;
  const order = choiceOf(query, 'order_by', names) ?? 'created_at';
  return { order, sort: choiceOf(query, 'sort', ['asc', 'desc']) ?? 'desc' };
}

/**
 * Sorts `found`, which is in id order. Orders by size require an administrator, and similarity requires a signed-in
 * user and a search text. Otherwise sorts by id.
 */
export function sortProjects(
  found: Iterable<Project>,
  { order, sort }: Sorting,
  { query, user }: { query: URLSearchParams; user: User | null },
): Project[] {
  const rows = [...found];
  const key = keyOf(order, query, user);
  // Rows are in id order, which most requests use.
  if (key === byId) return sort === 'asc' ? rows : rows.reverse();
  const direction = sort === 'asc' ? 1 : -1;
  return rows
    .map((project) => ({ project, key: key(project) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.project.id - b.project.id) * direction)
    .map(({ project }) => project);
}

function keyOf(order: string, query: URLSearchParams, user: User | null): Key {
  if (order === 'similarity') {
    return user !== null && isSortedBySimilarity(query) ? similarity(query.get('search') ?? '') : byId;
  }
  const sizeName = sizeNames.find((name) => name === order);
  if (sizeName !== undefined) {
    return user?.administrator === true ? (project) => statisticsOf(project)[sizeName] ?? 0 : byId;
  }
  return plainOrders[plainNames.find((name) => name === order) ?? 'created_at'];
}

function similarity(search: string): Key {
  const searchTrigrams = trigrams(search);
  const share = (text: string): number => {
    const textTrigrams = trigrams(text);
    const commonCount = [...searchTrigrams].filter((part) => textTrigrams.has(part)).length;
    return commonCount / Math.max(1, searchTrigrams.size + textTrigrams.size - commonCount);
  };
  return (project) =>
    share(project.path) + 0.7 * share(project.name) + 0.2 * share(project.description ?? '');
}

function trigrams(text: string): Set<string> {
  const padded = `  ${text.toLowerCase()} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3)));
}
