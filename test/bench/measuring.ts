/** @file What every bench shares: medians, ratios, peak memory, versions, and the archive that is measured with. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outFolder } from '../../src-main/platform/paths.ts';
import { writeLargeExport, type LargeExport } from '../support/archives/archive-large.ts';

/** One line of a bench's report: a row of the goals, what was measured beside it, and whether the goal is reached. */
export interface Row {
  goal: string;
  what: string;
  measured: string;
  wanted: string;
  reached: boolean;
}

export interface Report {
  title: string;
  rows: Row[];
  /** Single rounds, for whoever doubts the median. */
  rounds: string[];
  versions: string[];
  /** Printed last, as it is. Where nothing may be wrong at all, anything wrong makes the exit code 1. */
  verdict?: { line: string; isGood: boolean };
}

export const benchFolder = join(tmpdir(), 'packhorse-bench');

/** An archive of that size, written once and kept for later runs: the same bytes every time. */
export async function benchArchive(name: string, size: LargeExport): Promise<string> {
  mkdirSync(benchFolder, { recursive: true });
  const path = join(benchFolder, `${name}_export.tar.gz`);
  if (!existsSync(path)) {
    process.stderr.write(`Writing ${path} …\n`);
    await writeLargeExport(path, size);
  }
  return path;
}

/** Builds the product as it is installed: what people run has no types to strip while it starts. */
export function build(): void {
  process.stderr.write('Building …\n');
  const vite = fileURLToPath(
    new URL('../../node_modules/electron-vite/bin/electron-vite.js', import.meta.url),
  );
  execFileSync(process.execPath, [vite, 'build'], {
    cwd: join(outFolder, '..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Runs a pipeline in bash and returns its seconds; a failing part fails the bench. */
export function secondsOf(pipeline: string): number {
  const start = performance.now();
  execFileSync('bash', ['-o', 'pipefail', '-ec', pipeline], { stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - start) / 1000;
}

/** First line of what a program says of its version. */
export function versionOf(program: string): string {
  return execFileSync(program, ['--version']).toString().split('\n')[0] ?? program;
}

/** Version of a package that is installed here. */
export function versionOfPackage(name: string): string {
  const path = fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** Debian's package belongs to the system's own Python, which need not be the first on the PATH. */
export function pythonWithGitlab(): { program: string; version: string } | null {
  for (const program of ['python3', '/usr/bin/python3']) {
    const told = spawnSync(program, ['-c', 'import gitlab; print(gitlab.__version__)']);
    if (told.status === 0) return { program, version: told.stdout.toString().trim() };
  }
  return null;
}
