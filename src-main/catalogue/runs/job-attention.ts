/** @file Jobs that need attention: failures and warnings that no later job has repaired. Also counts the open jobs. */
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { jobKinds } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { dismissedJobCondition } from '../dismissals.ts';
import { openFailureCondition } from '../migrations/import-failures.ts';
import { jsonColumn } from '../rows.ts';
import { endedStatusesSql } from './ended.ts';

const jobRow = z.object({ jobId: z.string(), project: z.string() });
const failedRow = z.object({
  ...jobRow.shape,
  jobKind: z.enum(jobKinds),
  instance: z.string(),
  error: jsonColumn.pipe(errorDataSchema),
  total: z.number().int(),
  unprotected: z.number().int(),
});
const jobWithWarningsRow = z.object({
  ...jobRow.shape,
  jobKind: z.enum(jobKinds),
  instance: z.string(),
  warnings: z.number().int(),
  messages: jsonColumn.pipe(z.array(z.string())),
});
const openRow = z.object({ status: z.string(), jobs: z.number().int() });

const maxJobsPerGroup = 100;
const maxMessages = 3;

/** Jobs of one kind on one instance that failed with one code: the newest error and jobs, and their number. */
export type JobFailureGroup = Pick<z.infer<typeof failedRow>, 'jobKind' | 'instance' | 'error' | 'total'> & {
  jobs: z.infer<typeof jobRow>[];
  /** True if one of the projects has no archive, so the failure may be the only sign that it is unprotected. */
  isUnprotected: boolean;
};
/** The properties by which failures are grouped into one item. */
export type JobFailureKey = Pick<JobFailureGroup, 'jobKind' | 'instance'> & { code: string };
export type JobWithWarnings = z.infer<typeof jobWithWarningsRow>;

export interface AttentionFilter {
  since: number;
  instances: readonly string[];
  limit: number;
}

const knownInstanceCondition = 'instance IN (SELECT value FROM json_each(@instances))';
const recentCondition = `updated_at > @since AND ${knownInstanceCondition}`;
const parametersOf = ({ since, instances }: Omit<AttentionFilter, 'limit'>) => ({
  since,
  instances: JSON.stringify(instances),
});

/** A limited list. `total` also counts the entries beyond the limit. */
export interface LimitedList<Entry> {
  entries: Entry[];
  total: number;
}

/**
 * SQL expression that distinguishes jobs of one kind on one project: the relation, the kind of change, or the action.
 */
const workKeyOf = (job: string): string =>
  `coalesce(${job}.input ->> '$.relation', ${job}.input ->> '$.change.kind', ${job}.input ->> '$.action', '')`;

/** SQL condition: no later job with the same work has one of these statuses. */
const hasNoLaterJob = (...statuses: string[]): string => `NOT EXISTS (
  SELECT 1 FROM jobs later WHERE later.kind = jobs.kind AND later.instance = jobs.instance
    AND later.project = jobs.project COLLATE NOCASE AND later.id > jobs.id AND ${workKeyOf('later')} = ${workKeyOf('jobs')}
    AND later.status IN (${statuses.map((status) => `'${status}'`).join(', ')}))`;

/** SQL condition for an import whose only warnings are about closed failures and their losses. */
const isSettled = `(kind = 'import'
  AND EXISTS (SELECT 1 FROM import_failures f WHERE f.import_job = jobs.id)
  AND NOT EXISTS (SELECT 1 FROM import_failures f WHERE f.import_job = jobs.id AND ${openFailureCondition})
  AND NOT EXISTS (SELECT 1 FROM import_failure_gaps g WHERE g.import_job = jobs.id)
  AND NOT EXISTS (SELECT 1 FROM json_each(state, '$.warnings') w WHERE w.value ->> '$.code' <> 'relation-failed'
    AND NOT (w.value ->> '$.code' LIKE 'lost%'
      AND w.value ->> '$.where' IN (SELECT f.relation FROM import_failures f WHERE f.import_job = jobs.id))))`;

/** SQL condition for a mistyped request. Its author saw the error, and a corrected request is another job. */
const isMistyped = `(
  (kind = 'change' AND state ->> '$.error.code' IN
    ('invalid-input', 'request-refused', 'already-exists', 'path-taken', 'name-taken')
  OR kind = 'token' AND input ->> '$.action' = 'revoke' AND state ->> '$.error.code' = 'not-found')
  AND state ->> '$.error.retry' = 'never'
  AND NOT EXISTS (SELECT 1 FROM jobs other WHERE other.run_id = jobs.run_id AND other.id <> jobs.id))`;

const fromProjectRow = 'FROM project_rows p WHERE p.instance = jobs.instance AND p.path = jobs.project';

/**
 * SQL condition for a backup of an existing project without a readable archive. An unlisted project is identified by
 * its path.
 */
const isUnprotected = `(kind = 'export' AND state ->> '$.error.code' <> 'project-missing'
  AND NOT EXISTS (SELECT 1 ${fromProjectRow} AND p.newest IS NOT NULL)
  AND (EXISTS (SELECT 1 ${fromProjectRow}) OR NOT EXISTS (SELECT 1 FROM archives a
    WHERE a.instance_name = jobs.instance AND a.full_path = jobs.project AND a.damaged IS NULL
      AND a.verdict <> 'unusable' AND a.root NOT IN (SELECT root FROM absent_roots))))`;

/** A failure stays in the overview while its listed project has no archive, even after somebody dismissed it. */
const isOpenFailedJob = `status = 'failed' AND ${knownInstanceCondition} AND ${hasNoLaterJob('succeeded', 'failed', 'skipped')}
  AND NOT ${isMistyped} AND ((${isUnprotected} AND EXISTS (SELECT 1 ${fromProjectRow})) OR (updated_at > @since AND NOT ${dismissedJobCondition}))`;
const groupCondition = `instance = @instance AND kind = @kind AND state ->> '$.error.code' = @code`;

export class JobAttention extends CatalogueTable {
  countOpenByStatus(instance: string | null = null): Record<string, number> {
    const rows = this.catalogue.rows(
      'jobs',
      openRow,
      `SELECT status, count(*) AS jobs FROM jobs INDEXED BY jobs_open
         WHERE status NOT IN ${endedStatusesSql} AND (@instance IS NULL OR instance = @instance) GROUP BY status`,
      { instance },
    );
    return Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs]));
  }

  /** Returns the groups of failed jobs, newest first, of `instances` and after `since` (epoch milliseconds). */
  failedJobGroups({ limit, ...filter }: AttentionFilter): LimitedList<JobFailureGroup> {
    const fromSql = `FROM jobs WHERE ${isOpenFailedJob}`;
    const grouped = `${fromSql} GROUP BY instance, kind, state ->> '$.error.code'`;
    // With a single max(), SQLite takes the other columns from the row with the maximum.
    const rows = this.catalogue.rows(
      'jobs',
      failedRow,
      `SELECT max(id) AS jobId, project, kind AS jobKind, instance, state -> '$.error' AS error, count(*) AS total,
           sum(${isUnprotected}) AS unprotected
         ${grouped} ORDER BY jobId DESC LIMIT @limit`,
      { ...parametersOf(filter), limit },
    );
    const total = this.catalogue.count(`SELECT count(*) FROM (SELECT 1 ${grouped})`, parametersOf(filter));
    const entries = rows.map(({ jobId, project, unprotected, ...group }) => {
      const shared = { ...group, isUnprotected: unprotected > 0 };
      const { jobKind: kind, instance, error } = shared;
      if (shared.total === 1) return { ...shared, jobs: [{ jobId, project }] };
      const jobs = this.catalogue.rows(
        'jobs',
        jobRow,
        `SELECT id AS jobId, project ${fromSql} AND ${groupCondition} ORDER BY id DESC LIMIT ${maxJobsPerGroup}`,
        { ...parametersOf(filter), instance, kind, code: error.code },
      );
      return { ...shared, jobs };
    });
    return { entries, total };
  }

  jobIdsInGroup(
    filter: Omit<AttentionFilter, 'limit'>,
    { jobKind: kind, instance, code }: JobFailureKey,
  ): string[] {
    return this.catalogue.column(`SELECT id FROM jobs WHERE ${isOpenFailedJob} AND ${groupCondition}`, {
      ...parametersOf(filter),
      ...{ instance, kind, code },
    }) as string[];
  }

  /** Returns jobs that succeeded with warnings. Skips the jobs in `accepted`, whose losses were all accepted. */
  jobsWithWarnings(
    { limit, ...filter }: AttentionFilter,
    accepted: readonly string[] = [],
  ): LimitedList<JobWithWarnings> {
    const fromSql = `FROM jobs INDEXED BY jobs_with_warnings
      WHERE status = 'succeeded' AND state -> '$.warnings' <> '[]' AND ${recentCondition}
        AND ${hasNoLaterJob('succeeded')} AND NOT ${isSettled}
        AND NOT ${dismissedJobCondition} AND id NOT IN (SELECT value FROM json_each(@accepted))`;
    const parameters = { ...parametersOf(filter), accepted: JSON.stringify(accepted) };
    const entries = this.catalogue.rows(
      'jobs',
      jobWithWarningsRow,
      `SELECT id AS jobId, kind AS jobKind, instance, project, json_array_length(state, '$.warnings') AS warnings,
           (SELECT json_group_array(message) FROM (SELECT value ->> '$.message' AS message
              FROM json_each(state, '$.warnings') LIMIT ${maxMessages})) AS messages
         ${fromSql} ORDER BY id DESC LIMIT @limit`,
      { ...parameters, limit },
    );
    return { entries, total: this.catalogue.count(`SELECT count(*) ${fromSql}`, parameters) };
  }
}
