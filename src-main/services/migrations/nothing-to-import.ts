/** @file Explains why no record of a relation can be imported again, and how to restore the data instead. Pure. */
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { ImportableRelation } from '../../../src-contract/transfers/transfer.ts';

/**
 * The reasons: GitLab does not import existing records again, nor parts of records alone, and the archive may lack the
 * record. `unknownLines`: lines of open failures that the archive does not have.
 */
export function nothingToImportText(
  fullPath: string,
  relation: ImportableRelation,
  reconciliation: Reconciliation | null,
  unknownLines: readonly number[],
): string {
  const [firstLine] = unknownLines;
  if (firstLine !== undefined) {
    return `GitLab listed failures of ${relation} in ${fullPath} on lines that the archive does not have, such as ${firstLine}, so there is no record to import. Accept these failures if nothing is missing.`;
  }
  const missing = reconciliation?.missing.filter((lost) => lost.relation === relation) ?? [];
  const partialLines = new Set(
    missing.flatMap(({ part, line }) => (part !== null && line !== null ? [line] : [])),
  );
  if (partialLines.size > 0) {
    const subject = partialLines.size === 1 ? '1 record is there' : `${partialLines.size} records are there`;
    return `No complete record of ${relation} is known to be missing in ${fullPath}. ${subject} without a part, such as a note, and a part cannot be imported alone: add it there by hand, or leave it out. A new import of the project restores the complete record.`;
  }
  const row = reconciliation?.rows.find((one) => one.relation === relation);
  const shortfall = Math.max(0, (row?.archive ?? 0) - (row?.target ?? row?.archive ?? 0));
  if (reconciliation !== null && shortfall + unnamedOf(reconciliation, relation) > 0) {
    return `${fullPath} lacks some ${relation}; which ones is unknown. Compare it again, or import all of them again.`;
  }
  const lostCount = missing.filter(({ lost, part }) => lost === 'on-export' && part === null).length;
  if (lostCount > 0) {
    return `The export lost the missing ${relation} of ${fullPath}: the archive does not contain ${lostCount === 1 ? 'that record' : `these ${lostCount} records`}. A new export may contain more: create another migration that replaces this project, or add the records by hand.`;
  }
  return `No record of ${relation} is known to be missing in ${fullPath}.`;
}

/** Returns how many missing records are only counted and not named. Older versions stored such counts. */
function unnamedOf({ missing, missingCount, unnamed = [] }: Reconciliation, relation: string): number {
  const namedTotal = unnamed.reduce((sum, { count }) => sum + count, 0);
  const entry = unnamed.find((one) => one.relation === relation && one.lost === 'on-import');
  return missingCount - missing.length - namedTotal + (entry?.count ?? 0);
}
