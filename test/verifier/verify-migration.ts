/** @file Verifies the comparisons of a migration. */
import Database from 'better-sqlite3';
import type { Placement } from '../../src-contract/migrations/migration.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import {
  verifyProjects,
  type ComparedProject,
  type Verification,
  type VerifiedInstances,
} from './run-verifier.ts';

const comparedProjectsSql = `
SELECT source_path AS source, i.result ->> 'fullPath' AS target, e.result ->> 'archivePath' AS archive,
  (r.started_at + (p.output ->> '$.clockSkewMs')) / 1000.0 AS exportedAt,
  draft ->> 'overrideParams' AS overrides, placement, reconciliation
FROM migrations JOIN migration_projects ON migration_id = migrations.id JOIN migration_comparisons USING (migration_id, source_id)
JOIN jobs e ON e.id = export_job JOIN job_steps r ON r.job_id = e.id AND r.step = 'request'
JOIN job_steps p ON p.job_id = e.id AND p.step = 'prepare'
JOIN jobs i ON i.id = import_job`;

type Row = Omit<ComparedProject, 'name' | 'overrides'> & { overrides: string; placement: string };

/** Verifies every project that the product has compared. @param dataDir the data folder of the product. */
export async function verifyMigration({
  dataDir,
  ...instances
}: VerifiedInstances & { dataDir: string }): Promise<Verification> {
  const database = new Database(createDataPaths(dataDir).catalogue, { readonly: true });
  try {
    const compared = database.prepare(comparedProjectsSql).all() as Row[];
    return await verifyProjects(instances, compared.map(toProject));
  } finally {
    database.close();
  }
}

function toProject({ overrides, placement, ...project }: Row): ComparedProject {
  const { name, overrideParams } = JSON.parse(placement) as Placement;
  return { ...project, name, overrides: { ...(JSON.parse(overrides) as object), ...overrideParams } };
}
