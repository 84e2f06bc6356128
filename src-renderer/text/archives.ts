/** @file Words of the archives view. */
import { formatNumber } from '../ui/format.ts';
import { common } from './common.ts';

/** A reason that somebody noted, as a sentence that another one can follow. */
const sentence = (reason: string): string => (/[.!?]$/.test(reason) ? reason : `${reason}.`);

export const archivesText = {
  stored: (projects: number) => `${common.projects(projects)} with archives`,
  openFile: 'Open an archive file…',
  rescan: 'Rescan the store',
  rescanHint: 'Reads the descriptions beside the archives again and rebuilds the list from them.',
  rescanned: 'The store was read again',
  rescanFound: (found: number, added: number, missing: number) =>
    [
      `${common.archives(found)} found`,
      added === 0 ? 'none of them new' : `${formatNumber(added)} of them new`,
      missing === 0 ? 'none missing' : `${formatNumber(missing)} missing or unreadable`,
    ].join(', ') + '.',
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
  checked: 'checked',
  foundDamaged: 'found damaged',
  verifyL2: 'Read it to its end (readable)',
  verifyL1: 'Compare its checksum (stored)',
  verifying: 'Reading the archive',
  verifiedL2: 'It was read to its end: readable.',
  verifiedL1: 'Size and checksum are those it was stored with.',
  verifiedDamaged: 'It is damaged.',
  import: 'Import…',
  notImportedDamaged: 'A damaged archive cannot be imported.',
  notImportedUnusable: 'An archive that cannot be used cannot be imported.',
  reveal: 'Show in the file manager',
  copyPath: 'Copy the path',
  more: 'More about this archive',
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
