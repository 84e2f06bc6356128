/**
 * @file Reads and writes CSV tables (RFC 4180) for spreadsheets. A cell that would run as a formula gets a leading
 * apostrophe.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { AppError } from '../../../../src-contract/errors.ts';

/** Includes full-width signs, which some spreadsheets treat like the ordinary signs. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const guarded = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);
const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/** Writes CSV with the byte order mark, by which spreadsheets recognize UTF-8. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return stringify([columns, ...rows.map((cells) => cells.map(guarded))], {
    bom: true,
    record_delimiter: 'windows',
  });
}

export interface CsvRow {
  /** The line where the row begins, counted from 1. The line of column names counts, too. */
  line: number;
  cells: Record<string, string>;
}

const separators = [',', ';', '\t'];

/**
 * Reads CSV, also with semicolons or tabs as separators. Throws `invalid-input` for text that is no table, for rows of
 * another length, and for unknown or repeated columns.
 */
export function readCsv(csv: string, known: readonly string[]): CsvRow[] {
  const separator = separatorOf(csv);
  let header: string[] | null = null;
  const rows: CsvRow[] = [];
  for (const { record, line } of recordsOf(csv, separator)) {
    if (header === null) {
      header = namesOf(record, known);
      continue;
    }
    if (record.length !== header.length) {
      throw invalidCsvError(
        `Line ${line} has ${record.length} cells, but there are ${header.length} columns.`,
      );
    }
    const cells = Object.fromEntries(header.map((name, at) => [name, unguarded(record[at] ?? '')]));
    rows.push({ line, cells });
  }
  if (header === null) throw invalidCsvError('The table is empty; its first line names the columns.');
  return rows;
}

export const invalidCsvError = (message: string): AppError => new AppError('invalid-input', message);

function namesOf(record: readonly string[], known: readonly string[]): string[] {
  const names = record.map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const which = unknown.map((name) => `"${name}"`).join(', ');
    throw invalidCsvError(`The table has unknown columns: ${which}. Known columns are ${known.join(', ')}.`);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidCsvError(`The table has the column "${twice}" twice.`);
  return names;
}

/** No known column name contains a separator, so the first line shows which separator is used. */
function separatorOf(csv: string): string {
  const [first = ''] = csv.split(/\r?\n|\r/, 1);
  const counts = separators.map((separator) => first.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function* recordsOf(csv: string, separator: string): Generator<{ record: string[]; line: number }> {
  const bytes = Buffer.from(csv);
  let at = 0;
  let line = 1;
  for (const { record, info } of parsed(bytes, separator)) {
    let isText = false;
    const begins = line;
    let blank = 0;
    for (; at < info.bytes; at += 1) {
      const breaks = bytes[at] === lf || (bytes[at] === cr && bytes[at + 1] !== lf);
      if (breaks) line += 1;
      if (bytes[at] !== cr && bytes[at] !== lf) isText = true;
      else if (breaks && !isText) blank += 1;
    }
    yield { record, line: begins + blank };
  }
}

const lf = 10;
const cr = 13;

interface Parsed {
  record: string[];
  /** Bytes up to the end of the record. */
  info: { bytes: number };
}

function parsed(csv: Buffer, separator: string): Parsed[] {
  try {
    return parse(csv, {
      bom: true,
      delimiter: separator,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as Parsed[];
  } catch (thrown) {
    if (thrown instanceof CsvError) throw invalidCsvError(`The table cannot be read: ${thrown.message}.`);
    throw thrown;
  }
}
