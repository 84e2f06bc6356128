/**
 * @file What a record index knows of each record without its JSON being parsed: where it stands and what it is recognised by.
 * Shared by the worker that writes an index and by its readers; imports nothing.
 */

/** Plain fields of a record that are kept under their own names, where the record has them; longer texts are cut. */
export const keptFields = [
  'iid',
  'title',
  'state',
  'author_id',
  'created_at',
  'updated_at',
  'due_date',
  'name',
  'ref',
  'sha',
  'tag',
  'key',
  'status',
  'source',
  'source_branch',
  'target_branch',
  'diff_head_sha',
  'commit_id',
  'noteable_type',
  'user_id',
  'access_level',
  'cron',
  'pull_request_iid',
  'color',
  'type',
  'size',
] as const;
export type KeptField = (typeof keptFields)[number];

/** Nested lists that are counted; one that is empty or missing has no count. */
export const countedLists = [
  'events',
  'label_links',
  'award_emoji',
  'timelogs',
  'resource_label_events',
  'resource_milestone_events',
  'resource_state_events',
  'resource_iteration_events',
  'issue_assignees',
  'merge_request_assignees',
  'merge_request_reviewers',
  'approvals',
  'designs',
  'design_versions',
  'zoom_meetings',
  'stages',
  'statuses',
  'lists',
  'links',
  'milestone_releases',
  'priorities',
  'merge_access_levels',
  'push_access_levels',
  'unprotect_access_levels',
  'create_access_levels',
] as const;

export type CountName =
  | (typeof countedLists)[number]
  /** Notes that people wrote, and those that do say `"system": true`. */
  | 'notes'
  | 'system_notes'
  | 'merge_request_diff_commits'
  | 'merge_request_diff_files';

/**
 * What a record is recognised by. Texts are cut at `maxKeyTextLength` characters, names of refs at `maxRefNameLength`, and are otherwise as in the record; where a field
 * stands twice, the last one counts, as with `JSON.parse`. A field is left out where the record lacks it or it is no plain value.
 */
export type RecordKeys = Partial<Record<KeptField, string | number | boolean | null>> & {
  /** `author.name`; `user.username`; `milestone.title`. */
  author?: string | null;
  username?: string | null;
  milestone?: string | null;
  /** Titles of `label_links[].label`, in their order; of thousands the first ones. */
  labels?: (string | null)[];
  counts?: Partial<Record<CountName, number>>;
};

/** GitLab's own limit of a title, in code points, as GitLab counts. */
export const maxKeyTextLength = 255;
/** Of the name of a ref, which may be as long as a path. */
export const maxRefNameLength = 4096;

export interface KeyRow {
  /** Zero-based, as GitLab's `line_number`: blank lines count. Legacy layout: the element in the relation's array. */
  line: number;
  /** Bytes of the record. */
  length: number;
  /** Null for a blank line and for `null`; empty where the line is no JSON object. */
  keys: RecordKeys | null;
}

/** Under which an index keeps the refs of the repository as records with name and SHA: no relation has a slash in its name. */
export const refsOfRepository = 'refs/project.bundle';
/** Under which it keeps the name and size of each uploaded file. */
export const uploadedFiles = 'files/uploads';
/** Under which it keeps the project's own attributes, as the lines of `tree/project.json`. */
export const attributesOfProject = 'attributes/project.json';
