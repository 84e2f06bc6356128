/** @file Texts of the archives view. */
import { dayMs } from '../../../src-contract/bounds.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

/** Turns a noted reason into a sentence, so that another one can follow. */
const sentence = (reason: string): string => (/[.!?]$/.test(reason) ? reason : `${reason}.`);

export const archivesText = {
  stored: (projects: number) => `${common.projects(projects)} with archives`,
  openFile: 'Open an archive file…',
  adopt: 'Adopt files…',
  trash: 'Trash',
  rescan: 'Rescan the store',
  rescanHint: 'Reads the descriptions beside the archives again and rebuilds the list from them.',
  rescanning: 'Reading the store',
  rescanned: 'The store was read again',
  untrackedFiles: (files: number) =>
    files === 1
      ? 'One file has no description beside it and belongs to no project yet:'
      : `${formatNumber(files)} files have no description beside them and belong to no project yet:`,
  adoptThese: 'Adopt them…',
  rescanFound: (found: number, added: number, missing: number) =>
    [
      `${common.archives(found)} found`,
      added === 0 ? 'none of them new' : `${formatNumber(added)} of them new`,
      missing === 0 ? 'none missing' : `${formatNumber(missing)} missing or unreadable`,
    ].join(', ') + '.',
  gone: (count: number) => `${common.archives(count)} gone from a folder that is there:`,
  absent: (folder: string) =>
    `The archive folder ${folder} is not there; its disk may be unplugged. Missing with it:`,
  andMore: (count: number) => `and ${formatNumber(count)} more`,
  projects: 'Projects with archives',
  search: 'Search projects',
  columns: { project: 'Project', newest: 'Newest' },
  where: (parent: string, instance: string) => (parent === '' ? instance : `${parent} · ${instance}`),
  emptyTitle: 'Nothing is stored yet',
  emptyText: 'A backup puts its archive here. An archive file from elsewhere can be read without adding it.',
  backUp: 'Back up projects',
  noMatchTitle: 'No project is called like that',
  noMatchText: 'Only projects of which an archive is stored are listed here.',
  clearSearch: 'Show all',
  chooseTitle: 'Choose a project, or drop an archive',
  chooseText: 'The archives of a project stand along time; each can be verified, read and imported.',
  drop: 'Drop an export archive here to read it',
  dropHint: 'It is only read: it is neither changed nor added to the store.',
  back: 'All projects',
  timeline: (project: string) => `Archives of ${project}`,
  olderArchives: 'Show older archives',
  noArchives: 'No archive of this project is stored.',
  openProject: 'Show in projects',
  detail: 'The chosen archive',
} as const;

export const archiveText = {
  label: (project: string) => `Archive of ${project}`,
  verify: 'Verify',
  verifyL2: 'Read it to its end (readable)',
  verifyL1: 'Compare its checksum (stored)',
  verifying: 'Reading the archive',
  verifiedL2: 'It was read to its end: readable.',
  unrecorded: (why: string) => `This is not recorded beside the archive: ${why}`,
  verifiedL1: 'Size and checksum are those it was stored with.',
  verifiedDamaged: 'It is damaged.',
  import: 'Import…',
  notImportedDamaged: 'A damaged archive cannot be imported.',
  notImportedUnusable: 'An archive that cannot be used cannot be imported.',
  reveal: 'Show in the file manager',
  copyPath: 'Copy the path',
  more: 'More about this archive',
  pin: 'Pin…',
  pinned: 'Pinned',
  pinnedText: 'No plan removes it.',
  editNote: 'Change the note…',
  unpin: 'Unpin',
  unpinned: 'Plans decide on it again.',
  toTrash: 'Move to the trash…',
  notTrashedPinned: 'Unpin it first',
  identify: 'Say which project it is of…',
  unknownTitle: 'It is not known which project this is of',
  unknownText:
    'When it was adopted nobody could say the id of the project. It can be read, proven and imported; no plan counts or removes it.',
  alike: (count: number) =>
    count === 1
      ? 'One more archive holds the same bytes:'
      : `${formatNumber(count)} more archives hold the same bytes:`,
  tabs: 'Parts of the archive',
  contents: 'Contents',
  findings: 'Findings',
  records: 'Records',
  facts: 'Details',
  damagedTitle: 'This archive is damaged',
  damagedText: (reason: string) => `${sentence(reason)} Back the project up again while it can be.`,
  absentTitle: 'This archive cannot be reached at the moment',
  absentText:
    'The folder it stands in is not there, as with a disk that is unplugged. Connect it and try again.',
  file: 'File',
  folderPath: 'Path',
  size: 'Size',
  unpacked: (size: string) => `${size} unpacked`,
  sha256: 'SHA-256',
  project: 'Project',
  projectIs: (path: string, id: number | null) =>
    id === null ? `${path} (identity unknown)` : `${path} (id ${id})`,
  instance: 'Instance',
  storedAt: 'Stored',
  exportedBy: 'Exported by',
  gitlab: 'GitLab',
  format: 'Format',
  formatIs: (layout: string, version: string | null) =>
    version === null ? layout : `${layout}, version ${version}`,
  layouts: { ndjson: 'One file per relation', legacy: 'One file (legacy)', unknown: 'Unknown' },
  members: 'Files inside',
  app: 'Packhorse',
  job: 'Job',
  showJob: 'Show its log',
  proofs: 'Proofs',
  proofIs: (text: string, time: string, detail: string | null) =>
    detail === null ? `${text}, ${time}` : `${text}, ${time}: ${detail}`,
  noProofs: 'None',
  damage: 'Damage',
  damageIs: (time: string, reason: string) => `Found ${time}: ${reason}`,
  noFindings: 'Nothing to remark.',
  findingsTable: 'What was found while it was read and compared',
};

export const contentsText = {
  table: 'What the archive holds, beside what the source said it had',
  tableAlone: 'What the archive holds',
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
  moved: 'Source changed meanwhile',
  uncounted: 'Not counted',
  asStored:
    'As counted when it was stored. The archive is damaged now, so it may not hold all of this any more.',
  noSource: 'The source’s own counts are not known, so only the archive’s are shown.',
  alsoHolds: 'Also holds',
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
  intro: 'Any line of a relation can be read, as GitLab numbers them: from zero.',
  relation: 'Relation',
  option: (relation: string, count: number) => `${relation} (${formatNumber(count)})`,
  line: 'Line',
  fromZero: 'Lines count from zero.',
  read: 'Read',
  previous: 'Previous line',
  next: 'Next line',
  none: 'The archive holds no records.',
};

export const inspectorText = {
  reading: (name: string) => `Reading ${name}`,
  whereFrom: 'A file that was opened; it is not part of the store',
  whereFromCopied:
    'A copy of the file that was opened, kept until Packhorse stops; it is not part of the store',
  again: 'Read it again',
  another: 'Open another file',
  stopped: 'The reading was stopped.',
  verdicts: {
    sound: { title: 'It was read to its end', text: 'Every record parses and nothing odd was found.' },
    suspicious: {
      title: 'It can be read, but holds odd things',
      text: 'Read the findings before importing it.',
    },
    unusable: { title: 'It cannot be used', text: 'It is cut, damaged, or not an export. See the findings.' },
  },
};

const onDay = ({ text, near }: { text: string; near: boolean }): string => (near ? text : `on ${text}`);
type Day = Parameters<typeof onDay>[0];

/** When an archive was last proven, and how. */
export const proofDateText = {
  L3: (day: Day) => `Imported and compared ${onDay(day)}`,
  L2: (day: Day) => `Read whole ${onDay(day)}`,
  L1: (day: Day) => `Checksum matched ${onDay(day)}`,
  first: 'Checked when it was stored',
  never: 'Never checked since it was stored',
  damaged: ({ text }: Day) => `Damaged since ${text}`,
};

export const pinText = {
  title: 'Pin this archive',
  text: 'It stays whatever plans say, until it is unpinned.',
  note: 'Note',
  noteHint: 'Why it is kept, for whoever looks at it later. It may be left empty.',
  confirm: 'Pin',
  save: 'Save the note',
};

export const toTrashText = {
  title: 'Move this archive to the trash',
  of: (project: string, time: string) => `${project}, stored ${time}`,
  text: (until: string) =>
    `It can be brought back until ${until}, in seven days. Then it is removed from the disk for good. Nothing changes on the instance.`,
  newest:
    'It is the newest archive of the project. Until the next backup the project has an older one, or none.',
  confirm: 'Move to the trash',
  moved: (until: string) => `It is in the trash, and can be brought back until ${until}.`,
  undo: 'Undo',
};

export const identifyText = {
  title: 'Which project is this of?',
  text: 'The project is looked up on the instance. The archive then counts among those of that project, and no plan removes it within the next 30 days.',
  confirm: 'Settle it',
  done: (project: string) => `The archive is of ${project} now.`,
};

export const adoptText = {
  title: 'Adopt archive files',
  text: 'Each file is read to its end and copied into the store; the file itself stays as it is. It takes its place by the date of the export. For 30 days no plan removes it.',
  instance: 'Instance that exported them',
  noInstance: 'Add an instance first: an archive is always of one.',
  drop: 'Drop an export file here',
  dropMore: 'Drop another one here',
  folder: 'All of a folder…',
  emptyFolder: 'There is no *.tar.gz in that folder.',
  files: 'Files to adopt',
  path: 'Full path of the project',
  pathOf: (file: string) => `Full path of the project of ${file}`,
  pathHint: 'As GitLab shows it in the address, such as group/app.',
  pathsHint: 'Beside each file stands the full path of its project, as GitLab shows it in the address.',
  pathExample: 'group/app',
  pathWrong: 'Write a full path such as group/app.',
  remove: (file: string) => `Leave out ${file}`,
  confirm: (files: number) => (files < 2 ? 'Adopt' : `Adopt ${formatNumber(files)} files`),
  adopting: 'Copying and reading',
  outcomes: { adopted: 'Adopted', present: 'Already stored', refused: 'Refused' },
  dated: {
    members: (time: string) => `Exported ${time}`,
    file: (time: string) => `Exported ${time}, by the time of the file`,
    adoption: () => 'When it was exported is not known',
  },
  unknown: 'Project not known',
  unknownWhy: (why: string) => `${why} It was adopted all the same; say later which project it is of.`,
  show: 'Show it',
};

export const trashText = {
  title: 'Trash',
  intro:
    'Archives that were moved here by hand or by a plan. For seven days they can be brought back, pinned, to where they stood.',
  back: 'Back to the archives',
  holds: (size: string) => `The trash holds ${size}.`,
  others: 'Other files in it, such as downloads that broke off, are removed only when it is emptied.',
  empty: 'The trash is empty',
  emptyText: 'What is moved here can be brought back for seven days.',
  noArchives: 'No archive in it could be brought back.',
  table: 'Archives in the trash',
  columns: { project: 'Project', stored: 'Stored', size: 'Size', why: 'Why', left: 'Can be brought back' },
  stays: 'Until the trash is emptied',
  left: (ms: number) => {
    const days = Math.floor(ms / dayMs);
    return days < 1 ? 'Less than a day' : days === 1 ? '1 more day' : `${formatNumber(days)} more days`;
  },
  restore: 'Bring back',
  restoreOf: (project: string, time: string) => `Bring back the archive of ${project}, stored ${time}`,
  restored: (project: string) => `The archive of ${project} is back, and pinned.`,
  emptyIt: 'Empty the trash…',
  emptyTitle: 'Empty the trash',
  emptyConfirm: 'Remove for good',
  emptied: (size: string) => `${size} were removed from the disk.`,
};
