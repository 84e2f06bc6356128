/**
 * @file The known requirements of GitLab for the records of each relation: validations of its models (Issuable,
 * Milestone, Label, Snippet, Member, Ci::Pipeline, ProtectedRef, Release) and unique indexes. Anything else is not
 * checked.
 */

export interface RelationRules {
  /** The field without which the model is invalid; for `titleLimit` see below. */
  title?: string;
  /** The title may have at most 255 characters. */
  titleLimit?: true;
  /** Other fields that must not be null. The severity says if the importer may fill them in. */
  required?: readonly string[];
  /** Fields with a closed list of values. */
  values?: Readonly<Record<string, readonly (string | number)[]>>;
  /** A second record with the same iid violates a unique index; if the importer first searches by iid, it is merged. */
  iid?: 'unique' | 'merged';
  /** Two records with one title: the importer uses the first for both, newer versions rename the second. */
  titlesMerged?: true;
  /** The address of its page on the source: `issues` for `/-/issues/<iid>`. */
  page?: { below: string; by: string };
}

const visibility = [0, 10, 20];
const feature = [0, 10, 20, 30];
const issueStates = ['opened', 'closed'];

/** Statuses of Ci::Pipeline, including those of later versions. */
const pipelineStatuses = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
];

export const rulesOf: ReadonlyMap<string, RelationRules> = new Map<string, RelationRules>([
  [
    'issues',
    {
      title: 'title',
      titleLimit: true,
      required: ['author_id'],
      values: { state: issueStates },
      iid: 'unique',
      page: { below: '-/issues', by: 'iid' },
    },
  ],
  [
    'merge_requests',
    {
      title: 'title',
      titleLimit: true,
      required: ['author_id', 'source_branch', 'target_branch'],
      values: { state: ['opened', 'closed', 'merged', 'locked'] },
      iid: 'unique',
      page: { below: '-/merge_requests', by: 'iid' },
    },
  ],
  [
    'milestones',
    {
      title: 'title',
      titleLimit: true,
      values: { state: ['active', 'closed'] },
      iid: 'merged',
      titlesMerged: true,
      page: { below: '-/milestones', by: 'iid' },
    },
  ],
  ['labels', { title: 'title', titleLimit: true, titlesMerged: true }],
  ['snippets', { title: 'title', titleLimit: true, values: { visibility_level: visibility } }],
  ['releases', { title: 'tag', page: { below: '-/releases', by: 'tag' } }],
  ['boards', { title: 'name' }],
  ['protected_branches', { title: 'name' }],
  ['protected_tags', { title: 'name' }],
  ['project_members', { required: ['access_level'], values: { access_level: [5, 10, 15, 20, 30, 40, 50] } }],
  ['ci_pipelines', { values: { status: pipelineStatuses }, iid: 'unique' }],
  [
    'project_feature',
    {
      values: Object.fromEntries(
        ['issues', 'merge_requests', 'wiki', 'builds', 'snippets', 'repository', 'pages', 'forking'].map(
          (name) => [`${name}_access_level`, feature],
        ),
      ),
    },
  ],
]);

/** Returns whether a field holds a time or a day, in any relation. */
export const isDateField = (name: string): boolean =>
  /(?:^|_)(?:at|date)$/.test(name) && name !== 'last_repository_check_failed_at';

/** Columns of 4 bytes in every version; `bigint` came to some of them later. */
export const integerFields: ReadonlySet<string> = new Set([
  'iid',
  'weight',
  'time_estimate',
  'time_spent',
  'lock_version',
  'relative_position',
  'relative_order',
  'access_level',
  'duration',
]);
