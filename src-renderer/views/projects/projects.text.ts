/** @file Texts of the view of projects. */
import { roleText } from '../../../src-contract/words/roles.ts';
import { formatDate, formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

const visibilities: Record<string, string> = { private: 'Private', internal: 'Internal', public: 'Public' };

export const projectsText = {
  total: (count: number) => common.projects(count),
  matching: (count: number) =>
    count === 1 ? '1 matching project' : `${formatNumber(count)} matching projects`,
  table: 'Projects',
  filters: 'Project filters',
  search: 'Search in names and paths',
  instance: 'Instance',
  allInstances: 'All instances',
  backupStatus: 'Backup status',
  anyBackupStatus: 'Any status',
  archived: 'Archived on GitLab',
  archivedAny: 'Archived or not',
  archivedNo: 'Not archived on GitLab',
  archivedYes: 'Archived on GitLab',
  clearFilters: 'Show all projects',
  lists: 'Age of the project lists',
  listOf: 'List of ',
  listFrom: (instance: string, age: string) => `${instance}: ${age}`,
  listNever: (instance: string) => `${instance}: never fetched`,
  refresh: (instance: string) => `Refresh the list of ${instance}`,
  refreshing: (instance: string) => `Fetching the list of ${instance}`,
  cancelRefresh: (instance: string) => `Stop fetching the list of ${instance}`,
  columns: {
    path: 'Project',
    name: 'Name',
    instance: 'Instance',
    backupStatus: 'Backup status',
    backup: 'Newest backup',
    proof: 'Proof',
    size: 'Size',
    activity: 'Last activity',
    visibility: 'Visibility',
    archived: 'Archived on GitLab',
    role: 'Role',
    archives: 'Archives',
  },
  backingUp: {
    runs: 'Backing up…',
    queued: 'Queued',
    token: 'Waiting for a token',
    network: 'Waiting for the network',
  },
  marked: (day: string) => `Marked for deletion on ${formatDate(day)}`,
  noBackup: 'None',
  role: (level: number | null) => (level === null ? common.unknown : roleText(level)),
  visibility: (value: string | null) => (value === null ? common.unknown : (visibilities[value] ?? value)),

  noInstances: 'No instances yet',
  noInstancesText: 'Add a GitLab instance, and its projects are listed here.',
  addInstance: 'Add an instance',
  neverRead: 'The project list was not fetched yet',
  neverReadText: 'Refresh the list once; it is then also available offline.',
  noProjects: 'No projects',
  noProjectsText: 'The account is not a member of any project on the instances with fetched lists.',
  noMatch: 'No project matches',
  noMatchText: 'Use a shorter search, or remove a filter.',

  selected: (count: number) => `${formatNumber(count)} selected`,
  selectAllMatching: (count: number) => `Select all ${formatNumber(count)}`,
  clearSelection: 'Clear the selection',
  backUpSelected: (count: number) => `Back up ${common.projects(count)}…`,
} as const;

export const projectDetailsText = {
  backUp: 'Back up now',
  backUpHint: 'GitLab sends a mail about the export to the owner of the account.',
  open: 'Open on the instance',
  showArchives: 'Show its archives',
  importNewest: 'Import its newest archive…',
  showJob: 'Show the job',
  facts: 'About the project',
  archives: 'Archives',
  allArchives: (count: number) => `Show all ${common.archives(count)}`,
  noArchives: 'No archive of this project is stored.',
  running: 'Backup in progress',
  waiting: 'Backup waiting',
  lastFailure: 'Why its newest backup failed',
  refused: 'The project was not backed up',
  notAllowed: 'An export needs the role Maintainer; the account has a lower one.',
  terms: {
    id: 'Project ID',
    instance: 'Instance',
    description: 'Description',
    visibility: 'Visibility',
    role: 'Your role',
    branch: 'Default branch',
    emptyRepository: 'none, the repository is empty',
    size: 'Repository size',
    created: 'Created',
    activity: 'Last activity',
    archived: 'Archived on GitLab',
    marked: 'Marked for deletion',
    import: 'Imported',
  },
  notListed: 'The list no longer has this project.',
  notListedText: 'It was removed or moved, or is hidden from the account. Its archives are still stored.',
} as const;

const backups = (count: number): string => (count === 1 ? '1 backup' : `${formatNumber(count)} backups`);

export const bulkBackupText = {
  title: (count: number | null) =>
    count === null ? 'Back up projects' : `Back up ${common.projects(count)}`,
  collecting: 'Listing the selected projects',
  perInstance: (instance: string, count: number) => `${instance}: ${common.projects(count)}`,
  mails: (count: number) =>
    count === 1
      ? 'GitLab sends the owner of the account a mail about the export.'
      : `GitLab sends the owner of the account a mail about each export: ${formatNumber(count)} mails.`,
  pace: 'The backups run in the background, a few at a time, within the limits of the instance. You can cancel each of them.',
  leftOut: (count: number) =>
    count === 1
      ? '1 selected project is left out:'
      : `${formatNumber(count)} selected projects are left out:`,
  nothing: 'None of the selected projects can be backed up.',
  keepExisting: 'First store an export that already exists on the instance',
  keepExistingHint:
    'Otherwise, requesting a new export replaces it. Its archive is dated by the time of that export.',
  start: (count: number) => `Back up ${common.projects(count)}`,
  starting: (instance: string) => `Checking the projects on ${instance}`,
  started: (instance: string, count: number, done: number) =>
    `${instance}: ${backups(count)} started${done === 0 ? '' : `, ${formatNumber(done)} done`}`,
  done: (instance: string, done: number, count: number) =>
    done === count
      ? `${instance}: ${backups(count)} done`
      : `${instance}: ${formatNumber(done)} of ${backups(count)} done`,
  resumed: 'The same backup was interrupted before; it continues where it stopped.',
  refused: (count: number) => `${common.projects(count)} refused`,
  skipped: (count: number) => `${common.projects(count)} skipped`,
  more: (count: number) => `and ${formatNumber(count)} more`,
  show: 'Show what is running',
} as const;
