/**
 * @file Repeats one backup of one project, by the whole product on its own data folder. Every call of the disk and
 * every commit to the catalogue is a point at which the backup can end, and resume from the remaining state.
 *
 * The state is copied at the point, synchronously. The abandoned program continues in folders that no test reads, and
 * its requests are blocked. A power cut leaves the same catalogue as a kill: SQLite runs with `synchronous=FULL` (read
 * back at every opening), so commits are on the medium. The lock of the archives is never flushed, so a power cut
 * removes it.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';
import type { App } from '../../../src-main/compose/app.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import type { Disk } from '../../../src-main/platform/disk/disk.ts';
import { inProcessClient, type Client } from '../../../src-main/bridge/transports/in-process.ts';
import { FaultyDisk, type Fault } from './archive-disk.ts';
import { onCommits } from './commit-watch.ts';
import { copyInterruptedFolder } from './left-folder.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { PowerCutDisk, type Cut } from './power-cut-disk.ts';
import { openRelay, type Relay } from './relay.ts';
import { readStoredState, type StoredState } from './stored-truth.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { nextChange, openTestSandbox } from '../world.ts';
import { archiveFilter, jobFilter } from '../requests.ts';

/** The nth report with a label. */
export interface Point {
  label: string;
  nth: number;
  /** Whether a power cut at this point leaves another state than a kill. */
  isAtRisk: boolean;
}

export type Interruption = 'kill' | Cut;

/** The state after the backup was started again and ran to its end. */
export interface Aftermath {
  truth: StoredState;
  /** Archives that had a row when the backup was interrupted, and the archive of the template. */
  acknowledged: string[];
  /** The jobs about the project, oldest first. */
  jobs: Job[];
  /** The statuses of the requests for an export of the project. */
  exportStatuses: (number | null)[];
  /** The damage of each archive after reading it to its end; null if there is none. */
  damages: (string | null)[];
}

interface RunningApp {
  app: App;
  client: Client;
}

/** Returns the label without parts that differ between backups: times, numbers, folders of projects. */
const plain = (label: string): string =>
  label.replace(/\d{8}T\d+Z-\d+/, '').replace(/(Folder|freeBytes) \S+/, '$1');

export class InterruptedBackups {
  readonly #folder = temporaryFolder();
  /** A data folder with the instance and an archive of another project. */
  readonly #template = join(this.#folder, 'template');
  readonly #relay: Relay;
  readonly #sandbox: Sandbox;
  readonly #projects: string[];
  readonly #templateArchives: string[] = [];
  #next = 0;
  #onPoint: (what: string, when: 'before' | 'after', archives: string[]) => void = () => undefined;

  private constructor(relay: Relay, sandbox: Sandbox) {
    [this.#relay, this.#sandbox] = [relay, sandbox];
    // The projects are of the same kind, so that their backups are alike; the first one has another path.
    const paths = sandbox.state.paths;
    this.#projects = [
      ...paths.slice(0, 1),
      ...paths.filter((path) => path.startsWith('borealis/blank-slate-')),
    ];
  }

  static async open(): Promise<InterruptedBackups> {
    const relay = await openRelay();
    // The export takes long enough to be running at the first poll.
    const speed = { exportPendingMs: 0, exportQueuedMs: 15, exportStartedMs: 15, exportClosingMs: 0 };
    const sandbox = await openTestSandbox({ projectCount: 1_000, externalUrl: relay.url, speed });
    relay.setTarget(Number(new URL(sandbox.url).port));
    const backups = new InterruptedBackups(relay, sandbox);
    await backups.#makeTemplate();
    onCommits((commit, when, archives) => {
      backups.#onPoint(commit, when, archives);
    });
    return backups;
  }

  /**
   * Returns every point of a backup: after each call and commit, and before those that follow a request to the
   * instance.
   */
  async points(): Promise<Point[]> {
    for (;;) {
      const points: Point[] = [];
      let sent = this.#relay.sent;
      await this.#run((label, nth, disk) => {
        // The number of polls depends on the time, so the first one represents all.
        if (label.includes(' wait') && nth > 1) return false;
        const hasSent = this.#relay.sent > sent;
        sent = this.#relay.sent;
        if (label.startsWith('after') || hasSent) points.push({ label, nth, isAtRisk: disk.isAtRisk });
        return false;
      });
      if (points.some(({ label }) => label.includes('waiting'))) return points;
    }
  }

  /**
   * Ends a backup at the point and starts it again. On a busy machine an export may be finished before the first poll.
   */
  async interrupt(point: Point, death: Interruption, seed: number): Promise<Aftermath> {
    for (let tries = 0; tries < 5; tries += 1) {
      const isPoint = (label: string, nth: number): boolean => label === point.label && nth === point.nth;
      const after = await this.#run(isPoint, death, seed);
      if (after !== null) return after;
    }
    throw new Error(`No backup reached "${point.label}" ${point.nth} times.`);
  }

  /** Makes the call with that index fail, or none. Resolves with all calls; null if there are fewer calls. */
  async fail(fault: Fault | null, at: number): Promise<{ calls: string[]; after: Aftermath } | null> {
    const project = this.#project();
    const dataDir = this.#dataDir();
    const since = this.#sandbox.requests.length;
    const disk = new FaultyDisk(fault, at);
    const running = await this.#start(dataDir, disk);
    const { runId } = await running.client.call('backup.start', this.#request(project));
    await this.#ended(running, runId);
    await running.app.close();
    const calls = disk.calls.map(plain);
    if (calls.length <= at) return null;
    return { calls, after: await this.#resume(dataDir, project, [...this.#templateArchives], since) };
  }

  /** Runs a backup to its end, or to the first point for which `isEnd` returns true. */
  async #run(
    isEnd: (label: string, nth: number, disk: PowerCutDisk) => boolean,
    death: Interruption = 'kill',
    seed = 0,
  ): Promise<Aftermath | null> {
    const project = this.#project();
    const dataDir = this.#dataDir();
    const since = this.#sandbox.requests.length;
    const copy = `${dataDir}-left`;
    const acknowledged = [...this.#templateArchives];
    const seen = new Map<string, number>();
    const outcome = Promise.withResolvers<'ended' | 'interrupted'>();
    const state = { isOver: false };
    let last = 'start';
    const reached = (what: string, when: 'before' | 'after', archives: string[]): void => {
      if (state.isOver) return;
      acknowledged.push(...archives);
      if (when === 'after') last = plain(what);
      const label = when === 'after' ? `after ${last}` : `before what follows ${last}`;
      const nth = (seen.get(label) ?? 0) + 1;
      seen.set(label, nth);
      if (!isEnd(label, nth, disk)) return;
      state.isOver = true;
      copyInterruptedFolder(dataDir, copy, death === 'kill' ? undefined : { disk, death, seed });
      this.#relay.cut();
      outcome.resolve('interrupted');
    };
    const disk = new PowerCutDisk(join(dataDir, 'archives'), (call, when) => {
      reached(call, when, []);
    });
    this.#onPoint = reached;
    const running = await this.#start(dataDir, disk);
    running.client
      .call('backup.start', this.#request(project))
      .then(({ runId }) => this.#ended(running, runId))
      .then(
        () => {
          outcome.resolve('ended');
        },
        (error: unknown) => {
          if (!state.isOver) outcome.reject(error);
        },
      );
    const how = await outcome.promise.finally(() => {
      state.isOver = true;
      this.#onPoint = () => undefined;
    });
    await running.app.close();
    this.#relay.restore();
    if (how === 'ended') {
      rmSync(dataDir, { recursive: true });
      return null;
    }
    const aftermath = await this.#resume(copy, project, acknowledged, since);
    for (const folder of [dataDir, copy]) rmSync(folder, { recursive: true });
    return aftermath;
  }

  /** Opens the remaining data folder, completes the backup of the project, and reads the stored state. */
  async #resume(dataDir: string, project: string, acknowledged: string[], since: number): Promise<Aftermath> {
    const running = await this.#start(dataDir);
    try {
      let jobs = await this.#settled(running, project);
      if (jobs.every(({ state }) => state.status !== 'succeeded')) {
        const { runId } = await running.client.call('backup.start', this.#request(project));
        await this.#ended(running, runId);
        jobs = await this.#settled(running, project);
      }
      const filter = archiveFilter({ project });
      const { archives } = await running.client.call('archive.list', filter);
      const damages: (string | null)[] = [];
      for (const { id } of archives) {
        const verified = await running.client.call('archive.verify', { archive: id, level: 'L2' });
        damages.push(verified.damaged?.reason ?? null);
      }
      await running.app.close();
      return {
        truth: readStoredState(dataDir),
        acknowledged,
        jobs,
        exportStatuses: this.#posts(since),
        damages,
      };
    } finally {
      await running.app.close();
    }
  }

  async #start(dataDir: string, disk?: Disk): Promise<RunningApp> {
    const app = await composeApp({
      dataDir,
      env: { PACKHORSE_TOKEN_SOURCE: this.#sandbox.tokens.maintainer },
      keychain: new MemoryKeychain(),
      ...(disk === undefined ? {} : { disk }),
    });
    app.startJobs(() => true);
    return { app, client: inProcessClient(app.dispatch, new AbortController().signal) };
  }

  /** Resolves with the jobs about the project once none is open. */
  async #settled(running: RunningApp, project: string): Promise<Job[]> {
    for (;;) {
      const change = nextChange(running);
      const request = jobFilter();
      const { jobs } = await running.client.call('job.list', request);
      const own = jobs.filter((job) => job.project === project);
      if (own.every(({ state }) => hasEnded(state))) return own.reverse();
      await change;
    }
  }

  async #ended(running: RunningApp, runId: string): Promise<void> {
    for (;;) {
      const change = nextChange(running);
      const { jobs } = await running.client.call('job.list', jobFilter({ runId, limit: 9 }));
      if (jobs.every(({ state }) => hasEnded(state))) return;
      await change;
    }
  }

  /** Returns the statuses of the requests for an export after the first `since` requests. */
  #posts(since: number): (number | null)[] {
    return this.#sandbox.requests
      .slice(since)
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/export'))
      .map(({ status }) => status);
  }

  async #makeTemplate(): Promise<void> {
    mkdirSync(this.#template);
    const running = await this.#start(this.#template);
    const url = this.#relay.url;
    const how = { caFile: null, pace: 'sandbox', keep: 'session' } as const;
    await running.client.call('instance.add', { name: 'source', url, ...how });
    const { runId } = await running.client.call('backup.start', this.#request(this.#project()));
    await this.#ended(running, runId);
    await running.app.close();
    this.#templateArchives.push(...readStoredState(this.#template).archives);
    expect(this.#templateArchives).toHaveLength(1);
  }

  #request(project: string) {
    return { instance: 'source', projects: [project], keepExisting: false };
  }

  /** Returns a project that was never exported. */
  #project(): string {
    const project = this.#projects[this.#next++];
    if (project === undefined) throw new Error('The sandbox has too few projects.');
    return project;
  }

  #dataDir(): string {
    const dataDir = join(this.#folder, String(this.#next));
    cpSync(this.#template, dataDir, { recursive: true });
    return dataDir;
  }
}
