/**
 * @file The sandbox servers: two embedded instances, one with projects and one empty, registered like any other. They
 * run in long-lived processes, on 127.0.0.1 only; their data is lost when they stop.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { presetPaces, type Instance, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { SandboxServer } from '../../platform/settings.ts';
import type { Sandbox } from './embedded-sandbox.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Connections } from '../instances/connections.ts';
import type { InstanceTokens } from '../tokens/instance-tokens.ts';

/** The number of projects: one for each kind. */
const projectCount = 8;
const roles = ['source', 'target'] as const;
type Role = SandboxServer['role'];
const nameOf: Record<Role, string> = { source: 'practice', target: 'practice-target' };
const username = 'maintainer';

interface Deps extends Pick<SharedDeps, 'announce' | 'clock' | 'projectListStore' | 'settings'> {
  tokens: InstanceTokens;
  connections: Connections;
}

export type Sandboxes = ReturnType<typeof createSandboxes>;

/** Returns whether the server at an instance's address accepts the remembered token within two seconds. */
async function acceptsToken(remote: Pick<RemoteInstance, 'user'>, clock: Clock): Promise<boolean> {
  const timeout = new AbortController();
  const cancel = clock.timer(2_000, () => {
    timeout.abort();
  });
  try {
    await remote.user(timeout.signal);
    return true;
  } catch {
    return false;
  } finally {
    cancel();
  }
}

export function createSandboxes(deps: Deps) {
  const { settings, clock, announce } = deps;
  const runningSandboxes = new Map<string, Sandbox>();
  let last: Promise<unknown> = Promise.resolve();

  const runExclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  /** Returns null if another program listens on the port. */
  const start = async (role: Role, port: number): Promise<Sandbox | null> => {
    // Loaded only here, because few processes need it.
    const { startSandboxServer } = await import('./embedded-sandbox.ts');
    try {
      return await startSandboxServer({ role, port, projects: projectCount });
    } catch (thrown) {
      if (port !== 0 && AppError.from(thrown).code === 'already-exists') return null;
      throw thrown;
    }
  };

  const rememberToken = async ({ name, role }: SandboxServer): Promise<void> => {
    const { sandboxServerToken } = await import('./sandbox-token.ts');
    deps.tokens.remember(name, sandboxServerToken(role));
  };

  const storeInstance = async (instance: Instance, server: SandboxServer): Promise<void> => {
    await settings.change((current) => ({
      ...current,
      instances: [...current.instances.filter(({ name }) => name !== instance.name), instance],
      practice: [...current.practice.filter(({ name }) => name !== server.name), server],
    }));
    announce('instance.changed', { name: instance.name });
  };

  const registerStarted = async (
    instanceSettings: Instance,
    server: SandboxServer,
    sandbox: Sandbox,
  ): Promise<Instance> => {
    runningSandboxes.set(instanceSettings.name, sandbox);
    await rememberToken(server);
    const instance = { ...instanceSettings, url: sandbox.url };
    await storeInstance(instance, { ...server, port: Number(new URL(sandbox.url).port) });
    return instance;
  };

  const restart = async (server: SandboxServer): Promise<Instance | null> => {
    const storedInstance = settings.read().instances.find(({ name }) => name === server.name);
    if (storedInstance === undefined) return null;
    if (runningSandboxes.has(server.name)) return storedInstance;
    const sandbox = await start(server.role, server.port);
    if (sandbox !== null) return registerStarted(storedInstance, server, sandbox);
    // Another Packhorse process may run the server. Its token is the same in every process.
    await rememberToken(server);
    if (await acceptsToken(deps.connections.connect(storedInstance), clock)) return storedInstance;
    const fallbackSandbox = await start(server.role, 0);
    if (fallbackSandbox === null) return null;
    const instance = await registerStarted(storedInstance, server, fallbackSandbox);
    deps.projectListStore.setUrl(instance.name, instance.url);
    return instance;
  };

  const make = async (role: Role): Promise<Instance> => {
    const usedNames = settings.read().instances.map(({ name }) => name);
    const baseName = nameOf[role];
    let name = baseName;
    for (let number = 2; usedNames.includes(name); number += 1) name = `${baseName}-${number}`;
    const sandbox = await start(role, 0);
    if (sandbox === null) throw new AppError('internal', 'No port is free.');
    const instance: Instance = {
      name,
      url: sandbox.url,
      caFile: null,
      pacePreset: 'sandbox',
      pace: presetPaces.sandbox,
      username,
      userId: null,
      administrator: false,
      serverVersion: null,
      tokenExpiresOn: null,
      tokenCanWrite: null,
      addedAt: isoTime(clock.now()),
      ...instanceDefaults,
    };
    return registerStarted(instance, { name, role, port: 0 }, sandbox);
  };

  return {
    /** Creates and starts the servers that are missing. Idempotent, also while a call is in progress. */
    open: () =>
      runExclusively(async () => {
        const openedInstances: Instance[] = [];
        for (const role of roles) {
          const server = settings.read().practice.find((known) => known.role === role);
          openedInstances.push((server === undefined ? null : await restart(server)) ?? (await make(role)));
        }
        return openedInstances;
      }),
    /** Restarts the servers that an earlier process opened. Does nothing if there are none. */
    reopen: () =>
      runExclusively(async () => {
        for (const server of settings.read().practice) await restart(server);
      }),
    /** Registers the tokens of servers that another process runs; starts nothing. */
    rememberTokens: async () => {
      for (const server of settings.read().practice) await rememberToken(server);
    },
    stop: (instance: string) =>
      runExclusively(async () => {
        const sandbox = runningSandboxes.get(instance);
        runningSandboxes.delete(instance);
        await sandbox?.close();
      }),
    close: () =>
      runExclusively(async () => {
        for (const sandbox of runningSandboxes.values()) await sandbox.close();
        runningSandboxes.clear();
      }),
  };
}
