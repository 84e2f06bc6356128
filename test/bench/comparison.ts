/**
 * @file P19 of the goals: migrates projects of a hundred thousand records, and then compares their contents in a process of
 * its own. The memory is the peak of that process less the peak of one that only shows the migration. Both instances are
 * sandboxes in processes of their own. The independent verifier checks a comparison after it was measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LargeExport } from '../support/archives/archive-large.ts';
import type { Verification } from '../verifier/run-verifier.ts';
import { addVerifiable } from '../verifier/verifiable-instances.ts';
import { findDisagreements } from '../verifier/verify-migration.ts';
import { atSize, benchArchive, build, commandLine, type Report, type Row } from './measuring.ts';
import { withSandbox, type SandboxProcess } from './sandbox-process.ts';

const maxMegabytes = 250;
const peakModule = new URL('./peak-at-exit.js', import.meta.url).href;

/** Each description and note is as long as a page. */
const usual = { packBytes: 1e6, uploads: 0, uploadBytes: 0, textLength: 2_000 };
interface BenchProject {
  name: string;
  what: string;
  size: LargeExport;
  isVerified: boolean;
}

/** Projects of a hundred thousand records: issues with notes, and issues alone. */
const allProjects: BenchProject[] = [
  {
    name: 'issues-with-notes',
    what: '20,000 issues with 80,000 notes',
    size: { ...usual, issues: 20_000, notes: 4 },
    isVerified: true,
  },
  {
    name: 'issues',
    what: '100,000 issues',
    size: { ...usual, issues: 100_000, notes: 0 },
    // The verifier requests every part of each issue from both instances, which are at least 700,000 requests.
    isVerified: false,
  },
];
/** At the smallest size both archives have the same contents. */
const projects = atSize(allProjects, allProjects.slice(0, 1));

interface Comparison {
  /** Peak memory in megabytes, of the process that compares and of one that only shows the migration. */
  peak: number;
  idlePeak: number;
  seconds: number;
  requests: number;
  /** Null without a verification. */
  verification: Verification | null;
  verifyingSeconds: number;
}

async function compareProject({ name, size, isVerified }: BenchProject): Promise<Comparison> {
  const archive = await benchArchive(name, size);
  const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-comparison-'));
  try {
    return await withSandbox(['--seed', archive], (source) =>
      withSandbox(['--projects', '0'], (target) => migrateAndCompare(dataDir, source, target, isVerified)),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function migrateAndCompare(
  dataDir: string,
  source: SandboxProcess,
  target: SandboxProcess,
  isVerified: boolean,
): Promise<Comparison> {
  const peakFile = join(dataDir, 'peak');
  const env = {
    ...process.env,
    ...{ PACKHORSE_TOKEN_SOURCE: source.token, PACKHORSE_TOKEN_TARGET: target.token, PEAK_FILE: peakFile },
  };
  /** Resolves with the peak memory of a command. Exit code 3 says that something differs. */
  const packhorse = async (...args: string[]): Promise<number> => {
    const options = ['--import', peakModule, commandLine, '--data-dir', dataDir, '--json'];
    const command = spawn(process.execPath, [...options, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(command, 'close')) as [number];
    if (code !== 0 && code !== 3) throw new Error(`${args.join(' ')} ended with exit code ${code}.`);
    return Number(readFileSync(peakFile, 'utf8'));
  };
  await packhorse('instance', 'add', 'source', source.url, '--pace', 'sandbox');
  await packhorse('instance', 'add', 'target', target.url, '--pace', 'sandbox');
  const draft = ['--from', 'source', '--to', 'target', '--all', '--compare', 'counts'];
  await packhorse('migration', 'create', 'move', ...draft);
  await packhorse('migration', 'run', 'move');
  const idlePeak = await packhorse('migration', 'status', 'move');
  const requestsBefore = await requestCount(source, target);
  const began = performance.now();
  const project = await firstProject(source);
  const peak = await packhorse('migration', 'reconcile', 'move', project, '--compare', 'contents');
  const seconds = (performance.now() - began) / 1000;
  const requests = (await requestCount(source, target)) - requestsBefore;
  for (const sandbox of [source, target]) addVerifiable(sandbox);
  const measured = performance.now();
  const verification = isVerified ? await findDisagreements(dataDir) : null;
  const verifyingSeconds = (performance.now() - measured) / 1000;
  return { peak, idlePeak, seconds, requests, verification, verifyingSeconds };
}

const readControl = async ({ url }: SandboxProcess, path: string): Promise<unknown[]> => {
  const reply = await fetch(`${url}/-/sandbox/${path}`);
  return (await reply.json()) as unknown[];
};

async function requestCount(...sandboxes: SandboxProcess[]): Promise<number> {
  let count = 0;
  for (const sandbox of sandboxes) count += (await readControl(sandbox, 'requests')).length;
  return count;
}

async function firstProject(source: SandboxProcess): Promise<string> {
  const [project] = (await readControl(source, 'projects')) as { full_path: string }[];
  return project?.full_path ?? '';
}

export async function run(): Promise<Report> {
  build();
  const rows: Row[] = [];
  const rounds: string[] = [];
  const disagreements: string[] = [];
  let verified = 0;
  for (const project of projects) {
    const { name, what } = project;
    const compared = await compareProject(project);
    const { peak, idlePeak, seconds, requests, verification, verifyingSeconds } = compared;
    verified += verification?.verified ?? 0;
    disagreements.push(...(verification?.disagreements ?? []));
    if (verification?.verified === 0) disagreements.push(`${name}: no comparison was verified`);
    const megabytes = peak - idlePeak;
    rows.push({
      goal: 'P19',
      what: `memory of a comparison of ${what}`,
      measured: `${megabytes.toFixed(0)} MB`,
      goalValue: `≤ ${maxMegabytes} MB`,
      isReached: megabytes <= maxMegabytes,
    });
    rounds.push(
      `${what}: peak ${peak.toFixed(0)} MB, idle ${idlePeak.toFixed(0)} MB, ${requests} requests, ${seconds.toFixed(0)} s`,
      verification === null
        ? `${name}: not checked by the independent verifier`
        : `${name}: ${verification.verified ?? 'no'} verdict checked by the independent verifier in ${verifyingSeconds.toFixed(0)} s more`,
    );
    process.stderr.write(`${rounds.slice(-2).join('\n')}\n`);
  }
  return {
    title: `Comparisons of source, archive and target in full depth`,
    rows,
    rounds: [...rounds, ...disagreements],
    versions: [`Node ${process.version}`],
    verdict: {
      line: `comparisons verified ${verified}, disagreements ${disagreements.length}`,
      isGood: disagreements.length === 0,
    },
  };
}
