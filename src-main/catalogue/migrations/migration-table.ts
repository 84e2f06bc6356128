/** @file The base of the tables of migrations. A run has the jobs of one wave and kind (`move`), such as `freeze`. */
import type { JobKind } from '../../../src-contract/runs/job.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import type { Catalogue } from '../database.ts';
import type { JobStore } from '../runs/jobs.ts';

export abstract class MigrationTable extends CatalogueTable {
  protected readonly jobs: JobStore;

  constructor(catalogue: Catalogue, jobs: JobStore) {
    super(catalogue);
    this.jobs = jobs;
  }

  /** Returns the id of the run. Creates the run if it does not exist. The caller must hold a transaction. */
  protected findOrCreateRun(
    { id, wave, move }: { id: string; wave: number; move: string },
    kind: JobKind,
    at: number,
  ): string {
    const sql = 'SELECT run_id FROM migration_runs WHERE migration_id = ? AND wave = ? AND move = ?';
    const [known] = this.catalogue.column(sql, id, wave, move) as string[];
    if (known !== undefined) return known;
    const runId = this.jobs.newId(at);
    this.jobs.createRun({ id: runId, kind, request: { migration: id, wave, move }, at });
    const insert = 'INSERT INTO migration_runs (migration_id, wave, move, run_id) VALUES (?, ?, ?, ?)';
    this.catalogue.run(insert, id, wave, move, runId);
    return runId;
  }
}
