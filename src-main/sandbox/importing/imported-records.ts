/**
 * @file How an import of GitLab changes records: `lib/gitlab/import_export/project/relation_factory.rb` and
 * `lib/gitlab/import_export/base/relation_factory.rb` (gitlab-facts 7). Pure.
 */
import { isObject, notesOf, type JsonRecord } from '../content/project-content.ts';
import { roles } from '../sandbox-database.ts';

/** The rights of the importing account, on which some changes depend. */
export interface ImporterRights {
  /** The id of the account, which becomes the owner of schedules. */
  id: number;
  /** Ids of the target's users to which the import maps ids in the archive. The account replaces all others. */
  userIds: ReadonlyMap<unknown, number>;
  /** Whether the account owns the top-level group, as an administrator does. */
  ownsTopLevelGroup: boolean;
  /** Whether the account owns the project, as an administrator does. */
  ownsProject: boolean;
}

/** Returns the record that the import stores; the same object if nothing is changed. */
export function importedRecord(relation: string, record: JsonRecord, rights: ImporterRights): JsonRecord {
  // Members are mapped by their addresses, and become Maintainers at most.
  if (relation === 'project_members')
    return Number(record['access_level']) > roles.maintainer
      ? { ...record, access_level: roles.maintainer }
      : record;
  return withUserIds(changedRecord(relation, record, rights), rights);
}

function changedRecord(relation: string, record: JsonRecord, rights: ImporterRights): JsonRecord {
  if (relation === 'ci_pipelines') return cancelPipeline(record);
  if (relation === 'protected_branches' || relation === 'protected_tags')
    return withoutUserRights(rights.ownsTopLevelGroup ? record : raiseLevels(record), rights);
  if (relation === 'pipeline_schedules') return { ...record, active: false, owner_id: rights.id };
  // Each note on a commit is a record of its own.
  if (relation === 'commit_notes')
    return rights.userIds.has(record['author_id']) ? record : withAuthor(record);
  return nameAuthors(record, rights.userIds);
}

const endedPipelineStatuses: readonly unknown[] = ['success', 'failed', 'canceled', 'skipped'];

/** An import cancels pipelines and jobs that had not ended. */
const cancel = (record: JsonRecord): JsonRecord =>
  typeof record['status'] !== 'string' || endedPipelineStatuses.includes(record['status'])
    ? record
    : { ...record, status: 'canceled' };

/** Returns the pipeline with cancelled jobs; the same object if nothing changes. */
function cancelPipeline(record: JsonRecord): JsonRecord {
  const stages = Array.isArray(record['stages']) ? record['stages'].filter(isObject) : [];
  const cancelledStages = stages.map((stage) => ({
    ...stage,
    ...Object.fromEntries(jobLists.map((list) => [list, jobsIn(stage, list).map(cancel)])),
  }));
  const hasChange = stages.some((stage) =>
    jobLists.some((list) => jobsIn(stage, list).some((job) => cancel(job) !== job)),
  );
  const cancelled = cancel(record);
  return hasChange ? { ...cancelled, stages: cancelledStages } : cancelled;
}

const jobLists = ['builds', 'bridges', 'generic_commit_statuses'] as const;
const jobsIn = (stage: JsonRecord, list: string): JsonRecord[] =>
  Array.isArray(stage[list]) ? stage[list].filter(isObject) : [];

/** Only an Owner of the project imports the rights of individual users (gitlab-facts 7). */
function withoutUserRights(record: JsonRecord, { ownsProject }: ImporterRights): JsonRecord {
  if (ownsProject) return record;
  const kept = ['push', 'merge', 'create', 'unprotect'].flatMap((action): [string, JsonRecord[]][] => {
    const levels = record[`${action}_access_levels`];
    if (!Array.isArray(levels)) return [];
    const roleLevels = levels.filter(isObject).filter(({ user_id: user }) => typeof user !== 'number');
    return roleLevels.length === levels.length ? [] : [[`${action}_access_levels`, roleLevels]];
  });
  return kept.length === 0 ? record : { ...record, ...Object.fromEntries(kept) };
}

/** An import sets the levels of protected refs to Maintainer, except "No one". */
function raiseLevels(record: JsonRecord): JsonRecord {
  const isKept = ({ access_level: level }: JsonRecord): boolean =>
    level === roles.none || level === roles.maintainer;
  const raised = ['push', 'merge', 'create'].flatMap((action): [string, JsonRecord[]][] => {
    const levels = record[`${action}_access_levels`];
    if (!Array.isArray(levels) || levels.filter(isObject).every(isKept)) return [];
    const raisedLevels = levels
      .filter(isObject)
      .map((level) => (isKept(level) ? level : { ...level, access_level: roles.maintainer }));
    return [[`${action}_access_levels`, raisedLevels]];
  });
  return raised.length === 0 ? record : { ...record, ...Object.fromEntries(raised) };
}

/** A note whose author is not mapped names the author in its text. */
function nameAuthors(record: JsonRecord, mappedIds: ImporterRights['userIds']): JsonRecord {
  const notes = notesOf(record);
  const isNamed = ({ author_id: author }: JsonRecord): boolean => !mappedIds.has(author);
  return notes.some(isNamed)
    ? { ...record, notes: notes.map((note) => (isNamed(note) ? withAuthor(note) : note)) }
    : record;
}

function withAuthor(note: JsonRecord): JsonRecord {
  const { note: text, author, updated_at: updatedAt } = note;
  const name = isObject(author) ? author['name'] : null;
  if (typeof name !== 'string' || typeof updatedAt !== 'string') return note;
  const shownText = typeof text === 'string' && text !== '' ? text : '*Blank note*';
  return { ...note, note: `${shownText}\n\n *By ${name} on ${updatedAt.split('.')[0] ?? ''}*` };
}

/** Columns of records that hold a user's id. */
const userColumns = new Set(
  (
    'author_id assignee_id updated_by_id merged_by_id latest_closed_by_id user_id created_by_id last_edited_by_id ' +
    'merge_user_id resolved_by_id closed_by_id owner_id'
  ).split(' '),
);

/** Lists that contain each user once. Users without a mapping become the same one. */
const listsOfUsers = new Set([
  'issue_assignees',
  'merge_request_assignees',
  'merge_request_reviewers',
  'approvals',
]);

/** Returns the record with the target's user ids; the same object if none changes. */
function withUserIds(record: JsonRecord, rights: ImporterRights): JsonRecord {
  const replaceIn = (value: unknown, column: string): unknown => {
    if (userColumns.has(column) && typeof value === 'number') return rights.userIds.get(value) ?? rights.id;
    if (isObject(value)) return withUserIds(value, rights);
    if (!Array.isArray(value)) return value;
    const elements = value.map((element) => replaceIn(element, ''));
    const users = elements.map((element) => (isObject(element) ? element['user_id'] : element));
    // GitLab keeps the first of them (`remove_duplicate_assignees`).
    const kept = listsOfUsers.has(column)
      ? elements.filter((_, index) => users.indexOf(users[index]) === index)
      : elements;
    const isSame = kept.length === value.length && kept.every((element, index) => element === value[index]);
    return isSame ? value : kept;
  };
  const entries = Object.entries(record).map(
    ([column, value]) => [column, replaceIn(value, column)] as const,
  );
  return entries.every(([column, value]) => value === record[column]) ? record : Object.fromEntries(entries);
}
