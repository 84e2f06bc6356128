/**
 * @file The columns that tables of failed records share. Each table decides which of them it shows, and which are
 * hidden first.
 */
import type { Failure } from '../../../../src-contract/transfers/import.ts';
import { relationLabel } from '../../../../src-contract/words/relations.ts';
import { failureText } from './evidence.text.ts';
import { formatExactTime, formatNumber } from '../../../kit/format.ts';
import type { Column } from '../../../kit/table/columns.ts';

type ColumnName = keyof typeof failureText.columns;
type ShownFailure = Pick<
  Failure,
  'relation' | 'line' | 'exceptionClass' | 'exceptionMessage' | 'source' | 'createdAt'
>;

/** `nameOf` returns the number and title of the record; null if neither is known. */
export function failureColumns<Row>(
  failureOf: (row: Row) => ShownFailure,
  nameOf: (row: Row) => string | null,
): Record<ColumnName, Column<Row>> {
  const column = (id: ColumnName, width: number, text: (failure: ShownFailure) => string): Column<Row> => ({
    id,
    header: failureText.columns[id],
    width,
    text: (row) => text(failureOf(row)),
  });
  return {
    relation: column('relation', 130, ({ relation }) => (relation === null ? '—' : relationLabel(relation))),
    line: {
      ...column('line', 60, ({ line }) => (line === null ? '—' : formatNumber(line))),
      align: 'end',
    },
    record: { ...column('record', 112, () => '—'), text: (row) => nameOf(row) ?? '—' },
    exception: column('exception', 210, ({ exceptionClass }) => exceptionClass),
    message: {
      ...column('message', 168, ({ exceptionMessage }) => exceptionMessage ?? failureText.hiddenShort),
      title: (row) => failureOf(row).exceptionMessage ?? failureText.hidden,
    },
    source: column('source', 180, ({ source }) => source),
    when: column('when', 180, ({ createdAt }) => formatExactTime(createdAt)),
  };
}
