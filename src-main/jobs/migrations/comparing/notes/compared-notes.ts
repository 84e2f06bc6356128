/** @file The notes of users and of the system, with the fields that comparisons read. Pure. */
import { isoTime, parseTime } from '../../../../platform/clock.ts';
import {
  archivedAuthor,
  archivedPeople,
  listedAuthor,
  listedPeople,
  type ArchivedPeople,
  type ListedPeople,
  type Person,
} from '../people/record-people.ts';
import { column, countNames, emojiField, emojiTimes, isFields } from '../contents/field-readers.ts';
import { positionFields } from './diff-positions.ts';
import { haveEquallyMany, normalizers, type ValueKind } from '../contents/field-values.ts';

type Fields = Readonly<Record<string, unknown>>;

interface NoteField {
  kind: ValueKind;
  archived: (note: Fields) => unknown;
  listed: (note: Fields) => unknown;
  /** True if GitLab changes the field without a new time of the last change, such as the position after a push. */
  changesSilently?: true;
  /** True if the values are compared only if both sides have equally many: none, one, or a list of them. */
  requiresSameCount?: true;
}

/** Returns the changes that a note about a diff suggests, with whether they were applied; undefined for other notes. */
function suggestionTexts({ type, suggestions }: Fields): string[] | undefined {
  if (type !== 'DiffNote' || !Array.isArray(suggestions)) return undefined;
  const texts = suggestions.filter(isFields).map(({ applied, from_content: from, to_content: to }) => {
    const state = applied === true ? 'applied' : 'not applied';
    return `${state}: ${String(from)} → ${String(to)}`;
  });
  return countNames(texts);
}

/** GitLab shows the commit of notes about the diff of a merge request only. */
const commitOf = ({ type, commit_id: sha, noteable_type: noteable }: Fields): unknown =>
  type === 'DiffNote' && noteable === 'MergeRequest' ? sha : undefined;

/** The first reply to a note makes it a `DiscussionNote`, which the comparison of the threads covers. */
const typeOf = ({ type }: Fields): unknown => (type === 'DiscussionNote' ? null : type);

const noteFields = {
  created_at: { kind: 'time', archived: column('created_at'), listed: column('created_at') },
  type: { kind: 'text', archived: typeOf, listed: typeOf },
  text: { kind: 'text', archived: ({ note }) => note, listed: ({ body }) => body },
  resolved: {
    kind: 'flag',
    archived: ({ resolved_at: at }) => (at === undefined ? undefined : at !== null),
    // GitLab reports it for notes that can be resolved.
    listed: ({ resolved }) => resolved,
  },
  resolved_at: {
    kind: 'time',
    archived: column('resolved_at'),
    listed: column('resolved_at'),
    // A thread that only one side resolved is a difference of `resolved`.
    requiresSameCount: true,
  },
  internal: {
    kind: 'flag',
    archived: ({ confidential, internal }) => internal ?? confidential,
    // The field is called `internal` since 15.3.
    listed: ({ confidential, internal }) => internal ?? confidential,
  },
  ...positionFields,
  suggestions: {
    kind: 'names',
    archived: suggestionTexts,
    // Older versions do not show them.
    listed: suggestionTexts,
    // A suggestion is applied without a new time of its note.
    changesSilently: true,
  },
  commit_id: { kind: 'text', archived: commitOf, listed: commitOf },
  emoji: emojiField(),
  emoji_times: emojiTimes,
} satisfies Record<string, NoteField>;

const fieldList: readonly [string, NoteField][] = Object.entries(noteFields);

/** A note belongs to the thread of the first note of its discussion. The value is empty for the first note itself. */
export const threadField = 'thread';

export const noteFieldNames: readonly string[] = [...Object.keys(noteFields), threadField];
export const changesSilently = (name: string): boolean =>
  fieldList.some(([field, { changesSilently: isSilent }]) => field === name && isSilent === true);

/** Returns whether the values of a field may be compared. Different numbers of values are a difference of another field. */
export const areComparable = (name: string, one: string, other: string): boolean =>
  haveEquallyMany(one, other) ||
  !fieldList.some(([field, { requiresSameCount }]) => field === name && requiresSameCount === true);

/** Reactions are read for one note at a time. The number of notes whose reactions were not read is counted elsewhere. */
const readOneByOne: readonly string[] = ['emoji', 'emoji_times'] satisfies (keyof typeof noteFields)[];

/** Returns the names of the fields and roles that have a value on one side, and do not exist on the other. */
export function fieldsOfOneSide(archived: ComparedNote, listed: ComparedNote): string[] {
  const names = noteFieldNames.filter((name) => !readOneByOne.includes(name));
  const isUnshown = (one: string | undefined, other: string | undefined): boolean =>
    other === undefined && !['', 'false', undefined].includes(one);
  const hasResolver = (people: ArchivedPeople | ListedPeople): boolean =>
    (people['resolved_by'] ?? []).length > 0;
  return [
    ...names.filter((name) => {
      const [one, other] = [archived.contents[name], listed.contents[name]];
      return isUnshown(one, other) || isUnshown(other, one);
    }),
    ...((archived.authorId === null) === (listed.author === null) ? [] : ['author']),
    ...(hasResolver(archived.userIds) && listed.users['resolved_by'] === undefined ? ['resolved_by'] : []),
  ];
}

export interface ComparedNote {
  /** Epoch milliseconds; null if not reported. Likewise `updatedAt`. */
  createdAt: number | null;
  updatedAt: number | null;
  /** Comparable values by field. A field that the note does not have is absent. */
  contents: Readonly<Record<string, string>>;
  /** For a note of an archive: the texts that an import may store instead of the archived one. */
  importedTexts: readonly string[];
  /** True for a note by which GitLab records a change. */
  isSystem: boolean;
  /** True for a system note that GitLab does not show to accounts that may not see what it mentions. */
  mayBeHidden: boolean;
  /** The time of the newest reaction to a listed note; null if it is not known, or the note has none. */
  reactedAt: number | null;
  /** The author's id on the source, for a note of an archive; null for a listed one. */
  authorId: number | null;
  /** The author of a listed note. */
  author: Person | null;
  /** The other users of a note of an archive, by role. */
  userIds: ArchivedPeople;
  /** The other users of a listed note, by role. */
  users: ListedPeople;
}

/** Actions of system notes that GitLab shows to every reader (gitlab-facts 5.7). GitLab may hide those of others. */
const shownActions: readonly unknown[] = (
  'description title assignee reviewer due_date start_date_or_due_date time_tracking confidential visible locked ' +
  'unlocked opened branch discussion task weight health_status status severity approved unapproved tag outdated'
).split(' ');

/** Without an action, GitLab hides a system note only if it mentions another record. */
function mayBeHidden({ system, system_note_metadata: metadata, note }: Fields): boolean {
  if (system !== true) return false;
  return isFields(metadata)
    ? !shownActions.includes(metadata['action'])
    : typeof note !== 'string' || /mentioned in/i.test(note);
}

const timeOf = (value: unknown): number | null => parseTime(typeof value === 'string' ? value : undefined);

/** Returns whether users wrote the note. */
export const isUserNote = ({ system }: Fields): boolean => system !== true;

/** Returns the notes of an archived record. */
export function archivedNotes({ notes }: Fields): ComparedNote[] {
  const found = (Array.isArray(notes) ? notes : []).filter(isFields);
  const threads = threadsOf(found, ({ discussion_id: id }) => id);
  return found.map((note, index) =>
    toNote(note, 'archived', threads[index], withAuthor(note).map(normalizeText)),
  );
}

/** Returns the notes of a record's discussions, as GitLab lists them. */
export function listedNotes(
  discussions: readonly { id: string; notes: readonly Fields[] }[],
): ComparedNote[] {
  const found = discussions.flatMap(({ id, notes }) =>
    notes.map((note): Fields => ({ ...note, discussion_id: id })),
  );
  const threads = threadsOf(found, ({ discussion_id: id }) => id);
  return found.map((note, index) => toNote(note, 'listed', threads[index], []));
}

function toNote(
  note: Fields,
  side: 'archived' | 'listed',
  thread: string | undefined,
  importedTexts: readonly string[],
): ComparedNote {
  const contents: Record<string, string> = {};
  for (const [name, field] of fieldList) {
    const value = field[side](note);
    const normalized = value === undefined ? undefined : normalizers[field.kind](value);
    if (normalized !== undefined) contents[name] = normalized;
  }
  if (thread !== undefined) contents[threadField] = thread;
  const { created_at: createdAt, updated_at: updatedAt } = note;
  return {
    ...{ createdAt: timeOf(createdAt), updatedAt: timeOf(updatedAt), contents, importedTexts },
    ...{ isSystem: note['system'] === true, mayBeHidden: mayBeHidden(note) },
    reactedAt: side === 'listed' ? newestReaction(note) : null,
    authorId: side === 'archived' ? archivedAuthor(note) : null,
    author: side === 'listed' ? listedAuthor(note) : null,
    userIds: side === 'archived' ? archivedPeople('notes', note) : {},
    users: side === 'listed' ? listedPeople('notes', note) : {},
  };
}

function newestReaction({ award_emoji: emoji }: Fields): number | null {
  const times = (Array.isArray(emoji) ? emoji : []).filter(isFields).map(({ created_at: at }) => timeOf(at));
  const known = times.filter((time) => time !== null);
  return known.length === 0 || known.length < times.length ? null : Math.max(...known);
}

/** Returns the time of the first note of each note's discussion; undefined for notes without a discussion. */
function threadsOf(
  notes: readonly Fields[],
  discussionOf: (note: Fields) => unknown,
): (string | undefined)[] {
  const firstTimes = new Map<unknown, number>();
  for (const note of notes) {
    const [at, id] = [timeOf(note['created_at']), discussionOf(note)];
    if (at !== null && typeof id === 'string')
      firstTimes.set(id, Math.min(at, firstTimes.get(id) ?? Infinity));
  }
  return notes.map((note) => {
    const first = firstTimes.get(discussionOf(note));
    if (first === undefined) return undefined;
    return first === timeOf(note['created_at']) ? '' : noteTime(first);
  });
}

/** Returns the time of a note for users, to the second. */
export const noteTime = (time: number): string => isoTime(Math.floor(time / 1000) * 1000);

const normalizeText = (text: string): string => normalizers.text(text) ?? '';

/**
 * GitLab adds the name of the author to the text if the import cannot map the author (docs/gitlab-facts.md, section 7).
 * Older versions also said that the note was imported.
 */
function withAuthor({ note, author, updated_at: updatedAt }: Fields): string[] {
  const name = isFields(author) ? author['name'] : undefined;
  if (typeof note !== 'string' || typeof name !== 'string' || typeof updatedAt !== 'string') return [];
  const text = note === '' ? '*Blank note*' : note;
  const line = `By ${name} on ${updatedAt.split('.')[0] ?? ''}`;
  const additions = ['', ' (imported from GitLab)', ' (imported from GitLab project)'];
  return additions.map((addition) => `${text}\n\n *${line}${addition}*`);
}
