/** @file Decides whether a comparison proves the imported archive. Pure. */
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';

/** Returns true only if the comparison covers rows, names and contents of both sides, and shows no loss. */
export const provesArchive = ({ reconciled, depth, unproven = [], rows }: Reconciliation): boolean =>
  reconciled && depth === 'contents' && unproven.length === 0 && rows.every(({ source }) => source !== null);
