/**
 * @file P6 of the goals: lists the projects of an instance durably into the catalogue, and compares this with two
 * clients that only keep them in memory. All clients send the same requests to a sandbox in its own process. Each run
 * uses a new process; the runs are interleaved.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { SettingsStore } from '../../src-main/platform/settings.ts';
import { instanceDefaults, presetPaces } from '../../src-contract/instances/instance.ts';
import {
  benchFolder,
  build,
  median,
  ratioOf,
  pythonWithGitlab,
  versionOfPackage,
  type Report,
  type Row,
  atSize,
  rounds,
  warmUp,
} from './measuring.ts';
import { withSandbox, type SandboxProcess } from './sandbox-process.ts';

const projects = atSize(10_000, 20);
const script = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

interface Measured {
  seconds: number;
  projects: number;
  peakMegabytes: number;
}

/** Runs one client in its own process. */
function listedBy(program: string, args: string[]): Measured {
  const measured = JSON.parse(execFileSync(program, args).toString()) as Measured;
  if (measured.projects !== projects) throw new Error(`${args[0] ?? program} listed ${measured.projects}`);
  return measured;
}

/** Lists into a new data folder that knows only the sandbox. */
async function ours({ url, token }: SandboxProcess): Promise<Measured> {
  const folder = join(benchFolder, 'listing');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await new SettingsStore(createDataPaths(folder).settings, systemClock).change((before) => ({
    ...before,
    instances: [
      {
        name: 'bench',
        url,
        caFile: null,
        pacePreset: 'sandbox',
        pace: presetPaces.sandbox,
        username: 'maintainer',
        userId: null,
        administrator: false,
        serverVersion: '18.5.0',
        tokenExpiresOn: null,
        tokenCanWrite: null,
        addedAt: '2026-11-20T12:00:00.000Z',
        ...instanceDefaults,
      },
    ],
  }));
  const measured = listedBy(process.execPath, [script('list-projects.js'), 'ours', url, token, folder]);
  rmSync(folder, { recursive: true, force: true });
  return measured;
}

export async function run(): Promise<Report> {
  build();
  const python = pythonWithGitlab();
  const measured = await withSandbox(['--projects', String(projects)], async (sandbox) => {
    const { url, token } = sandbox;
    const gitbeaker = (): Measured =>
      listedBy(process.execPath, [script('list-projects.js'), 'gitbeaker', url, token]);
    // The first list of a server takes longer than the others.
    warmUp(gitbeaker);
    const all = [];
    for (let round = 0; round < rounds; round++) {
      const mine = await ours(sandbox);
      const theirs = gitbeaker();
      const [load = 0] = loadavg();
      const pythonList = python && listedBy(python.program, [script('list_projects.py'), url, token]);
      all.push({ mine, theirs, pythonList, load });
    }
    return all;
  });

  const seconds = median(measured.map(({ mine }) => mine.seconds));
  const ofGitbeaker = ratioOf(measured, ({ mine, theirs }) => mine.seconds / theirs.seconds);
  const ofPython = ratioOf(
    measured,
    ({ pythonList, mine }) => (pythonList?.seconds ?? Number.NaN) / mine.seconds,
  );
  const memory = Math.max(...measured.map(({ mine }) => mine.peakMegabytes));
  const rows: Row[] = [
    {
      goal: 'P6',
      what: 'time compared with @gitbeaker/rest, which keeps them in memory only',
      measured: `${ofGitbeaker.text}, ${seconds.toFixed(2)} s`,
      goalValue: '≤ 1.6 ×',
      isReached: ofGitbeaker.median <= 1.6,
    },
  ];
  if (python !== null) {
    rows.unshift({
      goal: 'P6',
      what: 'faster than python3-gitlab, which keeps them in memory only',
      measured: ofPython.text,
      goalValue: '≥ 5 ×',
      isReached: ofPython.median >= 5,
    });
  }
  return {
    title:
      `${projects} projects listed into a new catalogue, durably, from a sandbox in its own process on loopback, ` +
      `with ${availableParallelism()} processors; median of ${rounds}`,
    rows,
    rounds: [
      ...(python === null
        ? ['Skipped: python3-gitlab is not installed (apt-get install python3-gitlab)']
        : []),
      ...measured.map(
        ({ mine, theirs, pythonList, load }) =>
          `Packhorse ${mine.seconds.toFixed(2)} s, gitbeaker ${theirs.seconds.toFixed(2)} s` +
          `${pythonList === null ? '' : `, python3-gitlab ${pythonList.seconds.toFixed(2)} s`} (load ${load.toFixed(1)})`,
      ),
      `peak memory of Packhorse: ${memory.toFixed(0)} MB`,
    ],
    versions: [
      `Node ${process.version}`,
      `@gitbeaker/rest ${versionOfPackage('@gitbeaker/rest')}`,
      ...(python === null ? [] : [`python3-gitlab ${python.version}`]),
    ],
  };
}
