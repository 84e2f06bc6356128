/** @file Verifies the comparisons of the migrations of a data folder. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Placement } from '../../src-contract/migrations/migration.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { verifyProjects, type ComparedProject, type Verification } from './run-verifier.ts';
import { verifiableInstances } from './verifiable-instances.ts';

/** Reasons why the comparisons of a data folder cannot be verified. */
export type UnverifiedReason =
  | 'an instance has gone'
  /** Only the earlier comparison knows that a loss of the part is certain. */
  | 'a part cannot be read for a while'
  /** Only the earlier comparison knows that the import created the record. */
  | 'a record is deleted after its comparison';

const comparedProjectsSql = `
SELECT migrations.id, migration_projects.source_id AS sourceId, draft ->> 'source' AS sourceName, draft ->> 'target' AS targetName,
  source_path AS source, i.result ->> 'fullPath' AS target, e.result ->> 'archivePath' AS archive,
  (r.started_at + (p.output ->> '$.clockSkewMs')) / 1000.0 AS exportedAt,
  draft ->> 'overrideParams' AS overrides, placement, reconciliation
FROM migrations JOIN migration_projects ON migration_id = migrations.id JOIN migration_comparisons USING (migration_id, source_id)
JOIN jobs e ON e.id = export_job JOIN job_steps r ON r.job_id = e.id AND r.step = 'request'
JOIN job_steps p ON p.job_id = e.id AND p.step = 'prepare'
JOIN jobs i ON i.id = import_job`;

interface Row extends Omit<ComparedProject, 'name' | 'overrides' | 'source'> {
  id: string;
  sourceId: number;
  sourceName: string;
  targetName: string;
  source: string;
  overrides: string;
  placement: string;
}

const verifiedComparisons = new Set<string>();
const unverifiedFolders = new Map<string, UnverifiedReason>();
const openFolders = new Set<string>();

/** Verifies the comparisons stored so far, and leaves all later ones of this data folder unverified, for this reason. */
export async function leaveUnverified(dataDir: string, reason: UnverifiedReason): Promise<void> {
  await verifyMigrations(dataDir);
  unverifiedFolders.set(dataDir, reason);
}

/** Adds a data folder to those that `verifyOpenFolders` verifies. The returned function verifies and removes it. */
export function addVerifiedFolder(dataDir: string): () => Promise<void> {
  openFolders.add(dataDir);
  return async () => {
    openFolders.delete(dataDir);
    await verifyMigrations(dataDir);
  };
}

/** Verifies the migrations of every data folder that is in use. Call it before an instance closes. */
export async function verifyOpenFolders(): Promise<void> {
  for (const dataDir of openFolders) await verifyMigrations(dataDir);
}

/**
 * Verifies every comparison of a migration of this data folder that was not verified before. Throws if the verifier
 * disagrees with a comparison.
 */
export async function verifyMigrations(dataDir: string): Promise<void> {
  const { disagreements } = await findDisagreements(dataDir);
  if (disagreements.length > 0) throw new Error(disagreements.join('\n'));
}

/** Like `verifyMigrations`, but returns the disagreements, with the number of projects verified now. */
export async function findDisagreements(dataDir: string): Promise<Verification> {
  const total: Verification = { verified: 0, disagreements: [] };
  const { catalogue } = createDataPaths(dataDir);
  if (unverifiedFolders.has(dataDir) || !existsSync(catalogue)) return total;
  const unverified = comparedProjects(catalogue).filter((row) => !verifiedComparisons.has(keyOf(row)));
  if (unverified.length === 0) return total;
  const instance = verifiableInstances(dataDir);
  const bySides = Map.groupBy(unverified, ({ sourceName, targetName }) => `${sourceName} ${targetName}`);
  for (const rows of bySides.values()) {
    for (const row of rows) verifiedComparisons.add(keyOf(row));
    const [{ sourceName, targetName }] = rows as [Row];
    const sides = { source: instance(sourceName), target: instance(targetName) };
    const { verified, disagreements } = await verifyProjects(sides, rows.map(toProject));
    total.verified = verified === null ? null : (total.verified ?? 0) + verified;
    total.disagreements.push(...disagreements);
  }
  return total;
}

function comparedProjects(catalogue: string): Row[] {
  const database = new Database(catalogue, { readonly: true });
  try {
    return database.prepare(comparedProjectsSql).all() as Row[];
  } finally {
    database.close();
  }
}

const keyOf = ({ id, sourceId, reconciliation }: Row): string => `${id} ${sourceId} ${reconciliation}`;

function toProject({
  source,
  target,
  archive,
  exportedAt,
  overrides,
  placement,
  reconciliation,
}: Row): ComparedProject {
  const { name, overrideParams } = JSON.parse(placement) as Placement;
  return {
    ...{ source, target, archive, exportedAt, name, reconciliation },
    overrides: { ...(JSON.parse(overrides) as object), ...overrideParams },
  };
}
