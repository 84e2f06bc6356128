/** @file One record of an archive as readable text: its plain fields first, nested lists as counts. */
import type { ArchiveRecord } from '../../../src-preload/contract/archive.ts';
import { plural, printable } from './format.ts';

const longest = 200;

function shown(value: unknown): string {
  if (Array.isArray(value)) return `(${plural(value.length, 'entry', 'entries')})`;
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The place is given both as GitLab counts (from zero) and as editors do (from one). */
export function recordText(record: ArchiveRecord): string {
  const place = `${record.relation}, line ${record.line} (line ${record.line + 1} in an editor)`;
  if (typeof record.value !== 'object' || record.value === null) {
    return `${place}\n  ${printable(record.text.slice(0, longest * 10))}${record.truncated ? '…' : ''}`;
  }
  const fields = Object.entries(record.value);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return [
    place,
    ...fields.map(([name, value]) => `  ${printable(name.padEnd(width))}  ${printable(shown(value))}`),
  ].join('\n');
}
