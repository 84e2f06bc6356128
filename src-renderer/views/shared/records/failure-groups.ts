/** @file Groups and exports the failures of one import. Pure. */
import type { ExplainedFailure, Failure } from '../../../../src-contract/transfers/import.ts';
import { recordName } from './evidence.text.ts';
import { readableRecord } from './record-fields.ts';

/** Failures of the same relation and exception, which usually have the same cause. */
export interface ShownFailureGroup {
  key: string;
  relation: string | null;
  exception: string;
  count: number;
}

/** The key of the group that a failure belongs to. */
export const groupKey = ({
  relation,
  exceptionClass,
}: Pick<Failure, 'relation' | 'exceptionClass'>): string => JSON.stringify([relation, exceptionClass]);

/** The largest first. */
export function failureGroups(failures: readonly ExplainedFailure[]): ShownFailureGroup[] {
  const groups = new Map<string, ShownFailureGroup>();
  for (const explained of failures) {
    const key = groupKey(explained.failure);
    const group = groups.get(key);
    if (group !== undefined) group.count += 1;
    else {
      const { relation, exceptionClass } = explained.failure;
      groups.set(key, { key, relation, exception: exceptionClass, count: 1 });
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.key.localeCompare(b.key));
}

/** The name of the record behind a failure; null without a record. */
export function failedName({ record }: ExplainedFailure): string | null {
  const readable = record === null ? null : readableRecord(record);
  return readable === null ? null : recordName(readable.number, readable.headline);
}

const columns = [
  'id',
  'created_at',
  'relation',
  'line',
  'exception_class',
  'exception_message',
  'source',
  'record',
];

/** Escapes a cell so that no spreadsheet reads it as a formula: the text comes from somebody else. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line per failure after a header line, by RFC 4180; the record is its raw text. */
export function failuresAsCsv(failures: readonly ExplainedFailure[]): string {
  const lines = failures.map(({ failure, record }) =>
    [
      failure.id,
      failure.createdAt,
      failure.relation,
      failure.line,
      failure.exceptionClass,
      failure.exceptionMessage,
      failure.source,
      record?.text ?? null,
    ]
      .map(cell)
      .join(','),
  );
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

export function failuresAsJson(failures: readonly ExplainedFailure[]): string {
  return `${JSON.stringify(failures, null, 2)}\n`;
}
