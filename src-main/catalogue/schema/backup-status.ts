/**
 * @file The rule of a project's backup status, as SQL: which archives a project has, and the status that follows from
 * the newest of them and from the last backup. The views of the schema and the query for unlisted projects are built
 * from these fragments.
 */
import { backupStatuses, type BackupStatus } from '../../../src-contract/projects/project.ts';

/** The database stores a position in the contract's list. */
const statusIndexOf = (status: BackupStatus): number => backupStatuses.indexOf(status);

/**
 * SQL condition for an archive `a` that is known to be complete and whose folder was present at the last check: its
 * project counts as backed up.
 */
export const isCompleteArchiveSql = `(a.damaged IS NULL AND a.verdict = 'sound' AND a.incomplete = 0
      AND a.root NOT IN (SELECT root FROM absent_roots))`;

export const newestArchiveClause = 'ORDER BY a.stored_at DESC, a.id DESC LIMIT 1';

const fromArchivesById =
  'FROM archives a INDEXED BY archives_by_project WHERE a.instance_url = p.url AND a.project_id = p.id';

/**
 * Archives whose project id is unknown belong to the project that has their path now. An archive with another id
 * belongs to another project, even after that one was deleted and this one took its path.
 */
const fromArchivesByPath = `FROM archives a INDEXED BY archives_by_full_path
      WHERE a.instance_url = p.url AND a.full_path = p.path AND a.project_id < 0`;

/**
 * SQL for the columns `archives` (a count) and `newest` (an id) of a project `p` with `url`, `id` and `path`. Instances
 * are distinguished by their address, because a name may be reused.
 */
export const archiveCountColumns = `coalesce(nullif((SELECT count(*) ${fromArchivesById}), 0), (SELECT count(*) ${fromArchivesByPath})) AS archives,
    coalesce((SELECT a.id ${fromArchivesById} ${newestArchiveClause}), (SELECT a.id ${fromArchivesByPath} ${newestArchiveClause})) AS newest`;

/** Joins `b`, the last backup that ended, to a project `p` with `instance` and `path`. */
export const lastBackupJoin = `LEFT JOIN jobs b ON b.id = (
    SELECT k.id FROM jobs k
      WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
        AND k.status IN ('succeeded', 'failed', 'skipped')
      ORDER BY k.id DESC LIMIT 1)`;

/**
 * The status of a project `p` with its newest archive `a` and its last backup `b`. The first cases follow the
 * contract's `archiveConditions`, in reverse order. A backup that was skipped because nothing had changed clears an
 * earlier failure.
 */
export const backupStatusSql = `CASE
    WHEN a.root IN (SELECT root FROM absent_roots) THEN ${statusIndexOf('absent')}
    WHEN a.damaged IS NOT NULL OR a.verdict = 'unusable' THEN ${statusIndexOf('damaged')}
    WHEN a.incomplete = 1 THEN ${statusIndexOf('incomplete')}
    WHEN a.verdict = 'suspicious' THEN ${statusIndexOf('suspicious')}
    WHEN a.id IS NULL AND NOT p.may_export THEN ${statusIndexOf('not-allowed')}
    WHEN b.status = 'failed' AND (a.id IS NULL
      OR strftime('%Y-%m-%dT%H:%M:%fZ', b.updated_at / 1000.0, 'unixepoch') > a.stored_at) THEN ${statusIndexOf('failed')}
    WHEN a.id IS NULL THEN ${statusIndexOf('never')}
    WHEN p.activity > coalesce(a.source_activity, a.stored_at) THEN ${statusIndexOf('changed')}
    ELSE ${statusIndexOf('current')}
  END`;
