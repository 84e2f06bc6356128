/** @file Texts of the view that finds projects on an instance. */
import type { ProjectQuery } from '../../../../src-contract/projects/project-details.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';

type Order = NonNullable<ProjectQuery['order_by']>;

export const findText = {
  button: 'Find on an instance',
  action: (instance: string) => `Find projects on ${instance}…`,
  subtitle: 'Lists projects directly from the server.',
  back: 'Stored lists',
  filters: 'Project filters',
  instance: 'Instance',
  list: 'Which projects',
  lists: {
    all: 'All visible projects',
    user: 'Projects of a user',
    contributed: 'Contributed to by a user',
    starred: 'Starred by a user',
    forks: 'Forks of a project',
    group: 'Projects of a group',
  },
  subject: {
    user: 'Username or ID',
    project: 'Full path or ID of the project',
    group: 'Full path or ID of the group',
  },
  find: 'Find',
  me: 'Myself',
  search: 'Search in names and paths',
  order: 'Order',
  orders: {
    id: 'By ID',
    name: 'By name',
    path: 'By path',
    created_at: 'By creation',
    updated_at: 'By last change',
    last_activity_at: 'By last activity',
    similarity: 'By similarity to the search',
    repository_size: 'By repository size',
    storage_size: 'By total size',
    packages_size: 'By package size',
    wiki_size: 'By wiki size',
  } satisfies Record<Order, string>,
  usualOrder: 'Newest first',
  ascending: 'Ascending',
  descending: 'Descending',
  more: 'More filters…',
  filtersTitle: 'Project filters',
  activeFilters: 'Filters',
  clear: 'Clear filters',
  any: 'Any',
  sizes: 'Include sizes',
  sizesHint: 'Requires the role Reporter; slower on the server.',
  paid: 'Paid tiers only.',
  requiresOrder: 'Works only in the order “By last change”.',
  commas: 'Separated by commas; a project must have all of them.',
  pairs: 'Such as team=maps, region=north.',
  filter: {
    archived: 'Archived on GitLab',
    id_after: 'ID greater than',
    id_before: 'ID less than',
    imported: 'Imported by the account',
    include_hidden: 'Include hidden projects',
    include_pending_delete: 'Include projects being deleted',
    last_activity_after: 'Last activity from',
    last_activity_before: 'Last activity until',
    membership: 'The account is a member',
    min_access_level: 'Role of the account at least',
    owned: 'Owned by the account',
    repository_checksum_failed: 'Repository checksum failed',
    wiki_checksum_failed: 'Wiki checksum failed',
    repository_storage: 'Repository storage',
    search_namespaces: 'Also search in parent groups',
    starred: 'Starred by the account',
    topic_id: 'ID of a topic',
    topic: 'Topics',
    updated_after: 'Changed from',
    updated_before: 'Changed until',
    visibility: 'Visibility',
    with_issues_enabled: 'Issues are on',
    with_merge_requests_enabled: 'Merge requests are on',
    with_programming_language: 'Programming language',
    marked_for_deletion_on: 'Marked for deletion on',
    custom_attributes: 'Custom attributes',
  } satisfies Record<
    Exclude<
      keyof ProjectQuery,
      'search' | 'order_by' | 'sort' | 'simple' | 'statistics' | 'with_custom_attributes'
    >,
    string
  >,
  table: 'Found projects',
  columns: { created: 'Created' },
  loading: (instance: string) => `Listing projects on ${instance}`,
  shownCount: (count: number, total: number | null, hasMore: boolean) =>
    total !== null && total !== count
      ? `${formatNumber(count)} of ${common.projects(total)}`
      : hasMore
        ? `${common.projects(count)}, and there are more`
        : common.projects(count),
  showMore: 'Show more',
  anonymous: 'The instance is used without an account: only public projects are found.',
  noSubject: 'Enter whose projects to list',
  noSubjectText: {
    user: 'Type a username or the ID of a user.',
    project: 'Type the full path or the ID of a project.',
    group: 'Type the full path or the ID of a group.',
  },
  cancelled: 'The search was cancelled',
  cancelledText: 'No result had arrived yet.',
  searchAgain: 'Search again',
  none: 'No project found',
  noneText: 'The account can see no matching project. Remove a filter, or try another list.',
  noneOfUser:
    'There is no such user, or the user has no projects that the account can see. A private profile shows none.',
} as const;
