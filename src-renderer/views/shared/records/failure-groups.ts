/** @file Groups and exports the failures of one import. Pure. */
import type { FailureWithRecord, Failure } from '../../../../src-contract/transfers/import.ts';
import { recordName } from './evidence.text.ts';
import { readableRecord } from './record-fields.ts';

/** Failures of the same relation and exception, which usually have the same cause. */
export interface ShownFailureGroup {
  key: string;
  relation: string | null;
  exception: string;
  count: number;
}

export const groupKey = ({
  relation,
  exceptionClass,
}: Pick<Failure, 'relation' | 'exceptionClass'>): string => JSON.stringify([relation, exceptionClass]);

export function groupFailures(failures: readonly FailureWithRecord[]): ShownFailureGroup[] {
  const groups = new Map<string, ShownFailureGroup>();
  for (const entry of failures) {
    const key = groupKey(entry.failure);
    const group = groups.get(key);
    if (group !== undefined) group.count += 1;
    else {
      const { relation, exceptionClass } = entry.failure;
      groups.set(key, { key, relation, exception: exceptionClass, count: 1 });
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.key.localeCompare(b.key));
}

export function failedRecordName({ record }: FailureWithRecord): string | null {
  const readable = record === null ? null : readableRecord(record);
  return readable === null ? null : recordName(readable.iid, readable.headline);
}

type Cell = string | number | null;

const columns: Readonly<Record<string, (explained: FailureWithRecord) => Cell>> = {
  id: ({ failure }) => failure.id,
  created_at: ({ failure }) => failure.createdAt,
  relation: ({ failure }) => failure.relation,
  line: ({ failure }) => failure.line,
  exception_class: ({ failure }) => failure.exceptionClass,
  exception_message: ({ failure }) => failure.exceptionMessage,
  source: ({ failure }) => failure.source,
  record: ({ record }) => record?.text ?? null,
};

/** Escapes a cell so that no spreadsheet reads it as a formula: the text comes from other users. */
function escapeCell(value: Cell): string {
  const text = value === null ? '' : String(value);
  const escaped = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** Returns CSV by RFC 4180: a header line, then a line per failure with the raw text of its record. */
export function failuresAsCsv(failures: readonly FailureWithRecord[]): string {
  const lines = failures.map((entry) =>
    Object.values(columns)
      .map((valueOf) => escapeCell(valueOf(entry)))
      .join(','),
  );
  return `${[Object.keys(columns).join(','), ...lines].join('\r\n')}\r\n`;
}

export const failuresAsJson = (failures: readonly FailureWithRecord[]): string =>
  `${JSON.stringify(failures, null, 2)}\n`;
