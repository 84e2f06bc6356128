/** @file How numbers, times and tables look on a terminal. */
import { layOutTable, unknown } from './table-layout.ts';

/** `4 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An ISO time or epoch milliseconds in local time, to the second. */
export function formatTime(time: string | number): string {
  const local = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
  return `${day} ${two(local.getHours())}:${two(local.getMinutes())}:${two(local.getSeconds())}`;
}

/** Returns the time in that time zone, with the zone; and in the local one if that differs. */
export function formatTimeIn(time: string | number, timeZone: string): string {
  const there = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    new Date(time),
  );
  const here = formatTime(time);
  return `${there} ${timeZone}${there === here ? '' : ` (here ${here})`}`;
}

/* Control characters, and those that turn the direction of text or end a line unseen. */
const unprintable = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const anyUnprintable = new RegExp(`[${unprintable}]`, 'g');

/**
 * Names from servers and archives may carry escape sequences; a terminal must not obey them.
 * `lines` leaves line ends, for text that was put together here.
 */
export function printable(text: string, keep: 'nothing' | 'lines' = 'nothing'): string {
  return text.replace(anyUnprintable, (character) =>
    keep === 'lines' && character === '\n' ? character : '\uFFFD',
  );
}

/** JSON in which nothing can act on a terminal either; it means the same. */
export function escapeJson(json: string): string {
  return json.replace(anyUnprintable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

type Cell = string | number | null;

const aTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** The time zone of `formatTime`. */
const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The width of the terminal that results are printed on. A pipe or a file has none, and nothing is fitted to it. */
function terminalWidth(): number {
  const { isTTY, columns } = process.stdout;
  // Some terminals say that they have none.
  return isTTY && columns > 0 ? columns : Infinity;
}

/**
 * Left-aligned text, right-aligned numbers, two spaces between; `null` is a dash. A column of times says in its head which time
 * zone they are of. On a terminal the table is fitted to its width.
 */
export function table(names: string[], rows: Cell[][], width = terminalWidth()): string {
  const head = names.map((name, column) => {
    const filled = rows.flatMap((row) => row[column] ?? []);
    const isTimes = filled.length > 0 && filled.every((cell) => aTime.test(String(cell).trim()));
    return isTimes ? `${name} (${ownTimeZone()})` : name;
  });
  const cells = rows.map((row) => row.map((cell) => (cell === null ? unknown : printable(String(cell)))));
  const numeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] !== 'string'),
  );
  return layOutTable({ names: head, rows: cells, numeric }, width);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
