/** @file Texts of the panel's parts that show and change one project on its instance. */
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { pluralize } from '../../../kit/common.text.ts';
import { formatDate, formatNumber } from '../../../kit/format.ts';

export const projectPanelText = {
  parts: 'About the project',
  part: {
    overview: 'Overview',
    details: 'Details',
    people: 'Members',
    files: 'Files',
    changes: 'Changes',
  },
  showMore: 'Show more',
  search: 'Search',
  searchIn: (what: string) => `Search in: ${what}`,
  noMatch: 'No matches.',
  leaveOut: (name: string) => `Leave out ${name}`,
  leftOut: (names: readonly string[]) => `Left out: ${names.join(', ')}`,
  showLeftOut: 'Show them again',
} as const;

export const refusalText = {
  anonymous: 'The instance is used without an account, so nothing can be changed there.',
  readOnly: (instance: string) =>
    `${instance} is set to read only here. You can change this in the view Instances.`,
  tokenReadOnly: 'The token may only read. Changes need a token with the scope api.',
  role: (requiredRole: string, actualRole: string) =>
    `This needs the role ${requiredRole}; the account is ${actualRole} here.`,
  administrator: 'Only administrators of the instance may do this.',
  version: (requiredVersion: string, actualVersion: string) =>
    `This needs GitLab ${requiredVersion}; this instance runs ${actualVersion}.`,
  notLoaded: 'Unknown until the project’s details are loaded from the instance.',
  archived: 'The project is marked as archived on GitLab: nothing can be added.',
  notMarked: 'The project is not marked for deletion.',
  busy: 'Another change of this project is in progress.',
} as const;

export const roleNames: Readonly<Record<string, string>> = { maintainer: 'Maintainer', owner: 'Owner' };

export const factsText = {
  title: 'Current details on the instance',
  terms: {
    topics: 'Topics',
    stars: 'Stars',
    forks: 'Forks',
    issues: 'Open issues',
    owner: 'Owner',
    license: 'License',
    forkedFrom: 'Forked from',
    visibility: 'Visibility',
    branch: 'Default branch',
    archived: 'Archived on GitLab',
  },
  noTopics: 'none',
  noLicense: 'none found',
  marked: (deletionDate: string) => `Marked for deletion; will be deleted on ${formatDate(deletionDate)}`,
  markedText: (markedOn: string) =>
    `It was marked on ${formatDate(markedOn)}. Until it is deleted, it can be restored under “Changes”. An instance with another deletion delay may delete it earlier or later.`,
  languages: 'Languages',
  noLanguages: 'No language was found in its repository.',
  languagesLabel: 'Share of each language',
  statistics: 'Storage',
  noStatistics: 'The instance shows this from the role Reporter upwards.',
  /** Labels of the totals. Every other size has the label of its relation. */
  statistic: { storage_size: 'Total', commit_count: 'Commits' } as Readonly<Record<string, string>>,
  customAttributes: 'Custom attributes',
  forks: 'Forks of this project',
  noForks: 'This account can see no fork.',
  openPage: 'Open on the instance',
} as const;

export const membersText = {
  users: 'Members',
  noUsers: 'The project has no members.',
  state: (state: string) => state.replaceAll('_', ' '),
  groups: 'Parent and invited groups',
  noGroups: 'The project is in no group and is not shared with any.',
  noParentGroups: 'The project is in no group.',
  groupFilters: 'Filters',
  withShared: 'Include groups that the project is shared with',
  sharedVisibleOnly: 'Only shared groups that the account can see',
  sharedMinAccessLevel: 'Only shared groups with at least the role',
  anyRole: 'Any role',
  shareLocations: 'Groups that the project can be shared with',
  noShareLocations: 'This account cannot share the project with any group.',
  starrers: 'Starred by',
  noStarrers: 'Nobody has starred the project.',
} as const;

export const filesText = {
  uploads: 'Uploaded files',
  noUploads: 'No files were uploaded.',
  uploadedBy: (username: string) => `by ${username}`,
  add: 'Drop a file here to upload it to the project',
  addHint: 'You can then reference it in issues and comments.',
  addDrop: 'Drop the file to upload it',
  save: (name: string) => `Save ${name}`,
  saving: (name: string) => `Saving ${name}`,
  saved: (path: string, sizeBytes: number) => `Saved as ${path} (${formatBytes(sizeBytes)})`,
  exportTitle: 'Export',
  exportState: (state: string) => `The account’s export on the instance: ${state.replaceAll('_', ' ')}`,
  exportStates: {
    none: 'There is no export on the instance.',
    finished: 'A finished export is stored on the instance.',
    started: 'The instance is exporting it.',
    queued: 'An export is queued on the instance.',
    regeneration_in_progress: 'The instance is exporting it again.',
  } as Readonly<Record<string, string>>,
  download: 'Save the export',
  downloadHint: 'Saves it to the downloads folder. This is not a backup: “Back up now” stores one.',
  downloading: 'Downloading and reading the export',
  downloaded: (path: string, sizeBytes: number) => `Saved as ${path} (${formatBytes(sizeBytes)})`,
  noExport: 'There is no finished export to save.',
  start: 'Start an export on GitLab…',
  startTitle: 'Start an export on GitLab',
  startText:
    'GitLab creates an export. If you enter an address, GitLab uploads the export to it. To store a backup here, use “Back up now”.',
  description: 'Description in the export',
  descriptionHint: 'Replaces the description of the project. If empty, it is unchanged.',
  push: 'Destination',
  pushNone: 'The export stays on the instance',
  pushNoneHint: 'You can save the export from there while GitLab keeps it.',
  pushTo: 'GitLab uploads it to an address',
  pushToHint: 'For example a presigned URL of S3-compatible storage.',
  url: 'Address',
  urlHint: 'The address is kept in memory only, until it is sent.',
  method: 'Method',
  startConfirm: 'Start the export',
  warnings: 'Warnings about the address',
  pushResultUnknown: 'GitLab does not report whether the upload worked. Check the destination.',
  relations: 'Imports of single parts',
  noRelations: 'No single part was imported.',
  relationStatus: {
    created: 'Waiting',
    started: 'Running',
    finished: 'Finished',
    failed: 'Failed',
  },
  importRelation: 'Import a part…',
  importTitle: 'Import a part from an archive',
  importText:
    'GitLab adds records of this part that are in the archive but whose number (IID) is missing in the project. Only these records and their authors are sent.',
  relationLabel: 'Part',
  archive: 'Archive',
  noArchives: 'No archive is stored. Drop a file instead.',
  orFile: 'Or drop an export file here',
  file: (name: string) => `File: ${name}`,
  fileDrop: 'Drop the file to import from it',
  readingArchive: 'Reading the archive',
  importConfirm: 'Import this part',
  removeMembers: 'Import it anyway: these members may be removed',
} as const;

export const changesText = {
  edit: 'Edit',
  editButton: 'Edit…',
  editHint: 'Name, description, visibility, features and all other attributes.',
  fork: 'Fork',
  forkButton: 'Fork…',
  forkHint: 'A copy of its repository in another namespace.',
  star: 'Star',
  starButton: 'Star it',
  unstarButton: 'Remove the star',
  starHint: 'Marks the project as a favourite of the account.',
  starredHint: 'The account has starred it.',
  archive: 'Archived on GitLab',
  archiveButton: 'Mark as archived',
  unarchiveButton: 'Unmark as archived',
  archiveHint:
    'Makes the project read only for everybody, for example after a migration. This can be undone.',
  archivedHint: 'The project is read only for everybody.',
  delete: 'Delete',
  deleteButton: 'Delete…',
  deleteHint: 'Deletes the project with everything in it.',
  deletePermanentlyButton: 'Delete permanently…',
  deletePermanentlyHint: 'The project is already marked for deletion; this deletes it now.',
  restore: 'Restore',
  restoreButton: 'Restore',
  restoreHint: 'Removes the mark for deletion.',
  latest: 'Last change',
  showJob: 'Show the job',
  cancelled: (actor: string) => `Cancelled by ${actor}`,
  unchanged: 'Nothing was sent: the project already had this state.',
  dismiss: 'Dismiss',
} as const;

export const outcomeText = {
  edit: 'The project was edited',
  create: 'The project was created',
  fork: (path: string) => `Forked to ${path}`,
  star: 'The project was starred',
  unstar: 'The star was removed',
  archived: 'The project is now marked as archived on GitLab',
  unarchived: 'The project is no longer marked as archived on GitLab',
  marked: (deletionDate: string) => `Marked for deletion; will be deleted on ${formatDate(deletionDate)}`,
  markedText: 'Until then it can be restored here.',
  deleted: 'The project was deleted',
  restored: 'The project was restored',
  uploaded: (name: string) => `${name} was uploaded`,
  uploadedMarkdown: 'Reference in issues and comments:',
  exported: 'The export was requested',
  movedAway: 'The project is now marked as moved',
  groupCreated: 'The group exists',
  repaired: 'The repairs were sent',
  relation: (name: string) => `${name} were imported`,
  relationNotLookedUp: (name: string) =>
    `${name} were imported: the numbers agree, but the records were not looked up`,
  relationLacksRecords: (name: string) => `${name} were imported, but not all of them`,
  relationUnexpectedChanges: (name: string) => `${name} were imported, but something else has changed`,
  relationUnchecked: (name: string) => `${name} were imported, but the result could not be checked`,
  relationCounts: (archivedCount: number, countBefore: number | null, countAfter: number | null) =>
    `${formatNumber(archivedCount)} in the archive; in the project ${countBefore === null ? 'an unknown number' : formatNumber(countBefore)} before and ${countAfter === null ? 'an unknown number' : formatNumber(countAfter)} now.`,
  notApplied: (count: number) =>
    `The instance accepted ${pluralize(count, 'value', 'values')} but did not apply ${count === 1 ? 'it' : 'them'}`,
  notAppliedText: 'A value may require another subscription, or be set by the group or the instance.',
  notAppliedEntry: (attribute: string, requested: string, actual: string) =>
    `${attribute}: requested ${requested}, is ${actual}`,
  notReported: 'not reported',
} as const;

export const forkText = {
  title: (project: string) => `Fork ${project}`,
  text: 'GitLab copies the repository; issues and merge requests stay where they are.',
  namespace: 'Namespace',
  namespaceHint: 'Full path of a group. If empty, the account’s own namespace.',
  path: 'Path',
  pathHint: 'If empty, as in the original.',
  name: 'Name',
  nameHint: 'If empty, as in the original.',
  description: 'Description',
  visibility: 'Visibility',
  asOriginal: 'As the original',
  branches: 'Branches',
  allBranches: 'All',
  oneBranch: 'Only one',
  branch: 'Name of the branch',
  mergeIntoItself: 'New merge requests are opened in the fork itself',
  mergeIntoItselfHint: 'Otherwise GitLab proposes the original project as their target.',
  confirm: 'Create the fork',
} as const;

export const deleteText = {
  title: (project: string) => `Delete ${project}`,
  titlePermanently: (project: string) => `Delete ${project} permanently`,
  delayed: (deletionDate: string | null) =>
    deletionDate === null
      ? 'The project is marked for deletion and can be restored here for a while.'
      : `The project is marked for deletion and can be restored here until ${formatDate(deletionDate)}, unless the instance has another deletion delay.`,
  perhapsDelayed:
    'With a subscription that delays deletion, the project is marked for deletion and can be restored for a while. Otherwise it is deleted at once and cannot be restored. The instance does not report in advance which of the two will happen.',
  atOnce: 'The project is deleted at once and cannot be restored.',
  alsoDeletes: 'This also deletes:',
  backup: (archiveCount: number) =>
    archiveCount === 0
      ? 'No archive of the project is stored here.'
      : `${pluralize(archiveCount, 'archive of the project stays', 'archives of the project stay')} stored here.`,
  confirm: 'Delete the project',
  confirmPermanently: 'Delete it permanently',
} as const;
