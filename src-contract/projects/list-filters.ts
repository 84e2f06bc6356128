/** @file The filters and orders of GitLab's lists of projects (gitlab-facts 14), without those for paging. */
import type { OperationId } from '../operations.ts';

export interface ListFilter {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'string' | 'datetime' | 'date';
  /** The allowed values; absent if they are not limited. */
  readonly values?: readonly string[];
  /** The `values` that only administrators may send. */
  readonly administratorsOnlyValues?: readonly string[];
  /** The value that applies if the filter is left out. */
  readonly defaultValue?: string | number | boolean;
  readonly administratorsOnly?: true;
  /**
   * True if the value false selects the opposite. For other booleans, false has the same effect as leaving the filter
   * out.
   */
  readonly falseSelectsOpposite?: true;
  /** The lowest role for which the filter has an effect, if it is higher than that of the operation. */
  readonly minRole?: 'reporter';
  /** `higher`: paid tiers, `highest`: only the highest one. */
  readonly tier?: 'higher' | 'highest';
  /** Meaning or condition, in a few words for users. */
  readonly note?: string;
}

const simple = {
  name: 'simple',
  type: 'boolean',
  note: 'limited fields; no-op when unauthenticated',
} as const satisfies ListFilter;
const sort = {
  name: 'sort',
  type: 'string',
  values: ['asc', 'desc'],
  defaultValue: 'desc',
} as const satisfies ListFilter;
const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const;
const sizeOrders = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const;
const orderBy = {
  name: 'order_by',
  type: 'string',
  values: orders,
  defaultValue: 'created_at',
} as const satisfies ListFilter;

/** The filters of every list except that of contributions. */
const filters = [
  { name: 'archived', type: 'boolean', falseSelectsOpposite: true, note: 'by archived status' },
  { name: 'membership', type: 'boolean', note: 'the caller is a member' },
  { name: 'min_access_level', type: 'integer', note: 'minimal role of the caller (access_level)' },
  { name: 'owned', type: 'boolean', note: 'explicitly owned by the caller' },
  { name: 'search', type: 'string' },
  simple,
  sort,
  { name: 'starred', type: 'boolean', note: 'starred by the caller' },
  { name: 'statistics', type: 'boolean', minRole: 'reporter' },
  { name: 'updated_after', type: 'datetime', note: 'only effective with order_by=updated_at' },
  { name: 'updated_before', type: 'datetime', note: 'only effective with order_by=updated_at' },
  { name: 'visibility', type: 'string', values: ['public', 'internal', 'private'] },
  { name: 'with_custom_attributes', type: 'boolean', administratorsOnly: true },
  { name: 'with_issues_enabled', type: 'boolean' },
  { name: 'with_merge_requests_enabled', type: 'boolean' },
] as const satisfies readonly ListFilter[];

const idFilters = [
  { name: 'id_after', type: 'integer', note: 'IDs greater than' },
  { name: 'id_before', type: 'integer', note: 'IDs less than' },
] as const satisfies readonly ListFilter[];
const language = { name: 'with_programming_language', type: 'string' } as const satisfies ListFilter;

export const listFilters = {
  'list-projects': [
    ...filters,
    ...idFilters,
    { name: 'imported', type: 'boolean', note: 'imported from external systems by the caller' },
    { name: 'include_hidden', type: 'boolean', administratorsOnly: true, tier: 'higher' },
    { name: 'include_pending_delete', type: 'boolean', administratorsOnly: true },
    { name: 'last_activity_after', type: 'datetime' },
    { name: 'last_activity_before', type: 'datetime' },
    {
      name: 'order_by',
      type: 'string',
      values: [...orders, 'similarity', ...sizeOrders],
      administratorsOnlyValues: sizeOrders,
      defaultValue: 'created_at',
      note: 'similarity only with search, and then among projects the caller is a member of',
    },
    { name: 'repository_checksum_failed', type: 'boolean', tier: 'higher' },
    { name: 'wiki_checksum_failed', type: 'boolean', tier: 'higher' },
    { name: 'repository_storage', type: 'string', administratorsOnly: true },
    {
      name: 'search_namespaces',
      type: 'boolean',
      defaultValue: false,
      note: 'search matches ancestor namespaces, too',
    },
    { name: 'topic', type: 'string', note: 'comma-separated names; projects must match all' },
    { name: 'topic_id', type: 'integer' },
    language,
    { name: 'marked_for_deletion_on', type: 'date', tier: 'higher' },
    { name: 'custom_attributes[<key>]', type: 'string', note: 'by custom attribute' },
  ],
  'list-user-projects': [...filters, ...idFilters, orderBy, language],
  'list-contributed-projects': [orderBy, simple, sort],
  'list-starred-projects': [...filters, orderBy],
  'list-forks': [...filters, orderBy],
} as const satisfies Partial<Record<OperationId, readonly ListFilter[]>>;

/** The operations that return a list of projects. */
export type ListOperation = keyof typeof listFilters;
