/**
 * @file The facts that a record index stores about each record, so that its JSON need not be parsed: its position and
 * the keys that identify it. Shared by the worker that writes an index and by its readers; imports nothing.
 */

/** Plain fields of a record that are stored under their own names, if present; longer texts are cut. */
export const indexedFields = [
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
export type IndexedField = (typeof indexedFields)[number];

/** Nested lists that are counted. An empty or missing list has no count. */
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
  /** Notes written by users, and notes with `"system": true`. */
  | 'notes'
  | 'system_notes'
  | 'merge_request_diff_commits'
  | 'merge_request_diff_files';

/**
 * The keys that identify a record. Texts are cut at `maxKeyTextLength` characters and names of refs at
 * `maxRefNameLength`; otherwise they are as in the record. If a field occurs twice, the last one counts, as with
 * `JSON.parse`. A field is left out if the record lacks it or it is no plain value.
 */
export type RecordKeys = Partial<Record<IndexedField, string | number | boolean | null>> & {
  /** `author.name`; `user.username`; `milestone.title`. */
  author?: string | null;
  username?: string | null;
  milestone?: string | null;
  /** Titles of `label_links[].label`, in their order; if there are very many, only the first ones. */
  labels?: (string | null)[];
  counts?: Partial<Record<CountName, number>>;
};

/** GitLab's own limit for a title, in code points, as GitLab counts. */
export const maxKeyTextLength = 255;
/** Limit for the name of a ref, which may be as long as a path. */
export const maxRefNameLength = 4096;

export interface KeyRow {
  /** Zero-based, like GitLab's `line_number`: blank lines count. Legacy layout: the index in the relation's array. */
  line: number;
  /** Bytes of the record. */
  length: number;
  /** Null for a blank line and for `null`; empty if the line is no JSON object. */
  keys: RecordKeys | null;
}

/** The name of the refs in an index: records with name and SHA. No relation has a slash in its name. */
export const repositoryRefsEntry = 'refs/project.bundle';
/** The name under which an index stores the name, size and SHA-256 of each uploaded file. */
export const uploadedFilesEntry = 'files/uploads';
/**
 * The name under which an index stores the oid and size of each LFS object. An object that `lfs-objects.json` lists, but
 * that the archive does not contain, has no size.
 */
export const lfsObjectsEntry = 'files/lfs-objects';
/** The name under which an index stores the name, size and SHA-256 of the avatar. */
export const avatarEntry = 'files/avatar';
/** The name under which an index stores the project's own attributes, as the lines of `tree/project.json`. */
export const projectAttributesEntry = 'attributes/project.json';
