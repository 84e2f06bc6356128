/**
 * @file Decides whether a comparison is prompt, and which losses an earlier one found. A comparison is prompt if it
 * reads the target within 15 minutes after the import, and no earlier one compared fields (docs/what-is-compared.md).
 * Pure.
 */
import {
  coversContents,
  type MissingRecord,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';

export interface ComparisonHistory {
  /** Differences on the target of a prompt comparison are losses, because nobody is expected to have edited it. */
  isPrompt: boolean;
  /** The losses of the earlier comparison. */
  knownLosses: readonly MissingRecord[];
}

/** Nobody is expected to edit a project within this time after its import. */
const promptMs = 15 * 60_000;

/**
 * @param earlier the earlier comparison of the project. After one of contents, people repair the losses on the target.
 * @param importedAt the time at which the import ended, in epoch milliseconds; null if it is not known.
 * @param targetReadFrom the time at which the comparison began to read the target, in epoch milliseconds.
 */
export function comparisonHistory(
  earlier: Pick<Reconciliation, 'depth' | 'missing'> | null,
  importedAt: number | null,
  targetReadFrom: number,
): ComparisonHistory {
  const isFirst = earlier === null || !coversContents(earlier.depth);
  return {
    isPrompt: isFirst && importedAt !== null && targetReadFrom - importedAt < promptMs,
    knownLosses: earlier?.missing ?? [],
  };
}
