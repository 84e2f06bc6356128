/**
 * @file The lists of a project's relations. Each has a path, and a query that makes the list complete and its order
 * stable.
 */
import { isReadDenied } from '../../../src-contract/errors.ts';
import type { ComparedRelation } from '../../../src-contract/relations.ts';
import type { Query } from '../http/exchange.ts';

/** Lists in order of creation, so that a record that is added meanwhile comes last and shifts no page. */
const allByCreation = { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc' };

/** Paths are relative to the path of the project. */
export const relationLists = {
  labels: { path: 'labels', query: { include_ancestor_groups: false } },
  milestones: { path: 'milestones', query: {} },
  issues: { path: 'issues', query: allByCreation },
  merge_requests: { path: 'merge_requests', query: allByCreation },
  releases: { path: 'releases', query: {} },
  ci_pipelines: { path: 'pipelines', query: {} },
  branches: { path: 'repository/branches', query: {} },
  tags: { path: 'repository/tags', query: {} },
  boards: { path: 'boards', query: {} },
  snippets: { path: 'snippets', query: {} },
  project_badges: { path: 'badges', query: {} },
  pipeline_schedules: { path: 'pipeline_schedules', query: {} },
  push_rule: { path: 'push_rule', query: {} },
} satisfies Record<ComparedRelation, { path: string; query: Query }>;

/** Resolves with null for a list that may not be read. Rejects if the project cannot be read. */
export async function nullIfDenied<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isReadDenied(error)) return null;
    throw error;
  }
}
