/** @file Decides whether a comparison proves the imported archive. Pure. */
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';

/** Proves nothing if a loss might exist that no row, name or content would have shown, on either side. */
export const provesArchive = ({
  reconciled,
  contentsCompared = false,
  unproven = [],
  rows,
}: Reconciliation): boolean =>
  reconciled && contentsCompared && unproven.length === 0 && rows.every(({ source }) => source !== null);
