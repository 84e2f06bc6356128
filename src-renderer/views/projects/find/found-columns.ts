/** @file The columns of the table of found projects. The instance supplies and sorts its rows. */
import type { ProjectQuery } from '../../../../src-contract/projects/project-details.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import type { TableLayout } from '../../../../src-contract/settings.ts';
import { findText as text } from './find.text.ts';
import { formatDate, formatTime } from '../../../kit/format.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { projectColumns } from '../project-columns.ts';
import type { Order } from './find-query.ts';

export const foundTableName = 'found';

const orderOf: Readonly<Record<string, Order>> = {
  path: 'path',
  name: 'name',
  activity: 'last_activity_at',
  created: 'created_at',
  size: 'repository_size',
};

const created: Column<ProjectRow> = {
  id: 'created',
  header: text.columns.created,
  width: 120,
  hidden: true,
  text: (row) => (row.createdAt === null ? '' : formatDate(row.createdAt)),
  title: (row) => (row.createdAt === null ? '' : formatTime(row.createdAt)),
};

/** The columns shown by default. If there is no room, the highest number is hidden first; 0 is never hidden. */
const defaultHideOrders: Readonly<Record<string, number>> = {
  path: 0,
  backupStatus: 1,
  activity: 2,
  backup: 3,
  visibility: 4,
  role: 5,
};

/** `orders` are the sort orders that the list supports; `withSizes` is true if sizes were requested. */
export const foundColumns = (orders: readonly Order[], withSizes: boolean): Column<ProjectRow>[] =>
  [...projectColumns.filter(({ id }) => id !== 'instance'), created].map((column) => {
    const order = orderOf[column.id];
    const hideOrder = defaultHideOrders[column.id];
    return {
      ...column,
      sortable: order !== undefined && orders.includes(order),
      hidden: hideOrder === undefined && !(column.id === 'size' && withSizes),
      ...(hideOrder === undefined || hideOrder === 0 ? {} : { hideOrder }),
    };
  });

export function sortOf({ order_by: order, sort }: ProjectQuery): TableLayout['sort'] {
  const column = Object.keys(orderOf).find((id) => orderOf[id] === order);
  return column === undefined ? null : { column, descending: sort !== 'asc' };
}

export function orderParameters(sort: TableLayout['sort']): { order_by: string | null; sort: string | null } {
  const order = sort === null ? undefined : orderOf[sort.column];
  return { order_by: order ?? null, sort: sort === null || sort.descending ? null : 'asc' };
}
