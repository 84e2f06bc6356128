/**
 * @file Migrates many varied projects at once while both instances fail in every way, and reports the result of each.
 */
import { join } from 'node:path';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Fault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';
import { checkPassports } from './verdict-passports.ts';
import { openMigrationScene, type MigrationScene } from './migration-scene.ts';

export interface Crowd {
  projects: number;
  /** Number of projects with records that GitLab rejects: a few each, except the first, which has `manyRejected`. */
  bad: number;
  /** GitLab's API shows a hundred failures of an import at once. */
  manyRejected: number;
  waveSize: number | null;
}

export interface CrowdTally {
  states: Partial<Record<MigratingProject['state'], number>>;
  /** Number of failures of all imports in GitLab, and of those that the product knows. */
  failures: { happened: number; known: number };
  /** Number of import requests that were not rejected. */
  imports: number;
  /** Number of import requests whose reply was lost. */
  lost: number;
  /** Number of requests for contents of projects on both instances, and of different ones among them. */
  reads: { sent: number; different: number };
  /** Number of all requests to both instances. */
  requests: number;
  /** Number of comparisons that the independent verifier checked; null without Python. */
  verified: number | null;
  /** Seconds before this check. */
  seconds: number;
  /** Sentences about violated rules; empty if there are none. */
  violations: string[];
}

const few = 3;
/** Returns faults: replies of a server that gets too many requests, and broken connections. */
function faultsFor(projects: number): { source: Fault[]; target: Fault[] } {
  const every = projects > 50 ? 9 : 2;
  const at = (nth: number): number => 1 + nth * every;
  const busy = { kind: 'respond', status: 429, headers: { 'retry-after': '1' }, body: {} } as const;
  const bad = { kind: 'html', status: 502 } as const;
  const get = (path: string, nth: number, action: Fault['action'], times = 1): Fault => ({
    match: { method: 'GET', path, nth: at(nth), times },
    action,
  });
  const post = (path: string, nth: number, action: Fault['action']): Fault => ({
    match: { method: 'POST', path, nth },
    action,
  });
  const lost = { kind: 'lose-reply' } as const;
  // After this 429, no more requests are sent in a minute than before it, which would delay a small test.
  const limited = projects > 50 ? Math.floor(projects * 0.6) : null;
  return {
    source: [
      get('/export$', 1, busy, 2),
      get('/export$', 3, { kind: 'reset' }),
      get('export/download', 2, { kind: 'reset' }),
      get('export/download', 4, { kind: 'cut', afterBytes: 3000, framing: 'length' }),
      post('/export$', at(5), lost),
      ...(limited === null ? [] : [post('/export$', limited, busy)]),
    ],
    target: [
      post('/projects/import$', at(1), lost),
      post('/projects/import$', at(4), lost),
      post('/projects/import$', at(4) + 1, lost),
      get('/import$', 6, bad, 3),
      get('/import$', 9, { kind: 'reset' }),
      get('/issues', 3, busy),
      ...(limited === null ? [] : [post('/projects/import$', limited, busy)]),
    ],
  };
}

/** @param observe Called when the migration has started. */
export async function migrateCrowd(
  folder: string,
  crowd: Crowd,
  observe: (scene: MigrationScene, id: string) => void = () => undefined,
): Promise<CrowdTally> {
  const began = systemClock.monotonic();
  const { source, target } = faultsFor(crowd.projects);
  const scene = await openMigrationScene(folder, {
    source: { projectCount: crowd.projects, speed: { exportStartedMs: 40 } },
    target: {
      faults: [
        {
          match: { method: 'POST', path: '/projects/import$' },
          action: { kind: 'spread-failures', batch: 20, everyMs: 400 },
        },
      ],
    },
  });
  try {
    const { paths } = scene.source.state;
    const failing = paths.at(-1) ?? '';
    scene.target.faults.add({
      match: { method: 'POST', project: failing },
      action: { kind: 'end-import', as: 'failed', detail: 'Nothing left' },
    });
    const bad = paths.slice(0, crowd.bad);
    for (const [at, path] of bad.entries())
      addBadRecords(scene.source, path, at === 0 ? crowd.manyRejected : few);
    const { id } = await scene.migration(paths, { waveSize: crowd.waveSize });
    await scene.start(id);
    for (const fault of source) scene.source.faults.add(fault);
    for (const fault of target) scene.target.faults.add(fault);
    observe(scene, id);
    await scene.until(id, ({ status }) => status === 'ended');
    const tally = await countResults(scene, id, { paths, bad, failing });
    tally.violations.push(...(await checkPassports(scene, id, join(folder, 'passports'))));
    tally.seconds = (systemClock.monotonic() - began) / 1000;
    await verify(scene, tally);
    return tally;
  } finally {
    await scene.close();
  }
}

/** Adds the disagreements of the independent verifier, and its count, which must contain every comparison. */
async function verify(scene: MigrationScene, tally: CrowdTally): Promise<void> {
  // Later requests would trigger the faults that no request has triggered yet.
  for (const { faults } of [scene.source, scene.target]) faults.clear();
  const { verified, disagreements } = await scene.verify();
  tally.verified = verified;
  tally.violations.push(...disagreements);
  const { arrived = 0, differs = 0 } = tally.states;
  if (verified !== null && verified !== arrived + differs)
    tally.violations.push(`${verified} of ${arrived + differs} comparisons are verified`);
}

/** Adds issues without a title. */
function addBadRecords({ state }: Sandbox, path: string, count: number): void {
  const at = new Date(0).toISOString();
  for (let index = 0; index < count; index += 1) {
    state.append(path, 'issues', {
      title: null,
      iid: 5000 + index,
      state: 'opened',
      created_at: at,
      updated_at: at,
      notes: [],
    });
  }
}

interface Expected {
  paths: readonly string[];
  bad: readonly string[];
  failing: string;
}

async function countResults(
  scene: MigrationScene,
  id: string,
  { paths, bad, failing }: Expected,
): Promise<CrowdTally> {
  const { source, target } = scene;
  const violations: string[] = [];
  const states: CrowdTally['states'] = {};
  const failures = { happened: 0, known: 0 };
  for (const project of await scene.projects(id)) {
    const { sourcePath: path, state } = project;
    states[state] = (states[state] ?? 0) + 1;
    const expected = path === failing ? 'failed' : bad.includes(path) ? 'differs' : 'arrived';
    if (state !== expected) violations.push(`${path} is ${state}, and should be ${expected}`);
    const there = await target.state.project(path);
    failures.happened += there.importFailures.length;
    failures.known += project.failures.total;
    if (state === 'failed') continue;
    if (project.targetPath !== path || project.targetId !== there.id)
      violations.push(`${path} is recorded with a wrong target`);
    const here = await source.state.project(path);
    const missing = (here.relations['issues']?.length ?? 0) - (there.relations['issues']?.length ?? 0);
    if (missing !== there.importFailures.length) violations.push(`${path} lacks ${missing} issues`);
  }
  const known = await scene.client.call('failure.list', { ...everything, migration: id });
  if (known.total !== failures.known)
    violations.push(`${known.total} failures are listed, ${failures.known} counted`);
  if (target.state.paths.toSorted().join('\n') !== paths.toSorted().join('\n')) {
    violations.push(`the target contains ${target.state.paths.length} projects instead of ${paths.length}`);
  }
  const importRequests = target.requests.filter(
    ({ method, path, status }) => method === 'POST' && /\/projects\/import$/.test(path) && status !== 429,
  );
  if (importRequests.length !== paths.length)
    violations.push(`${importRequests.length} imports were requested`);
  const lost = importRequests.filter(({ status }) => status === null).length;
  const reads = [source, target].flatMap(({ requests }, side) =>
    readsOf(requests).map((read) => `${side} ${read}`),
  );
  return {
    ...{ states, failures, imports: importRequests.length, lost, violations, verified: null, seconds: 0 },
    reads: { sent: reads.length, different: new Set(reads).size },
    requests: source.requests.length + target.requests.length,
  };
}

/** Polls of exports and imports, and lists of all projects, are no contents. */
const isContent = (path: string): boolean =>
  /\/projects\/[^/]+\//.test(path) && !/\/(export|import)$/.test(path) && !path.endsWith('/export/download');

/** Returns the requests for contents of projects. */
const readsOf = (requests: Sandbox['requests']): string[] =>
  requests.filter(({ method, path }) => method === 'GET' && isContent(path)).map(({ path }) => path);

const everything = {
  instance: null,
  project: null,
  relation: null,
  exceptionClass: null,
  state: null,
  search: null,
  offset: 0,
  limit: 1,
} as const;
