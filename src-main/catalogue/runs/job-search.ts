/** @file Finds jobs by the beginning of an id, a run, a project or an archive. Changes nothing. */
import type { CallRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { jobKinds, type StoredJob } from '../../../src-contract/runs/job.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { whereClause } from '../rows.ts';
import { endedStatusesSql } from './ended.ts';
import { jobColumns, jobMissingError, readJob } from './jobs.ts';

/** The conditions for `open` and `ended`. Most jobs have ended; the `+` keeps SQLite from sorting all of them. */
const statusConditions: Partial<Record<string, string>> = {
  open: `status NOT IN ${endedStatusesSql}`,
  ended: `+status IN ${endedStatusesSql}`,
};
const importCondition = `kind IN ('import', 'relation-import')`;
const allKindsSql = jobKinds.map((kind) => `'${kind}'`).join(', ');

export class JobSearch extends CatalogueTable {
  /** Returns jobs, newest first. `before` is the id of the last job of the previous page. */
  find(filter: CallRequest<'job.list'>): StoredJob[] {
    const { runId = null, status = null, instance = null, project = null, before = null, limit } = filter;
    // Contains only the given filters, so that SQLite finds the index for them.
    const where = [
      ...(runId === null ? [] : ['id IN (SELECT job_id FROM run_jobs WHERE run_id = @runId)']),
      ...(status === null ? [] : [statusConditions[status] ?? 'status = @status']),
      ...(instance === null ? [] : ['instance = @instance']),
      ...(project === null ? [] : [`kind IN (${allKindsSql}) AND project = @project COLLATE NOCASE`]),
      ...(before === null ? [] : ['id < @before']),
    ];
    const sql = `SELECT ${jobColumns} FROM jobs ${whereClause(where)} ORDER BY id DESC LIMIT @limit`;
    return this.catalogue.all(sql, { runId, status, instance, project, before, limit }).map(readJob);
  }

  /** Returns the single id that begins with `prefix`. Throws `job-missing`, or `invalid-input` for several. */
  resolveId(prefix: string): string {
    return this.#resolve('jobs', prefix, jobMissingError(prefix));
  }

  resolveRun(prefix: string): string {
    return this.#resolve('runs', prefix, new AppError('job-missing', `There is no run ${prefix}.`));
  }

  #resolve(table: 'jobs' | 'runs', prefix: string, missingError: AppError): string {
    const [first, second] = this.catalogue.column(
      `SELECT id FROM ${table} WHERE id >= @prefix AND id < @prefix || '~' ORDER BY id LIMIT 2`,
      { prefix },
    ) as string[];
    if (first === undefined || prefix === '') throw missingError;
    if (second !== undefined) {
      throw new AppError('invalid-input', `Several ${table} begin with this id.`, {
        details: { id: prefix },
      });
    }
    return first;
  }

  /** Returns the finished imports into this project of the instance, newest first. */
  importsInto(instance: string, projectId: number): StoredJob[] {
    const condition = `kind = 'import' AND instance = @instance AND result ->> '$.projectId' = @projectId`;
    const sql = `SELECT ${jobColumns} FROM jobs WHERE ${condition} ORDER BY id DESC`;
    return this.catalogue.all(sql, { instance, projectId }).map(readJob);
  }

  archivesInUse(): Set<string> {
    const sql = `SELECT input ->> '$.archiveId' FROM jobs WHERE ${importCondition} AND status NOT IN ${endedStatusesSql}`;
    return new Set((this.catalogue.column(sql) as (string | null)[]).flatMap((id) => id ?? []));
  }

  /** Returns whether any job, open or ended, concerns the archive at this path. */
  hasJobFor(archivePath: string): boolean {
    const sql = `SELECT 1 FROM jobs WHERE ${importCondition} AND input ->> '$.archivePath' = ? LIMIT 1`;
    return this.catalogue.has(sql, archivePath);
  }
}
