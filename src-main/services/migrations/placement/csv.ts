/**
 * @file Reads and writes CSV tables (RFC 4180) for spreadsheets. A cell that would run as a formula gets a leading
 * apostrophe.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { AppError } from '../../../../src-contract/errors.ts';

/** Includes full-width signs, which some spreadsheets treat like the ordinary signs. */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const escapeFormula = (cell: string): string => (formulaStart.test(cell) ? `'${cell}` : cell);
const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;

/** Writes CSV with a byte order mark, because spreadsheets need it to recognize UTF-8. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return stringify([columns, ...rows.map((cells) => cells.map(escapeFormula))], {
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
 * Reads CSV, also with semicolons or tabs as separators. Throws `invalid-input` for text that is no table, for rows
 * with too many or too few cells, and for unknown or repeated columns.
 */
export function readCsv(csv: string, knownColumns: readonly string[]): CsvRow[] {
  const separator = detectSeparator(csv);
  let header: string[] | null = null;
  const rows: CsvRow[] = [];
  for (const { record, line } of recordsOf(csv, separator)) {
    if (header === null) {
      header = parseHeader(record, knownColumns);
      continue;
    }
    if (record.length !== header.length) {
      throw invalidCsvError(
        `Line ${line} has ${record.length} cells, but there are ${header.length} columns.`,
      );
    }
    const cells = Object.fromEntries(
      header.map((name, index) => [name, unescapeFormula(record[index] ?? '')]),
    );
    rows.push({ line, cells });
  }
  if (header === null)
    throw invalidCsvError('The table is empty. Its first line must contain the column names.');
  return rows;
}

export const invalidCsvError = (message: string): AppError => new AppError('invalid-input', message);

function parseHeader(record: readonly string[], knownColumns: readonly string[]): string[] {
  const names = record.map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !knownColumns.includes(name));
  if (unknown.length > 0) {
    const quotedNames = unknown.map((name) => `"${name}"`).join(', ');
    throw invalidCsvError(
      `The table has unknown columns: ${quotedNames}. Known columns are ${knownColumns.join(', ')}.`,
    );
  }
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalidCsvError(`The table has the column "${duplicate}" twice.`);
  return names;
}

/** No known column name contains a separator, so the first line shows which separator is used. */
function detectSeparator(csv: string): string {
  const [firstLine = ''] = csv.split(/\r?\n|\r/, 1);
  const counts = separators.map((separator) => firstLine.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function* recordsOf(csv: string, separator: string): Generator<{ record: string[]; line: number }> {
  const bytes = Buffer.from(csv);
  let offset = 0;
  let line = 1;
  for (const { record, info } of parseCsv(bytes, separator)) {
    let hasText = false;
    const startLine = line;
    let blankLines = 0;
    for (; offset < info.bytes; offset += 1) {
      const isLineBreak = bytes[offset] === lf || (bytes[offset] === cr && bytes[offset + 1] !== lf);
      if (isLineBreak) line += 1;
      if (bytes[offset] !== cr && bytes[offset] !== lf) hasText = true;
      else if (isLineBreak && !hasText) blankLines += 1;
    }
    yield { record, line: startLine + blankLines };
  }
}

const lf = 10;
const cr = 13;

interface ParsedRecord {
  record: string[];
  /** Bytes up to the end of the record. */
  info: { bytes: number };
}

function parseCsv(csv: Buffer, separator: string): ParsedRecord[] {
  try {
    return parse(csv, {
      bom: true,
      delimiter: separator,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as ParsedRecord[];
  } catch (thrown) {
    if (thrown instanceof CsvError) throw invalidCsvError(`The table cannot be read: ${thrown.message}.`);
    throw thrown;
  }
}
