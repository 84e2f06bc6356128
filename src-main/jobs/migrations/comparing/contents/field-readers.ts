/** @file Reads the fields of a record from an archive or from a row of GitLab's list. Pure. */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { normalizers, type ValueKind } from './field-values.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** Returns the value of a field; undefined if the record does not have it. */
export type ReadField = (record: Fields) => unknown;

export interface RecordField {
  kind: ValueKind;
  /** Null if no archive contains the field. A comparison then only says that an instance has a value. */
  archived: ReadField | null;
  listed: ReadField;
  /** Returns the value that an import stores, if GitLab changes it. */
  afterImport?: (value: string) => string;
  /**
   * True for names of labels or milestones, or names with such a last part. If one is renamed, the value changes without
   * a change of the record.
   */
  hasRenames?: true;
  /** True if no list shows the field, so that it costs a request for each record. A comparison counts those not read. */
  isReadSingly?: true;
}

export interface ComparedField extends RecordField {
  /** True if GitLab changes the field without a new time of the last change, in some versions. */
  changesSilently?: true;
  /** GitLab omits the field if the account may not read this relation. */
  needs?: RecordRelation;
  /**
   * The field with the names of the entries to which these values belong, such as the jobs of a pipeline. Values of entries
   * that one side has less often are not compared. The first part of each name is that of its entry.
   */
  entriesOf?: string;
  /** The field with the entries of this one that some versions of GitLab do not show: their lists do not have that field. */
  hiddenEntries?: string;
  /** True if the field only says which entries of another field a list may hide, see `hiddenEntries`. */
  isNeverCompared?: true;
  /**
   * True if the values are compared only if both sides have equally many. The field has one for each user, and users may be
   * merged. The comparison of the users finds a lost one.
   */
  requiresSameCount?: true;
  /** True if GitLab shows a value of another record for a record without one. */
  isDerivedIfEmpty?: true;
}

/** A field of a relation, by its name in GitLab's API. */
export interface FieldOfRelation {
  relation: string;
  field: string;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): Fields[] | undefined =>
  Array.isArray(value) ? value.filter(isFields) : undefined;

export const column =
  (name: string): ReadField =>
  (record) =>
    record[name];

/** A field with the same name in archives and lists. */
export const sameColumn = (kind: ValueKind, name: string) => ({
  kind,
  archived: column(name),
  listed: column(name),
});

/** Fields that no archive contains, so that every import loses their values. */
export const unexported = (kind: ValueKind, ...names: string[]): Record<string, RecordField> =>
  Object.fromEntries(names.map((name) => [name, { kind, archived: null, listed: column(name) }]));

/** Returns each name once, with the number of its occurrences if there are several. */
export const countNames = (names: readonly unknown[]): string[] =>
  [...Map.groupBy(names.map(String), (name) => name)].map(([name, { length }]) =>
    length === 1 ? name : `${name} (${length})`,
  );

/**
 * The times of the entries of a record, such as its reactions. Different numbers of entries are a difference of another field.
 * @param textOf returns what else is compared of an entry.
 */
export function entryTimes(archived: string, listed: string, textOf: (entry: Fields) => string = () => '') {
  const read =
    (name: string): ReadField =>
    ({ [name]: entries }) => {
      const times = listOf(entries)?.map((entry) => {
        const time = normalizers.time(entry['created_at']);
        return time === undefined || time === '' ? undefined : `${time} ${textOf(entry)}`.trim();
      });
      return times?.includes(undefined) === true ? undefined : times?.toSorted();
    };
  const readers = { kind: 'sequence', archived: read(archived), listed: read(listed) } as const;
  return { ...readers, isReadSingly: true, changesSilently: true, requiresSameCount: true } as const;
}

/** The times of the reactions to a record or note. */
export const emojiTimes = entryTimes('award_emoji', 'award_emoji', ({ name }) => String(name));

/** The reactions to a record or note, without those that another field counts. */
export const emojiField = (countedElsewhere: readonly unknown[] = []) => {
  const read: ReadField = ({ award_emoji: all }) => {
    const names = listOf(all)?.map(({ name }) => name);
    return names && countNames(names.filter((name) => !countedElsewhere.includes(name)));
  };
  return { kind: 'names', archived: read, listed: read, changesSilently: true, isReadSingly: true } as const;
};
