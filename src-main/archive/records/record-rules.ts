/**
 * @file The known requirements of GitLab for the records of each relation: validations of its models (Issuable,
 * Milestone, Label, Snippet, Member, Ci::Pipeline, ProtectedRef, Release) and unique indexes. Anything else is not
 * checked.
 */

export interface RelationRules {
  /** The required field with the record's title or name. */
  titleField?: string;
  /** The title may have at most 255 characters. */
  titleLimit?: true;
  /** Other fields that must not be null. A null is only `may-be-dropped`, because the importer may fill it in. */
  required?: readonly string[];
  /** Fields with a closed list of values. */
  allowedValues?: Readonly<Record<string, readonly (string | number)[]>>;
  /**
   * The effect of a second record with the same iid. `unique`: it violates a unique index. `merged`: the importer
   * merges it into the first.
   */
  iid?: 'unique' | 'merged';
  /** Two records with one title: the importer uses the first for both, newer versions rename the second. */
  mergesTitles?: true;
  /** The page of the record on the source: `path` is `-/issues` and `idField` is `iid` for `/-/issues/<iid>`. */
  page?: { path: string; idField: string };
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

export const rulesByRelation: ReadonlyMap<string, RelationRules> = new Map<string, RelationRules>([
  [
    'issues',
    {
      titleField: 'title',
      titleLimit: true,
      required: ['author_id'],
      allowedValues: { state: issueStates },
      iid: 'unique',
      page: { path: '-/issues', idField: 'iid' },
    },
  ],
  [
    'merge_requests',
    {
      titleField: 'title',
      titleLimit: true,
      required: ['author_id', 'source_branch', 'target_branch'],
      allowedValues: { state: ['opened', 'closed', 'merged', 'locked'] },
      iid: 'unique',
      page: { path: '-/merge_requests', idField: 'iid' },
    },
  ],
  [
    'milestones',
    {
      titleField: 'title',
      titleLimit: true,
      allowedValues: { state: ['active', 'closed'] },
      iid: 'merged',
      mergesTitles: true,
      page: { path: '-/milestones', idField: 'iid' },
    },
  ],
  ['labels', { titleField: 'title', titleLimit: true, mergesTitles: true }],
  ['snippets', { titleField: 'title', titleLimit: true, allowedValues: { visibility_level: visibility } }],
  ['releases', { titleField: 'tag', page: { path: '-/releases', idField: 'tag' } }],
  ['boards', { titleField: 'name' }],
  ['protected_branches', { titleField: 'name' }],
  ['protected_tags', { titleField: 'name' }],
  ['protected_environments', { titleField: 'name' }],
  ['approval_rules', { titleField: 'name' }],
  [
    'project_members',
    { required: ['access_level'], allowedValues: { access_level: [5, 10, 15, 20, 30, 40, 50] } },
  ],
  ['ci_pipelines', { allowedValues: { status: pipelineStatuses }, iid: 'unique' }],
  [
    'project_feature',
    {
      allowedValues: Object.fromEntries(
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

/** Columns that have 4 bytes in at least some supported versions of GitLab. */
export const int4Fields: ReadonlySet<string> = new Set([
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
