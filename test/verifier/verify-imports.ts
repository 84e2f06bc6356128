/** @file Verifies the comparisons of imports outside of migrations, which have no source. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { CallReply } from '../../src-contract/calls.ts';
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

/** The request of an import by this data folder. An address of another server never equals that of the project. */
const requestSql = `
SELECT input ->> 'name' AS name, input ->> 'overrideParams' AS overrides FROM jobs
WHERE kind = 'import' AND result ->> 'webUrl' = ? ORDER BY created_at DESC LIMIT 1`;

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

/**
 * Verifies the comparison in a reply of `import.status`, which is not stored. Throws if the verifier disagrees with the
 * comparison.
 */
export async function verifyImportStatus(
  dataDir: string,
  archive: string,
  { instance, status, reconciliation }: CallReply<'import.status'>,
): Promise<void> {
  if (reconciliation === null) return;
  const target = verifiableInstances(dataDir)(instance);
  const { catalogue } = createDataPaths(dataDir);
  const [request] = select<{ name: string | null; overrides: string }>(
    catalogue,
    requestSql,
    `${target.url}/${status.fullPath}`,
  );
  const compared: ComparedProject = {
    ...{ source: null, target: status.fullPath, archive, exportedAt: 0, name: request?.name ?? null },
    // Another program may have replaced any settings.
    overrides: request === undefined ? null : (JSON.parse(request.overrides) as Record<string, unknown>),
    reconciliation: JSON.stringify(reconciliation),
  };
  const { disagreements } = await verifyProjects({ source: null, target }, [compared]);
  if (disagreements.length > 0) throw new Error(disagreements.join('\n'));
}

const comparedImports = (catalogue: string): Row[] => select(catalogue, comparedImportsSql);

function select<Selected>(catalogue: string, sql: string, ...values: string[]): Selected[] {
  const database = new Database(catalogue, { readonly: true });
  try {
    return database.prepare(sql).all(...values) as Selected[];
  } finally {
    database.close();
  }
}
