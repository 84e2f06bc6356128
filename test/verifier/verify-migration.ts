/** @file Runs the independent verifier after a migration, and compares its verdicts with the stored comparisons. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import type { Placement } from '../../src-contract/migrations/migration.ts';
import type { Reconciliation } from '../../src-contract/transfers/import.ts';
import { reconciliationSchema } from '../../src-contract/transfers/import-schema.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { requirement } from '../support/requirement.ts';
import type { MigrationScene } from '../support/migrations/migration-scene.ts';

const script = join(import.meta.dirname, 'verify.py');

/** A result of the verifier, see `test/verifier/verify.py`. */
interface Result {
  project: string;
  verdict: 'agrees' | 'differs';
  differences: Difference[];
  unread: string[];
}

interface Difference {
  side: string;
  relation: string;
  key: string | number | null;
  field: string | null;
}

export interface Verification {
  /** Number of projects with two verdicts; null without Python. */
  verified: number | null;
  /** Sentences; none if the verifier and the product agree on every project. */
  disagreements: string[];
}

const comparedProjectsSql = `
SELECT source_path AS source, i.result ->> 'fullPath' AS target, e.result ->> 'archivePath' AS archive,
  r.started_at / 1000.0 AS exportedAt, i.updated_at / 1000.0 AS importedAt,
  unixepoch(reconciliation ->> 'at') AS comparedAt, p.output ->> '$.before.newestLabelId' AS newestLabelId,
  draft ->> 'overrideParams' AS overrides, placement, reconciliation
FROM migrations JOIN migration_projects ON migration_id = migrations.id JOIN migration_comparisons USING (migration_id, source_id)
JOIN jobs e ON e.id = export_job JOIN job_steps r ON r.job_id = e.id AND r.step = 'request'
JOIN job_steps p ON p.job_id = e.id AND p.step = 'prepare'
JOIN jobs i ON i.id = import_job`;

interface ComparedProject {
  source: string;
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

/** Verifies every project that the product has compared. @param importer the account that imported them. */
export async function verifyMigration(
  { source, target, dataDir }: MigrationScene,
  importer: keyof MigrationScene['target']['tokens'] = 'administrator',
): Promise<Verification> {
  if (isWithoutPython()) return { verified: null, disagreements: [] };
  const compared = comparedProjects(dataDir);
  const [instances, projects] = [{ source, target }, compared.map(toRequest)];
  const results = await runVerifier({
    ...Object.fromEntries(
      Object.entries(instances).map(([side, { url, tokens }]) => [
        side,
        { url, token: tokens.administrator },
      ]),
    ),
    byAdministrator: importer === 'administrator',
    importer: importer === 'administrator' ? 'root' : importer,
    projects,
  });
  const disagreements = compared.flatMap(({ source: project, reconciliation }, index): string[] => {
    const result = results[index];
    if (result?.project !== project) return [`${project} was not verified`];
    return disagreementsOn(result, reconciliationSchema.parse(JSON.parse(reconciliation)));
  });
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

function toRequest({ overrides, placement, reconciliation: _, ...project }: ComparedProject): object {
  const { name, overrideParams } = JSON.parse(placement) as Placement;
  const all = { ...(JSON.parse(overrides) as object), ...overrideParams, ...(name === null ? {} : { name }) };
  return { ...project, overrides: all };
}

/** Sends the request, which contains tokens, to the standard input. Throws if the verifier fails. */
async function runVerifier(request: object): Promise<Result[]> {
  const child = spawn('python3', ['-B', script], { stdio: 'pipe' });
  child.stdin.end(JSON.stringify(request));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`The verifier ended with code ${String(code)}: ${errors}`);
  return JSON.parse(output) as Result[];
}

/** Relations whose comparison names a change by a phrase, such as a commit or a role, and not by a field. */
const phrased = [
  'branches',
  'tags',
  'project_members',
  'protected_branches',
  'protected_tags',
  'protected_environments',
  'approval_rules',
];

/** Relations that are compared as one number. */
const relationOfRow: Record<string, string> = { lfs_objects_size: 'lfs_objects', wiki: 'wiki' };

function disagreementsOn(
  { project, verdict, differences, unread }: Result,
  reported: Reconciliation,
): string[] {
  const found = new Set(differences.map(toSentence));
  const named = new Set(reportedDifferences(reported).map(toSentence));
  return [
    ...[...found]
      .filter((sentence) => !named.has(sentence))
      .map((sentence) => `only the verifier finds ${sentence}`),
    ...[...named]
      .filter((sentence) => !found.has(sentence))
      .map((sentence) => `only the product finds ${sentence}`),
    // If an instance does not show a list, the product may be unable to give a verdict.
    ...(unread.length > 0 || (verdict === 'agrees') === reported.reconciled
      ? []
      : [`the verdict of the verifier is “${verdict}”`]),
  ].map((sentence) => `${project}: ${sentence}`);
}

function reportedDifferences({ missing, settings, rows }: Reconciliation): Difference[] {
  return [
    ...missing.map(({ lost, relation, iid, title, part }) => ({
      side: lost,
      relation,
      // The verifier compares all pages of a wiki together.
      key: relation === 'wiki' ? null : (iid ?? title),
      // Each note has its own name.
      field: part?.name.replace(/ of the (note|system note) of .*/s, ' of a $1') ?? null,
    })),
    ...settings.map(({ lost, attribute }) => ({
      // Null if the archive does not contain the setting.
      side: lost ?? 'on-export',
      relation: 'settings',
      key: null,
      field: attribute.replace(/^custom_attributes\..*/s, 'custom_attributes'),
    })),
    ...rows.flatMap(({ relation: row, verdict }) => {
      const relation = relationOfRow[row];
      if (relation === undefined || !verdict.startsWith('lost')) return [];
      const lostOn =
        verdict === 'lost-on-both' ? ['on-export', 'on-import'] : [verdict.slice('lost-'.length)];
      return lostOn.map((side) => ({
        side,
        relation,
        key: null,
        field: relation === 'wiki' ? null : 'size',
      }));
    }),
  ];
}

function toSentence({ side, relation, key, field }: Difference): string {
  const what = [relation, key, field !== null && phrased.includes(relation) ? 'changed' : field];
  return `a loss ${side} of ${what.filter((part) => part !== null).join(', ')}`;
}
