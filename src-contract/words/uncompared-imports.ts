/** @file The sentence about an inspected import that was not compared with the given archive. */
import type { ImportStatus } from '../transfers/import.ts';

const reasons: Record<ImportStatus['state'], string> = {
  none: 'GitLab reports no import of this project',
  scheduled: 'the import has not started',
  started: 'the import has not ended',
  finished: 'the comparison was not made',
  failed: 'the import failed',
  canceled: 'the import was cancelled',
};

/** @param archive the name of the archive. */
export const notComparedText = (archive: string, state: ImportStatus['state']): string =>
  `Not compared with ${archive}, because ${reasons[state]}.`;
