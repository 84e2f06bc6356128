/** @file Texts of the archives view. */
import { dayMs } from '../../../src-contract/bounds.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

const sentence = (reason: string): string => (/[.!?]$/.test(reason) ? reason : `${reason}.`);

export const archivesText = {
  projectsWithArchives: (projects: number) => `${common.projects(projects)} with archives`,
  openFile: 'Open an archive file…',
  adopt: 'Adopt files…',
  trash: 'Trash',
  rescan: 'Rescan the store',
  rescanHint: 'Reads the manifests next to the archives again and rebuilds the list from them.',
  rescanning: 'Reading the store',
  rescanned: 'The store was rescanned',
  untrackedFiles: (files: number) =>
    files === 1
      ? 'One file has no manifest and belongs to no project yet:'
      : `${formatNumber(files)} files have no manifest and belong to no project yet:`,
  adoptThese: 'Adopt them…',
  rescanFound: (found: number, added: number, missing: number) =>
    [
      `${common.archives(found)} found`,
      added === 0 ? 'none of them new' : `${formatNumber(added)} of them new`,
      missing === 0 ? 'none missing' : `${formatNumber(missing)} missing or unreadable`,
    ].join(', ') + '.',
  missingFromFolder: (count: number) => `${common.archives(count)} missing from a connected folder:`,
  folderUnavailable: (folder: string) =>
    `The archive folder ${folder} is not available; its disk may be disconnected. Missing with it:`,
  andMore: (count: number) => `and ${formatNumber(count)} more`,
  projects: 'Projects with archives',
  search: 'Search projects',
  columns: { project: 'Project', newest: 'Newest' },
  parentAndInstance: (parent: string, instance: string) =>
    parent === '' ? instance : `${parent} · ${instance}`,
  emptyTitle: 'Nothing is stored yet',
  emptyText:
    'A backup stores its archive here. An archive file from elsewhere can be read without adding it.',
  backUp: 'Back up projects',
  noMatchTitle: 'No project matches',
  noMatchText: 'Only projects with a stored archive are listed here.',
  clearSearch: 'Show all',
  chooseTitle: 'Choose a project, or drop an archive',
  chooseText: 'The archives of a project are listed by date; each can be verified, read and imported.',
  drop: 'Drop an export archive here to read it',
  dropHint: 'The file is only read, neither changed nor added to the store.',
  back: 'All projects',
  timeline: (project: string) => `Archives of ${project}`,
  olderArchives: 'Show older archives',
  noArchives: 'No archive of this project is stored.',
  openProject: 'Show in projects',
  detail: 'The selected archive',
} as const;

export const archiveText = {
  label: (project: string) => `Archive of ${project}`,
  verify: 'Verify',
  verifyL2: 'Verify that it is readable (reads it to the end)',
  verifyL1: 'Verify that it is unchanged (compares the checksum)',
  verifying: 'Reading the archive',
  verifiedL2: 'The archive was read to its end: it is readable.',
  resultNotStored: (why: string) => `The result could not be stored with the archive: ${why}`,
  verifiedL1: 'Size and checksum are the same as when it was stored.',
  verifiedDamaged: 'The archive is damaged.',
  verifiedWithProblems: (condition: string) =>
    `The archive is as it was stored, but it is ${condition}. See the findings.`,
  import: 'Import…',
  notImportedDamaged: 'A damaged archive cannot be imported.',
  notImportedUnusable: 'An unusable archive cannot be imported.',
  reveal: 'Show in the file manager',
  copyPath: 'Copy the path',
  more: 'More about this archive',
  pin: 'Pin…',
  pinned: 'Pinned',
  pinnedText: 'No plan removes it.',
  editNote: 'Change the note…',
  unpin: 'Unpin',
  toTrash: 'Move to the trash…',
  notTrashedPinned: 'Unpin it first',
  identify: 'Set its project…',
  unknownTitle: 'The project of this archive is unknown',
  unknownText:
    'The id of the project could not be determined when the archive was adopted. The archive can be read, verified and imported; no plan counts or removes it.',
  identicalArchives: (count: number) =>
    count === 1 ? 'One other archive is identical:' : `${formatNumber(count)} other archives are identical:`,
  tabs: 'Parts of the archive',
  contents: 'Contents',
  findings: 'Findings',
  records: 'Records',
  facts: 'Details',
  damagedTitle: 'This archive is damaged',
  damagedText: (reason: string) => `${sentence(reason)} Back up the project again while it exists.`,
  downgradedTitle: 'A later reading found more problems than the first one',
  downgradedText:
    'The file is as it was stored. See the findings, and back up the project again while it exists.',
  absentTitle: 'This archive cannot be reached at the moment',
  absentText: 'Its folder is not available; the disk may be disconnected. Connect it and try again.',
  folderPath: 'Path',
  size: 'Size',
  unpacked: (size: string) => `${size} unpacked`,
  sha256: 'SHA-256',
  project: 'Project',
  projectWithId: (path: string, id: number | null) =>
    id === null ? `${path} (identity unknown)` : `${path} (id ${id})`,
  instance: 'Instance',
  storedAt: 'Stored',
  exportedAt: 'Exported',
  exportedBy: 'Exported by',
  gitlab: 'GitLab',
  format: 'Format',
  formatWithVersion: (layout: string, version: string | null) =>
    version === null ? layout : `${layout}, version ${version}`,
  layouts: { ndjson: 'One file per relation', legacy: 'One file (legacy)', unknown: 'Unknown' },
  members: 'Files inside',
  app: 'Packhorse',
  job: 'Job',
  showJob: 'Show its log',
  proofs: 'Proofs',
  proofWithTime: (text: string, time: string, detail: string | null) =>
    detail === null ? `${text}, ${time}` : `${text}, ${time}: ${detail}`,
  noProofs: 'None',
  damage: 'Damage',
  damageWithTime: (time: string, reason: string) => `Found ${time}: ${reason}`,
  noFindings: 'No findings.',
  findingsTable: 'Findings from reading and comparing the archive',
};

export const contentsText = {
  table: 'Contents of the archive, compared with the counts of the source',
  tableAlone: 'Contents of the archive',
  columns: {
    what: 'What',
    archive: 'Archive',
    before: 'Source before',
    after: 'Source after',
    difference: 'Difference',
  },
  beforeHint: (time: string) => `Counted on the instance before the export, ${time}`,
  afterHint: (time: string) => `Counted on the instance after the export, ${time}`,
  same: 'None',
  fewer: (count: number) => `${formatNumber(count)} missing`,
  more: (count: number) => `${formatNumber(count)} more`,
  sourceChanged: 'Source changed meanwhile',
  uncounted: 'Not counted',
  countedBeforeDamage:
    'Counted when the archive was stored. It is damaged now and may no longer contain all of this.',
  noSource: 'The source’s own counts are not known, so only the archive’s are shown.',
  alsoHolds: 'Also contains',
  repositories: 'Repositories',
  repository: 'Repository',
  wiki: 'Wiki',
  design: 'Designs',
  snippets: 'Snippet',
  bundle: (branches: number, tags: number, objects: number | null) =>
    [
      branches === 1 ? '1 branch' : `${formatNumber(branches)} branches`,
      tags === 1 ? '1 tag' : `${formatNumber(tags)} tags`,
      objects === null ? 'objects unknown' : objects === 1 ? '1 object' : `${formatNumber(objects)} objects`,
    ].join(', '),
  noRepository: 'No repository',
  uploads: 'Uploads',
  lfs: 'LFS objects',
  files: (count: number) => (count === 1 ? '1 file' : `${formatNumber(count)} files`),
};

export const readerText = {
  intro: 'Read any line of a relation. Lines are numbered from zero, as in GitLab.',
  relation: 'Relation',
  option: (relation: string, count: number) => `${relation} (${formatNumber(count)})`,
  line: 'Line',
  fromZero: 'Lines are numbered from zero.',
  read: 'Read',
  previous: 'Previous line',
  next: 'Next line',
  none: 'The archive contains no records.',
};

export const inspectorText = {
  reading: (name: string) => `Reading ${name}`,
  fileOrigin: 'An opened file that is not in the store',
  copiedFileOrigin: 'A copy of the opened file, kept until Packhorse stops; it is not in the store',
  again: 'Read it again',
  openAnother: 'Open another file',
  stopped: 'Reading was stopped.',
  verdicts: {
    sound: {
      title: 'The file was read to its end',
      text: 'Every record can be parsed, and nothing suspicious was found.',
    },
    suspicious: {
      title: 'The file can be read, but looks suspicious',
      text: 'Read the findings before you import the file.',
    },
    unusable: {
      title: 'The file cannot be used',
      text: 'The file is truncated, damaged, or not an export. See the findings.',
    },
  },
};

const onDay = ({ text, isRelative }: { text: string; isRelative: boolean }): string =>
  isRelative ? text : `on ${text}`;
type Day = Parameters<typeof onDay>[0];

export const proofDateText = {
  L3: (day: Day) => `Imported and compared ${onDay(day)}`,
  L2: (day: Day) => `Read completely ${onDay(day)}`,
  L1: (day: Day) => `Checksum matched ${onDay(day)}`,
  checkedWhenStored: 'Checked when it was stored',
  never: 'Never checked since it was stored',
  damaged: ({ text }: Day) => `Damaged since ${text}`,
};

export const pinText = {
  title: 'Pin this archive',
  text: 'No plan removes it until it is unpinned.',
  note: 'Note',
  noteHint: 'Why the archive is kept. Optional.',
  confirm: 'Pin',
  save: 'Save the note',
};

export const moveToTrashText = {
  title: 'Move this archive to the trash',
  archiveLabel: (project: string, time: string) => `${project}, stored ${time}`,
  text: (until: string) =>
    `It can be restored until ${until}, for seven days. After that it is permanently deleted from the disk. Nothing changes on the instance.`,
  newest:
    'This is the newest archive of the project. Until the next backup, the project has only older archives, or none.',
  confirm: 'Move to the trash',
  moved: (until: string) => `The archive is in the trash and can be restored until ${until}.`,
  undo: 'Undo',
};

export const identifyText = {
  title: 'Project of this archive',
  text: 'The project is looked up on the instance. The archive then counts as one of that project, and no plan removes it for 30 days.',
  confirm: 'Set the project',
  done: (project: string) => `The archive now belongs to ${project}.`,
};

export const adoptText = {
  title: 'Adopt archive files',
  text: 'Each file is read to its end and copied into the store; the file itself is not changed. The archive is sorted by the date of its export. No plan removes it for 30 days.',
  instance: 'Instance that exported them',
  noInstance: 'Add an instance first: every archive belongs to one.',
  drop: 'Drop an export file here',
  dropMore: 'Drop another one here',
  folder: 'Add a whole folder…',
  emptyFolder: 'There is no *.tar.gz in that folder.',
  files: 'Files to adopt',
  path: 'Full path of the project',
  pathOf: (file: string) => `Full path of the project of ${file}`,
  pathHint: 'As GitLab shows it in the address, such as group/app.',
  pathsHint: 'Enter the full path of its project next to each file, as GitLab shows it in the address.',
  pathExample: 'group/app',
  pathWrong: 'Enter a full path such as group/app.',
  remove: (file: string) => `Leave out ${file}`,
  confirm: (files: number) => (files < 2 ? 'Adopt' : `Adopt ${formatNumber(files)} files`),
  adopting: 'Copying and reading',
  outcomes: { adopted: 'Adopted', present: 'Already stored', refused: 'Refused' },
  exportDates: {
    members: (time: string) => `Exported ${time}`,
    file: (time: string) => `Exported ${time} (time of the file)`,
    adoption: () => 'Export date unknown',
  },
  unknown: 'Project unknown',
  unknownWhy: (why: string) => `${why} The file was adopted anyway; set its project later.`,
  show: 'Show it',
};

export const trashText = {
  title: 'Trash',
  intro:
    'Archives that a user or a plan moved here. They can be restored to their old place for seven days. Restored archives are pinned.',
  back: 'Back to the archives',
  trashSize: (size: string) => `The trash contains ${size}.`,
  otherFiles: 'Other files in the trash, such as incomplete downloads, are removed only when it is emptied.',
  empty: 'The trash is empty',
  emptyText: 'Archives moved here can be restored for seven days.',
  noArchives: 'No archive in the trash can be restored.',
  table: 'Archives in the trash',
  columns: { project: 'Project', stored: 'Stored', size: 'Size', why: 'Why', daysLeft: 'Can be restored' },
  keptUntilEmptied: 'Until the trash is emptied',
  daysLeft: (ms: number) => {
    const days = Math.floor(ms / dayMs);
    return days < 1 ? 'Less than a day' : days === 1 ? '1 more day' : `${formatNumber(days)} more days`;
  },
  restore: 'Restore',
  restoreOf: (project: string, time: string) => `Restore the archive of ${project}, stored ${time}`,
  restored: (project: string) => `The archive of ${project} was restored and pinned.`,
  emptyTrash: 'Empty the trash…',
  emptyTrashTitle: 'Empty the trash',
  emptyTrashConfirm: 'Delete permanently',
  emptied: (size: string) => `${size} were removed from the disk.`,
};
