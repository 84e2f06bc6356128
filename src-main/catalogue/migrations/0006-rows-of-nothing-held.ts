import { hold, withPathOfId } from './0002-roots-and-project-rows.ts';
import type { Migration } from './migration.ts';

/**
 * A new row of which nothing is held stands as it was written, so nothing is worked out for it: of the thousands that the
 * first list of an instance brings, that is all. What may be held is any archive of its id or path, or a backup of its path.
 */
export const rowsOfNothingHeld: Migration = {
  version: 6,
  sql: `
    DROP TRIGGER project_rows_added;
    CREATE TRIGGER project_rows_added AFTER INSERT ON project_rows
      WHEN EXISTS (SELECT 1 FROM archives INDEXED BY archives_by_project
            WHERE instance_url = NEW.url AND project_id = NEW.id)
        OR EXISTS (SELECT 1 FROM archives INDEXED BY archives_by_full_path
            WHERE instance_url = NEW.url AND full_path = NEW.path)
        OR EXISTS (SELECT 1 FROM jobs
            WHERE kind = 'export' AND instance = NEW.instance AND project = NEW.path COLLATE NOCASE) BEGIN
      ${hold(`SELECT NEW.row UNION ${withPathOfId('NEW.url', 'NEW.id')}`)}
    END;
  `,
};
