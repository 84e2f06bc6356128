/**
 * @file What GitLab demands of the records of each relation, as far as it is known: validations of its models (Issuable, Milestone,
 * Label, Snippet, Member, Ci::Pipeline, ProtectedRef, Release) and unique indexes. What is not in these tables is not judged.
 */

export interface RelationRules {
  /** The field without which the model is invalid; for `titleLimit` see below. */
  title?: string;
  /** The title may have at most 255 characters. */
  titleLimit?: true;
  /** Fields besides that must not be null; where the importer may fill them in, the severity says so. */
  required?: readonly string[];
  /** Fields with a closed list of values. */
  values?: Readonly<Record<string, readonly (string | number)[]>>;
  /** A second record of the same iid breaks a unique index; where the importer looks for one of that iid first, it is merged. */
  iid?: 'unique' | 'merged';
  /** Two records of one title: the importer takes the first for both, newer versions rename the second. */
  titlesMerged?: true;
  /** Where its page stands on the source: `issues` for `/-/issues/<iid>`. */
  page?: { below: string; by: string };
}

const visibility = [0, 10, 20];
const feature = [0, 10, 20, 30];
const issueStates = ['opened', 'closed'];

/** Statuses of Ci::Pipeline, with those of later versions. */
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

/** Fields that name a time or a day, whatever relation they are in. */
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
