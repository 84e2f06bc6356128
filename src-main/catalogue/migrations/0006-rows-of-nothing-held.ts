import { hold } from './0002-roots-and-project-rows.ts';
import type { Migration } from './migration.ts';

const ofNew = 'r.instance = NEW.instance AND r.id = NEW.id';

/** Works out what is held of a new row. */
export const foundAtListing = `CREATE TRIGGER projects_added AFTER INSERT ON projects
      WHEN EXISTS (SELECT 1 FROM project_rows r WHERE ${ofNew} AND (
          EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_project
            WHERE a.instance_url = r.url AND a.project_id = r.id)
          OR EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = r.url AND a.full_path = r.path)
          OR EXISTS (SELECT 1 FROM jobs j
            WHERE j.kind = 'export' AND j.instance = r.instance AND j.project = r.path COLLATE NOCASE))) BEGIN
      ${hold(`SELECT r.row FROM project_rows r WHERE ${ofNew}
          UNION SELECT o.row FROM project_rows r
            JOIN archives a ON a.instance_url = r.url AND a.project_id = r.id
            JOIN project_rows o ON o.url = r.url AND o.path = a.full_path
          WHERE ${ofNew}`)}
    END;`;

/**
 * A new row of which nothing is held stands as it was written, so nothing is worked out for it: of the thousands that the
 * first list of an instance brings, that is all. What may be held is any archive of its id or path, or a backup of its path.
 *
 * The trigger stands at `projects`, where a row is written after the one in `project_rows`: SQLite copies every page that an
 * insert with triggers writes to, and with all the indexes of `project_rows` that took as long as writing them.
 */
export const rowsOfNothingHeld: Migration = {
  version: 6,
  sql: `
    DROP TRIGGER project_rows_added;
    ${foundAtListing}
  `,
};
