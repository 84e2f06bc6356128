import { expect, it } from 'vitest';
import { migrationsForTest } from '../../../support/migrations/migrations-for-test.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { MigrationChecks } from '../../../../src-main/catalogue/migrations/migration-checks.ts';
import { MigrationGroups } from '../../../../src-main/catalogue/migrations/migration-groups.ts';
import { MigrationJobs } from '../../../../src-main/catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrations/project-migrations.ts';
import { AppError, type ErrorCode } from '../../../../src-contract/errors.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { storeCrowd } from '../../../support/migrations/stored-crowd.ts';

function scene(projects: number) {
  const catalogue = catalogueForTest();
  const clock = new SteppedClock();
  const jobs = new JobStore(catalogue);
  const store = new ProjectMigrations(catalogue, jobs);
  const migrationJobs = new MigrationJobs(catalogue, jobs);
  const id = storeCrowd(catalogue, projects, 0);
  const at = clock.now();
  new MigrationChecks(catalogue).store(
    id,
    { at: '', findings: [], missingGroups: [], writes: [], forecast: [], comparison: null },
    [],
    at,
  );
  const groups = new MigrationGroups(catalogue, jobs);
  const { migrations } = migrationsForTest({
    projectMigrations: store,
    migrationJobs,
    groups,
    clock,
  });
  const failExport = (sourceId: number, code: ErrorCode): void => {
    const job = {
      kind: 'export',
      instance: 'source',
      project: `p${sourceId}`,
      input: {},
      firstStep: 'first',
    } as const;
    const jobId = migrationJobs.enqueueJob(id, { sourceId, wave: 1 }, 'export', job, at) ?? '';
    const error = new AppError(code, 'It failed.').toData();
    jobs.change(jobId, 1, { state: { status: 'failed', error }, event: { type: 'fail', message: '' }, at });
  };
  const states = () =>
    migrations
      .projects(id)
      .toSorted((a, b) => a.sourceId - b.sourceId)
      .map(({ state }) => state);
  return { migrations, id, failExport, states };
}

it('starting a migration again resumes only projects that failed because they were interrupted too often; a retry of all resumes the others', () => {
  const { migrations, id, failExport, states } = scene(3);
  failExport(1, 'interrupted');
  failExport(2, 'export-failed');
  expect(states()).toEqual(['failed', 'failed', 'planned']);
  migrations.start(id, false);
  expect(states()).toEqual(['planned', 'failed', 'planned']);
  migrations.retry(id, null);
  expect(states()).toEqual(['planned', 'planned', 'planned']);
});
