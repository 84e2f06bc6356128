/** @file Fits a table into a terminal: cells are wrapped, or each row becomes a block of lines. */

/** The text of a cell whose value is unknown. */
export const unknownCell = '–';

export interface TextTable {
  headings: readonly string[];
  /** Each row has one cell for each heading. */
  rows: readonly (readonly string[])[];
  /** Columns that are aligned right. */
  numeric: readonly boolean[];
}

const gap = '  ';
/**
 * Minimum widths of text columns, tried in order. Narrower cells would become many lines of one word. A time fits
 * on one line at the first width, and on two lines at the second.
 */
const minTextWidths = [20, 12];

/** Returns the table as text. `width` is the width of the terminal; `Infinity` without a terminal. */
export function layOutTable(table: TextTable, width: number): string {
  const natural = naturalWidths(table);
  if (table.rows.length === 0 || totalWidth(natural) <= width) return grid(table, natural);
  const filled = withoutEmptyColumns(table);
  for (const minTextWidth of minTextWidths) {
    const widths = fittedWidths(filled, minTextWidth, width);
    if (widths !== null) return grid(filled, widths);
  }
  return blocks(filled, width);
}

const naturalWidths = ({ headings, rows }: TextTable): number[] =>
  headings.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));

function withoutEmptyColumns({ headings, rows, numeric }: TextTable): TextTable {
  const isFilled = headings.map((_, column) =>
    rows.some((row) => !['', unknownCell].includes(row[column] ?? '')),
  );
  const keepFilled = <T>(each: readonly T[]): T[] => each.filter((_, column) => isFilled[column]);
  return { headings: keepFilled(headings), rows: rows.map(keepFilled), numeric: keepFilled(numeric) };
}

const totalWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);

/** Returns column widths that fit, narrowing the widest columns first; null if the table cannot fit. */
function fittedWidths(table: TextTable, minTextWidth: number, width: number): number[] | null {
  const minWidths = table.headings.map((_, column) => minWidth(table, column, minTextWidth));
  const widths = naturalWidths(table);
  while (totalWidth(widths) > width) {
    const widest = widths.reduce(
      (best, each, column) => (each > (minWidths[column] ?? 0) && each > (widths[best] ?? 0) ? column : best),
      widths.findIndex((each, column) => each > (minWidths[column] ?? 0)),
    );
    if (widest === -1) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Returns the minimum width of a column: its longest unbreakable piece, or a readable width if its text is longer. */
function minWidth({ headings, rows }: TextTable, column: number, minTextWidth: number): number {
  const cells = rows.map((row) => row[column] ?? '');
  const pieces = [headings[column] ?? '', ...cells].flatMap(piecesOf);
  const maxCellLength = Math.max(0, ...cells.map((cell) => cell.length));
  const maxPieceLength = Math.max(0, ...pieces.map((piece) => piece.trimEnd().length));
  return Math.max(maxPieceLength, Math.min(maxCellLength, minTextWidth));
}

/** Splits text after spaces and slashes only: names, numbers and identifiers stay whole. */
const piecesOf = (text: string): string[] => text.match(/[^\s/]*\/\s*|[^\s/]+\s*|\s+/g) ?? [];

/** Returns lines no longer than `width` unless a piece alone is longer. Each line keeps the indent of the text. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const indent = /^\s*/.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const piece of piecesOf(text.trimStart())) {
    if (line.trim() !== '' && line.length + piece.trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

function grid({ headings, rows, numeric }: TextTable, widths: readonly number[]): string {
  return [headings, ...rows]
    .flatMap((row) => {
      const cells = row.map((cell, column) => wrap(cell, widths[column] ?? 0));
      const height = Math.max(1, ...cells.map((lines) => lines.length));
      return Array.from({ length: height }, (_, index) =>
        cells
          .map((lines, column) => {
            const [line, width] = [lines[index] ?? '', widths[column] ?? 0];
            return numeric[column] === true ? line.padStart(width) : line.padEnd(width);
          })
          .join(gap)
          .trimEnd(),
      );
    })
    .join('\n');
}

/** Returns each row as lines of a name and its value; an empty value has no line. */
function blocks({ headings, rows }: TextTable, width: number): string {
  const labels = headings.map((name) => name.trim());
  const indent = Math.max(...labels.map((label) => label.length)) + gap.length;
  return rows
    .map((row) =>
      row
        .flatMap((cell, column) => {
          const value = cell.trim();
          if (value === '') return [];
          const label = (labels[column] ?? '').padEnd(indent);
          return wrap(value, width - indent).map((line, index) =>
            index === 0 ? `${label}${line}` : `${' '.repeat(indent)}${line}`,
          );
        })
        .join('\n'),
    )
    .join('\n\n');
}
