/** @file Instances, their tokens and the connections to them as one thing, for the bridge and for whoever runs jobs. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import type { CredentialsPort, InstancesPort } from '../bridge/ports.ts';
import type { Clock } from '../platform/clock.ts';
import { collidingInstance, type Credentials } from '../platform/credentials.ts';
import type { Log } from '../platform/log.ts';
import type { SettingsStore } from '../platform/settings.ts';
import { checkToken } from '../platform/token-source.ts';
import type { Announce } from './events.ts';
import type { SentWrite } from '../instance/client.ts';
import { createRemote, type ConnectedRemote, type Remote } from './remote.ts';
import { createTokenPresence } from './token-presence.ts';
import { appVersion } from './version.ts';

/** Somebody who adds an instance has that long from its token to its adding. */
const abandonedMs = 10 * 60_000;

export interface InstanceAccessParts {
  settings: SettingsStore;
  credentials: Credentials;
  clock: Clock;
  log: Log;
  announce: Announce;
  /** A token is at hand now that was not before. */
  tokenGiven(): void;
  /** A request that may have changed something was sent, by that job or (null) by a call. */
  wrote(instance: string, job: string | null, write: SentWrite): void;
}

export interface InstanceAccess {
  connect(instance: Instance): Remote;
  /** The same, with what is written put down to a job. */
  connectFor(instance: Instance, job: string): Remote;
  instances: InstancesPort;
  tokens: CredentialsPort;
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

  const connect = (instance: Instance): ConnectedRemote => {
    const { proxy } = settings.read().preferences;
    // Whoever changes the address, the certificate or the proxy gets a connection of its own; what is under way goes on.
    const key = JSON.stringify([
      instance.name,
      instance.url,
      instance.caFile,
      instance.pace,
      instance.username,
      proxy,
    ]);
    const known = remotes.get(key);
    if (known !== undefined) return known;
    const remote = createRemote(instance, {
      token: async () => (await credentials.resolve(instance.name)).token,
      userAgent: `Packhorse/${appVersion}`,
      clock,
      proxy,
      log: (line) => {
        log.debug({ instance: instance.name, ...line }, 'request');
      },
      wrote: (write) => {
        parts.wrote(instance.name, null, write);
      },
    });
    remotes.set(key, remote);
    return remote;
  };

  return {
    connect,
    connectFor: (instance, job) =>
      connect(instance).writingTo((write) => {
        parts.wrote(instance.name, job, write);
      }),
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
      },
      async remove(name) {
        await settings.change((before) => ({
          ...before,
          instances: before.instances.filter((instance) => instance.name !== name),
          plans: before.plans.filter((plan) => plan.instance !== name),
          practice: before.practice.filter((server) => server.name !== name),
        }));
        announce('instance.changed', { name });
      },
      connect,
    },
    tokens: {
      source: async (name) => (await credentials.resolve(name)).source,
      remember(name, token) {
        const given = checkToken(token);
        const putBack = credentials.remember(name, given);
        clock.timer(abandonedMs, () => {
          const isKnown = settings.read().instances.some((instance) => instance.name === name);
          if (!isKnown) credentials.drop(name, given);
        });
        parts.tokenGiven();
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
        // Without a keychain there is nothing in it to forget.
        await credentials.forget(name).catch((thrown: unknown) => {
          log.warn({ code: AppError.from(thrown).code }, 'the keychain could not be asked to forget a token');
        });
      },
    },
    close() {
      for (const remote of remotes.values()) remote.close();
    },
  };
}
