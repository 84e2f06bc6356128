/** @file Decides whether a comparison proves the imported archive. Pure. */
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';

/** Returns true only if rows, names and contents would show every loss on either side, and show none. */
export const provesArchive = ({
  reconciled,
  contentsCompared = false,
  unproven = [],
  rows,
}: Reconciliation): boolean =>
  reconciled && contentsCompared && unproven.length === 0 && rows.every(({ source }) => source !== null);
