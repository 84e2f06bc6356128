/**
 * @file The columns of the table of projects, except for the cells that are more than text (ProjectTable.svelte).
 * Sortable columns have the contract's name of the order as id.
 */
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import { formatBytes } from '../../../src-contract/words/sizes.ts';
import { backupStatusWords } from '../../../src-contract/words/states.ts';
import { common } from '../../kit/common.text.ts';
import { projectsText } from './projects.text.ts';
import { formatNumber, formatTime } from '../../kit/format.ts';
import type { Column } from '../../kit/table/columns.ts';

const { columns: headers } = projectsText;

/** The name of the remembered layout, and the default sort order. */
export const projectTable = { name: 'projects', defaultSort: { column: 'path', descending: false } };

export const projectColumns: readonly Column<ProjectRow>[] = [
  {
    id: 'path',
    header: headers.path,
    width: 210,
    minWidth: 120,
    sortable: true,
    grow: true,
    fixed: true,
    title: (row) => row.fullPath,
  },
  {
    id: 'name',
    header: headers.name,
    width: 180,
    sortable: true,
    hidden: true,
    text: (row) => row.name,
  },
  { id: 'instance', header: headers.instance, width: 104, sortable: true, text: (row) => row.instance },
  {
    id: 'backupStatus',
    header: headers.backupStatus,
    width: 168,
    yields: 1,
    sortable: true,
    title: (row) => backupStatusWords({ ...row, held: row.newestArchive !== null }).hint,
  },
  {
    id: 'backup',
    header: headers.backup,
    width: 132,
    yields: 2,
    sortable: true,
    title: (row) => (row.newestArchive === null ? '' : formatTime(row.newestArchive.storedAt)),
  },
  { id: 'proof', header: headers.proof, width: 116, yields: 3, title: () => '' },
  {
    id: 'size',
    header: headers.size,
    width: 92,
    yields: 4,
    align: 'end',
    sortable: true,
    text: (row) => (row.repositorySizeBytes === null ? '' : formatBytes(row.repositorySizeBytes)),
  },
  {
    id: 'activity',
    header: headers.activity,
    width: 120,
    yields: 5,
    sortable: true,
    title: (row) => (row.lastActivityAt === null ? '' : formatTime(row.lastActivityAt)),
  },
  {
    id: 'visibility',
    header: headers.visibility,
    width: 100,
    hidden: true,
    text: (row) => projectsText.visibility(row.visibility),
  },
  {
    id: 'archived',
    header: headers.archived,
    width: 150,
    hidden: true,
    text: (row) => (row.archived ? common.yes : common.no),
  },
  {
    id: 'role',
    header: headers.role,
    width: 110,
    hidden: true,
    text: (row) => projectsText.role(row.accessLevel),
  },
  {
    id: 'archives',
    header: headers.archives,
    width: 92,
    align: 'end',
    hidden: true,
    text: (row) => formatNumber(row.archives),
  },
];
