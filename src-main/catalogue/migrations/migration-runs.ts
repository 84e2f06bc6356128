/** @file The runs that group the jobs of a migration: one for each wave and move. */
import type { JobKind } from '../../../src-contract/runs/job.ts';
import type { Catalogue } from '../database.ts';
import type { JobStore } from '../runs/jobs.ts';

/** Part of a transaction: returns the id of the run, which is created for its first job. */
export function findOrCreateMoveRun(
  catalogue: Catalogue,
  jobs: JobStore,
  { id, wave, move }: { id: string; wave: number; move: string },
  kind: JobKind,
  at: number,
): string {
  const sql = 'SELECT run_id FROM migration_runs WHERE migration_id = ? AND wave = ? AND move = ?';
  const [known] = catalogue.column(sql, id, wave, move) as string[];
  if (known !== undefined) return known;
  const runId = jobs.newId(at);
  jobs.createRun({ id: runId, kind, request: { migration: id, wave, move }, at });
  const insert = 'INSERT INTO migration_runs (migration_id, wave, move, run_id) VALUES (?, ?, ?, ?)';
  catalogue.run(insert, id, wave, move, runId);
  return runId;
}
