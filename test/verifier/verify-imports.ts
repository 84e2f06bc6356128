/** @file Verifies the comparisons of imports of files, which have no source. */
import Database from 'better-sqlite3';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import {
  verifyProjects,
  type ComparedProject,
  type Verification,
  type VerifiedInstances,
} from './run-verifier.ts';

/** Imports of migrations are compared by the migration. The last import to a path may have replaced earlier ones. */
const comparedImportsSql = `
SELECT NULL AS source, result ->> 'fullPath' AS target, input ->> 'archivePath' AS archive, 0 AS exportedAt,
  input ->> 'name' AS name, input ->> 'overrideParams' AS overrides, result ->> 'reconciliation' AS reconciliation, max(id)
FROM jobs
WHERE kind = 'import' AND instance = ? AND result IS NOT NULL AND input ->> 'archivePath' IS NOT NULL
  AND input ->> 'comparedLater' IS NOT TRUE
GROUP BY target`;

type Row = Omit<ComparedProject, 'overrides'> & { overrides: string; 'max(id)': string };

/**
 * Verifies every import to an instance that the product has compared with its archive.
 * @param instance the name of the instance. @param dataDir the data folder of the product.
 */
export async function verifyImports({
  instance,
  dataDir,
  ...target
}: Pick<VerifiedInstances, 'target' | 'importer'> & {
  instance: string;
  dataDir: string;
}): Promise<Verification> {
  const database = new Database(createDataPaths(dataDir).catalogue, { readonly: true });
  try {
    const compared = database.prepare(comparedImportsSql).all(instance) as Row[];
    return await verifyProjects(
      { source: null, ...target },
      compared.map(({ overrides, 'max(id)': _, ...project }) => ({
        ...project,
        overrides: JSON.parse(overrides) as Record<string, unknown>,
      })),
    );
  } finally {
    database.close();
  }
}
