/**
 * @file The columns of the table of projects; cells that are more than text are in ProjectTable. The id of a sortable
 * column is the name of its sort order in the contract.
 */
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import { formatBytes } from '../../../src-contract/words/sizes.ts';
import { backupBadgeText } from '../../../src-contract/words/states.ts';
import { common } from '../../kit/common.text.ts';
import { projectsText } from './projects.text.ts';
import { formatNumber, formatTime } from '../../kit/format.ts';
import type { Column } from '../../kit/table/columns.ts';

/** The name of the remembered layout, and the default sort order. */
export const projectTable = { name: 'projects', defaultSort: { column: 'path', descending: false } };

const column = (
  id: keyof typeof projectsText.columns,
  width: number,
  options: Partial<Column<ProjectRow>>,
): Column<ProjectRow> => ({ id, header: projectsText.columns[id], width, ...options });
const time = (moment: string | null = null): string => (moment === null ? '' : formatTime(moment));

export const projectColumns: readonly Column<ProjectRow>[] = [
  column('path', 210, {
    minWidth: 120,
    sortable: true,
    grow: true,
    alwaysVisible: true,
    title: (row) => row.fullPath,
  }),
  column('name', 180, { sortable: true, hidden: true, text: (row) => row.name }),
  column('instance', 104, { sortable: true, text: (row) => row.instance }),
  column('backupStatus', 168, {
    hideOrder: 1,
    sortable: true,
    title: (row) => backupBadgeText({ ...row, hasArchive: row.newestArchive !== null }).hint,
  }),
  column('backup', 132, { hideOrder: 2, sortable: true, title: (row) => time(row.newestArchive?.storedAt) }),
  column('proof', 116, { hideOrder: 3, title: () => '' }),
  column('size', 92, {
    hideOrder: 4,
    align: 'end',
    sortable: true,
    text: (row) => (row.repositorySizeBytes === null ? '' : formatBytes(row.repositorySizeBytes)),
  }),
  column('activity', 120, { hideOrder: 5, sortable: true, title: (row) => time(row.lastActivityAt) }),
  column('visibility', 100, { hidden: true, text: (row) => projectsText.visibility(row.visibility) }),
  column('archived', 150, { hidden: true, text: (row) => (row.archived ? common.yes : common.no) }),
  column('role', 110, { hidden: true, text: (row) => projectsText.role(row.accessLevel) }),
  column('archives', 92, { align: 'end', hidden: true, text: (row) => formatNumber(row.archives) }),
];
