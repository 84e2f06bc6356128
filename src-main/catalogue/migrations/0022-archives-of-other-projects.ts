import { hold, newestFirst, ofId } from './0002-roots-and-project-rows.ts';
import type { Migration } from './migration.ts';

/**
 * Archives `a` that belong to a project `p` because of its path: those whose project id is not known. An archive with another id is one of
 * another project. That stays so when the other project was deleted and this one took its path.
 */
export const ofPath = `FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = p.url AND a.full_path = p.path AND a.project_id < 0`;

/** A new project under the path of one that is gone was called backed up, by archives of the other. */
export const archivesOfOtherProjects: Migration = {
  version: 22,
  sql: `
    DROP VIEW project_holdings;
    CREATE VIEW project_holdings AS
      SELECT p.row AS row,
          coalesce(nullif((SELECT count(*) ${ofId}), 0), (SELECT count(*) ${ofPath})) AS archives,
          coalesce((SELECT a.id ${ofId} ${newestFirst}), (SELECT a.id ${ofPath} ${newestFirst})) AS newest
        FROM project_rows p;

    ${hold('SELECT row FROM project_rows')}
  `,
};
