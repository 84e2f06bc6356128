/**
 * @file Names the author in the text of a note if an import cannot map the author (gitlab-facts 7;
 * `lib/gitlab/import_export/base/relation_factory.rb`). Pure.
 */
import { isObject, notesOf, type JsonRecord } from '../content/project-content.ts';

/** Returns the same object if the record has no such note. @param mappedIds users of the archive with an account. */
export function nameAuthors(record: JsonRecord, mappedIds: ReadonlySet<unknown>): JsonRecord {
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
