/** @file Names the notes of records that were lost, or whose fields differ. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord } from '../losses/naming-losses.ts';
import { parseTime } from '../../../../platform/clock.ts';
import { hasLaterChange } from '../contents/later-edits.ts';
import type { ContentDifference } from '../contents/content-differences.ts';
import {
  areComparable,
  changesSilently,
  fieldsOfOneSide,
  noteTime,
  threadField,
  type ComparedNote,
} from './compared-notes.ts';
import { isComplete, pairNoteAuthor, pairRoles, type PeoplePair } from '../people/paired-people.ts';
import { roleChangesSilently as changesRoleSilently } from '../people/record-people.ts';
import { valueText } from '../contents/field-values.ts';

/** Relations whose records contain notes. */
export const relationsWithNotes = ['issues', 'merge_requests', 'snippets'] as const;
export type RelationWithNotes = (typeof relationsWithNotes)[number];

/** The notes on one thing, on both sides of an export or import. */
export interface NotesOnBothSides {
  archived: readonly ComparedNote[];
  listed: readonly ComparedNote[];
}

export interface NotesToCompare extends NotesOnBothSides {
  relation: RelationWithNotes;
  record: ArchivedRecord;
}

/** The differences between the notes of one kind. */
interface DifferencesOfKind {
  /** Number of notes before the export or import. */
  expected: number;
  changed: (ChangedField & { isCertain: boolean })[];
  missing: ComparedNote[];
}

/** The differences that an export or import left between the notes of users on one thing, and its system notes. */
export interface NoteDifferences extends DifferencesOfKind {
  lost: MissingRecord['lost'];
  system: DifferencesOfKind;
  /** The notes that both sides have: in the archive, and on the instance. */
  pairs: [archived: ComparedNote, listed: ComparedNote][];
}

export interface NoteLosses {
  changed: ContentDifference[];
  /** The record as one that lacks notes of users, and as one that lacks system notes. */
  incomplete: MissingRecord[];
  /** Number of system notes that the target may have, but does not show. */
  maybeHiddenCount: number;
  /** The names of the details that a note has on one side only. A name occurs once for each such note. */
  ofOneSide: string[];
  /** The authors of the notes that both sides have. */
  people: PeoplePair[];
}

/** @param exportedAt epoch milliseconds by the clock of the source. Later notes are ignored. */
export function noteDifferencesOnExport(
  { archived, listed }: NotesOnBothSides,
  exportedAt: number,
): NoteDifferences {
  const before = listed.filter(({ createdAt }) => createdAt !== null && createdAt < exportedAt);
  const isUntouched = ({ updatedAt }: ComparedNote): boolean => updatedAt !== null && updatedAt < exportedAt;
  return findDifferences(
    'on-export',
    before,
    archived,
    (name, note, other) =>
      (name === 'emoji' && hasLostReactions(note, other, exportedAt)) ||
      (isUntouched(note) &&
        !changesSilently(name) &&
        (!isResolution(name) || (resolvedAt(note) ?? Infinity) < exportedAt)),
  );
}

/** GitLab resolves and reopens threads without a new time of their notes. */
const isResolution = (name: string): boolean => name === 'resolved' || name === 'resolved_at';

/** Returns the time in epoch milliseconds; null for a note that is not resolved, or whose time GitLab does not show. */
const resolvedAt = ({ contents }: ComparedNote): number | null =>
  parseTime(`${contents['resolved_at'] ?? ''}Z`);

/** Returns whether the archive lacks reactions that the source still shows, and that were there before the export. */
const hasLostReactions = (listed: ComparedNote, archived: ComparedNote, exportedAt: number): boolean =>
  archived.contents['emoji'] === '' && (listed.reactedAt ?? Infinity) < exportedAt;

/** @param importedAt a time at which the import had not ended, in epoch milliseconds by the clock of the target. */
export function noteDifferencesOnImport(
  { archived, listed }: NotesOnBothSides,
  importedAt: number,
): NoteDifferences {
  return findDifferences(
    'on-import',
    archived,
    listed,
    (name, before, after) =>
      !hasLaterChange({ archivedAt: before.updatedAt, listedAt: after.updatedAt }, importedAt) &&
      (!isResolution(name) || (resolvedAt(after) ?? -Infinity) < importedAt),
  );
}

/** Returns the differences of a comparison that did not follow the import promptly: a target may change these fields silently. */
export const withSilentChanges = (changed: readonly ContentDifference[]): ContentDifference[] =>
  changed.map((difference) => {
    const [name = ''] = difference.name.split(' of the ');
    // A thread that is open now may have been reopened.
    const isSilent = changesSilently(name) || name === 'resolved';
    return isSilent ? { ...difference, isCertain: false } : difference;
  });

/** Maximum number of missing notes of one kind that are named for a record. */
const maxNamedNotes = 20;

function findDifferences(
  lost: MissingRecord['lost'],
  before: readonly ComparedNote[],
  after: readonly ComparedNote[],
  isCertain: (field: string, before: ComparedNote, after: ComparedNote) => boolean,
): NoteDifferences {
  const pairs: NoteDifferences['pairs'] = [];
  const ofKind = (isSystem: boolean): DifferencesOfKind => {
    const [expected, found] = [before, after].map((all) => all.filter((note) => note.isSystem === isSystem));
    const compared = compareNotes(expected ?? [], found ?? []);
    for (const [note, other] of compared.pairs)
      pairs.push(lost === 'on-import' ? [note, other] : [other, note]);
    return {
      ...{ expected: expected?.length ?? 0, missing: compared.missing },
      changed: compared.changed.map((field) => ({
        ...field,
        isCertain: isCertain(field.name, field.note, field.other),
      })),
    };
  };
  const [users, system] = [ofKind(false), ofKind(true)];
  return { lost, ...users, system, pairs };
}

/** Assigns the differences to the record that has the notes. */
export function noteLossesOf(
  { relation, record }: Pick<NotesToCompare, 'relation' | 'record'>,
  differences: NoteDifferences,
): NoteLosses {
  const { lost, system, pairs } = differences;
  const { line, iid, title } = record;
  const losses: NoteLosses = {
    changed: [],
    incomplete: [],
    maybeHiddenCount: 0,
    ofOneSide: [],
    people: [],
  };
  for (const [kind, { expected, changed, missing }] of [
    ['note', differences],
    ['system note', system],
  ] as const) {
    for (const { name, note, other: _, ...values } of changed) {
      const fullName = `${name} of the ${kind} of ${timeText(note)}`;
      losses.changed.push({ relation, record, lost, name: fullName, ...values });
    }
    // The archive shows all of its notes, and a list only those that the account may see.
    const certain = lost === 'on-import' ? missing.filter((note) => !note.mayBeHidden) : missing;
    losses.maybeHiddenCount += missing.length - certain.length;
    if (certain.length === 0) continue;
    const part = {
      name: `${kind}s`,
      ...{ expected, found: expected - certain.length },
      missing: certain.slice(0, maxNamedNotes).map(describeNote),
    };
    losses.incomplete.push({ relation, lost, line, iid, title, part });
  }
  for (const [archived, listed] of pairs) {
    losses.ofOneSide.push(...fieldsOfOneSide(archived, listed));
    const owner = ` of the ${archived.isSystem ? 'system note' : 'note'} of ${timeText(archived)}`;
    losses.people.push(...pairNoteAuthor(relation, record, `author${owner}`, archived, listed));
    const timeOf = (role: string): number | null => {
      if (role === 'resolved_by') return laterTime(listed.updatedAt, resolvedAt(listed));
      return changesRoleSilently('notes', role) ? listed.reactedAt : listed.updatedAt;
    };
    const { userIds } = archived;
    const users = pairRoles({
      relation,
      record,
      archivedAt: archived.updatedAt,
      userIds,
      users: listed.users,
      timeOf,
      owner,
    });
    // Older archives do not have who resolved a thread.
    for (const pair of users) if (isComplete(pair)) losses.people.push(pair);
  }
  return losses;
}

/** Returns null if one of the times is not known. */
const laterTime = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);

const timeText = ({ createdAt }: ComparedNote): string =>
  createdAt === null ? 'an unknown time' : noteTime(createdAt);

const describeNote = (note: ComparedNote): string =>
  `${timeText(note)}: ${valueText(note.contents['text'] ?? '')}`;

interface ChangedField {
  name: string;
  expected: string;
  found: string;
  note: ComparedNote;
  /** The same note on the other side. */
  other: ComparedNote;
}

function compareNotes(
  before: readonly ComparedNote[],
  after: readonly ComparedNote[],
): {
  changed: ChangedField[];
  missing: ComparedNote[];
  pairs: [ComparedNote, ComparedNote][];
} {
  const { pairs, missing, added } = matchNotes(before, after);
  const missingTimes = new Set(missing.map(timeText));
  const addedTimes = new Set(added.map(timeText));
  const changed = pairs.flatMap(([note, other]) =>
    Object.entries(note.contents).flatMap(([name, expected]): ChangedField[] => {
      const found = other.contents[name];
      const isEqual = found === expected || (name === 'text' && note.importedTexts.includes(found ?? ''));
      if (found === undefined || !areComparable(name, expected, found)) return [];
      // If the first note of a thread is on one side only, the thread is no further loss. The source may have deleted it.
      const isKnown = name === threadField && (missingTimes.has(expected) || addedTimes.has(found));
      return isEqual || isKnown ? [] : [{ name, expected, found, note, other }];
    }),
  );
  return { changed, missing, pairs };
}

/**
 * Matches notes by time and text, then by text, then by time. Notes have no identifier that an import keeps.
 */
function matchNotes(before: readonly ComparedNote[], after: readonly ComparedNote[]) {
  const pairs: [ComparedNote, ComparedNote][] = [];
  let [left, right] = [[...before], [...after]];
  for (const keysOf of [timeAndTextKeys, textKeys, timeKeys]) {
    const free = Map.groupBy(right, (note) => keysOf(note)[0]);
    const taken = new Set<ComparedNote>();
    left = left.filter((note) => {
      const found = keysOf(note)
        .map((key) => free.get(key)?.shift())
        .find((other) => other !== undefined);
      if (found === undefined) return true;
      pairs.push([note, found]);
      taken.add(found);
      return false;
    });
    right = right.filter((note) => !taken.has(note));
  }
  return { pairs, missing: left, added: right };
}

const textsOf = ({ contents, importedTexts }: ComparedNote): string[] => [
  contents['text'] ?? '',
  ...importedTexts,
];
const secondOf = ({ createdAt }: ComparedNote): string =>
  createdAt === null ? '' : String(Math.floor(createdAt / 1000));

/** Each function returns the keys under which a note is searched. The first one is its own. */
type KeysOf = (note: ComparedNote) => string[];
const timeAndTextKeys: KeysOf = (note) => textsOf(note).map((text) => `${secondOf(note)} ${text}`);
const textKeys: KeysOf = textsOf;
const timeKeys: KeysOf = (note) => [secondOf(note)];
