/** @file The projects of a migration with their jobs, failures and comparison. Long texts of jobs are not read. */
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { jobStatuses } from '../../../src-contract/runs/job.ts';
import { comparisonDepths } from '../../../src-contract/transfers/import.ts';
import { placementSchema } from '../../../src-contract/migrations/migration-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { jsonColumn, readRow } from '../rows.ts';
import { endedStatusesSql } from '../runs/ended.ts';
import { openFailureCondition } from './import-failures.ts';

export const migrationJobColumns = {
  freeze: 'freeze_job',
  export: 'export_job',
  import: 'import_job',
  unmark: 'unmark_job', // Unarchives the imported project.
  thaw: 'thaw_job', // Unarchives the source.
} as const;
export type MigrationJobColumn = keyof typeof migrationJobColumns;
const columnNames = Object.keys(migrationJobColumns) as MigrationJobColumn[];

const noRetries = { jobs: [], open: 0, uncompared: 0 };
const noFailures = { open: 0, total: 0, accepted: 0, hasUnlisted: false, settledAt: null };

const noAcceptances = { count: 0, newest: 0 };

const count = z.number().int();
const storedJobSchema = z.object({
  jobId: z.string(),
  status: z.enum(jobStatuses),
  error: errorDataSchema.nullable(),
  waitsFor: z.string().nullable(),
  /** For a change: true if it changed the project, null if it was sent and the outcome is unknown. */
  changed: z.boolean().nullable(),
});
export type StoredMigrationJob = z.output<typeof storedJobSchema>;
const storedJobColumn = jsonColumn.pipe(storedJobSchema.nullable());
const flag = z.union([z.literal(0), z.literal(1)]).transform((bit) => bit === 1);
const projectRow = z
  .object({
    sourceId: count,
    sourcePath: z.string(),
    wave: count,
    placement: jsonColumn.pipe(placementSchema),
    leftOut: flag,
    mayBeArchivedByUs: flag,
    freeze: storedJobColumn,
    export: storedJobColumn,
    import: storedJobColumn,
    unmark: storedJobColumn,
    thaw: storedJobColumn,
    /**
     * The relation imports, oldest first. `open` counts the open ones, `uncompared` those that ended after the last
     * comparison.
     */
    retries: jsonColumn.pipe(
      z.object({ jobs: z.array(z.string()), open: count, uncompared: count }).nullable(),
    ),
    failures: jsonColumn.pipe(
      z
        .object({
          open: count,
          total: count,
          accepted: count,
          hasUnlisted: flag,
          settledAt: count.nullable(),
        })
        .nullable(),
    ),
    /** Accepted differences, including those that no longer exist. `newest` changes with each acceptance. */
    acceptances: jsonColumn.pipe(z.object({ count, newest: count }).nullable()),
    changedSince: z.number().nullable(),
    /** Why the last comparison failed; null after a successful one. */
    comparingError: jsonColumn.pipe(errorDataSchema.nullable()),
    /** The last comparison of source, archive and target; null if never compared. Each comparison has its own `ref`. */
    comparison: jsonColumn.pipe(
      z
        .object({
          ...{ ref: count, reconciled: flag, depth: z.enum(comparisonDepths) },
          ...{ missing: count, settings: count },
        })
        .nullable(),
    ),
    target: jsonColumn.pipe(z.object({ id: count, fullPath: z.string(), webUrl: z.string() }).nullable()),
    /** The archive that its export stored. The file may be gone meanwhile. */
    archive: jsonColumn.pipe(
      z.object({ id: z.string(), path: z.string(), sha256: z.string(), sizeBytes: count }).nullable(),
    ),
  })
  .transform(({ freeze, export: exported, import: imported, unmark, thaw, ...project }) => ({
    ...project,
    retries: project.retries ?? noRetries,
    failures: project.failures ?? noFailures,
    acceptances: project.acceptances ?? noAcceptances,
    jobs: {
      ...(freeze === null ? {} : { freeze }),
      ...(exported === null ? {} : { export: exported }),
      ...(imported === null ? {} : { import: imported }),
      ...(unmark === null ? {} : { unmark }),
      ...(thaw === null ? {} : { thaw }),
    } satisfies Partial<Record<MigrationJobColumn, StoredMigrationJob>>,
  }));
export type StoredProject = z.output<typeof projectRow>;

export const readProject = (row: unknown): StoredProject => readRow(projectRow, row, 'migration_projects');

export const hasEndedSql = `j.status IN ${endedStatusesSql}`;

/** Returns SQL for whether the job `j` changed its project, as JSON; null if the response to its request was lost. */
const changedSql = (j: string): string => `CASE
    WHEN ${j}.kind <> 'change' THEN json('false')
    WHEN ${j}.result IS NOT NULL THEN ${j}.result -> '$.changed'
    ELSE ifnull((SELECT iif(s.finished_at IS NULL, iif(s.memo ->> '$.memo.intentAt' IS NULL, json('false'), json('null')),
        s.output -> '$.changed') FROM job_steps s WHERE s.job_id = ${j}.id AND s.step = 'send'), json('false'))
  END`;

// The names are quoted because some are SQL keywords.
const jobColumnsSql = columnNames
  .map(
    (name) => `iif("${name}".id IS NULL, NULL, json_object('jobId', "${name}".id, 'status', "${name}".status,
      'error', iif("${name}".status = 'failed', "${name}".state -> '$.error', NULL),
      'waitsFor', iif("${name}".status = 'waiting', "${name}".state ->> '$.text', NULL),
      'changed', json(${changedSql(`"${name}"`)}))) AS "${name}"`,
  )
  .join(', ');
const joinJobsSql = columnNames
  .map((name) => `LEFT JOIN jobs "${name}" ON "${name}".id = m.${migrationJobColumns[name]}`)
  .join(' ');

export const selectProjectsSql = `SELECT m.source_id AS sourceId, m.source_path AS sourcePath, m.wave, m.placement,
    m.left_out AS leftOut, m.left_marked AS mayBeArchivedByUs, ${jobColumnsSql},
    (SELECT iif(count(*) = 0, NULL, json_object('jobs', json_group_array(r.job_id ORDER BY r.job_id),
         'open', count(*) FILTER (WHERE NOT ${hasEndedSql}), 'uncompared', count(*) FILTER (WHERE compared = 0)))
       FROM migration_retries r JOIN jobs j ON j.id = r.job_id
       WHERE r.migration_id = m.migration_id AND r.source_id = m.source_id) AS retries,
    (SELECT iif(count(*) = 0, NULL, json_object('open', count(*) FILTER (WHERE ${openFailureCondition}), 'total', count(*),
         'accepted', count(*) FILTER (WHERE f.state = 'accepted'), 'settledAt', max(f.changed_at),
         'hasUnlisted', EXISTS (SELECT 1 FROM import_failure_gaps g WHERE g.import_job = m.import_job)))
       FROM import_failures f WHERE f.import_job = m.import_job) AS failures,
    (SELECT iif(count(*) = 0, NULL, json_object('count', count(*), 'newest', max(a.ref)))
       FROM migration_acceptances a WHERE a.migration_id = m.migration_id AND a.source_id = m.source_id) AS acceptances,
    m.changed_since AS changedSince, m.comparing_error AS comparingError,
    (SELECT json_object('ref', ref, 'reconciled', reconciled, 'depth', depth, 'missing', missing, 'settings', settings)
       FROM migration_comparisons c WHERE c.migration_id = m.migration_id AND c.source_id = m.source_id) AS comparison,
    iif("import".result IS NULL, NULL, json_object('id', "import".result -> '$.projectId',
      'fullPath', "import".result ->> '$.fullPath', 'webUrl', "import".result ->> '$.webUrl')) AS target,
    iif("export".result IS NULL, NULL, json_object('id', "export".result ->> '$.archiveId',
      'path', "export".result ->> '$.archivePath', 'sha256', "export".result ->> '$.sha256',
      'sizeBytes', "export".result -> '$.sizeBytes')) AS archive
  FROM migration_projects m ${joinJobsSql}`;
