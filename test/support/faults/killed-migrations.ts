/** @file Runs a migration by the command line in processes that are killed, until one completes it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { JobSearch } from '../../../src-main/catalogue/runs/job-search.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import { addVerifiable } from '../../verifier/verifiable-instances.ts';
import { findDisagreements } from '../../verifier/verify-migration.ts';
import { seeded } from '../archives/archive-builder.ts';
import { restartUntilDone } from './restart-until-done.ts';
import { cliCommand, KillableProcess } from './killable-process.ts';

export interface KillTally {
  kills: number;
  migrations: number;
  /** Sentences about losses and duplicates; empty if there are none. */
  violations: string[];
}

/**
 * Migrates projects repeatedly, each time between other instances, until enough processes were killed.
 * @param projects number of projects in each migration.
 * @param maxKills maximum number of kills in one migration.
 * @param program the entry of the command line; default: from source.
 */
export async function killMigrations(
  folder: string,
  {
    projects = 10,
    kills,
    maxKills,
    seed,
    program,
  }: { projects?: number; kills: number; maxKills: number; seed: number; program?: string },
): Promise<KillTally> {
  const pick = seeded(seed);
  const tally: KillTally = { kills: 0, migrations: 0, violations: [] };
  while (tally.kills < kills) {
    const source = await startSandbox({ clock: systemClock, projectCount: 8 + projects, seed: 3 });
    const target = await startSandbox({ clock: systemClock, speed: { importStartedMs: 40 } });
    try {
      const dataDir = join(folder, `data-${tally.migrations}`);
      mkdirSync(dataDir, { recursive: true });
      await prepareMigration(dataDir, source, target);
      const tokens = { source: source.tokens.administrator, target: target.tokens.administrator };
      const command = cliCommand(dataDir, tokens, ['migration', 'run', 'Move'], program);
      const requestCount = (): number => source.requests.length + target.requests.length;
      const start = () => new KillableProcess(command);
      const ended = await restartUntilDone({
        start,
        kills: Math.min(maxKills, kills - tally.kills),
        async waitForKill(process) {
          const killCount = requestCount() + 1 + pick(60);
          while (process.running && requestCount() < killCount) await systemClock.sleep(2);
        },
        onKill() {
          tally.kills += 1;
        },
      });
      tally.migrations += 1;
      // The product gives up a step during which a dozen processes were killed, and its error asks to start the same
      // command again.
      const code = hasGivenUp(dataDir) ? (await start().ended).code : ended;
      const label = `migration ${tally.migrations} (seed ${seed})`;
      tally.violations.push(
        ...(await findViolations(dataDir, source, target, code)).map((what) => `${label}: ${what}`),
        ...(await findDisagreements(dataDir)).disagreements.map((what) => `${label}: ${what}`),
      );
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  }
  return tally;
}

/** Registers both instances, and creates and checks the migration, in this process. */
async function prepareMigration(dataDir: string, source: Sandbox, target: Sandbox): Promise<void> {
  const app = await composeApp({ env: {}, dataDir });
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  for (const [name, sandbox] of Object.entries({ source, target })) {
    const { url, tokens } = sandbox;
    addVerifiable(sandbox);
    await client.call('instance.setToken', { name, token: tokens.administrator, keep: 'session' });
    await client.call('instance.add', { name, url, caFile: null, pace: 'sandbox', keep: 'session' });
  }
  const paths = source.state.paths.slice(8);
  const chosen = await Promise.all(
    paths.map(async (fullPath) => ({ id: (await source.state.project(fullPath)).id, fullPath })),
  );
  const { id: migration } = await client.call('migration.create', {
    name: 'Move',
    source: 'source',
    target: 'target',
    selection: { kind: 'projects', projects: chosen },
    rules: [],
    overrideParams: {},
    freeze: true,
    waveSize: 6,
  });
  const { findings } = await client.call('migration.check', { migration });
  for (const { id: finding, severity } of findings) {
    if (severity !== 'blocker') continue;
    await client.call('migration.override', { migration, finding, note: 'Accepted for the test.' });
  }
  await app.close();
}

async function findViolations(
  dataDir: string,
  source: Sandbox,
  target: Sandbox,
  code: number | null,
): Promise<string[]> {
  const wrong: string[] = [];
  if (code !== 0) wrong.push(`the last process ended with ${code}`, ...failedJobs(dataDir));
  const paths = source.state.paths.slice(8);
  if (target.state.paths.toSorted().join('\n') !== paths.toSorted().join('\n')) {
    wrong.push(`the target contains ${target.state.paths.join(', ')}`);
  }
  const imports = target.requests.filter(
    ({ method, path }) => method === 'POST' && /\/projects\/import$/.test(path),
  );
  // An incomplete request creates nothing; an existing project was not requested again.
  const created = imports.filter(({ status }) => status === 201).length;
  if (created > paths.length) wrong.push(`${created} imports were created`);
  for (const path of paths) {
    const [here, there] = [
      await source.state.project(path),
      await target.state.project(path).catch(() => null),
    ];
    if (there === null) continue;
    if (there.importStatus !== 'finished') wrong.push(`${path} is ${there.importStatus}`);
    if (!here.archived) wrong.push(`${path} is not marked as archived on the source`);
    for (const [relation, records] of Object.entries(here.relations)) {
      const found = there.relations[relation]?.length ?? 0;
      if (found !== records.length) wrong.push(`${path} has ${found} ${relation} of ${records.length}`);
    }
  }
  return wrong;
}

function failedJobs(dataDir: string): string[] {
  return storedJobs(dataDir).flatMap(({ kind, project, state }) => {
    if (state.status === 'succeeded') return [];
    const why = state.status === 'failed' ? `: ${state.error.code}: ${state.error.message}` : '';
    return [`${kind} of ${project} is ${state.status}${why}`];
  });
}

const hasGivenUp = (dataDir: string): boolean =>
  storedJobs(dataDir).some(({ state }) => state.status === 'failed' && state.error.code === 'interrupted');

function storedJobs(dataDir: string): StoredJob[] {
  const catalogue = openCatalogue({ path: createDataPaths(dataDir).catalogue, clock: systemClock });
  try {
    return new JobSearch(catalogue).find({ limit: 500 });
  } finally {
    catalogue.close();
  }
}
