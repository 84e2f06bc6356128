/** @file The words for the progress of a migration and its projects, and for the results of a comparison. */
import type { Comparison } from '../transfers/import.ts';
import type { MigratingState, Migration } from '../migrations/migration.ts';
import type { StateText } from './states.ts';

export const migratingStateText: Record<MigratingState, StateText> = {
  planned: { text: 'Planned', hint: 'Nothing was requested for it yet.' },
  'left-out': { text: 'Left out', hint: 'It stays where it is.' },
  exporting: { text: 'Exporting', hint: 'The source makes its archive, or it is downloaded and read.' },
  importing: { text: 'Importing', hint: 'The target takes its archive.' },
  finishing: { text: 'Finishing', hint: 'It was imported; the comparison and what follows are in progress.' },
  arrived: {
    text: 'Arrived, contents not compared',
    hint: 'The numbers and names in source, archive and target agree, and no failure is open, except for accepted losses. Contents were not compared.',
  },
  differs: {
    text: 'Not all arrived',
    hint: 'It was imported, and something of it is missing, differs or failed.',
  },
  failed: { text: 'Failed', hint: 'It was not imported.' },
  cancelled: { text: 'Cancelled', hint: 'It was cancelled before it was imported.' },
};

export const migrationStatusText: Record<Migration['status'], string> = {
  draft: 'Not started',
  running: 'In progress',
  paused: 'Paused',
  ended: 'Ended',
  cancelled: 'Cancelled',
};

/** The side on which records were lost. */
export const comparisonVerdictText: Record<Comparison['verdict'], string> = {
  equal: 'Equal',
  'lost-on-export': 'Lost on export',
  'lost-on-import': 'Lost on import',
  'lost-on-both': 'Lost on both',
  more: 'More on the target',
  unknown: 'Not known',
};
