/** @file The groups that are created for a migration, outermost first, and the job that creates each. */
import { jobStatuses } from '../../../src-contract/runs/job.ts';
import { visibilities } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import type { NewJob } from '../runs/jobs.ts';
import { MigrationTable } from './migration-table.ts';

export interface NewGroup {
  path: string;
  visibility: (typeof visibilities)[number];
}

/** The parameter `id` of every method is the id of the migration. */
export class MigrationGroups extends MigrationTable {
  list(id: string): StoredGroup[] {
    return this.catalogue.rows(
      'migration_groups',
      groupRow,
      `SELECT path, visibility, j.status FROM migration_groups LEFT JOIN jobs j ON j.id = job_id
         WHERE migration_id = ? ORDER BY place, path`,
      id,
    );
  }

  /** Adds groups to be created, outermost first. Known groups stay; the creation of failed ones is tried again. */
  addGroups(id: string, groups: readonly NewGroup[]): void {
    this.catalogue.transaction(() => {
      this.catalogue.run(
        `UPDATE migration_groups SET job_id = NULL WHERE migration_id = ? AND job_id IN
           (SELECT id FROM jobs WHERE status IN ('failed', 'cancelled', 'skipped'))`,
        id,
      );
      for (const { path, visibility } of groups) {
        this.catalogue.run(
          `INSERT OR IGNORE INTO migration_groups (migration_id, path, visibility, place)
             VALUES (@id, @path, @visibility, (SELECT count(*) FROM migration_groups WHERE migration_id = @id))`,
          { id, path, visibility },
        );
      }
    });
  }

  /** Creates the job of a group, or joins an open job with the same work, in one transaction. */
  enqueueJob(id: string, path: string, job: Omit<NewJob, 'id' | 'runId' | 'at'>, at: number): void {
    this.catalogue.transaction(() => {
      const runId = this.findOrCreateRun({ id, wave: 0, move: 'groups' }, 'change', at);
      const queuedJob = this.jobs.enqueue({ ...job, id: this.jobs.newId(at), runId, at }).job;
      this.catalogue.run(
        'UPDATE migration_groups SET job_id = @job WHERE migration_id = @id AND path = @path',
        { id, path, job: queuedJob.id },
      );
    });
  }
}

const groupRow = z.object({
  path: z.string(),
  visibility: z.enum(visibilities),
  /** The status of the job that creates the group; null if that job does not exist yet. */
  status: z.enum(jobStatuses).nullable(),
});
export type StoredGroup = z.output<typeof groupRow>;
