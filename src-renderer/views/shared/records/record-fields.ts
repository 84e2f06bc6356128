/** @file The readable fields of an archive record: the most important ones first, then the others. Pure. */
import type { ArchiveRecord } from '../../../../src-contract/archives/archive.ts';
import { fieldLabels, recordText } from './evidence.text.ts';
import { common } from '../../../kit/common.text.ts';
import { formatTime } from '../../../kit/format.ts';

export interface Field {
  name: string;
  term: string;
  text: string;
}

export interface ReadableRecord {
  /** The title or text of the record; null if it has none. */
  headline: string | null;
  headlineField: string | null;
  /** The number by which users know it, as in #12. */
  iid: string | null;
  mainFields: Field[];
  otherFields: Field[];
}

/** Longer values are cut here; the raw record contains the whole value. */
const maxLength = 1000;

const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text);

const cut = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a value briefly. Shows a list as its length, and an object as its name or its number of fields. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (Array.isArray(value)) return recordText.entries(value.length);
  if (isObject(value)) {
    const name = value['name'] ?? value['title'] ?? value['username'];
    return typeof name === 'string' ? cut(name) : recordText.fields(Object.keys(value).length);
  }
  if (typeof value === 'string') {
    if (value === '') return recordText.empty;
    const moment = isMoment(value) ? new Date(value) : null;
    return moment === null || Number.isNaN(moment.getTime()) ? cut(value) : formatTime(moment.getTime());
  }
  return typeof value === 'number' ? String(value) : typeof value;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? cut(value) : null;

export function readableRecord(record: ArchiveRecord): ReadableRecord | null {
  const { value } = record;
  if (!isObject(value)) return null;
  const hasValue = (name: string): boolean =>
    Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined;
  // A missing title is often the reason why a record was refused.
  const isShown = (name: string): boolean =>
    hasValue(name) || (name === 'title' && Object.hasOwn(value, name));
  const titleField = ['title', 'name', 'ref', 'tag'].find((name) => textOf(value[name]) !== null);
  const iid = value['iid'];
  const number = typeof iid === 'number' || typeof iid === 'string' ? String(iid) : null;
  const isInHeadline = (name: string): boolean => name === titleField || (name === 'iid' && number !== null);
  const main = Object.entries(fieldLabels)
    .filter(([name]) => isShown(name) && !isInHeadline(name))
    .map(([name, term]) => ({ name, term, text: valueText(value[name]) }));
  const others = Object.entries(value)
    .filter(([name]) => !isInHeadline(name) && !(Object.hasOwn(fieldLabels, name) && isShown(name)))
    .map(([name, content]) => ({ name, term: name, text: valueText(content) }));
  return {
    headline: titleField === undefined ? null : textOf(value[titleField]),
    headlineField: titleField ?? null,
    iid: number,
    mainFields: main,
    otherFields: others,
  };
}
