/** @file The words for the progress of a migration and its projects, and for the results of a comparison. */
import type { Comparison } from '../transfers/import.ts';
import type { MigratingState, Migration } from '../migrations/migration.ts';
import type { StateText } from './states.ts';

export const migratingStateText: Record<MigratingState, StateText> = {
  planned: { text: 'Planned', hint: 'Nothing was requested for the project yet.' },
  'left-out': { text: 'Left out', hint: 'The project is not migrated.' },
  exporting: {
    text: 'Exporting',
    hint: 'The source exports the project, or its archive is downloaded and read.',
  },
  importing: { text: 'Importing', hint: 'The target imports the archive.' },
  finishing: {
    text: 'Finishing',
    hint: 'The project was imported; the comparison and the later steps are in progress.',
  },
  arrived: {
    text: 'Arrived, contents compared in part',
    hint: 'No difference was found between source, archive and target, and no failure is open, except for accepted losses. Contents were compared in part.',
  },
  uncompared: {
    text: 'Arrived, contents not compared',
    hint: 'No difference was found and no failure is open, except for accepted losses, but the contents of records were not compared. The project does not count as arrived.',
  },
  differs: {
    text: 'Not all arrived',
    hint: 'The project was imported, but data is missing, differs or failed.',
  },
  failed: { text: 'Failed', hint: 'The project was not imported.' },
  cancelled: { text: 'Cancelled', hint: 'The migration of the project was cancelled before its import.' },
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
