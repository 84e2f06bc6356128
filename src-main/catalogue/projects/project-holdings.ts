/** @file The holdings of any projects, listed or not: archives, backup status, and the open backup job. */
import { conditionOf } from '../../../src-contract/archives/archive-quality.ts';
import { effectiveProof } from '../../../src-contract/archives/archive.ts';
import { archiveSummarySchema, proofSchema } from '../../../src-contract/archives/archive-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import {
  mayExport,
  backupStatuses,
  type ProjectBackupSummary,
  type BackupStatusInput,
  type BackupStatus,
} from '../../../src-contract/projects/project.ts';
import { projectRowSchema } from '../../../src-contract/projects/project-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime, parseTime } from '../../platform/clock.ts';
import type { Catalogue } from '../database.ts';
import { jsonColumn, readRow } from '../rows.ts';
import { endedStatusesSql } from '../runs/ended.ts';
import { backupStatusSql, archiveCountColumns, lastBackupJoin } from '../schema/backup-status.ts';

const newestRow = z.object({
  id: z.string(),
  storedAt: z.string(),
  sizeBytes: z.number(),
  verdict: archiveSummarySchema.shape.verdict,
  proof: jsonColumn.pipe(proofSchema.transform(effectiveProof).nullable()),
  damaged: z.number(),
  incomplete: z.number(),
  absent: z.number(),
});

export const backupSummaryRow = z.object({
  standing: z.number().int(),
  archives: z.number().int(),
  newest: z.string().nullable(),
  openJob: z.string().nullable(),
  waitsFor: projectRowSchema.shape.waitsFor,
});

export const backupSummaryColumns = `j.id AS openJob, CASE j.status WHEN 'waiting' THEN j.state ->> '$.reason' END AS waitsFor,
           CASE WHEN a.id IS NULL THEN NULL ELSE json_object('id', a.id, 'storedAt', a.stored_at,
             'sizeBytes', a.size_bytes, 'verdict', a.verdict, 'proof', a.proof, 'damaged', a.damaged IS NOT NULL,
             'incomplete', a.incomplete, 'absent', a.root IN (SELECT root FROM absent_roots)) END AS newest`;

/** Returns the joins for rows with the columns `newest`, `instance` and `path`. */
export const backupSummaryJoins = (rows: string): string => `LEFT JOIN archives a ON a.id = ${rows}.newest
         LEFT JOIN jobs j ON j.kind = 'export' AND j.instance = ${rows}.instance AND j.project = ${rows}.path COLLATE NOCASE
           AND j.status NOT IN ${endedStatusesSql}`;

export function toBackupSummary({
  newest,
  standing,
  ...rest
}: z.output<typeof backupSummaryRow>): ProjectBackupSummary {
  return {
    ...rest,
    backupStatus: backupStatusOf(standing),
    newestArchive: newest === null ? null : newestOf(newest),
  };
}

/** Returns the status for a stored number, which is a position in the contract's list. Throws `catalogue-damaged`. */
export function backupStatusOf(stored: number): BackupStatus {
  const status = backupStatuses[stored];
  if (status === undefined)
    throw new AppError('catalogue-damaged', `A backup status is not recognised (${stored}).`);
  return status;
}

function newestOf(json: string): NonNullable<ProjectBackupSummary['newestArchive']> {
  const { proof, verdict, ...newest } = readRow(newestRow, JSON.parse(json), 'archives');
  const { id, storedAt, sizeBytes } = newest;
  const condition = conditionOf({
    verdict,
    damaged: newest.damaged === 1,
    incomplete: newest.incomplete === 1,
  });
  return { id, storedAt, sizeBytes, condition, absent: newest.absent === 1, proof: proof?.level ?? null };
}

/**
 * Returns the summaries in the given order. For listed projects they equal the rows of the views `project_holdings` and
 * `project_facts`.
 */
export function backupSummariesOf(
  catalogue: Catalogue,
  instance: { name: string; url: string },
  projects: readonly BackupStatusInput[],
): ProjectBackupSummary[] {
  const rows = catalogue.rows(
    'archives',
    backupSummaryRow,
    `WITH named AS (
       SELECT e.key AS at, @instance AS instance, @url AS url, e.value ->> '$.id' AS id, e.value ->> '$.path' AS path,
           e.value ->> '$.activity' AS activity, e.value ->> '$.mayExport' AS may_export
         FROM json_each(@projects) e),
     held AS (SELECT p.*, ${archiveCountColumns} FROM named p)
     SELECT p.archives, ${backupSummaryColumns}, ${backupStatusSql} AS standing
       FROM held p
       ${backupSummaryJoins('p')}
       ${lastBackupJoin}
       ORDER BY p.at`,
    { instance: instance.name, url: instance.url, projects: JSON.stringify(projects.map(factsOf)) },
  );
  return rows.map(toBackupSummary);
}

function factsOf({ id, fullPath, lastActivityAt, accessLevel }: BackupStatusInput) {
  const activity = parseTime(lastActivityAt);
  return {
    id,
    path: fullPath,
    activity: activity === null ? null : isoTime(activity),
    mayExport: mayExport(accessLevel) ? 1 : 0,
  };
}
