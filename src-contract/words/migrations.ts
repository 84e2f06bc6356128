/** @file The words for the progress of a migration and its projects, and for the results of a comparison. */
import type { Comparison } from '../transfers/import.ts';
import {
  isComparedInPart,
  type MigratingProject,
  type MigratingState,
  type Migration,
} from '../migrations/migration.ts';
import { agreementText, contentsComparedText } from './depths.ts';
import { lowerFirst } from './first-letter.ts';
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
    text: 'Arrived',
    hint: 'No difference was found between source, archive and target, and no failure is open, except for accepted losses.',
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

/** Returns the words for the state of a project. Those of an arrived project say how far its contents were compared. */
export function projectStateText(project: Pick<MigratingProject, 'state' | 'depth'>): StateText {
  const words = migratingStateText[project.state];
  if (project.state !== 'arrived') return words;
  const reached = isComparedInPart(project) ? 'fields' : 'contents';
  return { text: agreementText[reached].title, hint: `${words.hint} ${contentsComparedText[reached]}` };
}

/** Returns the words for an arrived project whose losses were all accepted. */
export const acceptedStateText = (project: Pick<MigratingProject, 'state' | 'depth'>): string =>
  `${projectStateText(project).text}, with losses that were accepted`;

/**
 * Returns the words for a number of projects in a state. Those for arrived projects say how many of them were compared in
 * part, for example `Arrived, 2 of them with contents compared in part`.
 */
export function stateCountText(
  state: MigratingState,
  { projects, comparedInPart }: Pick<Migration, 'projects' | 'comparedInPart'>,
): string {
  if (state !== 'arrived') return migratingStateText[state].text;
  if (comparedInPart === 0) return agreementText.contents.title;
  return comparedInPart === projects.arrived
    ? agreementText.fields.title
    : `${agreementText.contents.title}, ${comparedInPart.toLocaleString('en')} of them with contents compared in part`;
}

/** Returns the headline of a migration whose projects all arrived, except for those that were left out. */
export function everyArrivedText(migration: Pick<Migration, 'projects' | 'comparedInPart'>): string {
  const subject =
    migration.projects['left-out'] === 0 ? 'Every project' : 'Every project that was not left out';
  return `${subject} ${lowerFirst(stateCountText('arrived', migration))}`;
}

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
