/** @file Rows of the project list for component tests: any number, with a script that returns any page of them. */
import type { CallReply, ParsedRequest } from '../../../../src-contract/calls.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';

export function projectRow(id: number, change: Partial<ProjectRow> = {}): ProjectRow {
  const number = String(id).padStart(5, '0');
  return {
    id,
    instance: 'work',
    fullPath: `group/project-${number}`,
    name: `Project ${number}`,
    description: null,
    visibility: 'private',
    archived: false,
    defaultBranch: 'main',
    emptyRepository: false,
    webUrl: `https://gitlab.example.com/group/project-${number}`,
    createdAt: '2026-01-05T08:00:00.000Z',
    lastActivityAt: '2026-11-19T08:00:00.000Z',
    creatorId: 7,
    importStatus: 'none',
    importType: null,
    accessLevel: 40,
    repositorySizeBytes: 1_250_000,
    markedForDeletionOn: null,
    backupStatus: 'current',
    archives: 1,
    newestArchive: {
      id: `archive-${id}`,
      storedAt: '2026-11-19T09:00:00.000Z',
      sizeBytes: 2_500_000,
      condition: 'complete',
      absent: false,
      proof: 'L2',
    },
    openJob: null,
    waitsFor: null,
    ...change,
  };
}

/**
 * Returns `project.page` replies from all rows, as the app does: searched, filtered and paged. The order stays unchanged.
 */
export function pagesOf(
  rows: readonly ProjectRow[],
  lists: CallReply<'project.page'>['lists'] = [{ instance: 'work', refreshedAt: '2026-11-20T05:00:00.000Z' }],
): (request: ParsedRequest<'project.page'>) => CallReply<'project.page'> {
  return ({ instance, search, backupStatus, archived, offset, limit }) => {
    const matching = rows.filter(
      (row) =>
        (instance === null || row.instance === instance) &&
        (search === null || `${row.fullPath} ${row.name}`.toLowerCase().includes(search.toLowerCase())) &&
        (backupStatus === null || backupStatus === (row.newCopy === true ? 'new-copy' : row.backupStatus)) &&
        (archived === null || row.archived === archived),
    );
    return { projects: matching.slice(offset, offset + limit), total: matching.length, lists };
  };
}
