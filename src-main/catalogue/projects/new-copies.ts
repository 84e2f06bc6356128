/** @file Finds new copies (imported projects without a backup) for the list, its filter and the overview. */
import { backupStatuses } from '../../../src-contract/projects/project.ts';
import { isCompleteArchiveSql } from '../schema/backup-status.ts';

/**
 * Selects `columns` of `p`: projects without their own archive that were imported after `@importedSince` from
 * an archive that is complete and present.
 */
export const newCopiesSql = (columns: string): string =>
  `SELECT DISTINCT ${columns} FROM jobs j
     JOIN project_rows p ON p.instance = j.instance AND p.path = j.project AND p.standing = ${backupStatuses.indexOf('never')}
     JOIN archives a ON a.id = j.input ->> '$.archiveId' AND ${isCompleteArchiveSql}
     WHERE j.kind = 'import' AND j.status = 'succeeded' AND j.updated_at > @importedSince`;
