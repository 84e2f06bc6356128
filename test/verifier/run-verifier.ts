/** @file Runs the independent verifier, and compares its answers with the comparisons that the product stored. */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { Reconciliation } from '../../src-contract/transfers/import.ts';
import { reconciliationSchema } from '../../src-contract/transfers/import-schema.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { requirement } from '../support/requirement.ts';
import { disagreementsOn } from './disagreements.ts';
import { runVerifier } from './verifier-process.ts';

/** Nobody is expected to edit a project within this time after its import began. */
const promptMs = 15 * 60_000;

/** Seconds between the clock of an instance and the clock of the product. */
const maxClockDifference = 5;

export interface Verification {
  /** Number of projects with two verdicts; null without Python. */
  verified: number | null;
  /** Sentences; none if the verifier and the product agree on every project. */
  disagreements: string[];
}

export interface VerifiedInstance extends Pick<Sandbox, 'url'> {
  tokens: Pick<Sandbox['tokens'], 'administrator'>;
}

export interface VerifiedInstances {
  /** Null for imports, which have no source. */
  source: VerifiedInstance | null;
  target: VerifiedInstance;
}

/** A project that the product has compared. */
export interface ComparedProject {
  /** The path on the source; null for an import. */
  source: string | null;
  target: string;
  archive: string;
  /** Seconds since 1970; 0 for an import. */
  exportedAt: number;
  /** The name of the new project; null for its path. */
  name: string | null;
  /** The settings that the import replaced; null if they are not known. */
  overrides: Record<string, unknown> | null;
  /** The stored comparison as JSON. */
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

export async function verifyProjects(
  { source, target }: VerifiedInstances,
  compared: readonly ComparedProject[],
): Promise<Verification> {
  if (isWithoutPython()) return { verified: null, disagreements: [] };
  if (compared.length === 0) return { verified: 0, disagreements: [] };
  const results = await runVerifier({
    source: source && { url: source.url, token: source.tokens.administrator },
    target: { url: target.url, token: target.tokens.administrator },
    projects: await Promise.all(
      compared.map(async (project) => {
        const { createdAt, importer } = await readTarget(project.target, target);
        const isLate = comparedAt(project) - createdAt > promptMs;
        return { ...toRequest(project), importer, isLate };
      }),
    ),
  });
  const disagreements = compared.flatMap(({ source: project, target: path, reconciliation }, index) =>
    disagreementsOn(
      results[index] ?? [],
      reconciliationSchema.parse(JSON.parse(reconciliation)),
      source === null ? ['on-import'] : ['on-export', 'on-import'],
    ).map((sentence) => `${project ?? path}: ${sentence}`),
  );
  return { verified: results.length, disagreements };
}

const toRequest = ({ exportedAt, name, overrides, reconciliation: _, ...project }: ComparedProject) => ({
  ...{ ...project, exportedAt: exportedAt - maxClockDifference },
  // Without a name, GitLab uses the path.
  overrides: overrides === null ? {} : { ...overrides, name: name ?? basename(project.target) },
});

const comparedAt = ({ reconciliation }: ComparedProject): number =>
  Date.parse((JSON.parse(reconciliation) as Reconciliation).at);

/** Returns the account that imported a project, and when. Nothing is known of the account if the project is gone. */
async function readTarget(
  project: string,
  { url, tokens }: VerifiedInstance,
): Promise<{ createdAt: number; importer: { id?: number; is_admin?: boolean } }> {
  const read = async (path: string): Promise<unknown> => {
    const headers = { 'PRIVATE-TOKEN': tokens.administrator };
    return (await fetch(`${url}/api/v4/${path}`, { headers })).json();
  };
  const { creator_id: creator, created_at: at = '' } = (await read(
    `projects/${encodeURIComponent(project)}`,
  )) as { creator_id?: number; created_at?: string };
  const importer =
    creator === undefined ? {} : ((await read(`users/${creator}`)) as { id: number; is_admin: boolean });
  return { createdAt: Date.parse(at), importer };
}
