/** @file The lists of what a project holds: where each is, and what is asked so that it is whole and keeps its order. */
import { mayNotBeRead } from '../../../src-contract/errors.ts';
import type { ListedRelation } from '../../../src-contract/relations.ts';
import type { Query } from '../http/exchange.ts';

interface RelationList {
  /** Below that of the project. */
  path: string;
  query: Query;
}

/** In the order of creation, what is added while listing comes at the end and shifts no page. */
const everything = { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc' };

export const relationLists = {
  labels: { path: 'labels', query: { include_ancestor_groups: false } },
  milestones: { path: 'milestones', query: {} },
  issues: { path: 'issues', query: everything },
  merge_requests: { path: 'merge_requests', query: everything },
  releases: { path: 'releases', query: {} },
  ci_pipelines: { path: 'pipelines', query: {} },
  branches: { path: 'repository/branches', query: {} },
  tags: { path: 'repository/tags', query: {} },
} satisfies Record<ListedRelation, RelationList>;

/** Null for a list that may not be read; rejects when the project cannot be asked. */
export async function readable<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (mayNotBeRead(error)) return null;
    throw error;
  }
}
