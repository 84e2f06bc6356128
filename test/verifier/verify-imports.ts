/** @file Verifies the comparisons of imports outside of migrations, which have no source. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { verifyProjects, type ComparedProject } from './run-verifier.ts';
import { verifiableInstances } from './verifiable-instances.ts';

/** Imports of migrations are compared by the migration. */
const comparedImportsSql = `
SELECT id, instance, NULL AS source, result ->> 'fullPath' AS target, input ->> 'archivePath' AS archive, 0 AS exportedAt,
  input ->> 'name' AS name, input ->> 'overrideParams' AS overrides, result ->> 'reconciliation' AS reconciliation
FROM jobs
WHERE kind = 'import' AND status = 'succeeded' AND input ->> 'archivePath' IS NOT NULL
  AND result ->> 'reconciliation' IS NOT NULL AND input ->> 'comparedLater' IS NOT TRUE`;

type Row = Omit<ComparedProject, 'overrides'> & { id: string; instance: string; overrides: string };

const verifiedJobs = new Set<string>();

/**
 * Verifies every import of a data folder that the product has compared with its archive and that was not verified
 * before. Throws if the verifier disagrees with a comparison.
 */
export async function verifyImports(dataDir: string): Promise<void> {
  const { catalogue } = createDataPaths(dataDir);
  if (!existsSync(catalogue)) return;
  const unverified = comparedImports(catalogue).filter(({ id }) => !verifiedJobs.has(id));
  if (unverified.length === 0) return;
  const instanceAt = verifiableInstances(dataDir);
  const disagreements: string[] = [];
  for (const { id, instance, overrides, ...compared } of unverified) {
    verifiedJobs.add(id);
    const project = { ...compared, overrides: JSON.parse(overrides) as Record<string, unknown> };
    disagreements.push(
      ...(await verifyProjects({ source: null, target: instanceAt(instance) }, [project])).disagreements,
    );
  }
  if (disagreements.length > 0) throw new Error(disagreements.join('\n'));
}

function comparedImports(catalogue: string): Row[] {
  const database = new Database(catalogue, { readonly: true });
  try {
    return database.prepare(comparedImportsSql).all() as Row[];
  } finally {
    database.close();
  }
}
