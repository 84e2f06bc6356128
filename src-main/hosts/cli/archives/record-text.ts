/** @file One record of an archive as text: its fields, with a sign beside suspicious ones, and the records around it. */
import type { ArchiveRecord } from '../../../../src-contract/archives/archive.ts';
import type { Neighbour, RecordView, RecordFinding } from '../../../../src-contract/archives/record.ts';
import { joinLines, plural, toPrintable } from '../terminal/format.ts';

const maxTextLength = 200;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `(${plural(value.length, 'entry', 'entries')})`;
  const text = JSON.stringify(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** Returns the value as text. For notes, counts those by people and those by GitLab separately. */
function nestedText(name: string, value: unknown): string {
  if (name !== 'notes' || !Array.isArray(value) || !value.every((note) => typeof note === 'object')) {
    return valueText(value);
  }
  const system = (value as ({ system?: unknown } | null)[]).filter((note) => note?.system === true).length;
  return `(${plural(value.length - system, 'note')} and ${plural(system, 'system note')})`;
}

function fieldLines(record: object, suspicions: readonly RecordFinding[]): string[] {
  const fields = Object.entries(record);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  const isMarked = (name: string): boolean =>
    suspicions.some(
      ({ path }) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`),
    );
  return fields.map(([name, value]) => {
    const text = nestedText(name, value);
    return `${isMarked(name) ? '>' : ' '} ${toPrintable(name.padEnd(width))}  ${toPrintable(text)}`;
  });
}

function neighbourText(name: string, neighbour: Neighbour | null): string {
  if (neighbour === null) return `${name}  none`;
  return `${name}  line ${neighbour.line}  ${recordName(neighbour)}`.trimEnd();
}

/** Returns a name such as `#7 Fix the gate`; empty if the record has neither number nor title. */
export function recordName({ iid, title }: Pick<Neighbour, 'iid' | 'title'>): string {
  const parts = [iid === null ? null : `#${iid}`, title === null ? null : toPrintable(title)];
  return parts.filter((part) => part !== null).join(' ');
}

function suspicionLines({ severity, path, code, message, advice }: RecordFinding): string[] {
  const where = path === '' ? '' : `${toPrintable(path)}: `;
  return [`  ${severity}  ${code}  ${where}${toPrintable(message)}`, `    ${advice}`];
}

/** Returns the record as text. Its line number is given as in GitLab (from zero) and as in editors (from one). */
export function recordText(record: ArchiveRecord, suspicions: readonly RecordFinding[] = []): string {
  const place = `${record.relation}, line ${record.line} (line ${record.line + 1} in an editor)`;
  if (typeof record.value !== 'object' || record.value === null) {
    return `${place}\n  ${toPrintable(record.text.slice(0, maxTextLength * 10))}${record.truncated ? '…' : ''}`;
  }
  return joinLines(place, fieldLines(record.value, suspicions));
}

/** Nested and cut values are complete with `--json` only. */
export function recordViewText(record: RecordView): string {
  const { suspicions } = record;
  return joinLines(
    recordText(record, suspicions),
    '',
    suspicions.length === 0
      ? ['Nothing looks wrong with it.']
      : ['what looks wrong', ...suspicions.flatMap(suspicionLines)],
    record.notLookedFor,
    '',
    neighbourText('before  ', record.previous),
    neighbourText('after   ', record.next),
    `original  ${record.url ?? 'unknown'}`,
    typeof record.value === 'object' && ['', 'The same command with --json prints the whole record.'],
  );
}
