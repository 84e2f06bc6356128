/** @file Words of the view that looks at any import. */
import type { ImportStatus } from '../../../src-contract/import.ts';
import { formatNumber } from '../../kit/format.ts';

export const importStateText: Record<ImportStatus['state'], { text: string; hint: string }> = {
  none: { text: 'Not imported', hint: 'GitLab says that this project was not made by an import.' },
  scheduled: { text: 'Scheduled', hint: 'GitLab has accepted the import and not begun with it yet.' },
  started: { text: 'Running', hint: 'GitLab is importing.' },
  finished: {
    text: 'Finished',
    hint: 'GitLab has ended the import; that alone does not prove that all arrived.',
  },
  failed: { text: 'Failed', hint: 'GitLab gave the import up.' },
  canceled: { text: 'Cancelled', hint: 'Somebody cancelled the import on GitLab.' },
};

export const inspectText = {
  subtitle: 'What became of an import, wherever it was started: every record that failed, and what it held.',
  which: 'Which import',
  url: 'Address of the project’s page',
  urlHint: 'As the browser shows it, on an instance that was added here.',
  urlPlaceholder: 'https://gitlab.example.com/group/project',
  urlWrong: 'Paste the whole address, beginning with https://',
  check: 'Check',
  checking: 'Reading the archive',
  stop: 'Stop looking',
  archiveDrop: 'Drop the archive it came from, to read the record behind each failure',
  archiveHint: 'The .tar.gz file that was imported. It is only read here.',
  archiveStored: 'Or name a stored archive',
  archiveStoredHint: 'Its path in the store, or at least 8 digits of its SHA-256',
  archiveUse: 'Use it',
  archiveName: (project: string, time: string) => `${project}, ${time}`,
  archiveChosen: (name: string) => `Records are read from ${name}`,
  archiveOfJob: 'Packhorse imported the project from this archive.',
  archiveRemove: 'Look without an archive',
  addInstance: 'Add the instance',
  begin: 'Paste the address of a project to begin',
  beginText: 'It may have been imported by anybody, with any tool, also while the import still runs.',
  status: 'Import',
  state: 'State',
  project: 'Project',
  instance: 'Instance',
  type: 'Kind of import',
  correlation: 'Correlation ID',
  correlationHint: 'An administrator finds the reasons in GitLab’s log by it.',
  copyCorrelation: 'Copy the correlation ID',
  error: 'GitLab says',
  open: 'Open on the instance',
  lookAgain: 'Look again',
  looksAgain: 'It is looked at again every few seconds until it ends.',
  lastLooked: 'Last looked at',
  failures: 'Failed records',
  noFailures: 'No failed record is listed',
  noFailuresText: {
    ended: 'GitLab lists no failure for this import. Give the archive it came from to compare what arrived.',
    compared: 'GitLab lists no failure for this import.',
    running: 'None so far.',
  },
  stats: 'Fetched and imported',
  statsTable: 'What GitLab fetched from the other host and imported',
  statsColumns: { what: 'What', fetched: 'Fetched', imported: 'Imported' },
  compareWith: 'Give the archive it came from, and what arrived is compared with what it held.',
} as const;

export const failureExportText = {
  copyCsv: 'Copy as CSV',
  copyJson: 'Copy as JSON',
  saveCsv: 'Save as CSV',
  saveJson: 'Save as JSON',
  export: 'Copy or save the failures',
  copied: (count: number) => `${formatNumber(count)} copied.`,
  fileName: (project: string) => `${project.replaceAll(/[^\w.-]+/g, '-')}-import-failures`,
} as const;
