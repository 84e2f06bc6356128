/**
 * @file The columns of project lists that depend on archives, jobs and archive folders. Two views calculate them, and
 * triggers store them in `project_rows`, whichever process makes a change.
 */
import {
  backupStatusSql,
  archiveCountColumns,
  lastBackupJoin,
  newestArchiveClause,
} from './backup-status.ts';

const projectViews = `
CREATE VIEW project_holdings AS
  SELECT p.row AS row,
    ${archiveCountColumns}
  FROM project_rows p;

CREATE VIEW project_facts AS
  SELECT p.row AS row, a.stored_at AS backup, ${backupStatusSql} AS standing
  FROM project_rows p
  LEFT JOIN archives a ON a.id = p.newest
  ${lastBackupJoin};
`;

/** Updates columns of `rows` from a view. Writes only rows that differ, because each column is part of many indexes. */
const updateIfChangedSql = (columns: string, view: string, rows: string): string => {
  const current = `(SELECT ${columns} FROM ${view} v WHERE v.row = project_rows.row)`;
  return `
  UPDATE project_rows SET (${columns}) = ${current}
    WHERE row IN (${rows}) AND (${columns}) IS NOT ${current};`;
};

/** Updates the backup status of the rows that the query `rows` selects, from their stored archives. */
const refreshStatusSql = (rows: string): string =>
  updateIfChangedSql('backup, standing', 'project_facts', rows);

/** Finds the archives of the project rows that the query `rows` selects, and updates the backup status of the rows. */
export const refreshArchivesSql = (rows: string): string =>
  updateIfChangedSql('archives, newest', 'project_holdings', rows) + refreshStatusSql(rows);

type TriggerRow = 'NEW' | 'OLD';

/** Marks the newest archive of the project to which `archive` belongs. */
const markNewestSql = (archive: TriggerRow): string => {
  const sameProject = (name: string): string =>
    `${name}.instance_url = ${archive}.instance_url AND ${name}.project_id = ${archive}.project_id`;
  const isNewestSql = `(archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
      WHERE ${sameProject('a')} ${newestArchiveClause}))`;
  return `
  UPDATE archives SET is_newest = ${isNewestSql} WHERE ${sameProject('archives')} AND is_newest <> ${isNewestSql};`;
};

const rowsOfArchive = (archive: TriggerRow): string =>
  `SELECT row FROM project_rows WHERE url = ${archive}.instance_url AND id = ${archive}.project_id
    UNION SELECT row FROM project_rows WHERE url = ${archive}.instance_url AND path = ${archive}.full_path`;

/** Selects the rows whose path equals that of an archive of this project. */
const rowsAtPathsOf = (project: TriggerRow): string =>
  `SELECT row FROM project_rows WHERE url = ${project}.url
    AND path IN (SELECT full_path FROM archives WHERE instance_url = ${project}.url AND project_id = ${project}.id)`;

const rowsInFolder = (folder: TriggerRow): string =>
  `SELECT p.row FROM project_rows p JOIN archives a ON a.id = p.newest WHERE a.root = ${folder}.root`;

const newProjectCondition = 'r.instance = NEW.instance AND r.id = NEW.id';

/*
 * Most rows of an instance's first list have no archive and no backup. The insert already gives them the right status,
 * and `projects_added` skips them. The trigger is on `projects`, whose row is written last. SQLite copies every page
 * that an insert with triggers writes. On `project_rows`, with its many indexes, a trigger would double the time of the
 * insert.
 */
export const projectStatusTriggers = `${projectViews}
CREATE TRIGGER projects_added AFTER INSERT ON projects
  WHEN EXISTS (SELECT 1 FROM project_rows r WHERE ${newProjectCondition} AND (
      EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_project
        WHERE a.instance_url = r.url AND a.project_id = r.id)
      OR EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_full_path
        WHERE a.instance_url = r.url AND a.full_path = r.path)
      OR EXISTS (SELECT 1 FROM jobs j
        WHERE j.kind = 'export' AND j.instance = r.instance AND j.project = r.path COLLATE NOCASE)))
BEGIN
  ${refreshArchivesSql(`SELECT r.row FROM project_rows r WHERE ${newProjectCondition}
    UNION SELECT o.row FROM project_rows r
      JOIN archives a ON a.instance_url = r.url AND a.project_id = r.id
      JOIN project_rows o ON o.url = r.url AND o.path = a.full_path
      WHERE ${newProjectCondition}`)}
END;
CREATE TRIGGER project_rows_moved AFTER UPDATE OF url, path ON project_rows BEGIN
  ${refreshArchivesSql(`SELECT NEW.row UNION ${rowsAtPathsOf('NEW')} UNION ${rowsAtPathsOf('OLD')}`)}
END;
CREATE TRIGGER project_rows_changed AFTER UPDATE OF may_export, activity ON project_rows BEGIN
  ${refreshStatusSql('SELECT NEW.row')}
END;
CREATE TRIGGER project_rows_gone AFTER DELETE ON project_rows BEGIN
  ${refreshArchivesSql(rowsAtPathsOf('OLD'))}
END;

CREATE TRIGGER archives_added AFTER INSERT ON archives BEGIN
  ${markNewestSql('NEW')}
  ${refreshArchivesSql(rowsOfArchive('NEW'))}
END;
CREATE TRIGGER archives_gone AFTER DELETE ON archives BEGIN
  ${markNewestSql('OLD')}
  ${refreshArchivesSql(rowsOfArchive('OLD'))}
END;
CREATE TRIGGER archives_changed AFTER UPDATE OF damaged, verdict, incomplete ON archives BEGIN
  ${refreshStatusSql(rowsOfArchive('NEW'))}
END;

CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
  WHEN NEW.kind = 'export' AND NEW.status IN ('succeeded', 'failed', 'skipped')
BEGIN
  ${refreshStatusSql('SELECT row FROM project_rows WHERE instance = NEW.instance AND path = NEW.project')}
END;

CREATE TRIGGER root_went AFTER INSERT ON absent_roots BEGIN
  ${refreshStatusSql(rowsInFolder('NEW'))}
END;
CREATE TRIGGER root_came AFTER DELETE ON absent_roots BEGIN
  ${refreshStatusSql(rowsInFolder('OLD'))}
END;
`;
