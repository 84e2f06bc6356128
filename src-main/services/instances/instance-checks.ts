/** @file Reads facts about an instance and its token, and checks whether changes are allowed there. */
import { AppError } from '../../../src-contract/errors.ts';
import { expiresSoon, type Instance, type InstanceCheck } from '../../../src-contract/instances/instance.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connections } from './connections.ts';
import type { InstanceTokens } from '../tokens/instance-tokens.ts';
import type { Instances } from './instances.ts';
import type { TokenRefusals } from '../tokens/token-refusals.ts';
import { Service } from '../service.ts';

interface Deps {
  instances: Instances;
  connections: Connections;
  tokens: InstanceTokens;
  refusals: TokenRefusals;
  clock: Clock;
}

export class InstanceChecks extends Service<Deps> {
  /** Checks the instance with requests; stores nothing. Throws `not-gitlab`, and the errors of the requests. */
  async check(instance: Instance, signal: AbortSignal): Promise<InstanceCheck> {
    if (instance.anonymous) return this.#checkAnonymous(instance, signal);
    const remote = this.deps.connections.connect(instance);
    const user = await remote.user(signal).catch((thrown: unknown) => {
      // Every GitLab has this API path. A 404 means another server, or a path that does not belong in the URL.
      if (AppError.from(thrown).code !== 'not-found') throw thrown;
      throw new AppError('not-gitlab', 'There is no API at this address.', {
        details: { url: instance.url },
      });
    });
    const server = await remote.serverInfo(signal);
    const token = await remote.token(signal);
    const scopes = token?.scopes ?? null;
    const canWrite = scopes === null || scopes.includes('api');
    const canRead = canWrite || scopes.includes('read_api');
    const notes: string[] = [];
    if (!canRead) notes.push('The token cannot read projects: it needs the scope "api".');
    else if (!canWrite)
      notes.push('The token can read but not export or import: that needs the scope "api".');
    if (scopes === null) notes.push('The instance does not report the scopes of the token.');
    const expiresOn = token?.expiresOn ?? null;
    if (expiresOn !== null && expiresSoon(expiresOn, this.deps.clock.now())) {
      notes.push(`The token expires on ${expiresOn}.`);
    }
    if (server.clockSkewMs !== null && Math.abs(server.clockSkewMs) > 60_000) {
      notes.push(
        `The clocks of this machine and the instance differ by ${Math.round(server.clockSkewMs / 1000)} s.`,
      );
    }
    return {
      name: instance.name,
      url: instance.url,
      version: server.version,
      userId: user.id,
      username: user.username,
      administrator: user.administrator,
      tokenSource: await this.deps.tokens.source(instance.name),
      scopes,
      expiresOn,
      canRead,
      canWrite,
      clockSkewMs: server.clockSkewMs,
      notes,
    };
  }

  async checkAndSave(instance: Instance, signal: AbortSignal): Promise<InstanceCheck> {
    const checked = await this.check(instance, signal);
    const isOtherAccount =
      this.deps.refusals.isIgnored(instance.name) &&
      instance.username !== null &&
      instance.username !== checked.username;
    if (isOtherAccount) return checked;
    const updated = { ...instance, ...checkedFacts(checked) };
    if (JSON.stringify(updated) !== JSON.stringify(instance)) await this.deps.instances.save(updated);
    return checked;
  }

  /**
   * Throws `sign-in-needed`, `instance-read-only`, `token-scope`. If the last known token could only read, checks
   * again: it may have been replaced.
   */
  async assertMayWrite(instance: Instance, signal: AbortSignal): Promise<void> {
    assertMayChange(instance);
    if (instance.tokenCanWrite !== false) return;
    const { canWrite } = await this.checkAndSave(instance, signal);
    if (!canWrite) throw new AppError('token-scope', `The token of "${instance.name}" may only read.`);
  }

  /** Checks an instance without an account. Only public projects are visible, and the version is not available. */
  async #checkAnonymous(instance: Instance, signal: AbortSignal): Promise<InstanceCheck> {
    const projects = await this.deps.connections
      .connect(instance)
      .projectCount({ membership: false }, signal);
    return {
      name: instance.name,
      url: instance.url,
      version: null,
      userId: null,
      username: null,
      administrator: false,
      tokenSource: null,
      scopes: null,
      expiresOn: null,
      canRead: true,
      canWrite: false,
      clockSkewMs: null,
      notes: [
        `Without an account, only public projects are visible${projects === null ? '' : ` (${projects})`}, and nothing is exported or imported.`,
      ],
    };
  }
}

export const signInNeededError = (name: string): AppError =>
  new AppError('sign-in-needed', 'The instance is used without an account.', { details: { host: name } });

/** Throws `sign-in-needed` and `instance-read-only`. Sends no request. */
export function assertMayChange({ name, anonymous, readOnly }: Instance): void {
  if (anonymous) throw signInNeededError(name);
  if (readOnly)
    throw new AppError('instance-read-only', 'The instance is read-only.', { details: { host: name } });
}

/** Returns the facts of a check that are stored with the instance. */
export const checkedFacts = (checked: InstanceCheck) =>
  ({
    username: checked.username,
    userId: checked.userId,
    administrator: checked.administrator,
    serverVersion: checked.version,
    tokenExpiresOn: checked.expiresOn,
    tokenCanWrite: checked.scopes === null ? null : checked.canWrite,
    tokenRefused: null,
  }) satisfies Partial<Instance>;
