/** @file Decides whether a comparison proves the imported archive. Pure. */
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';

/** Returns false if the rows, names and contents might not show every loss on either side. */
export const provesArchive = ({
  reconciled,
  contentsCompared = false,
  unproven = [],
  rows,
}: Reconciliation): boolean =>
  reconciled && contentsCompared && unproven.length === 0 && rows.every(({ source }) => source !== null);
