/** @file Instances, their tokens and the connections to them as one thing, for the bridge and for whoever runs jobs. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { StoredPlan } from '../../../src-preload/contract/plans/plan.ts';
import type { CredentialsPort, InstancesPort, SparesPort } from '../../bridge/instances/instance-ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { accountOf, collidingInstance, type Credentials } from '../../platform/credentials.ts';
import type { Log } from '../../platform/log.ts';
import type { SettingsStore } from '../../platform/settings.ts';
import { checkToken } from '../../platform/token-source.ts';
import type { Token } from '../../platform/token.ts';
import type { Announce } from '../events.ts';
import {
  createInstanceClient,
  type InstanceClient,
  type InstanceClientOptions,
} from '../../instance/http/client.ts';
import type { SentWrite } from '../../instance/http/sender.ts';
import type { HttpLimits } from '../../instance/http/limits.ts';
import type { TokenPort } from '../../jobs/tokens/token-ports.ts';
import type { NewTokens } from './new-tokens.ts';
import { patientClient } from './patient-client.ts';
import { createRemote, type ConnectedRemote, type Remote } from './remote/remote.ts';
import { createSpares } from './spare-tokens.ts';
import type { TokenRecipient } from './token-recipient.ts';
import { createTokenPort } from './token-access.ts';
import { Turnstile } from './turnstile.ts';
import { createTokenRefusals } from './token-refusals.ts';
import { createTokenPresence } from './token-presence.ts';
import { appVersion } from '../version.ts';

/** Somebody who adds an instance has that long from its token to its adding. */
const abandonedMs = 10 * 60_000;

export interface InstanceAccessParts {
  settings: SettingsStore;
  credentials: Credentials;
  clock: Clock;
  log: Log;
  announce: Announce;
  /** Instead of the usual ones. */
  httpLimits: Partial<HttpLimits>;
  /** A token is at hand now that was not before, or an instance is used in another way. */
  mayGoOn(): void;
  /** A request that may have changed something was sent, by that job or (null) by a call. */
  wrote(instance: string, job: string | null, write: SentWrite): void;
  newTokens: NewTokens;
  recipient: TokenRecipient;
  /** These went with their instance; nothing else of them is needed any more. */
  forgetPlans(gone: readonly StoredPlan[]): Promise<void>;
  /** The jobs about tokens of an instance that have not ended. */
  tokenJobs(instance: string): Job[];
}

export interface InstanceAccess {
  connect(instance: Instance): Remote;
  /** The same, with what is written put down to a job. */
  connectFor(instance: Instance, job: string): Remote;
  /** The tokens of the instance, for a job that changes them. */
  tokensFor(instance: Instance, job: string): TokenPort;
  /** Whether a job may go on that waits for a token: null where only trying tells. */
  tokenAtHand(name: string): boolean | null;
  instances: InstancesPort;
  tokens: CredentialsPort;
  spares: SparesPort;
  close(): void;
}

export function createInstanceAccess(parts: InstanceAccessParts): InstanceAccess {
  const { settings, credentials, clock, log, announce } = parts;
  const remotes = new Map<string, ConnectedRemote>();
  const presence = createTokenPresence({
    credentials,
    clock,
    changed: (name) => {
      announce('instance.changed', { name });
    },
  });

  const refusals = createTokenRefusals({ settings, clock, log, announce });

  const turnstiles = new Map<string, Turnstile>();
  const turnstileOf = (name: string): Turnstile => {
    const turnstile = turnstiles.get(name) ?? new Turnstile(clock);
    turnstiles.set(name, turnstile);
    return turnstile;
  };
  /** Instances of which nothing can be asked until somebody gives a token, as far as they were connected to. */
  const frozen = new Set<string>();

  const clientOptions = (instance: Instance): Omit<InstanceClientOptions, 'token'> => ({
    baseUrl: instance.url,
    caFile: instance.caFile,
    proxy: instance.proxy ?? settings.read().preferences.proxy,
    userAgent: `Packhorse/${appVersion}`,
    clock,
    limits: parts.httpLimits,
    version: () => instance.serverVersion,
    mayWrite: () => {
      const known = settings.read().instances.find(({ name }) => name === instance.name);
      return !(known ?? instance).readOnly;
    },
    log: (line) => {
      log.debug({ instance: instance.name, ...line }, 'request');
    },
    wrote: (write) => {
      parts.wrote(instance.name, null, write);
    },
  });

  const tokenOf = async ({ name, rotationLost }: Instance): Promise<Token> => {
    if (rotationLost === null) return (await credentials.resolve(name)).token;
    const { page, orphanId, expiresOn, name: tokenName } = rotationLost;
    throw new AppError('rotation-lost', `The token of "${name}" was replaced, and the new one was lost.`, {
      retry: 'later',
      details: { instance: name, page, orphanId, expiresOn, name: tokenName },
    });
  };

  const connect = (instance: Instance): ConnectedRemote => {
    const { name, anonymous, rotationLost } = instance;
    if (rotationLost === null) frozen.delete(name);
    else frozen.add(name);
    const options = clientOptions(instance);
    // Whoever changes the address, the certificate or the proxy gets a connection of its own; what is under way goes on.
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
    const known = remotes.get(key);
    if (known !== undefined) return known;
    const remote = createRemote(
      instance,
      { ...options, token: anonymous ? null : () => tokenOf(instance) },
      (client) =>
        patientClient(client, name, {
          turnstile: turnstileOf(name),
          isUnderWay: () => parts.tokenJobs(name).some(({ step }) => step === 'send'),
          refused: (code) => {
            refusals.refused(instance, code);
          },
          accepted: () => {
            refusals.accepted(instance);
          },
        }),
    );
    remotes.set(key, remote);
    return remote;
  };

  const openWith = (
    instance: Instance,
    token: Token,
    more: Partial<InstanceClientOptions> = {},
  ): InstanceClient =>
    createInstanceClient({ ...clientOptions(instance), ...more, token: () => Promise.resolve(token) });

  return {
    connect,
    spares: createSpares({ credentials, open: openWith }),
    connectFor: (instance, job) =>
      connect(instance).writingTo((write) => {
        parts.wrote(instance.name, job, write);
      }),
    tokensFor: ({ name }, job) =>
      createTokenPort(
        {
          settings,
          credentials,
          log,
          open: (instance, token, wrote) => openWith(instance, token, { wrote }),
          turnstile: turnstileOf,
          newTokens: parts.newTokens,
          recipient: parts.recipient,
          openJobs: (instance) => parts.tokenJobs(instance).map(({ id }) => id),
          wrote: (instance, job, write) => {
            parts.wrote(instance, job, write);
          },
          changed(instance) {
            presence.forget(instance);
            announce('instance.changed', { name: instance });
          },
        },
        name,
        job,
      ),
    tokenAtHand(name) {
      // What the keychain once had it may not give now: only what memory or the environment has is certain.
      if (frozen.has(name)) return false;
      return credentials.has(name) || (presence.of(name) === false ? false : null);
    },
    instances: {
      list: () => Promise.resolve(settings.read().instances),
      async save(instance) {
        await settings.change((before) => ({
          ...before,
          instances: before.instances.some(({ name }) => name === instance.name)
            ? before.instances.map((known) => (known.name === instance.name ? instance : known))
            : [...before.instances, instance],
        }));
        announce('instance.changed', { name: instance.name });
        // What was refused while it was read only, or could not be reached, may go on now.
        parts.mayGoOn();
      },
      async remove(name) {
        let gone: StoredPlan[] = [];
        await settings.change((before) => {
          gone = before.plans.filter((plan) => plan.instance === name);
          return {
            ...before,
            instances: before.instances.filter((instance) => instance.name !== name),
            plans: before.plans.filter((plan) => plan.instance !== name),
            practice: before.practice.filter((server) => server.name !== name),
          };
        });
        announce('instance.changed', { name });
        await parts.forgetPlans(gone);
      },
      connect,
    },
    tokens: {
      borrow: (name) => refusals.ignore(name),
      isBorrowed: (name) => refusals.isIgnored(name),
      looked: (name) => presence.looked(name),
      source: async (name) => (await credentials.resolve(name)).source,
      remember(name, token) {
        const given = checkToken(token);
        const putBack = credentials.remember(name, given);
        clock.timer(abandonedMs, () => {
          const isKnown = settings.read().instances.some((instance) => instance.name === name);
          if (!isKnown) credentials.drop(name, given);
        });
        parts.mayGoOn();
        return () => {
          putBack();
          presence.forget(name);
        };
      },
      isRemembered: (name) => credentials.isRemembered(name),
      drop(name) {
        credentials.drop(name);
        presence.forget(name);
      },
      atHand: (name) => presence.of(name),
      keychainWorks: () => credentials.reachable(),
      async keep(name) {
        const { token, source } = await credentials.resolve(name);
        if (source === 'session') await credentials.store(name, token);
        presence.forget(name);
      },
      clash: collidingInstance,
      async forget(name) {
        presence.forget(name);
        for (const slot of ['main', 'spare', 'pending'] as const) {
          // Without a keychain there is nothing in it to forget.
          await credentials.forget(accountOf(name, slot)).catch((thrown: unknown) => {
            log.warn(
              { code: AppError.from(thrown).code },
              'the keychain could not be asked to forget a token',
            );
          });
        }
      },
    },
    close() {
      for (const remote of remotes.values()) remote.close();
    },
  };
}
