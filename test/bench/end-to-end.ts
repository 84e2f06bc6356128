/**
 * @file P13 of the goals: compares a backup of 100 projects by `packhorse backup --all` with a python-gitlab script that
 * works like published ones. The script exports one project after the other, waits, downloads to a flushed file, and
 * lists the archive. Packhorse does more: it counts each source twice, reads every record, and writes manifests and a
 * catalogue.
 *
 * Both use a sandbox in its own process, without limits, whose exports take the same half second. Both poll an export at
 * the same intervals (published scripts sleep longer), start as a program does, and end with `sync`. Their runs are
 * interleaved, in new processes and folders. The same script with threads is measured without a goal, because Packhorse
 * is faster in part by waiting for many exports at once. Everything runs on loopback; on a real network the network and
 * the server's queue of exports dominate.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LargeExport } from '../support/archives/archive-large.ts';
import {
  benchArchive,
  benchFolder,
  build,
  median,
  ratioOf,
  pythonWithGitlab,
  type Report,
  commandLine,
  atSize,
  warmUp,
} from './measuring.ts';
import type { SandboxProcess } from './sandbox-process.ts';

const threads = 4;
const sizes: { name: string; count: number; size: LargeExport }[] = [
  {
    name: 'small-project',
    count: atSize(60, 1),
    size: { packBytes: 0, uploads: 10, uploadBytes: 20_000, issues: 50 },
  },
  {
    name: 'usual-project',
    count: atSize(30, 1),
    size: { packBytes: 1e6, uploads: 40, uploadBytes: 26_000, issues: 500 },
  },
  {
    name: 'big-project',
    count: atSize(10, 1),
    size: { packBytes: 8e6, uploads: 100, uploadBytes: 26_000, issues: 2_000 },
  },
];
const projects = sizes.reduce((sum, { count }) => sum + count, 0);
const server = fileURLToPath(new URL('./end-to-end-server.ts', import.meta.url));
const script = fileURLToPath(new URL('./end_to_end.py', import.meta.url));

/** Creates a folder with an archive for each project. Resolves with the folder and the total size of the archives. */
async function seeds(): Promise<{ folder: string; bytes: number }> {
  const folder = join(benchFolder, 'end-to-end-seeds');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const { name, count, size } of sizes) {
    const archive = await benchArchive(name, size);
    bytes += count * statSync(archive).size;
    for (let at = 1; at <= count; at++) symlinkSync(archive, join(folder, `${name}-${at}_export.tar.gz`));
  }
  return { folder, bytes };
}

async function withServer<T>(folder: string, measure: (sandbox: SandboxProcess) => T): Promise<T> {
  const child = spawn(process.execPath, [server, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return measure(JSON.parse(line) as SandboxProcess);
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
}

function emptyFolder(name: string): string {
  const folder = join(benchFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Pending writes of the previous run must not slow this one.
  execFileSync('sync');
  return folder;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  execFileSync('sync');
  return (performance.now() - start) / 1000;
}

/** Backs up with Packhorse, in a new data folder that knows only the instance. @returns seconds. */
function ours({ url, token }: SandboxProcess): number {
  const folder = emptyFolder('end-to-end');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [commandLine, '--data-dir', folder, '--json', ...args], {
      env: { PATH: process.env['PATH'], PACKHORSE_TOKEN_BENCH: token },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  const added = run('instance', 'add', 'bench', url, '--pace', 'sandbox');
  if (added.status !== 0) throw new Error(`The instance was not added: ${added.stdout.toString()}`);
  let output = '';
  const seconds = timed(() => {
    const { status, stdout } = run('backup', '--instance', 'bench', '--all');
    output = stdout.toString();
    if (status !== 0) throw new Error(`The backup ended with ${status}: ${output.slice(0, 2000)}`);
  });
  const { jobs } = JSON.parse(output) as { jobs: { state: { status: string } }[] };
  const stored = jobs.filter(({ state }) => state.status === 'succeeded').length;
  if (stored !== projects || !existsSync(join(folder, 'archives')))
    throw new Error(`Packhorse stored ${stored}`);
  return seconds;
}

function theirs(python: string, { url, token }: SandboxProcess, threadCount: number): number {
  const folder = emptyFolder('end-to-end');
  let output = '';
  const seconds = timed(() => {
    output = execFileSync(python, [script, url, folder, String(threadCount)], {
      env: { PATH: process.env['PATH'], GITLAB_TOKEN: token },
    }).toString();
  });
  const { projects: stored } = JSON.parse(output) as { projects: number };
  if (stored !== projects) throw new Error(`python-gitlab stored ${stored}`);
  return seconds;
}

/** @param count Number of rounds, two minutes each. */
export async function run(count = atSize(3, 1)): Promise<Report> {
  const python = pythonWithGitlab();
  if (python === null) throw new Error('python3-gitlab is not installed (apt-get install python3-gitlab)');
  build();
  const { folder, bytes } = await seeds();
  const measured = await withServer(folder, (sandbox) => {
    // The first exports of a server take longer than the others.
    warmUp(() => theirs(python.program, sandbox, threads));
    return Array.from({ length: count }, (_, round) => {
      process.stderr.write(`Round ${round + 1} of ${count} …\n`);
      const mine = ours(sandbox);
      const sequence = theirs(python.program, sandbox, 1);
      const threaded = theirs(python.program, sandbox, threads);
      const [load = 0] = loadavg();
      return { mine, sequence, threaded, load };
    });
  });
  rmSync(join(benchFolder, 'end-to-end'), { recursive: true, force: true });

  const seconds = median(measured.map(({ mine }) => mine));
  const faster = ratioOf(measured, ({ sequence, mine }) => sequence / mine);
  const fasterThanThreads = ratioOf(measured, ({ threaded, mine }) => threaded / mine);
  return {
    title:
      `${projects} projects with ${Math.round(bytes / 1e6)} MB of archives backed up from a sandbox in its own process on ` +
      `loopback, with ${availableParallelism()} processors; median of ${count}`,
    rows: [
      {
        goal: 'P13',
        what: 'faster than python3-gitlab, one project after the other',
        measured: `${faster.text}, ${seconds.toFixed(1)} s`,
        goalValue: '≥ 1.5 ×',
        isReached: faster.median >= 1.5,
      },
    ],
    rounds: [
      ...measured.map(
        ({ mine, sequence, threaded, load }) =>
          `Packhorse ${mine.toFixed(1)} s, python3-gitlab ${sequence.toFixed(1)} s, with ${threads} threads ${threaded.toFixed(1)} s ` +
          `(load ${load.toFixed(1)})`,
      ),
      `compared with ${threads} threads: ${fasterThanThreads.text}`,
    ],
    versions: [
      `Node ${process.version}`,
      `python3-gitlab ${python.version}`,
      execFileSync(python.program, ['--version']).toString().trim(),
    ],
    verdict: {
      line: faster.median >= 1.5 ? 'P13 is reached.' : 'P13 is missed.',
      isGood: faster.median >= 1.5,
    },
  };
}
