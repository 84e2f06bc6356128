/**
 * @file P3 and P5 of the goals: one inspection (inflate, gzip check, SHA-256, walk, every record and pack checked) beside
 * `tar tzf` and node-tar's `list`, which only walk. Interleaved, median of five. Ours and node-tar run in a process of
 * their own; their time is taken inside it, their memory is its peak.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { halfGigabyte, writeLargeExport } from '../support/archive-large.ts';

interface Measured {
  seconds: number;
  peakMegabytes: number;
}

export interface InspectBench {
  archiveMegabytes: number;
  rounds: { ours: Measured; nodeTar: Measured; gnuTar: { seconds: number } }[];
  median: { ours: Measured; nodeTar: Measured; gnuTarSeconds: number };
  /** How many times faster than `tar tzf` (P3: at least 3) and than node-tar (P5: at least 1). */
  fasterThanGnuTar: number;
  fasterThanNodeTar: number;
  /** Our memory as a part of node-tar's (P5: at most 0.5). */
  memoryOfNodeTar: number;
  versions: Record<string, string>;
}

const script = fileURLToPath(import.meta.url);

export async function run(): Promise<InspectBench> {
  const folder = join(tmpdir(), 'packhorse-bench');
  const path = join(folder, 'half-gigabyte-1_export.tar.gz');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path)) await writeLargeExport(path, halfGigabyte);
  const rounds = Array.from({ length: 5 }, () => ({
    gnuTar: { seconds: gnuTar(path) },
    ours: inOwnProcess('ours', path),
    nodeTar: inOwnProcess('node-tar', path),
  }));
  const ours = medianOf(rounds.map((round) => round.ours));
  const nodeTar = medianOf(rounds.map((round) => round.nodeTar));
  const gnuTarSeconds = median(rounds.map((round) => round.gnuTar.seconds));
  return {
    archiveMegabytes: Math.round(statSync(path).size / 1e6),
    rounds,
    median: { ours, nodeTar, gnuTarSeconds },
    fasterThanGnuTar: ratio(gnuTarSeconds, ours.seconds),
    fasterThanNodeTar: ratio(nodeTar.seconds, ours.seconds),
    memoryOfNodeTar: ratio(ours.peakMegabytes, nodeTar.peakMegabytes),
    versions: {
      node: process.version,
      zlib: process.versions.zlib,
      tar: execFileSync('tar', ['--version']).toString().split('\n')[0] ?? '',
      gzip: execFileSync('gzip', ['--version']).toString().split('\n')[0] ?? '',
      'node-tar': packageVersion('tar'),
    },
  };
}

function gnuTar(path: string): number {
  const start = performance.now();
  execFileSync('tar', ['tzf', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - start) / 1000;
}

function inOwnProcess(what: 'ours' | 'node-tar', path: string): Measured {
  return JSON.parse(execFileSync(process.execPath, [script, what, path]).toString()) as Measured;
}

async function measure(what: string, path: string): Promise<Measured> {
  const work = what === 'ours' ? await inspection() : await nodeTarList();
  const start = performance.now();
  await work(path);
  return { seconds: (performance.now() - start) / 1000, peakMegabytes: peakMegabytes() };
}

// Each process loads only what it measures.
async function inspection(): Promise<(path: string) => Promise<void>> {
  const { inspectFile } = await import('../../src-main/archive/inspect.ts');
  return async (path) => {
    const { verdict } = await inspectFile(path);
    if (verdict !== 'sound') throw new Error(`The archive is ${verdict}`);
  };
}

async function nodeTarList(): Promise<(path: string) => Promise<void>> {
  const { list } = await import('tar');
  return async (path) => {
    await list({ file: path, onReadEntry: () => undefined });
  };
}

/** The peak of this process alone; `maxRSS` may carry over that of the process which started it. */
function peakMegabytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

function packageVersion(name: string): string {
  const path = fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function medianOf(values: Measured[]): Measured {
  return {
    seconds: median(values.map(({ seconds }) => seconds)),
    peakMegabytes: median(values.map((value) => value.peakMegabytes)),
  };
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100;
}

if (process.argv[1] === script) {
  const [what, path] = process.argv.slice(2);
  const result = what === undefined || path === undefined ? await run() : await measure(what, path);
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
