/** @file The connections to instances. Requests over them wait while a token is replaced. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { Token } from '../../platform/token.ts';
import {
  createInstanceClient,
  type InstanceClient,
  type InstanceClientOptions,
} from '../../gitlab/http/client.ts';
import type { SentWrite } from '../../gitlab/http/sender.ts';
import type { HttpLimits } from '../../gitlab/http/limits.ts';
import type { TokenPort } from '../../jobs/tokens/token-ports.ts';
import type { NewTokens } from '../tokens/new-tokens.ts';
import { retryOnTokenRotation } from '../tokens/retry-on-token-rotation.ts';
import {
  createRemoteInstance,
  type ConnectedInstance,
  type RemoteInstance,
} from './remote/remote-instance.ts';
import type { TokenRecipient } from '../tokens/token-recipient.ts';
import { createTokenPort } from '../tokens/token-access.ts';
import { RotationLock } from '../tokens/rotation-lock.ts';
import type { TokenRefusals } from '../tokens/token-refusals.ts';
import type { TokenPresence } from '../tokens/token-presence.ts';
import { appVersion } from '../version.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

interface Deps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'credentials' | 'jobs' | 'log' | 'settings' | 'writeRequests'
> {
  presence: TokenPresence;
  refusals: TokenRefusals;
  newTokens: NewTokens;
  recipient: TokenRecipient;
  httpLimits: Partial<HttpLimits>;
}

export class Connections extends Service<Deps> {
  readonly #remotes = new Map<string, ConnectedInstance>();
  readonly #rotationLocks = new Map<string, RotationLock>();
  /** Connected instances that cannot be used until a person gives a token. */
  readonly #blocked = new Set<string>();

  /** Returns the connection to an instance that is saved or about to be saved. */
  connect(instance: Instance): ConnectedInstance {
    const { refusals } = this.deps;
    const { name, anonymous, rotationLost } = instance;
    if (rotationLost === null) this.#blocked.delete(name);
    else this.#blocked.add(name);
    const options = this.#clientOptions(instance);
    // A change of address, certificate or proxy creates a new connection. Requests in progress continue.
    const key = JSON.stringify([
      name,
      instance.url,
      instance.caFile,
      instance.pace,
      instance.username,
      instance.serverVersion,
      anonymous,
      rotationLost,
      options.proxy,
    ]);
    const existing = this.#remotes.get(key);
    if (existing !== undefined) return existing;
    const remote = createRemoteInstance(
      instance,
      { ...options, token: anonymous ? null : () => this.#tokenOf(instance) },
      (client) =>
        retryOnTokenRotation(client, name, {
          rotationLock: this.#rotationLockOf(name),
          isReplacementPending: () => this.#tokenJobs(name).some(({ step }) => step === 'send'),
          onRefused: (code) => {
            refusals.recordRefusal(instance, code);
          },
          onAccepted: () => {
            refusals.clearRefusal(instance);
          },
        }),
    );
    this.#remotes.set(key, remote);
    return remote;
  }

  /** Returns the connection to the saved instance of that name. Throws `instance-unknown`. */
  forInstance(name: string): ConnectedInstance {
    return this.connect(this.deps.settings.instance(name));
  }

  connectForJob(instance: Instance, job: string): RemoteInstance {
    return this.connect(instance).withWriteObserver((write) => {
      this.#recordWrite(instance.name, job, write);
    });
  }

  /** Returns a client that sends this token and no other. */
  openClient(
    instance: Instance,
    token: Token,
    overrides: Partial<InstanceClientOptions> = {},
  ): InstanceClient {
    const options = { ...this.#clientOptions(instance), ...overrides };
    return createInstanceClient({ ...options, token: () => Promise.resolve(token) });
  }

  tokensFor({ name }: Instance, job: string): TokenPort {
    const { presence, announce } = this.deps;
    return createTokenPort(
      {
        ...this.deps,
        openClient: (instance, token, onWrite) => this.openClient(instance, token, { onWrite }),
        rotationLock: (instance) => this.#rotationLockOf(instance),
        openJobs: (instance) => this.#tokenJobs(instance).map(({ id }) => id),
        onWrite: (...write) => {
          this.#recordWrite(...write);
        },
        onChange(instance) {
          presence.forget(instance);
          announce('instance.changed', { name: instance });
        },
      },
      name,
      job,
    );
  }

  /** Returns whether a job that waits for a token may continue; null if only an attempt can show it. */
  hasToken(name: string): boolean | null {
    const { credentials, presence } = this.deps;
    // Only a token in memory or the environment is certain: the keychain may refuse a token that it returned before.
    if (this.#blocked.has(name)) return false;
    return credentials.has(name) || (presence.hasToken(name) === false ? false : null);
  }

  close(): void {
    for (const remote of this.#remotes.values()) remote.close();
  }

  #rotationLockOf(name: string): RotationLock {
    const rotationLock = this.#rotationLocks.get(name) ?? new RotationLock(this.deps.clock);
    this.#rotationLocks.set(name, rotationLock);
    return rotationLock;
  }

  #clientOptions(instance: Instance): Omit<InstanceClientOptions, 'token'> {
    const { settings, clock, log, httpLimits } = this.deps;
    return {
      baseUrl: instance.url,
      caFile: instance.caFile,
      proxy: instance.proxy ?? settings.read().preferences.proxy,
      userAgent: `Packhorse/${appVersion}`,
      clock,
      limits: httpLimits,
      version: () => instance.serverVersion,
      mayWrite: () => {
        const saved = settings.read().instances.find(({ name }) => name === instance.name);
        return !(saved ?? instance).readOnly;
      },
      log: (line) => {
        log.debug({ instance: instance.name, ...line }, 'request');
      },
      onWrite: (write) => {
        this.#recordWrite(instance.name, null, write);
      },
    };
  }

  /** Stores a request that may have changed something. `job` is null if a call sent the request. */
  #recordWrite(instance: string, job: string | null, write: SentWrite): void {
    const { writeRequests, clock, log } = this.deps;
    try {
      writeRequests.add({ instance, job, at: clock.now(), ...write });
    } catch (thrown) {
      // The request was sent, so a failure to record it must not look like a failure of the request.
      log.error({ err: AppError.from(thrown), instance, job, ...write }, 'a write request was not stored');
    }
  }

  #tokenJobs(instance: string): StoredJob[] {
    return this.deps.jobs.openJobs().filter((job) => job.kind === 'token' && job.instance === instance);
  }

  async #tokenOf({ name, rotationLost }: Instance): Promise<Token> {
    if (rotationLost === null) return (await this.deps.credentials.resolve(name)).token;
    const { page, orphanId, expiresOn, name: tokenName } = rotationLost;
    throw new AppError('rotation-lost', `The token of "${name}" was replaced, and the new one was lost.`, {
      retry: 'later',
      details: { instance: name, page, orphanId, expiresOn, name: tokenName },
    });
  }
}
