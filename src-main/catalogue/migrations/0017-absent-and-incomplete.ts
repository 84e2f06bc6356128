import {
  findNewest,
  hold,
  judge,
  newestFirst,
  ofArchive,
  ofId,
  ofPath,
  withPathOfId,
} from './0002-roots-and-project-rows.ts';
import { foundAtListing } from './0006-rows-of-nothing-held.ts';
import type { Migration } from './migration.ts';

/**
 * The backup status of a project `p` with its newest archive `a` and its newest backup `j`, as it was until version 20.
 */
const standingCase = ({ p, a, j }: { p: string; a: string; j: string }): string => `CASE
            WHEN ${a}.root IN (SELECT root FROM absent_roots) THEN 0
            WHEN ${a}.damaged IS NOT NULL OR ${a}.verdict = 'unusable' THEN 1
            WHEN ${a}.incomplete = 1 THEN 2
            WHEN ${a}.id IS NULL AND NOT ${p}.may_export THEN 7
            WHEN ${j}.status = 'failed' AND (${a}.id IS NULL
              OR strftime('%Y-%m-%dT%H:%M:%fZ', ${j}.updated_at / 1000.0, 'unixepoch') > ${a}.stored_at) THEN 3
            WHEN ${a}.id IS NULL THEN 4
            WHEN ${p}.activity > coalesce(${a}.source_activity, ${a}.stored_at) THEN 5
            ELSE 6
          END`;

const columns =
  'row, instance, id, url, path, path_key, name_key, archived, size, activity, may_export, archives, newest, backup';

const inRoot = (row: 'NEW' | 'OLD'): string =>
  `SELECT p.row FROM project_rows p JOIN archives a ON a.id = p.newest WHERE a.root = ${row}.root`;

/**
 * An archive of which it is known that it lacks what its source had is marked, and so are archive folders that are not there:
 * a project whose newest archive is such a one is neither current nor changed. `project_rows` is made again, as its check knew
 * six standings; what is worked out from archives and jobs is the same as before otherwise.
 */
export const absentAndIncomplete: Migration = {
  version: 17,
  sql: `
    DROP TRIGGER projects_added;
    DROP TRIGGER archives_added;
    DROP TRIGGER archives_gone;
    DROP TRIGGER archives_changed;
    DROP TRIGGER jobs_ended;
    DROP VIEW project_facts;
    DROP VIEW project_holdings;

    -- Positions of archive folders in the settings that were not there when they were last looked for.
    CREATE TABLE absent_roots (root INTEGER PRIMARY KEY) STRICT;
    ALTER TABLE archives ADD COLUMN incomplete INTEGER NOT NULL DEFAULT 0 CHECK (incomplete IN (0, 1));
    UPDATE archives SET incomplete = 1 WHERE id IN (
      SELECT m.archive FROM archive_manifests m, json_each(m.manifest, '$.findings') f
        WHERE f.value ->> '$.code' = 'export-incomplete');

    CREATE TABLE project_rows_anew (
      row INTEGER PRIMARY KEY,
      instance TEXT NOT NULL,
      id INTEGER NOT NULL,
      url TEXT NOT NULL,
      path TEXT NOT NULL COLLATE NOCASE,
      path_key TEXT NOT NULL,
      name_key TEXT NOT NULL,
      archived INTEGER NOT NULL CHECK (archived IN (0, 1)),
      size INTEGER,
      activity TEXT,
      may_export INTEGER NOT NULL CHECK (may_export IN (0, 1)),
      archives INTEGER NOT NULL DEFAULT 0,
      newest TEXT,
      backup TEXT,
      -- A position in the contract's standings.
      standing INTEGER NOT NULL DEFAULT 4 CHECK (standing >= 0),
      UNIQUE (instance, id)
    ) STRICT;
    INSERT INTO project_rows_anew (${columns}) SELECT ${columns} FROM project_rows;
    DROP TABLE project_rows;
    ALTER TABLE project_rows_anew RENAME TO project_rows;
    CREATE INDEX project_rows_by_url_id ON project_rows (url, id);
    CREATE INDEX project_rows_by_url_path ON project_rows (url, path);
    CREATE INDEX project_rows_by_instance_path ON project_rows (instance, path);
    CREATE INDEX project_rows_by_standing ON project_rows (instance, standing);
    CREATE INDEX project_rows_sort_path ON project_rows (path_key, instance, archived, standing);
    CREATE INDEX project_rows_sort_name ON project_rows (name_key, path_key, instance, archived, standing);
    CREATE INDEX project_rows_sort_instance ON project_rows (instance, path_key, archived, standing);
    CREATE INDEX project_rows_sort_activity ON project_rows (activity, path_key, instance, archived, standing);
    CREATE INDEX project_rows_sort_size ON project_rows (size, path_key, instance, archived, standing);
    CREATE INDEX project_rows_sort_standing ON project_rows (standing, path_key, instance, archived);
    CREATE INDEX project_rows_sort_backup ON project_rows (backup, path_key, instance, archived, standing);

    CREATE VIEW project_holdings AS
      SELECT p.row AS row,
          coalesce(nullif((SELECT count(*) ${ofId}), 0), (SELECT count(*) ${ofPath})) AS archives,
          coalesce((SELECT a.id ${ofId} ${newestFirst}), (SELECT a.id ${ofPath} ${newestFirst})) AS newest
        FROM project_rows p;

    CREATE VIEW project_facts AS
      SELECT p.row AS row, a.stored_at AS backup, ${standingCase({ p: 'p', a: 'a', j: 'j' })} AS standing
        FROM project_rows p
        LEFT JOIN archives a ON a.id = p.newest
        LEFT JOIN jobs j ON j.id = (
          SELECT k.id FROM jobs k
            WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
              AND k.status IN ('succeeded', 'failed', 'skipped')
            ORDER BY k.id DESC LIMIT 1);

    ${foundAtListing}
    CREATE TRIGGER project_rows_moved AFTER UPDATE OF url, path ON project_rows BEGIN
      ${hold(`SELECT NEW.row UNION ${withPathOfId('NEW.url', 'NEW.id')} UNION ${withPathOfId('OLD.url', 'OLD.id')}`)}
    END;
    CREATE TRIGGER project_rows_changed AFTER UPDATE OF may_export, activity ON project_rows BEGIN
      ${judge('SELECT NEW.row')}
    END;
    CREATE TRIGGER project_rows_gone AFTER DELETE ON project_rows BEGIN
      ${hold(withPathOfId('OLD.url', 'OLD.id'))}
    END;
    CREATE TRIGGER archives_added AFTER INSERT ON archives BEGIN
      ${findNewest('NEW')}
      ${hold(ofArchive('NEW'))}
    END;
    CREATE TRIGGER archives_gone AFTER DELETE ON archives BEGIN
      ${findNewest('OLD')}
      ${hold(ofArchive('OLD'))}
    END;
    CREATE TRIGGER archives_changed AFTER UPDATE OF damaged, verdict, incomplete ON archives BEGIN
      ${judge(ofArchive('NEW'))}
    END;
    CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
      WHEN NEW.kind = 'export' AND NEW.status IN ('succeeded', 'failed', 'skipped') BEGIN
      ${judge('SELECT row FROM project_rows WHERE instance = NEW.instance AND path = NEW.project')}
    END;
    CREATE TRIGGER root_went AFTER INSERT ON absent_roots BEGIN
      ${judge(inRoot('NEW'))}
    END;
    CREATE TRIGGER root_came AFTER DELETE ON absent_roots BEGIN
      ${judge(inRoot('OLD'))}
    END;

    ${judge('SELECT row FROM project_rows')}
  `,
};
