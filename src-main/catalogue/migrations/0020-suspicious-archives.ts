import { judge } from './0002-roots-and-project-rows.ts';
import type { Migration } from './migration.ts';

/**
 * The backup status of a project `p` with its newest archive `a` and its newest backup `j`, as a position in the contract's
 * `standings`. The order of the cases is that of the contract's `archiveConditions` from its end.
 */
export const standingCase = ({ p, a, j }: { p: string; a: string; j: string }): string => `CASE
            WHEN ${a}.root IN (SELECT root FROM absent_roots) THEN 0
            WHEN ${a}.damaged IS NOT NULL OR ${a}.verdict = 'unusable' THEN 1
            WHEN ${a}.incomplete = 1 THEN 2
            WHEN ${a}.verdict = 'suspicious' THEN 3
            WHEN ${a}.id IS NULL AND NOT ${p}.may_export THEN 8
            WHEN ${j}.status = 'failed' AND (${a}.id IS NULL
              OR strftime('%Y-%m-%dT%H:%M:%fZ', ${j}.updated_at / 1000.0, 'unixepoch') > ${a}.stored_at) THEN 4
            WHEN ${a}.id IS NULL THEN 5
            WHEN ${p}.activity > coalesce(${a}.source_activity, ${a}.stored_at) THEN 6
            ELSE 7
          END`;

/** A project whose newest archive is suspicious is not current: a plan backs it up again at each run. */
export const suspiciousArchives: Migration = {
  version: 20,
  sql: `
    DROP VIEW project_facts;
    CREATE VIEW project_facts AS
      SELECT p.row AS row, a.stored_at AS backup, ${standingCase({ p: 'p', a: 'a', j: 'j' })} AS standing
        FROM project_rows p
        LEFT JOIN archives a ON a.id = p.newest
        LEFT JOIN jobs j ON j.id = (
          SELECT k.id FROM jobs k
            WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
              AND k.status IN ('succeeded', 'failed', 'skipped')
            ORDER BY k.id DESC LIMIT 1);

    ${judge('SELECT row FROM project_rows')}
  `,
};
