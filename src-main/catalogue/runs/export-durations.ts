/** @file The durations of exports, from the request to the stored archive, without the waits before the request. */
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';

const timeRow = z.object({ project: z.string(), ms: z.number() });

export class ExportDurations extends CatalogueTable {
  /** Returns the duration of the newest stored export of each project in milliseconds, by path in lower case. */
  byProject(instance: string): Map<string, number> {
    const rows = this.catalogue.rows(
      'job_steps',
      timeRow,
      `SELECT lower(j.project) AS project, s.finished_at - r.started_at AS ms
         FROM (SELECT max(id) AS id FROM jobs WHERE kind = 'export' AND instance = ? AND status = 'succeeded'
           GROUP BY project COLLATE NOCASE) newest
         JOIN jobs j ON j.id = newest.id
         JOIN job_steps r ON r.job_id = j.id AND r.step = 'request'
         JOIN job_steps s ON s.job_id = j.id AND s.step = 'store'
         WHERE s.finished_at >= r.started_at`,
      instance,
    );
    return new Map(rows.map(({ project, ms }) => [project, ms]));
  }
}
