import { judge } from './0002-roots-and-project-rows.ts';
import type { Migration } from './migration.ts';

/** A backup that was passed over, as nothing has changed since a readable archive, makes an earlier failure good. */
export const unchangedSettles: Migration = {
  version: 12,
  sql: `
    DROP TRIGGER jobs_ended;
    DROP VIEW project_facts;

    CREATE VIEW project_facts AS
      SELECT p.row AS row, a.stored_at AS backup,
          CASE
            WHEN a.damaged IS NOT NULL OR a.verdict = 'unusable' THEN 0
            WHEN a.id IS NULL AND NOT p.may_export THEN 5
            WHEN j.status = 'failed' AND (a.id IS NULL
              OR strftime('%Y-%m-%dT%H:%M:%fZ', j.updated_at / 1000.0, 'unixepoch') > a.stored_at) THEN 1
            WHEN a.id IS NULL THEN 2
            WHEN p.activity > coalesce(a.source_activity, a.stored_at) THEN 3
            ELSE 4
          END AS standing
        FROM project_rows p
        LEFT JOIN archives a ON a.id = p.newest
        LEFT JOIN jobs j ON j.id = (
          SELECT k.id FROM jobs k
            WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
              AND k.status IN ('succeeded', 'failed', 'skipped')
            ORDER BY k.id DESC LIMIT 1);

    CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
      WHEN NEW.kind = 'export' AND NEW.status IN ('succeeded', 'failed', 'skipped') BEGIN
      ${judge('SELECT row FROM project_rows WHERE instance = NEW.instance AND path = NEW.project')}
    END;

    ${judge('SELECT row FROM project_rows WHERE standing = 1')}
  `,
};
