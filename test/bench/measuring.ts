/** @file The shared parts of all benches: medians, ratios, peak memory, versions, and the measured archive. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolder } from './built.js';
import { writeLargeExport, type LargeExport } from '../support/archives/archive-large.ts';
import { commandLineVariable } from '../support/processes/command-line.ts';

/** One line of a bench's report: a row of the goals, the measured value, and whether the goal is reached. */
export interface Row {
  goal: string;
  what: string;
  measured: string;
  goalValue: string;
  isReached: boolean;
}

export interface Report {
  title: string;
  rows: Row[];
  /** Single rounds, for readers who doubt the median. */
  rounds: string[];
  versions: string[];
  /** Printed last, unchanged. If a bench allows no error, any error sets the exit code to 1. */
  verdict?: { line: string; isGood: boolean };
}

/**
 * True for `--smallest`, which runs everything once at the smallest size to show that a bench runs. Its measurements
 * mean nothing then.
 */
const isSmallest = process.argv.includes('--smallest');

/** Returns the first value, or with `--smallest` the second. */
export function atSize<T>(usual: T, smallest: T): T {
  return isSmallest ? smallest : usual;
}

/** Does work whose first time takes longer than later ones, before it is measured; nothing with `--smallest`. */
export function warmUp(work: () => unknown): void {
  if (!isSmallest) work();
}

/** Number of measurements of each side. The sides take turns. */
export const rounds = atSize(5, 1);

/** The contents of every archive with `--smallest`. */
export const smallestExport: LargeExport = { packBytes: 100_000, uploads: 2, uploadBytes: 1_000, issues: 5 };

export const benchFolder = join(tmpdir(), atSize('packhorse-bench', 'packhorse-bench-smallest'));

/** Returns the path of an archive of that size. Writes it once, always with the same bytes, and keeps it for later runs. */
export async function benchArchive(name: string, size: LargeExport): Promise<string> {
  mkdirSync(benchFolder, { recursive: true });
  const path = join(benchFolder, `${name}_export.tar.gz`);
  if (!existsSync(path)) {
    process.stderr.write(`Writing ${path} …\n`);
    await writeLargeExport(path, atSize(size, smallestExport));
    // Otherwise the system would still write the archive to the disk while the bench measures.
    execFileSync('sync');
  }
  return path;
}

const builtCommandLine = fileURLToPath(new URL('main/hosts/cli.js', builtFolder));
/**
 * Absolute path of the built command line. Tests, whose measurements mean nothing, use the build of `command-line-build.ts`,
 * which starts in half the time.
 */
export const commandLine = atSize(builtCommandLine, process.env[commandLineVariable] ?? builtCommandLine);

/**
 * Builds the product as it is installed, unless `PACKHORSE_BENCH_OUT` names a build: the installed product strips no
 * types while it starts.
 */
export function build(): void {
  if (process.env['PACKHORSE_BENCH_OUT'] !== undefined) return;
  process.stderr.write('Building …\n');
  const vite = fileURLToPath(
    new URL('../../node_modules/electron-vite/bin/electron-vite.js', import.meta.url),
  );
  execFileSync(process.execPath, [vite, 'build'], {
    cwd: fileURLToPath(new URL('../', builtFolder)),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export interface Ratio {
  median: number;
  /** The median and, in parentheses, the lowest and the highest. */
  text: string;
}

/** Returns the ratio of each round, because other work of the machine slows both sides of a round. */
export function ratioOf<Round>(measured: Round[], ratio: (round: Round) => number): Ratio {
  const ratios = measured.map(ratio);
  const middle = median(ratios);
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
  return { median: middle, text: `${middle.toFixed(2)} × (${lowest} to ${highest})` };
}

/** Runs a pipeline in bash and returns its seconds; a failing part fails the bench. */
export function secondsOf(pipeline: string): number {
  const start = performance.now();
  execFileSync('bash', ['-o', 'pipefail', '-ec', pipeline], { stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - start) / 1000;
}

/** Returns the first line that a program prints about its version. */
export function versionOf(program: string): string {
  return execFileSync(program, ['--version']).toString().split('\n')[0] ?? program;
}

/** Returns the version of an installed package. */
export function versionOfPackage(name: string): string {
  const path = fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/**
 * Finds a Python with python-gitlab. Debian's package belongs to the system's own Python, which need not be the first on
 * the PATH.
 */
export function pythonWithGitlab(): { program: string; version: string } | null {
  for (const program of ['python3', '/usr/bin/python3']) {
    const result = spawnSync(program, ['-c', 'import gitlab; print(gitlab.__version__)']);
    if (result.status === 0) return { program, version: result.stdout.toString().trim() };
  }
  return null;
}
