/** @file Items dismissed from the overview. A dismissal hides one event; the overview shows a later event again. */
import { CatalogueTable } from './catalogue-table.ts';

const jobPrefix = 'job ';

export const jobSubject = (jobId: string): string => `${jobPrefix}${jobId}`;

/** `leftAt` is ISO 8601 UTC. */
export const outOfScopeSubject = (departure: {
  instance: string;
  projectId: number;
  leftAt: string;
}): string => `departure ${departure.instance} ${departure.projectId} ${departure.leftAt}`;

/** SQL condition for a dismissed row of `jobs`. */
export const dismissedJobCondition = `EXISTS (SELECT 1 FROM dismissals d WHERE d.subject = '${jobPrefix}' || jobs.id)`;

export class Dismissals extends CatalogueTable {
  /** Stores the dismissal of an item of the overview, with all its subjects. Idempotent. */
  add(item: string, subjects: readonly string[], at: number): void {
    this.catalogue.run(
      `INSERT OR REPLACE INTO dismissals (subject, item, at)
         SELECT value, @item, @at FROM json_each(@subjects)`,
      { item, at, subjects: JSON.stringify(subjects) },
    );
  }

  remove(item: string): boolean {
    return this.catalogue.run('DELETE FROM dismissals WHERE item = ?', item) > 0;
  }

  has(subject: string): boolean {
    return this.catalogue.has('SELECT 1 FROM dismissals WHERE subject = ?', subject);
  }
}
