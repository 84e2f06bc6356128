/** @file Runs the independent verifier, and compares its answers with the comparisons that the product stored. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { reconciliationSchema } from '../../src-contract/transfers/import-schema.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { requirement } from '../support/requirement.ts';
import { disagreementsOn, type Difference } from './disagreements.ts';

const script = join(import.meta.dirname, 'verify.py');
/** Seconds between the clock of an instance and the clock of the product. */
const maxClockDifference = 5;

export interface Verification {
  /** Number of projects with two verdicts; null without Python. */
  verified: number | null;
  /** Sentences; none if the verifier and the product agree on every project. */
  disagreements: string[];
}

export interface VerifiedInstances {
  /** Null for imports, which have no source. */
  source: Pick<Sandbox, 'url' | 'tokens'> | null;
  target: Pick<Sandbox, 'url' | 'tokens'>;
  /** The account whose token imports. */
  importer: keyof Sandbox['tokens'];
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
  overrides: Record<string, unknown>;
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
  { source, target, importer }: VerifiedInstances,
  compared: readonly ComparedProject[],
): Promise<Verification> {
  if (isWithoutPython()) return { verified: null, disagreements: [] };
  if (compared.length === 0) return { verified: 0, disagreements: [] };
  const results = await runVerifier({
    source: source && { url: source.url, token: source.tokens.administrator },
    target: { url: target.url, token: target.tokens.administrator },
    byAdministrator: importer === 'administrator',
    importer: importer === 'administrator' ? 'root' : importer,
    projects: compared.map(toRequest),
  });
  const disagreements = compared.flatMap(({ source: project, target: path, reconciliation }, index) =>
    disagreementsOn(results[index] ?? [], reconciliationSchema.parse(JSON.parse(reconciliation))).map(
      (sentence) => `${project ?? path}: ${sentence}`,
    ),
  );
  return { verified: results.length, disagreements };
}

const toRequest = ({ exportedAt, name, overrides, reconciliation: _, ...project }: ComparedProject) => ({
  ...{ ...project, exportedAt: exportedAt - maxClockDifference },
  // Without a name, GitLab uses the path.
  overrides: { ...overrides, name: name ?? basename(project.target) },
});

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
