/**
 * @file Repeats the end of a backup that prunes. Each process starts with a data folder in which the newer archive is
 * stored and the older one is about to be moved to the trash folder. Every call of the disk and every commit is a point
 * at which it can end.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';
import type { App } from '../../../src-main/compose/app.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import type { Disk } from '../../../src-main/platform/disk/disk.ts';
import { realDisk } from '../../../src-main/platform/disk/real-disk.ts';
import { inProcessClient, type Client } from '../../../src-main/bridge/transports/in-process.ts';
import { FaultyDisk, type Fault } from './archive-disk.ts';
import { onCommits } from './commit-watch.ts';
import { copyInterruptedFolder } from './left-folder.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { planDraft } from '../jobs/plan-draft.ts';
import { PowerCutDisk, type Cut } from './power-cut-disk.ts';
import { readStoredState, type StoredState } from './stored-truth.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ended, nextChange, openTestSandbox, openWorld, register } from '../world.ts';
import { jobFilter } from '../requests.ts';

/** The state after the program was started again and no job is open. */
export interface PruningResult {
  truth: StoredState;
  /** The job that prunes. */
  job: Job | undefined;
  /** Whether the older archive is complete, by its hash, in the store and in the trash folder. */
  older: { stored: boolean; trashed: boolean };
}

interface RunningApp {
  app: App;
  client: Client;
}

const sha = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

export class InterruptedPruning {
  readonly #folder = temporaryFolder();
  readonly #template = join(this.#folder, 'template');
  readonly older: string;
  readonly newer: string;
  readonly #olderSha: string;
  #folderCount = 0;
  #onPoint: (what: string, when: 'before' | 'after') => void = () => undefined;

  private constructor(folder: string, older: string, newer: string) {
    cpSync(folder, this.#template, { recursive: true });
    [this.older, this.newer] = [older, newer];
    this.#olderSha = sha(join(this.#template, 'archives', older));
  }

  static async open(): Promise<InterruptedPruning> {
    const folder = temporaryFolder();
    const frozen = join(folder, 'frozen');
    const dataDir = join(folder, 'whole');
    const disk: Disk = {
      ...realDisk,
      makeFolder: (path) => {
        if (path.endsWith('.trash') && !existsSync(frozen)) copyInterruptedFolder(dataDir, frozen);
        return realDisk.makeFolder(path);
      },
    };
    const sandbox = await openTestSandbox({ projectCount: 1 });
    const world = await openWorld({ dataDir, disk });
    await register(world, 'source', sandbox);
    const draft = planDraft({ instance: 'source', keepLast: 1, skipUnchanged: false });
    const { plan } = await world.client.call('plan.save', draft);
    const stored: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { runId } = await world.client.call('plan.run', { id: plan.id });
      await ended(world, runId);
      stored.push(...readStoredState(dataDir).archives);
    }
    await world.app.close();
    const [older = '', newer = ''] = stored;
    const pruning = new InterruptedPruning(frozen, older, newer);
    onCommits((commit, when) => {
      pruning.#onPoint(commit, when);
    });
    return pruning;
  }

  /** Runs to the end. Returns for each point whether a power cut there leaves another state than a kill. */
  async pointsAtRisk(): Promise<boolean[]> {
    const dataDir = this.#dataDir();
    const atRisk: boolean[] = [];
    this.#onPoint = (_what, when) => {
      if (when === 'after') atRisk.push(disk.isAtRisk);
    };
    const disk = new PowerCutDisk(join(dataDir, 'archives'), (call, when) => {
      this.#onPoint(call, when);
    });
    const running = await this.#start(dataDir, disk);
    await this.#settled(running);
    this.#onPoint = () => undefined;
    await running.app.close();
    return atRisk;
  }

  /** Runs until the point of that number and ends there; null if the work completes before. */
  async interrupt(at: number, death: 'kill' | Cut, seed: number): Promise<PruningResult | null> {
    const dataDir = this.#dataDir();
    const copy = `${dataDir}-left`;
    const interruption = Promise.withResolvers<'interrupted'>();
    let points = 0;
    this.#onPoint = (_what, when) => {
      if (when === 'before' || points++ !== at) return;
      copyInterruptedFolder(dataDir, copy, death === 'kill' ? undefined : { disk, death, seed });
      interruption.resolve('interrupted');
    };
    const disk = new PowerCutDisk(join(dataDir, 'archives'), (call, when) => {
      this.#onPoint(call, when);
    });
    const running = await this.#start(dataDir, disk);
    const how = await Promise.race([interruption.promise, this.#settled(running)]);
    this.#onPoint = () => undefined;
    await running.app.close();
    return how === 'interrupted' ? this.#resume(copy) : null;
  }

  /** Makes the call of that number fail; null if there are fewer calls. */
  async fail(fault: Fault, at: number): Promise<(PruningResult & { call: string }) | null> {
    const dataDir = this.#dataDir();
    const disk = new FaultyDisk(fault, at);
    const running = await this.#start(dataDir, disk);
    await this.#settled(running);
    await running.app.close();
    const call = disk.calls[at];
    return call === undefined ? null : { ...(await this.#resume(dataDir)), call };
  }

  async #resume(dataDir: string): Promise<PruningResult> {
    const running = await this.#start(dataDir);
    const jobs = await this.#settled(running);
    await running.app.close();
    const truth = readStoredState(dataDir);
    const root = join(dataDir, 'archives');
    const isComplete = (path: string): boolean =>
      existsSync(path) && existsSync(`${path}.manifest.json`) && sha(path) === this.#olderSha;
    return {
      truth,
      job: jobs[0],
      older: {
        stored: isComplete(join(root, this.older)),
        trashed: isComplete(join(root, '.trash', this.older)),
      },
    };
  }

  async #start(dataDir: string, disk?: Disk): Promise<RunningApp> {
    const app = await composeApp({
      dataDir,
      env: { PACKHORSE_TOKEN_SOURCE: 'glpat-none-is-needed' },
      keychain: new MemoryKeychain(),
      ...(disk === undefined ? {} : { disk }),
    });
    app.startJobs(() => true);
    return { app, client: inProcessClient(app.dispatch, new AbortController().signal) };
  }

  /** Resolves with all jobs, newest first, once none is open. */
  async #settled(running: RunningApp): Promise<Job[]> {
    for (;;) {
      const change = nextChange(running);
      const { jobs } = await running.client.call('job.list', jobFilter({ limit: 9 }));
      if (jobs.every(({ state }) => hasEnded(state))) return jobs;
      await change;
    }
  }

  #dataDir(): string {
    const dataDir = join(this.#folder, String(this.#folderCount++));
    cpSync(this.#template, dataDir, { recursive: true });
    return dataDir;
  }
}
