/** @file Whether a comparison proves the archive that was imported. Pure. */
import type { Reconciliation } from '../../../src-contract/import.ts';

/** A loss that no row, name or content would have shown, on either side, may be there: such a comparison proves nothing of the archive. */
export const provesArchive = ({
  reconciled,
  contentsCompared = false,
  unproven = [],
  rows,
}: Reconciliation): boolean =>
  reconciled && contentsCompared && unproven.length === 0 && rows.every(({ source }) => source !== null);
