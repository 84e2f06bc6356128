/** @file Texts of the view that inspects an import. */
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { formatNumber } from '../../../kit/format.ts';

export const importStateText: Record<ImportStatus['state'], { text: string; hint: string }> = {
  none: { text: 'Not imported', hint: 'GitLab reports that this project was not created by an import.' },
  scheduled: { text: 'Scheduled', hint: 'GitLab has accepted the import but not started it yet.' },
  started: { text: 'Running', hint: 'GitLab is importing.' },
  finished: {
    text: 'Finished',
    hint: 'GitLab has finished the import. This alone does not prove that everything was imported.',
  },
  failed: { text: 'Failed', hint: 'GitLab gave up on the import.' },
  canceled: { text: 'Cancelled', hint: 'Somebody cancelled the import on GitLab.' },
};

export const inspectText = {
  subtitle: 'The result of any import, wherever it was started: every failed record and its contents.',
  which: 'Which import',
  url: 'Address of the project’s page',
  urlHint: 'As the browser shows it, on an instance that was added here.',
  urlPlaceholder: 'https://gitlab.example.com/group/project',
  urlWrong: 'Paste the whole address, beginning with https://',
  check: 'Check',
  checking: 'Reading the archive',
  stop: 'Stop checking',
  archiveDrop: 'Drop the imported archive to read the record behind each failure',
  archiveHint: 'The .tar.gz file that was imported. It is only read here.',
  archiveStored: 'Or name a stored archive',
  archiveStoredHint: 'Its path in the store, or at least 8 digits of its SHA-256',
  archiveUse: 'Use it',
  archiveName: (project: string, time: string) => `${project}, ${time}`,
  archiveChosen: (name: string) => `Records are read from ${name}`,
  archiveOfJob: 'Packhorse imported the project from this archive.',
  archive: 'the archive',
  archiveRemove: 'Check without an archive',
  addInstance: 'Add the instance',
  begin: 'Paste the address of a project to start',
  beginText:
    'Any import can be checked, even while it runs. Who started it, and with which tool, does not matter.',
  status: 'Import',
  state: 'State',
  project: 'Project',
  instance: 'Instance',
  type: 'Kind of import',
  correlation: 'Correlation ID',
  correlationHint: 'With this ID, an administrator can find the cause of a failure in GitLab’s log.',
  copyCorrelation: 'Copy the correlation ID',
  error: 'Message from GitLab',
  open: 'Open on the instance',
  checkAgain: 'Check again',
  pollNote: 'The status is updated every few seconds until the import ends.',
  lastChecked: 'Last checked',
  failures: 'Failed records',
  noFailures: 'No failed record is listed',
  noFailuresText: {
    ended:
      'GitLab lists no failure for this import. Add the imported archive to compare its contents with the project.',
    compared: 'GitLab lists no failure for this import.',
    running: 'None so far.',
  },
  stats: 'Fetched and imported',
  statsTable: 'What GitLab fetched from the other host and imported',
  statsColumns: { what: 'What', fetched: 'Fetched', imported: 'Imported' },
  compareWith: 'Add the imported archive to compare its contents with the project.',
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
