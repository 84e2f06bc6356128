/** @file Formats numbers, times and tables for a terminal. */
import { layOutTable, unknownCell } from './table-layout.ts';

/** Returns a duration such as `4 s`, `3 min 20 s` or `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns an ISO time or epoch milliseconds in local time, to the second. */
export function formatTime(time: string | number): string {
  const local = new Date(time);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const day = `${local.getFullYear()}-${twoDigits(local.getMonth() + 1)}-${twoDigits(local.getDate())}`;
  return `${day} ${twoDigits(local.getHours())}:${twoDigits(local.getMinutes())}:${twoDigits(local.getSeconds())}`;
}

/** Returns the local time for a cell of a table; null if there is none. */
export const timeOrNone = (time: string | number | null): string | null =>
  time === null ? null : formatTime(time);

/** Returns the time in `timeZone` with the name of the zone, and the local time if it differs. */
export function formatTimeIn(time: string | number, timeZone: string): string {
  const zoneTime = new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  }).format(new Date(time));
  const localTime = formatTime(time);
  return `${zoneTime} ${timeZone}${zoneTime === localTime ? '' : ` (here ${localTime})`}`;
}

/* Control characters, and characters that change the direction of text or end a line invisibly. */
const unprintable = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const anyUnprintable = new RegExp(`[${unprintable}]`, 'g');

/**
 * Replaces control characters in names from servers and archives by U+FFFD, because a terminal must not execute them.
 * `lines` keeps line ends, for text that this program composed.
 */
export function toPrintable(text: string, keep: 'nothing' | 'lines' = 'nothing'): string {
  return text.replace(anyUnprintable, (character) =>
    keep === 'lines' && character === '\n' ? character : '\uFFFD',
  );
}

/** Returns equivalent JSON without characters that a terminal would execute. */
export function escapeJson(json: string): string {
  return json.replace(anyUnprintable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The line below a list that `--limit` cut short. */
export const limitReachedLine = 'There are more; see --limit.';

export type Line = string | false | null | undefined;

/** Returns the lines as one text, without those that are false, null or undefined. */
export const joinLines = (...parts: readonly (Line | readonly Line[])[]): string =>
  parts
    .flat()
    .filter((line) => typeof line === 'string')
    .join('\n');

const maxLineLength = 100;

/** Returns the words in lines that fit into a terminal of ordinary width, each with the indent. */
export function wrapText(text: string, indent = '  '): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxLineLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

export type Cell = string | number | null;

const timePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** The time zone of `formatTime`. */
const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the width of the terminal for results; `Infinity` for a pipe or a file. */
function terminalWidth(): number {
  const { isTTY, columns } = process.stdout;
  // Some terminals report a width of 0.
  return isTTY && columns > 0 ? columns : Infinity;
}

/**
 * Returns a table of left-aligned text and right-aligned numbers, two spaces apart; `null` is a dash. The heading of a
 * column of times names their time zone. On a terminal the table is fitted to its width.
 */
export function table(names: string[], rows: Cell[][], width = terminalWidth()): string {
  const head = names.map((name, column) => {
    const filled = rows.flatMap((row) => row[column] ?? []);
    const isTimes = filled.length > 0 && filled.every((cell) => timePattern.test(String(cell).trim()));
    return isTimes ? `${name} (${ownTimeZone()})` : name;
  });
  const cells = rows.map((row) =>
    row.map((cell) => (cell === null ? unknownCell : toPrintable(String(cell)))),
  );
  const numeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] !== 'string'),
  );
  return layOutTable({ headings: head, rows: cells, numeric }, width);
}

/** Returns a table of entries; `cellsOf` names each cell of a row by its column. Empty without entries. */
export function tableOf<Entry>(
  entries: readonly Entry[],
  cellsOf: (entry: Entry) => Record<string, Cell>,
): string {
  const rows = entries.map(cellsOf);
  return table(
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
  );
}

/** Returns the first lines, and how many more there are. */
export function firstLines(lines: readonly string[], max: number): string[] {
  const more = lines.length - max;
  return [...lines.slice(0, max), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Returns names such as `a, b and 4 more`. */
export function firstNames(names: readonly string[], max: number): string {
  const more = names.length - max;
  return `${names.slice(0, max).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
