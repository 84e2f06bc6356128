/** @file Texts of the panel's parts that show and change one project on its instance. */
import type { ImportableRelation } from '../../../src-contract/projects/transfer.ts';
import { formatBytes } from '../../../src-contract/words/sizes.ts';
import { formatDate, formatNumber } from '../../kit/format.ts';

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export const projectPanelText = {
  parts: 'About the project',
  part: {
    overview: 'Overview',
    details: 'Details',
    people: 'People',
    files: 'Files',
    changes: 'Changes',
  },
  showMore: 'Show more',
  search: 'Search',
  searchIn: (what: string) => `Search in: ${what}`,
  noMatch: 'Nothing matches.',
  leaveOut: (name: string) => `Leave out ${name}`,
  leftOut: (names: readonly string[]) => `Left out: ${names.join(', ')}`,
  showLeftOut: 'Show them again',
} as const;

/** Why an action is not possible. */
export const refusalText = {
  anonymous: 'The instance is used without an account, so nothing can be changed there.',
  readOnly: (instance: string) =>
    `${instance} is set to be read only here. That is changed in the view of instances.`,
  tokenReads: 'The token may only read. Changing something needs one with the scope api.',
  role: (needed: string, has: string) => `It needs the role ${needed}; the account is ${has} here.`,
  administrator: 'Only administrators of the instance may do this.',
  release: (needed: string, has: string) => `It needs GitLab ${needed}; this instance runs ${has}.`,
  notLoaded: 'Not known before the instance has told about the project.',
  archived: 'It is marked as archived on GitLab: nothing can be added.',
  notMarked: 'It is not marked for deletion.',
  busy: 'Another change of this project is under way.',
} as const;

export const roleNames: Readonly<Record<string, string>> = { maintainer: 'Maintainer', owner: 'Owner' };

export const factsText = {
  title: 'As the instance tells it now',
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
  marked: (finalOn: string) => `Marked for deletion; final on ${formatDate(finalOn)}`,
  markedText: (markedOn: string) =>
    `It was marked on ${formatDate(markedOn)}. Until it is final it can be restored under “Changes”. An instance that is set otherwise than usual may delete it sooner or later.`,
  languages: 'Languages',
  noLanguages: 'No language was found in its repository.',
  languagesLabel: 'Share of each language',
  statistics: 'Space it takes',
  noStatistics: 'The instance shows this from the role Reporter on.',
  statistic: {
    repository_size: 'Repository',
    wiki_size: 'Wiki',
    lfs_objects_size: 'LFS objects',
    job_artifacts_size: 'Job artifacts',
    pipeline_artifacts_size: 'Pipeline artifacts',
    packages_size: 'Packages',
    snippets_size: 'Snippets',
    uploads_size: 'Uploads',
    container_registry_size: 'Container registry',
    storage_size: 'In all',
    commit_count: 'Commits',
  } as Readonly<Record<string, string>>,
  customAttributes: 'Custom attributes',
  forks: 'Forks of it',
  noForks: 'There is no fork that this account can see.',
  openPage: 'Open on the instance',
} as const;

export const peopleText = {
  users: 'Members',
  noUsers: 'Nobody is named as a member of it.',
  state: (state: string) => state.replaceAll('_', ' '),
  groups: 'Groups above it and shared with',
  noGroups: 'It is in no group and shared with none.',
  noGroupsAbove: 'It is in no group.',
  groupFilters: 'Filters',
  withShared: 'Also groups that it is shared with',
  sharedVisibleOnly: 'Of these, only groups that the account may see',
  sharedMinAccessLevel: 'Of these, groups with at least the role',
  anyRole: 'Any role',
  shareLocations: 'Groups it could be shared with',
  noShareLocations: 'There is none that this account may share it with.',
  starrers: 'Who starred it',
  noStarrers: 'Nobody starred it.',
} as const;

export const filesText = {
  uploads: 'Uploaded files',
  noUploads: 'Nothing was uploaded to it.',
  by: (who: string) => `by ${who}`,
  add: 'Drop a file here to upload it to the project',
  addHint: 'It can then be named in issues and comments.',
  addDrop: 'Drop it to upload it',
  save: (name: string) => `Save ${name}`,
  saving: (name: string) => `Saving ${name}`,
  saved: (path: string, sizeBytes: number) => `Saved as ${path} (${formatBytes(sizeBytes)})`,
  exportTitle: 'Export',
  exportState: (state: string) => `The account's export of it on the instance: ${state.replaceAll('_', ' ')}`,
  exportStates: {
    none: 'There is no export of it on the instance.',
    finished: 'A finished export lies on the instance.',
    started: 'The instance is exporting it.',
    queued: 'An export is queued on the instance.',
    regeneration_in_progress: 'The instance is exporting it anew.',
  } as Readonly<Record<string, string>>,
  download: 'Save the export',
  downloadHint: 'Into the folder for downloads. It is no backup: “Back up now” stores one.',
  downloading: 'Downloading and reading the export',
  downloaded: (path: string, sizeBytes: number) => `Saved as ${path} (${formatBytes(sizeBytes)})`,
  noExport: 'There is no finished export to be saved.',
  start: 'Export elsewhere…',
  startTitle: 'Export to another place',
  startText:
    'GitLab makes an export and, with an address, sends it there itself. A backup into the archives here is “Back up now”.',
  description: 'Description in the export',
  descriptionHint: 'Replaces that of the project; empty: it stays.',
  push: 'What becomes of the export',
  pushNone: 'It stays on the instance',
  pushNoneHint: 'It can be saved from there while GitLab keeps it.',
  pushTo: 'GitLab sends it to an address',
  pushToHint: 'Such as a presigned address of S3-compatible storage.',
  url: 'Address',
  urlHint: 'Kept in memory only, until it is sent.',
  method: 'Sent with',
  startConfirm: 'Start the export',
  warnings: 'What is doubtful about the address',
  pushSilent: 'GitLab does not say whether sending it worked. Look at the other place.',
  relations: 'Imports of single parts',
  noRelations: 'No part of it was imported on its own.',
  relation: {
    issues: 'Issues',
    milestones: 'Milestones',
    ci_pipelines: 'Pipelines',
    merge_requests: 'Merge requests',
  } satisfies Record<ImportableRelation, string> as Readonly<Record<string, string>>,
  relationStatus: {
    created: 'Waiting',
    started: 'Running',
    finished: 'Finished',
    failed: 'Failed',
  },
  importRelation: 'Import a part…',
  importTitle: 'Import a part from an archive',
  importText:
    'GitLab adds what the archive has of this part and the project lacks, told by their numbers. Only these records are sent, and the members who wrote them.',
  relationLabel: 'Part',
  archive: 'Archive',
  noArchives: 'No archive of any project is held. Drop a file instead.',
  orFile: 'Or drop an export file here',
  file: (name: string) => `File: ${name}`,
  fileDrop: 'Drop it to import from it',
  readingArchive: 'Reading the archive',
  importConfirm: 'Import this part',
  removeMembers: 'Import it all the same: these members may be removed',
} as const;

export const changesText = {
  edit: 'Edit',
  editButton: 'Edit…',
  editHint: 'Name, description, visibility, features and all else that can be set.',
  fork: 'Fork',
  forkButton: 'Fork…',
  forkHint: 'A copy of its repository in another namespace.',
  star: 'Star',
  starButton: 'Star it',
  unstarButton: 'Take the star back',
  starHint: 'A star marks it among the projects of the account.',
  starredHint: 'The account has starred it.',
  archive: 'Archived on GitLab',
  archiveButton: 'Mark as archived',
  unarchiveButton: 'Unmark as archived',
  archiveHint: 'Makes it read only for everybody, as the source after a migration. It can be undone.',
  archivedHint: 'It is read only for everybody.',
  delete: 'Delete',
  deleteButton: 'Delete…',
  deleteHint: 'With everything in it.',
  deletePermanentlyButton: 'Delete for good…',
  deletePermanentlyHint: 'It is marked already; this ends the wait.',
  restore: 'Restore',
  restoreButton: 'Restore',
  restoreHint: 'Takes back that it is marked for deletion.',
  latest: 'What was asked for last',
  showJob: 'Show the job',
  cancelled: (by: string) => `Cancelled by ${by}`,
  unchanged: 'It was so already; nothing was sent.',
  forget: 'Put away',
} as const;

export const outcomeText = {
  edit: 'The project was edited',
  create: 'The project was created',
  fork: (path: string) => `Forked to ${path}`,
  star: 'The project was starred',
  unstar: 'The star was taken back',
  archived: 'It is marked as archived on GitLab',
  unarchived: 'It is no longer marked as archived on GitLab',
  marked: (finalOn: string) => `Marked for deletion; final on ${formatDate(finalOn)}`,
  markedText: 'Until then it can be restored here.',
  deleted: 'The project is gone',
  restored: 'The project was restored',
  uploaded: (name: string) => `${name} was uploaded`,
  uploadedMarkdown: 'In issues and comments it is named:',
  exported: 'GitLab was asked for an export',
  movedAway: 'It says now that it was moved',
  groupCreated: 'The group is there',
  relation: (name: string) => `${name} were imported`,
  relationDoubts: (name: string) => `${name} were imported, and something else is not as it was`,
  relationCounts: (inArchive: number, before: number | null, after: number | null) =>
    `${formatNumber(inArchive)} in the archive; in the project ${before === null ? 'an unknown number' : formatNumber(before)} before and ${after === null ? 'an unknown number' : formatNumber(after)} now.`,
  notTaken: (count: number) =>
    `The instance accepted ${counted(count, 'value', 'values')} and did not take ${count === 1 ? 'it' : 'them'}`,
  notTakenText: 'It may need another subscription, or be decided by the group or the whole instance.',
  notTakenEntry: (attribute: string, asked: string, is: string) => `${attribute}: asked ${asked}, is ${is}`,
  untold: 'not told',
} as const;

export const forkText = {
  title: (project: string) => `Fork ${project}`,
  text: 'GitLab copies the repository; issues and merge requests stay where they are.',
  namespace: 'Namespace',
  namespaceHint: 'Full path of a group; empty: the account’s own.',
  path: 'Path',
  pathHint: 'Empty: that of the original.',
  name: 'Name',
  nameHint: 'Empty: that of the original.',
  description: 'Description',
  visibility: 'Visibility',
  asOriginal: 'As the original',
  branches: 'Branches',
  allBranches: 'All',
  oneBranch: 'Only one',
  branch: 'Name of the branch',
  mergeIntoItself: 'Merge requests of the fork go into the fork',
  mergeIntoItselfHint: 'Otherwise GitLab proposes the original as their target.',
  confirm: 'Fork it',
} as const;

export const deleteText = {
  title: (project: string) => `Delete ${project}`,
  titlePermanently: (project: string) => `Delete ${project} for good`,
  delayed: (finalOn: string | null) =>
    finalOn === null
      ? 'It is marked for deletion and can be restored here for a while.'
      : `It is marked for deletion and can be restored here until ${formatDate(finalOn)}, unless the instance is set to another delay than the usual one.`,
  perhapsDelayed:
    'With a subscription that delays it, it is marked for deletion and can be restored for a while. Otherwise it is gone at once and cannot be brought back; the instance does not tell which before.',
  atOnce: 'It is gone at once and cannot be brought back.',
  with: 'With it goes:',
  backup: (archives: number) =>
    archives === 0
      ? 'No archive of it is held here.'
      : `${counted(archives, 'archive of it stays', 'archives of it stay')} here.`,
  confirm: 'Delete the project',
  confirmPermanently: 'Delete it for good',
} as const;
