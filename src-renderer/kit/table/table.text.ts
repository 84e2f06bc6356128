/** @file Texts of the table. */
import { formatNumber } from '../format.ts';

export const tableText = {
  columns: 'Choose columns',
  noRoom: (column: string) => `${column} (no room at the moment)`,
  resetColumns: 'Reset columns',
  selectAll: 'Select all rows',
  headerHint: 'Enter sorts; Shift with the arrow keys makes the column wider or narrower.',
  resized: (column: string, width: number) => `${column}: ${formatNumber(width)} pixels wide`,
};
