/**
 * @file Rotates tokens against a sandbox by a process that can be ended at every point. A point is before and after each
 * request, each call of the keychain, and each write to the catalogue. The catalogue, the settings and the keychain
 * survive the process.
 */
import { join } from 'node:path';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import { instanceDefaults, presetPaces, type Instance } from '../../../src-contract/instances/instance.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { NewTokens } from '../../../src-main/services/tokens/new-tokens.ts';
import { TokenRecipient } from '../../../src-main/services/tokens/token-recipient.ts';
import { createTokenPort } from '../../../src-main/services/tokens/token-access.ts';
import { RotationLock } from '../../../src-main/services/tokens/rotation-lock.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { Lease } from '../../../src-main/catalogue/lease.ts';
import { createInstanceClient, type InstanceClient } from '../../../src-main/gitlab/http/client.ts';
import { createRateLimiter } from '../../../src-main/jobs/running/rate-limiter.ts';
import type { JobStorePort, StepPorts } from '../../../src-main/jobs/ports.ts';
import { JobRunner } from '../../../src-main/jobs/running/runner.ts';
import { tokenJob } from '../../../src-main/jobs/tokens/token-job.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { accountOf, createCredentials } from '../../../src-main/platform/credentials.ts';
import type { Keychain } from '../../../src-main/platform/credentials-keychain.ts';
import { openLog } from '../../../src-main/platform/log.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { SandboxCalls } from '../servers/sandbox-calls.ts';

const name = 'source';
const pace = { ...presetPaces.sandbox, firstPollMs: 2, maxPollMs: 4, lookAgainMs: 8, deadlineMs: 60_000 };
const never = new Promise<never>(() => undefined);

/**
 * The replaced token and the token that replaces it: the main token by itself or by the spare, or the spare by the main
 * token.
 */
export type Protocol = 'main by itself' | 'main by spare' | 'spare by main';

/** The fate of the first request that replaces a token. */
export type Outcome = 'arrives' | 'request lost' | 'reply lost';

/** The lifetime of a process that ends at a point, counted from 1; 0 never ends it. */
class Lifetime {
  points = 0;
  isOver = false;
  readonly #end: number;
  onEnd: () => void = () => undefined;

  constructor(end: number) {
    this.#end = end;
  }

  async point(): Promise<void> {
    if (this.isOver || this.#isTheEnd()) await never;
  }

  /** Throws in an ended process. For synchronous calls: an ended process must neither continue nor store anything. */
  pointOrThrow(): void {
    if (this.isOver || this.#isTheEnd()) throw new Error('The process has ended.');
  }

  #isTheEnd(): boolean {
    this.points += 1;
    if (this.points !== this.#end) return false;
    this.isOver = true;
    this.onEnd();
    return true;
  }
}

const livePids = new Set<number>();
let lastPid = 0;

/** One instance in one folder, with a main token and possibly a spare in the keychain. */
export class RotationHarness {
  readonly #folder: string;
  readonly #sandbox: Sandbox;
  readonly #keychain: Keychain;
  readonly settings: SettingsStore;
  #protocol: Protocol = 'main by itself';

  constructor(options: { folder: string; sandbox: Sandbox; keychain: Keychain }) {
    this.#folder = options.folder;
    this.#sandbox = options.sandbox;
    this.#keychain = options.keychain;
    this.settings = new SettingsStore(join(options.folder, 'settings.json'), systemClock);
  }

  /** Creates new tokens and stores them in the keychain, as if the instance had just been added. */
  async setUp(protocol: Protocol): Promise<void> {
    this.#protocol = protocol;
    const spare = protocol !== 'main by itself';
    const admin = new SandboxCalls(this.#sandbox, this.#sandbox.tokens.administrator);
    const { id } = (await new SandboxCalls(this.#sandbox).get('/user')) as { id: number };
    const issueToken = async (tokenName: string): Promise<string> => {
      const path = `/users/${id}/personal_access_tokens`;
      const { body } = await admin.call(path, 'POST', { name: tokenName, scopes: ['api'] });
      return (body as { token: string }).token;
    };
    const credentials = createCredentials({ env: {}, clock: systemClock, keychain: this.#keychain });
    await credentials.store(name, new Token(await issueToken('packhorse')));
    if (spare)
      await credentials.store(accountOf(name, 'spare'), new Token(await issueToken('packhorse spare')));
    else await credentials.remove(accountOf(name, 'spare'));
    await credentials.remove(accountOf(name, 'pending'));
    const instance: Instance = {
      ...instanceDefaults,
      name,
      url: this.#sandbox.url,
      caFile: null,
      pacePreset: 'sandbox',
      pace,
      username: 'maintainer',
      userId: id,
      administrator: false,
      serverVersion: null,
      tokenExpiresOn: null,
      tokenCanWrite: null,
      addedAt: '2026-11-20T00:00:00.000Z',
      hasSpare: spare,
    };
    await this.settings.change((before) => ({ ...before, instances: [instance] }));
  }

  /** Sets the fate of the first request that replaces a token; later ones arrive. */
  setFirstOutcome(outcome: Outcome): void {
    this.#sandbox.faults.clear();
    if (outcome === 'arrives') return;
    const kind = outcome === 'reply lost' ? 'lose-reply' : 'reset';
    this.#sandbox.faults.add({ match: { method: 'POST', path: 'rotate', nth: 1 }, action: { kind } });
  }

  /**
   * Runs one process until the job has ended, or the process has ended at the given point. @returns the job and the
   * number of passed points.
   */
  async run(jobId: string | null, end = 0): Promise<{ job: StoredJob; points: number }> {
    const lifetime = new Lifetime(end);
    const catalogue = openCatalogue({ path: join(this.#folder, 'catalogue.sqlite'), clock: systemClock });
    const store = new JobStore(catalogue);
    const pid = ++lastPid;
    livePids.add(pid);
    const self = { bootId: 'boot', host: 'here', pid, startedAt: 'then' };
    const job = jobId ?? this.#enqueue(store);
    const done = Promise.withResolvers<undefined>();
    const runner = new JobRunner({
      definitions: [tokenJob],
      store: storeWith(lifetime, store),
      lease: new Lease(catalogue, systemClock, self, (other) => livePids.has(other)),
      clock: systemClock,
      rateLimiter: createRateLimiter(() => systemClock.monotonic()),
      portsFor: () => Promise.resolve(this.#ports(lifetime, store, job)),
      hasToken: () => null,
      tidyUp: () => Promise.resolve(),
      observer: {
        onChanged: ({ state }) => {
          if (hasEnded(state)) done.resolve(undefined);
        },
        onError: () => undefined,
      },
      random: () => 0.5,
      concurrency: () => 1,
    });
    lifetime.onEnd = () => {
      done.resolve(undefined);
    };
    runner.start(() => true);
    await done.promise;
    if (lifetime.isOver) void runner.stop();
    else await runner.stop();
    livePids.delete(pid);
    const stored = store.get(job);
    catalogue.close();
    if (stored === null) throw new Error('The job is gone.');
    return { job: stored, points: lifetime.points };
  }

  /** Resolves with the sandbox's record of the token of a slot; null if the sandbox refuses it. */
  async readOwnToken(slot: 'main' | 'spare'): Promise<{ name: string } | null> {
    const secret = await this.#keychain.getPassword('Packhorse', accountOf(name, slot));
    const { status, body } = await new SandboxCalls(this.#sandbox, secret ?? '').call(
      '/personal_access_tokens/self',
    );
    return status === 200 ? (body as { name: string }) : null;
  }

  pending(): Promise<string | null> {
    return this.#keychain.getPassword('Packhorse', accountOf(name, 'pending'));
  }

  #enqueue(store: JobStore): string {
    const at = systemClock.now();
    const [runId, id] = [store.newId(at), store.newId(at)];
    const slot = this.#protocol === 'spare by main' ? 'spare' : 'main';
    const input = { action: 'rotate', slot, expiresOn: null };
    store.createRun({ id: runId, kind: 'token', request: {}, at });
    store.enqueue({
      id,
      runId,
      kind: 'token',
      instance: name,
      project: `token ${slot}`,
      input,
      firstStep: 'prepare',
      at,
    });
    return id;
  }

  #ports(lifetime: Lifetime, store: JobStore, jobId: string): StepPorts {
    const credentials = createCredentials({
      env: {},
      clock: systemClock,
      keychain: keychainWith(lifetime, this.#keychain),
    });
    const rotationLock = new RotationLock(systemClock);
    const tokens = createTokenPort(
      {
        settings: this.settings,
        credentials,
        log: openLog({ folder: join(this.#folder, 'logs'), clock: systemClock }),
        openClient: (instance, token) =>
          clientWith(
            lifetime,
            createInstanceClient({
              baseUrl: instance.url,
              token: () => Promise.resolve(token),
              clock: systemClock,
              userAgent: 'test',
            }),
          ),
        rotationLock: () => rotationLock,
        recipient: new TokenRecipient(),
        newTokens: new NewTokens((instance, token) =>
          credentials.store(accountOf(instance, 'pending'), token),
        ),
        openJobs: () =>
          store
            .openJobs()
            .filter(({ kind }) => kind === 'token')
            .map(({ id }) => id),
        onWrite: () => undefined,
        onChange: () => undefined,
      },
      name,
      jobId,
    );
    const instance = {
      name,
      pace,
      serverInfo: () => Promise.resolve({ version: null, clockSkewMs: 0 }),
    };
    return { tokens, instance } as unknown as StepPorts;
  }
}

function storeWith(lifetime: Lifetime, store: JobStore): JobStorePort {
  const around = <T>(work: () => T): T => {
    lifetime.pointOrThrow();
    const result = work();
    lifetime.pointOrThrow();
    return result;
  };
  const alive = <T>(work: () => T): T => {
    if (lifetime.isOver) throw new Error('The process has ended.');
    return work();
  };
  return {
    get: (id) => store.get(id),
    earlierJobs: (id) => store.earlierJobs(id),
    openJobs: () => alive(() => store.openJobs()),
    transaction: (work) => alive(() => store.transaction(work)),
    change: (...change) => alive(() => store.change(...change)),
    beginStep: (...begun) => alive(() => store.beginStep(...begun)),
    saveMemo: (...memo) => {
      around(() => {
        store.saveMemo(...memo);
      });
    },
    finishStep: (...finished) => around(() => store.finishStep(...finished)),
    outputs: (id) => store.outputs(id),
    appendEvent: (...event) => {
      alive(() => {
        store.appendEvent(...event);
      });
    },
  };
}

function keychainWith(lifetime: Lifetime, keychain: Keychain): Keychain {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await lifetime.point();
    const result = await work();
    await lifetime.point();
    return result;
  };
  return {
    getPassword: async (...args) => {
      if (lifetime.isOver) await never;
      return keychain.getPassword(...args);
    },
    setPassword: (...args) => around(() => keychain.setPassword(...args)),
    deletePassword: (...args) => around(() => keychain.deletePassword(...args)),
  };
}

function clientWith(lifetime: Lifetime, client: InstanceClient): InstanceClient {
  return {
    ...client,
    getJson: async (...call) => {
      if (lifetime.isOver) await never;
      return client.getJson(...call);
    },
    postJson: async (...call) => {
      await lifetime.point();
      const answer = await client.postJson(...call);
      await lifetime.point();
      return answer;
    },
  };
}
