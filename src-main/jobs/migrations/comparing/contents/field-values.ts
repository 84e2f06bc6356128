/**
 * @file Brings the values of a record's fields into one form, so that an archive and GitLab's API can be compared. Pure.
 */
import { createHash } from 'node:crypto';
import { maxTextLength, shortenedText } from '../../../../../src-contract/words/shortened-text.ts';
import { dayOf, parseTime } from '../../../../platform/clock.ts';

/** Returns the comparable form of a value; undefined if the value has another type and cannot be compared. */
type Normalize = (value: unknown) => string | undefined;

/** GitLab stores an empty text as null or as an empty string. */
const text: Normalize = (value) =>
  value === null ? '' : typeof value === 'string' ? shorten(value.replaceAll('\r\n', '\n')) : undefined;

/** An import strips the title of old records. */
const title: Normalize = (value) => (typeof value === 'string' ? text(value.trim()) : undefined);

/** A switch that was never set is off. */
const flag: Normalize = (value) =>
  value === null || typeof value === 'boolean' ? String(value === true) : undefined;

const number: Normalize = (value) =>
  value === null ? '' : typeof value === 'number' ? String(value) : undefined;

/** The API and archives write times in several forms, some without fractions of a second. */
const time: Normalize = (value) => {
  if (value === null) return '';
  const at = typeof value === 'string' ? parseTime(value) : null;
  return at === null ? undefined : new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19);
};

/** Old archives have a time where the API has a day. */
const day: Normalize = (value) =>
  value === null ? '' : typeof value === 'string' ? dayOf(value) : undefined;

const colour: Normalize = (value) => (typeof value === 'string' ? value.toLowerCase() : undefined);

const names: Normalize = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? [...new Set(value)].toSorted().join(nameSeparator)
    : undefined;

/** Names of entries. Several entries may have the same name. */
const entries: Normalize = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value.toSorted().join(nameSeparator)
    : undefined;

/** Names whose order matters, such as those of the lists of a board. */
const sequence: Normalize = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value.join(nameSeparator)
    : undefined;

/** Limits of the lists of a board; lists without limits have an empty value. */
const limits: Normalize = (value) =>
  Array.isArray(value) && value.every((limit) => limit === '0') ? '' : sequence(value);

/** Schedules of newer versions have a full ref instead of the name of a branch or tag. */
const ref: Normalize = (value) =>
  text(typeof value === 'string' ? value.replace(/^refs\/(?:heads|tags)\//, '') : value);

export const normalizers = {
  ...{ text, title, flag, number, time, day, colour, names, entries, sequence, limits, ref },
} satisfies Record<string, Normalize>;
export type ValueKind = keyof typeof normalizers;

const listKinds: readonly ValueKind[] = ['names', 'entries', 'sequence'];
/** Returns whether the values of a field are lists of names. */
export const isListKind = (kind: ValueKind): boolean => listKinds.includes(kind);

const nameSeparator = '\u0000';
/** Returns the names in the comparable form of a list. */
export const namesIn = (value: string): string[] => value.split(nameSeparator);
/** Returns how often each value that `part` returns for a name occurs in the comparable form of a list. */
export const countsIn = (value: string, part: (name: string) => string): Map<string, number> =>
  new Map([...Map.groupBy(namesIn(value), part)].map(([name, { length }]) => [name, length]));
/** Returns whether two comparable forms of lists have the same number of names. An absent list equals only an absent one. */
export const haveEquallyMany = (one: string | undefined, other: string | undefined): boolean =>
  countOf(one) === countOf(other);
const countOf = (value: string | undefined): number | null =>
  value === undefined ? null : value === '' ? 0 : namesIn(value).length;
/** Returns the comparable form of a list with only some of its names. */
export const namesWhere = (value: string, isKept: (name: string) => boolean): string =>
  namesIn(value).filter(isKept).join(nameSeparator);
/** Returns the names that the first comparable form of a list has more often than the second one. */
export function namesWithout(value: string, other: string): string[] {
  const counts = countsIn(other, (name) => name);
  return namesIn(value).filter((name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count - 1);
    return count <= 0;
  });
}

/** Separates the parts of a name, such as the name of a job from its status. Texts contain commas, but no such character. */
const partSeparator = '\u001f';
export const joinParts = (first: string, last: string): string => `${first}${partSeparator}${last}`;
export const firstPart = (name: string): string => name.split(partSeparator, 1)[0] ?? name;
/** Returns the whole name if it has only one part. */
export const lastPart = (name: string): string => name.slice(name.indexOf(partSeparator) + 1);

/** Returns the value as users see it. */
export const valueText = (value: string): string =>
  shorten(namesIn(value).join(', ').replaceAll(partSeparator, ', '));

/** Returns whether a list of names, as users see it, has the name. Names after a cut are not found. */
export const hasName = (list: string, name: string): boolean =>
  `, ${list}, `.includes(`, ${valueText(name)}, `);
export const isShortened = (list: string): boolean => list.length > maxTextLength;
/** Returns the names in a list, as users see it. A shortened list has only the names of its beginning. */
export const shownNames = (list: string): string[] => {
  const names = list.slice(0, maxTextLength).split(', ');
  return isShortened(list) ? names.slice(0, -1) : names;
};

/** A long text keeps its beginning, its length and a digest, which are enough to compare and to recognise it. */
function shorten(value: string): string {
  if (value.length <= maxTextLength) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 16);
  // A copy, because a slice would keep the whole text in memory.
  const beginning = Buffer.from(value.slice(0, maxTextLength)).toString();
  return shortenedText(beginning, value.length, digest);
}
