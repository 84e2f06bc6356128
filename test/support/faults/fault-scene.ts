/**
 * @file Plans back up many projects in one world, each project with its own fault. The clocks of the world and of the
 * server run faster, so that waits are short.
 */
import { expect, onTestFinished } from 'vitest';
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { FastClock } from '../clocks/fast-clock.ts';
import { openOrigin, type ReceivedRequest } from '../servers/origin.ts';
import { planDraft } from '../jobs/plan-draft.ts';
import { SandboxCalls } from '../servers/sandbox-calls.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openWorld, register, type World } from '../world.ts';

type Fault = Parameters<Sandbox['faults']['add']>[0];
export type Action = Fault['action'];
export type Match = Fault['match'];

/** One fault during one request. */
export interface Cell {
  row: string;
  column: string;
  expected: string;
  match: Match;
  action: Action;
  /** Whether its project is the only one of an instance. */
  ownInstance: boolean;
  /** Whether its instance gets a token of another account when the faults end. */
  newToken: boolean;
}

export class FaultScene {
  readonly world: World;
  readonly sandbox: Sandbox;
  /** Another origin, which serves a sign-in page to redirected requests. */
  readonly otherOrigin: { url: string; sent: ReceivedRequest[] };
  readonly #plans: string[] = [];
  readonly #needToken: string[] = [];
  readonly #ids = new Map<string, number>();

  private constructor(world: World, sandbox: Sandbox, otherOrigin: FaultScene['otherOrigin']) {
    [this.world, this.sandbox, this.otherOrigin] = [world, sandbox, otherOrigin];
  }

  static async open(): Promise<FaultScene> {
    const clock = new FastClock(20);
    const sandbox = await startSandbox({ clock, projectCount: 2_000 });
    onTestFinished(() => sandbox.close());
    const otherOrigin = await openOrigin((_sent, reply) => {
      reply.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Sign in</title>');
    });
    const world = await openWorld({
      clock,
      dataDir: temporaryFolder(),
      // Jobs give up within a second during a lasting fault.
      maxOutageMs: 10_000,
      // `responseTimeoutMs` is real time, the other limits use the clock: three real seconds each, which a busy machine does not
      // exceed.
      httpLimits: {
        responseTimeoutMs: 1_000,
        bodyTimeoutMs: 60_000,
        rate: { windowMs: 60_000, minBytes: 200 },
      },
    });
    await world.client.call('settings.change', { preferences: { jobsAtOnce: 8 } });
    await register(world, 'work', sandbox);
    return new FaultScene(world, sandbox, otherOrigin);
  }

  /** Assigns to each cell a project, a fault and a plan. */
  async prepare<Of extends Cell>(cells: readonly Of[]): Promise<(Of & { project: string })[]> {
    const candidates = this.sandbox.state.paths.filter((path) => path.startsWith('borealis/blank-slate-'));
    const placed = cells.map((cell, at) => ({ ...cell, project: candidates[at] ?? '' }));
    for (const { project } of placed) this.#ids.set(project, (await this.sandbox.state.project(project)).id);
    await this.#plan(
      'work',
      placed.filter(({ ownInstance }) => !ownInstance).map(({ project }) => project),
    );
    for (const [at, { project, newToken }] of placed.filter(({ ownInstance }) => ownInstance).entries()) {
      const name = `work-${at}`;
      await register(this.world, name, this.sandbox, await this.#ownToken());
      if (newToken) this.#needToken.push(name);
      await this.#plan(name, [project]);
    }
    for (const { match, action, project } of placed) {
      this.sandbox.faults.add({ match: { ...match, project }, action });
    }
    return placed;
  }

  /** Runs all plans until every job has ended or waits for this reason. */
  async run(waitReason: string | null): Promise<{ jobOf: (project: string) => Job }> {
    const { client } = this.world;
    for (const id of this.#plans) await client.call('plan.run', { id });
    const listed = { runId: null, before: null, limit: 500 };
    const isInProgress = ({ state }: Job): boolean =>
      !hasEnded(state) && (state.status !== 'waiting' || state.reason !== waitReason);
    let jobs: Job[] = [];
    // A waiting job may resume at any moment, so the jobs are a snapshot from a moment when none was running.
    const anyInProgress = async (): Promise<boolean> => {
      for (const status of ['open', null] as const) {
        ({ jobs } = await client.call('job.list', { ...listed, status }));
        if (jobs.some(isInProgress)) return true;
      }
      return false;
    };
    await expect.poll(anyInProgress, { interval: 100 }).toBe(false);
    // Newest first.
    const newest = new Map(jobs.toReversed().map((job) => [job.project, job]));
    return { jobOf: (project) => newest.get(project) as Job };
  }

  /** Removes the faults, and sets the required tokens. */
  async removeFaults(): Promise<void> {
    this.sandbox.faults.clear();
    const token = this.sandbox.tokens.administrator;
    for (const name of this.#needToken) {
      await this.world.client.call('instance.setToken', { name, token, keep: 'session' });
    }
  }

  /** Returns the statuses of the requests for an export of the project; null for a lost reply. */
  exportRequestStatuses(project: string): (number | null)[] {
    const path = `/projects/${this.#ids.get(project) ?? ''}/export`;
    return this.sandbox.requests
      .filter((request) => request.method === 'POST' && request.path.endsWith(path))
      .map(({ status }) => status);
  }

  async #plan(instance: string, paths: string[]): Promise<void> {
    const projects = paths.map((fullPath) => ({ id: this.#ids.get(fullPath) ?? 0, fullPath }));
    const selection = { kind: 'projects' as const, projects };
    const { plan } = await this.world.client.call('plan.save', planDraft({ instance, selection }));
    this.#plans.push(plan.id);
  }

  /** Creates another token of the shared account. */
  async #ownToken(): Promise<string> {
    const calls = new SandboxCalls(this.sandbox, this.sandbox.tokens.administrator);
    const [user] = (await calls.get('/users?username=maintainer')) as { id: number }[];
    const { body } = await calls.call(`/users/${user?.id ?? 0}/personal_access_tokens`, 'POST', {
      name: 'own',
      scopes: ['api'],
    });
    return (body as { token: string }).token;
  }
}
