/** @file Decides whether the target may have edited a record after the import. Pure. */
import type { ComparisonHistory } from '../comparison-history.ts';

export interface ComparisonTimes extends Pick<ComparisonHistory, 'isPrompt'> {
  /** The time of the export request, in epoch milliseconds by the clock of the source. */
  exportedAt: number;
  /** A time at which the import had not ended, in epoch milliseconds by the clock of the target. */
  importedAt: number;
}

interface ChangeTimes {
  /** The time of the last change in the archive, in epoch milliseconds; null if it has none. Likewise `listedAt` on the target. */
  archivedAt: number | null;
  listedAt: number | null;
}

interface Edited extends ChangeTimes {
  /** True if the value may change without a new time of the record. */
  changesSilently: boolean;
}

/** Returns whether a value may have been edited on the target after the import. */
export function mayBeEditedLater(
  { archivedAt, listedAt, changesSilently }: Edited,
  { importedAt, isPrompt }: Pick<ComparisonTimes, 'importedAt' | 'isPrompt'>,
): boolean {
  if (!isPrompt && (listedAt === null || changesSilently)) return true;
  return hasLaterChange({ archivedAt, listedAt }, importedAt);
}

/** Returns whether the target changed the record after the import. */
export const hasLaterChange = ({ archivedAt, listedAt }: ChangeTimes, importedAt: number): boolean =>
  listedAt !== null && listedAt > importedAt && listedAt !== archivedAt;
