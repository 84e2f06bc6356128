/** @file Stores a migration of many projects in a catalogue as if the projects had been migrated. */
import type { Catalogue } from '../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { ImportFailures } from '../../../src-main/catalogue/migrations/import-failures.ts';
import { MigrationJobs } from '../../../src-main/catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../../../src-main/catalogue/migrations/project-migrations.ts';
import type { ExportResult, ImportResult } from '../../../src-contract/runs/job.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';

const at = Date.UTC(2026, 10, 20);
const relations = 24;
/**
 * The IDs of a project that lacks records, and of one that also has a hundred failures in GitLab. Projects whose IDs are
 * multiples are alike.
 */
export const incompleteProjectId = 20;
export const failedProjectId = 40;
const lackingRecords = 150;

const draft: MigrationDraft = {
  name: 'Move',
  source: 'source',
  target: 'target',
  selection: { kind: 'all', scope: 'member' },
  rules: [],
  overrideParams: {},
  freeze: false,
  waveSize: null,
  compare: 'contents',
};

/** @param moved Number of projects that were imported and compared; the others are planned. @returns the migration's ID. */
export function storeCrowd(catalogue: Catalogue, projects: number, moved = projects): string {
  const jobs = new JobStore(catalogue);
  const migrations = new ProjectMigrations(catalogue, jobs);
  const moves = new MigrationJobs(catalogue, jobs);
  const failures = new ImportFailures(catalogue);
  const wave = 1;
  return catalogue.transaction(() => {
    const all = Array.from({ length: projects }, (_, index) => ({
      sourceId: index + 1,
      sourcePath: `group-${index % 37}/project-${index + 1}`,
      wave,
      placement: {
        namespace: `group-${index % 37}`,
        path: `project-${index + 1}`,
        name: null,
        overwrite: false,
        overrideParams: {},
      },
    }));
    const { id } = migrations.create(draft, all, at);
    migrations.setStatus(id, 'running');
    for (const project of all.slice(0, moved)) {
      const { sourceId, sourcePath } = project;
      const ended = (
        move: 'export' | 'import',
        instance: string,
        result: ExportResult | ImportResult,
      ): string => {
        const job = {
          kind: move,
          instance,
          project: sourcePath,
          input: { projectId: sourceId },
          firstStep: 'first',
        };
        const jobId = moves.enqueueJob(id, project, move, job, at) ?? '';
        jobs.change(jobId, 1, {
          state: { status: 'succeeded', warnings: [] },
          result,
          event: succeedEvent,
          at,
        });
        return jobId;
      };
      ended('export', 'source', exported(sourceId));
      const lacks = sourceId % incompleteProjectId === 0;
      const reconciliation = comparison(lacks ? lackingRecords : 0);
      const importJob = ended('import', 'target', imported(sourceId, sourcePath, reconciliation));
      if (sourceId % failedProjectId === 0) {
        const from = { importJob, instance: 'target', project: sourcePath, projectId: sourceId };
        const listed = Array.from({ length: 100 }, (_, line) => failure(sourceId * 1000 + line, line));
        failures.addListed({ ...from, archiveId: null, archivePath: null }, listed, at);
      }
      migrations.saveReconciliation(id, sourceId, reconciliation);
    }
    return id;
  });
}

const succeedEvent = { type: 'succeed', message: 'Succeeded.' };

const exported = (sourceId: number): ExportResult => ({
  archiveId: String(sourceId),
  archivePath: `/archives/project-${sourceId}_export.tar.gz`,
  sha256: 'ab'.repeat(32),
  sizeBytes: 5_000_000,
  findings: [],
  prunedCount: 0,
});

const imported = (projectId: number, fullPath: string, reconciliation: Reconciliation): ImportResult => ({
  projectId,
  fullPath,
  webUrl: `https://target.example/${fullPath}`,
  correlationId: null,
  failures: [],
  notTaken: [],
  reconciliation,
});

const failure = (id: number, line: number) => ({
  id,
  createdAt: '2026-11-20T00:00:00.000Z',
  exceptionClass: 'ActiveRecord::RecordInvalid',
  exceptionMessage: null,
  source: 'process_relation_item!',
  relation: 'issues',
  line,
});

const comparison = (missing: number): Reconciliation => ({
  at: '2026-11-20T00:00:00.000Z',
  depth: 'fields',
  reconciled: missing === 0,
  rows: Array.from({ length: relations }, (_, number) => ({
    relation: number === 0 ? 'issues' : `relation_${number}`,
    source: 200,
    archive: 200,
    target: number === 0 ? 200 - missing : 200,
    verdict: number === 0 && missing > 0 ? 'lost-on-import' : 'equal',
  })),
  missing: Array.from({ length: missing }, (_, line) => ({
    relation: 'issues',
    lost: 'on-import',
    line,
    iid: line + 1,
    title: `A title of ordinary length, number ${line}`,
    part: null,
  })),
  missingCount: missing,
  settings: [],
  declared: ['Events, time logs, emoji, reviews, diffs, boards, designs and snippets are in no list.'],
  notCompared: [],
});
