/** @file Applies the faults that make a list contradict itself. Pure. */
import type { ListFault } from './fault-kinds.ts';

/** Returns the rows of one page, and the number of rows that its headers report. */
export function falsifyPage<Row>(
  rows: readonly Row[],
  { page, perPage }: { page: number; perPage: number },
  faults: readonly ListFault[],
): { pageRows: Row[]; total: number } {
  let total = rows.length;
  let visibleRows = rows;
  let shownPage: number | null = page;
  for (const fault of faults) {
    switch (fault.as) {
      case 'total':
        total = Math.max(0, total + fault.by);
        break;
      case 'repeated-page':
        if (fault.page === page && (page - 1) * perPage < rows.length) shownPage = page - 1;
        break;
      case 'empty-page':
        if (fault.page === page) shownPage = null;
        break;
      case 'hidden-rows':
        visibleRows = visibleRows.slice(0, Math.max(0, visibleRows.length - fault.count));
        break;
    }
  }
  const pageRows =
    shownPage === null ? [] : visibleRows.slice((shownPage - 1) * perPage, shownPage * perPage);
  return { pageRows, total };
}
