/** @file The whole product for one test: the app on a new data folder, and sandboxes registered as instances. */
import { onTestFinished } from 'vitest';
import { hasEnded, type Job } from '../../src-contract/runs/job.ts';
import type { App, AppOptions } from '../../src-main/compose/app.ts';
import { composeApp } from '../../src-main/compose/compose.ts';
import { openSandbox, type Sandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { inProcessClient, type Client } from '../../src-main/bridge/transports/in-process.ts';
import { addVerifiable } from '../verifier/verifiable-instances.ts';
import { verifyImports } from '../verifier/verify-imports.ts';
import { addVerifiedFolder, verifyOpenFolders } from '../verifier/verify-migration.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { jobFilter } from './requests.ts';

type SandboxOptions = Parameters<typeof openSandbox>[0];

export interface World {
  app: App;
  client: Client;
  dataDir: string;
}

/**
 * Opens the app without a keychain: tokens are in memory, and the environment is empty. Its migrations are verified when
 * the test closes it or a sandbox.
 */
export async function openWorld(options: Partial<AppOptions> = {}): Promise<World> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const app = await composeApp({ env: {}, ...options, dataDir });
  const verify = addVerifiedFolder(dataDir);
  onTestFinished(() => verify().finally(() => app.close()));
  app.startJobs(() => true);
  return { app, client: inProcessClient(app.dispatch, new AbortController().signal), dataDir };
}

/** Seeds only projects with few records, unless the options say otherwise. */
export async function openTestSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ areProjectsLight: true, ...options });
  onTestFinished(() => verifyOpenFolders().finally(() => sandbox.close()));
  addVerifiable(sandbox);
  return sandbox;
}

/** Registers a sandbox under a name, with a token kept in memory. */
export async function register(
  world: World,
  name: string,
  sandbox: Sandbox,
  token = sandbox.tokens.maintainer,
): Promise<void> {
  await world.client.call('instance.setToken', { name, token, keep: 'session' });
  await world.client.call('instance.add', {
    name,
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
  });
  addVerifiable(sandbox);
}

/**
 * Resolves at the next change of any job that runs here. Call it before reading the state, so that no change is missed.
 */
export function nextChange(world: Pick<World, 'app'>): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = world.app.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}

/** Resolves with all jobs, oldest first, once there is one and all have ended. Verifies imports like `ended`. */
export async function allEnded(world: World): Promise<Job[]> {
  for (;;) {
    const change = nextChange(world);
    const { jobs } = await world.client.call('job.list', jobFilter());
    if (jobs.length > 0 && jobs.every((job) => hasEnded(job.state))) {
      await verifyImports(world.dataDir);
      return jobs.reverse();
    }
    await change;
  }
}

/**
 * Resolves with the jobs of a run once all have ended. Throws if the independent verifier disagrees with the comparison of
 * an import.
 */
export async function ended(world: World, runId: string): Promise<Job[]> {
  for (;;) {
    const change = nextChange(world);
    const { jobs } = await world.client.call('job.list', jobFilter({ runId }));
    if (jobs.every((job) => hasEnded(job.state))) {
      await verifyImports(world.dataDir);
      return jobs.reverse();
    }
    await change;
  }
}

/** Backs projects up and waits for the end. */
export async function backUp(world: World, instance: string, projects: string[] | 'all'): Promise<Job[]> {
  const { runId } = await world.client.call('backup.start', { instance, projects, keepExisting: false });
  return ended(world, runId);
}

/** Imports an archive into the given namespace and path, and waits for the end. */
export async function importInto(
  world: World,
  instance: string,
  archive: string,
  target: { namespace?: string; path?: string; allowSuspicious?: boolean } = {},
): Promise<Job> {
  const { runId } = await world.client.call('import.start', {
    instance,
    archive,
    namespace: target.namespace ?? null,
    path: target.path ?? null,
    name: null,
    overwrite: false,
    allowSuspicious: target.allowSuspicious ?? false,
    overrideParams: {},
  });
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('The import has no job.');
  return job;
}
