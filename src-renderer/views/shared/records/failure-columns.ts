/** @file The columns of a table of failed records. */
import type { ExplainedFailure } from '../../../../src-contract/import.ts';
import { failureText } from './evidence.text.ts';
import { formatExactTime, formatNumber } from '../../../kit/format.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { failedName } from './failure-groups.ts';

/** `withArchive`: the names of the records are known, and more important than the time. */
export function failureColumns(withArchive: boolean): Column<ExplainedFailure>[] {
  return [
    {
      id: 'relation',
      header: failureText.columns.relation,
      width: 118,
      sortable: true,
      fixed: true,
      text: ({ failure }) => failure.relation ?? '—',
    },
    {
      id: 'line',
      header: failureText.columns.line,
      width: 56,
      align: 'end',
      sortable: true,
      text: ({ failure }) => (failure.line === null ? '—' : formatNumber(failure.line)),
    },
    {
      id: 'record',
      header: failureText.columns.record,
      width: 112,
      grow: withArchive,
      hidden: !withArchive,
      text: (explained) => failedName(explained) ?? '—',
    },
    {
      id: 'exception',
      header: failureText.columns.exception,
      width: 210,
      yields: 1,
      sortable: true,
      text: ({ failure }) => failure.exceptionClass,
    },
    {
      id: 'message',
      header: failureText.columns.message,
      width: 168,
      grow: !withArchive,
      yields: 2,
      sortable: true,
      text: ({ failure }) => failure.exceptionMessage ?? failureText.hiddenShort,
      title: ({ failure }) => failure.exceptionMessage ?? failureText.hidden,
    },
    {
      id: 'source',
      header: failureText.columns.source,
      width: 180,
      hidden: true,
      text: ({ failure }) => failure.source,
    },
    {
      id: 'when',
      header: failureText.columns.when,
      width: 180,
      sortable: true,
      hidden: withArchive,
      yields: 3,
      text: ({ failure }) => formatExactTime(failure.createdAt),
    },
  ];
}
