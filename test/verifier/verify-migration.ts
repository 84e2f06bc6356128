/** @file Runs the independent verifier after a migration, and compares its answers with the stored comparisons. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import type { Placement } from '../../src-contract/migrations/migration.ts';
import { reconciliationSchema } from '../../src-contract/transfers/import-schema.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { requirement } from '../support/requirement.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { disagreementsOn, type Difference } from './disagreements.ts';

interface VerifiedScene {
  source: Sandbox;
  target: Sandbox;
  /** The data folder of the product. */
  dataDir: string;
  /** The account whose token imports. */
  importer: keyof Sandbox['tokens'];
}

const script = join(import.meta.dirname, 'verify.py');
/** Seconds between the clock of an instance and the clock of the product. */
const maxClockDifference = 5;

export interface Verification {
  /** Number of projects with two verdicts; null without Python. */
  verified: number | null;
  /** Sentences; none if the verifier and the product agree on every project. */
  disagreements: string[];
}

const comparedProjectsSql = `
SELECT source_path AS source, i.result ->> 'fullPath' AS target, e.result ->> 'archivePath' AS archive,
  (r.started_at + (p.output ->> '$.clockSkewMs')) / 1000.0 AS exportedAt,
  draft ->> 'overrideParams' AS overrides, placement, reconciliation
FROM migrations JOIN migration_projects ON migration_id = migrations.id JOIN migration_comparisons USING (migration_id, source_id)
JOIN jobs e ON e.id = export_job JOIN job_steps r ON r.job_id = e.id AND r.step = 'request'
JOIN job_steps p ON p.job_id = e.id AND p.step = 'prepare'
JOIN jobs i ON i.id = import_job`;

interface ComparedProject {
  source: string;
  target: string;
  exportedAt: number;
  overrides: string;
  placement: string;
  reconciliation: string;
}

let isPythonMissing: boolean | undefined;

export function isWithoutPython(): boolean {
  isPythonMissing ??= requirement(
    'Python 3.9',
    spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0,
    'apt-get install python3',
  );
  return isPythonMissing;
}

/** Verifies every project that the product has compared. */
export async function verifyMigration({
  source,
  target,
  dataDir,
  importer,
}: VerifiedScene): Promise<Verification> {
  if (isWithoutPython()) return { verified: null, disagreements: [] };
  const compared = comparedProjects(dataDir);
  if (compared.length === 0) return { verified: 0, disagreements: [] };
  const results = await runVerifier({
    source: { url: source.url, token: source.tokens.administrator },
    target: { url: target.url, token: target.tokens.administrator },
    byAdministrator: importer === 'administrator',
    importer: importer === 'administrator' ? 'root' : importer,
    projects: compared.map(toRequest),
  });
  const disagreements = compared.flatMap(({ source: project, reconciliation }, index) =>
    disagreementsOn(results[index] ?? [], reconciliationSchema.parse(JSON.parse(reconciliation))).map(
      (sentence) => `${project}: ${sentence}`,
    ),
  );
  return { verified: results.length, disagreements };
}

function comparedProjects(dataDir: string): ComparedProject[] {
  const database = new Database(createDataPaths(dataDir).catalogue, { readonly: true });
  try {
    return database.prepare(comparedProjectsSql).all() as ComparedProject[];
  } finally {
    database.close();
  }
}

function toRequest({
  overrides,
  placement,
  exportedAt,
  reconciliation: _,
  ...project
}: ComparedProject): object {
  const { name, overrideParams } = JSON.parse(placement) as Placement;
  // Without a name, GitLab uses the path.
  const names = { name: name ?? basename(project.target) };
  return {
    ...{ ...project, exportedAt: exportedAt - maxClockDifference },
    overrides: { ...(JSON.parse(overrides) as object), ...overrideParams, ...names },
  };
}

/** Sends the request, which contains tokens, to the standard input. Throws if the verifier fails. */
async function runVerifier(request: object): Promise<Difference[][]> {
  const child = spawn('python3', ['-B', script], { stdio: 'pipe' });
  child.stdin.end(JSON.stringify(request));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`The verifier ended with code ${String(code)}: ${errors}`);
  return JSON.parse(output) as Difference[][];
}
