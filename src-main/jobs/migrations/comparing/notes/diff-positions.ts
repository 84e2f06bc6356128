/** @file Reads where in a diff a note is, from an archive or from a row of GitLab's list (gitlab-facts 5.7). Pure. */
import { isFields, type Fields } from '../contents/field-readers.ts';

/** Reads a detail of the position of a note about a diff; undefined for other notes, and for a position in another form. */
const ofPosition =
  (read: (position: Fields) => unknown) =>
  ({ type, position }: Fields): unknown => {
    if (type !== 'DiffNote') return undefined;
    if (position === null) return null;
    return isFields(position) ? read(position) : undefined;
  };

/** A push to the branch changes these details without a new time of the note. */
const positionField = <Kind extends 'text' | 'flag'>(kind: Kind, read: (position: Fields) => unknown) =>
  ({ kind, archived: ofPosition(read), listed: ofPosition(read), changesSilently: true }) as const;

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const lineText = ({ old_path: oldPath, old_line: old, new_path: newPath, new_line: line }: Fields): string =>
  `${shown(oldPath)}:${shown(old)} ${shown(newPath)}:${shown(line)}`;

function commitsText({ base_sha: base, start_sha: start, head_sha: head }: Fields): string | undefined {
  const shas = [base, start, head];
  return shas.every((sha) => sha === undefined) ? undefined : shas.map(shown).join(' ').trim();
}

/** A position in the text or in a file has no point. */
const pointText = ({ x, y, width, height }: Fields): string | null =>
  [x, y, width, height].every((value) => (value ?? null) === null)
    ? null
    : `${shown(x)},${shown(y)} of ${shown(width)}×${shown(height)}`;

/** Returns the first and the last line; null for a note about one line. */
function lineRangeText({ line_range: range }: Fields): unknown {
  if (!isFields(range)) return range === undefined || range === null ? range : JSON.stringify(range);
  const ends = ['start', 'end'].map((name) => endOfRange(range, name));
  return ends.every((end) => end === '') ? null : ends.join(' to ');
}

/** GitLab 13.1 and older have only codes, such as `<SHA>_4_5`. Imports of newer versions read the numbers of the lines from them. */
function endOfRange(range: Fields, name: string): string {
  const end = range[name];
  if (isFields(end)) return endText(end['line_code'], end['type'], end['old_line'], end['new_line']);
  const code = range[`${name}_line_code`];
  const [, old, line] = shown(code).split('_').map(numberIn);
  return endText(code, range[`${name}_line_type`], old, line);
}

const numberIn = (text: string): number | null => Number.parseInt(text, 10) || null;
const endText = (code: unknown, type: unknown, old: unknown, line: unknown): string =>
  [shown(code), shown(type), ...(shown(old) + shown(line) === '' ? [] : [`${shown(old)}:${shown(line)}`])]
    .filter((part) => part !== '')
    .join(' ');

export const positionFields = {
  position: positionField('text', lineText),
  // Older versions have only positions in the text, without a type.
  position_type: positionField('text', ({ position_type: type }) => type ?? 'text'),
  line_range: positionField('text', lineRangeText),
  image_point: positionField('text', pointText),
  diff_refs: positionField('text', commitsText),
  ignore_whitespace_change: positionField('flag', ({ ignore_whitespace_change: ignored }) => ignored),
};
