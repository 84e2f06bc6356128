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
  /** Ids of the archive's users that the import maps to users of the target. */
  mappedIds: ReadonlySet<unknown>;
  /** Whether the account owns the top-level group, as an administrator does. */
  ownsTopLevelGroup: boolean;
}

/** Returns the record that the import stores; the same object if nothing is changed. */
export function importedRecord(relation: string, record: JsonRecord, rights: ImporterRights): JsonRecord {
  if (relation === 'ci_pipelines') return cancelPipeline(record);
  if (relation === 'protected_branches' || relation === 'protected_tags')
    return rights.ownsTopLevelGroup ? record : raiseLevels(record);
  if (relation === 'pipeline_schedules') return { ...record, active: false, owner_id: rights.id };
  // Each note on a commit is a record of its own.
  if (relation === 'commit_notes')
    return rights.mappedIds.has(record['author_id']) ? record : withAuthor(record);
  return nameAuthors(record, rights.mappedIds);
}

const endedPipelineStatuses: readonly unknown[] = ['success', 'failed', 'canceled', 'skipped'];

/** An import cancels pipelines that had not ended. */
const cancelPipeline = (record: JsonRecord): JsonRecord =>
  typeof record['status'] !== 'string' || endedPipelineStatuses.includes(record['status'])
    ? record
    : { ...record, status: 'canceled' };

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
function nameAuthors(record: JsonRecord, mappedIds: ReadonlySet<unknown>): JsonRecord {
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
