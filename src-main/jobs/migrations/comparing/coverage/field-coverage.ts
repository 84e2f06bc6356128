/**
 * @file How comparisons treat each field of an export. Fields that no table names are unknown to this version. Pure.
 * The fields are those of archives from GitLab 11 to 18, and of `lib/gitlab/import_export/project/import_export.yml`.
 */
import {
  uncomparedParts,
  type UncomparedPart,
} from '../../../../../src-contract/transfers/uncompared-parts.ts';
import { isFields, type Fields } from '../contents/field-readers.ts';

/**
 * `compared`: a comparison reads the field. `key`: it identifies the record on an instance. `assigned`: each instance
 * assigns its own value, such as an id. `derived`: GitLab computes the value from other fields. `copy`: the archive has
 * the same value in another place, where it is compared. `obsolete`: an import of a current version ignores it. A part:
 * the field belongs to a part that is not compared.
 */
export type Coverage = 'compared' | 'key' | 'assigned' | 'derived' | 'copy' | 'obsolete' | UncomparedPart;

/** The coverage of a record's fields. A table describes the objects in a field. */
export interface CoverageTable {
  readonly [field: string]: Coverage | CoverageTable;
}

/** Returns a table in which all these fields have the same coverage. @param fields names with spaces between them. */
export const all = (coverage: Coverage, fields: string): Readonly<Record<string, Coverage>> =>
  Object.fromEntries(fields.split(' ').map((field) => [field, coverage]));

export const isPart = (coverage: Coverage): coverage is UncomparedPart =>
  Object.hasOwn(uncomparedParts, coverage);

export interface RecordCoverage {
  /** Paths of fields that the table does not name, such as `notes.mood`. */
  unknown: Set<string>;
  /** Uncompared parts that have a value in the record. */
  parts: Set<UncomparedPart>;
}

/** Adds what a record of an archive contains. Values that are empty or off do not count as content. */
export function coverRecord(record: Fields, table: CoverageTable, found: RecordCoverage, path = ''): void {
  for (const [field, value] of Object.entries(record)) {
    const coverage = Object.hasOwn(table, field) ? table[field] : undefined;
    if (coverage === undefined) found.unknown.add(`${path}${field}`);
    else if (typeof coverage === 'string') {
      if (isPart(coverage) && hasContent(value)) found.parts.add(coverage);
    } else
      for (const nested of Array.isArray(value) ? value : [value])
        if (isFields(nested)) coverRecord(nested, coverage, found, `${path}${field}.`);
  }
}

/** Returns every path of the table with its coverage, such as `notes.note`. */
export function* coveredPaths(table: CoverageTable, path = ''): Generator<[string, Coverage]> {
  for (const [field, coverage] of Object.entries(table))
    if (typeof coverage === 'string') yield [`${path}${field}`, coverage];
    else yield* coveredPaths(coverage, `${path}${field}.`);
}

const hasContent = (value: unknown): boolean =>
  value !== null &&
  value !== false &&
  value !== 0 &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !(isFields(value) && Object.values(value).every((nested) => !hasContent(nested)));
