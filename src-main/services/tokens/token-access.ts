/** @file The tokens of an instance for the jobs that change them. Only this file passes secrets to requests. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance, RotationLost } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken, TokenSlot } from '../../../src-contract/tokens/token.ts';
import type { InstanceClient } from '../../gitlab/http/client.ts';
import type { SentWrite } from '../../gitlab/http/sender.ts';
import { rotateOwnToken, rotateToken } from '../../gitlab/instances/rotation.ts';
import {
  getToken,
  getOwnToken,
  revokeOwnToken,
  revokeToken,
  tokensPage,
} from '../../gitlab/instances/tokens.ts';
import type { RotatedToken, TokenClient, TokenPort } from '../../jobs/tokens/token-ports.ts';
import { accountOf, type CredentialSlot } from '../../platform/credentials.ts';
import type { Token } from '../../platform/token.ts';
import { everyRecord } from '../instances/remote/every-record.ts';
import type { NewTokens } from './new-tokens.ts';
import type { TokenRecipient } from './token-recipient.ts';
import type { RotationLock } from './rotation-lock.ts';
import type { SharedDeps } from '../shared-deps.ts';

export interface TokenAccessDeps extends Pick<SharedDeps, 'credentials' | 'log' | 'settings'> {
  openClient(instance: Instance, token: Token, onWrite: (write: SentWrite) => void): InstanceClient;
  rotationLock(instance: string): RotationLock;
  newTokens: NewTokens;
  recipient: TokenRecipient;
  openJobs(instance: string): string[];
  onWrite(instance: string, job: string, write: SentWrite): void;
  onChange(instance: string): void;
}

interface Context {
  instance: string;
  newTokens: NewTokens;
  openClient(token: Token): InstanceClient;
}

/** A token with its secret. The secret does not leave this file. */
class SecretToken implements TokenClient {
  readonly secret: Token;
  readonly #context: Context;

  constructor(secret: Token, context: Context) {
    this.secret = secret;
    this.#context = context;
  }

  async #withClient<T>(request: (client: InstanceClient) => Promise<T>): Promise<T> {
    const client = this.#context.openClient(this.secret);
    try {
      return await request(client);
    } finally {
      client.close();
    }
  }

  getOwn(signal: AbortSignal): Promise<PersonalAccessToken> {
    return this.#withClient((client) => getOwnToken(client, { signal }));
  }

  get(id: number, signal: AbortSignal): Promise<PersonalAccessToken> {
    return this.#withClient((client) => getToken(client, id, { signal }));
  }

  activeTokensNamed(name: string, signal: AbortSignal): Promise<PersonalAccessToken[]> {
    return this.#withClient(async (client) => {
      const found: PersonalAccessToken[] = [];
      const active = everyRecord((cursor) =>
        tokensPage(client, { state: 'active', search: name }, { cursor, limit: 100, signal }),
      );
      for await (const token of active) if (token.active && token.name === name) found.push(token);
      return found;
    });
  }

  async rotate(id: number | null, expiresOn: string, now: number): Promise<RotatedToken> {
    const { instance, newTokens } = this.#context;
    const options = { expiresOn, serverNow: now };
    const { token, secret } = await newTokens.trackRequest(instance, () =>
      this.#withClient((client) =>
        id === null ? rotateOwnToken(client, options) : rotateToken(client, id, options),
      ),
    );
    return { token, client: new SecretToken(secret, this.#context) };
  }

  revoke(id: number | null, signal: AbortSignal): Promise<void> {
    return this.#withClient((client) =>
      id === null ? revokeOwnToken(client, { signal }) : revokeToken(client, id, { signal }),
    );
  }
}

const secretOf = (token: TokenClient): Token => {
  if (token instanceof SecretToken) return token.secret;
  throw new AppError('internal', 'A token from elsewhere cannot be stored.');
};

export function createTokenPort(deps: TokenAccessDeps, name: string, jobId: string): TokenPort {
  const { settings, credentials, newTokens } = deps;
  const rotationLock = deps.rotationLock(name);
  const account = (slot: CredentialSlot): string => accountOf(name, slot);
  const context: Context = {
    instance: name,
    newTokens,
    openClient: (secret) =>
      deps.openClient(settings.instance(name), secret, (write) => {
        deps.onWrite(name, jobId, write);
      }),
  };
  const toClient = (token: Token): SecretToken => new SecretToken(token, context);

  const change = async (update: (before: Instance) => Partial<Instance>): Promise<void> => {
    await settings.change((before) => ({
      ...before,
      instances: before.instances.map((known) =>
        known.name === name ? { ...known, ...update(known) } : known,
      ),
    }));
    deps.onChange(name);
  };

  const findStored = async (slot: CredentialSlot): Promise<Token | null> =>
    (await credentials.resolveStored(account(slot)))?.token ?? null;
  const tokenOf = async (slot: TokenSlot): Promise<Token | null> => {
    if (slot !== 'main') return findStored(slot);
    try {
      return (await credentials.resolve(name)).token;
    } catch (thrown) {
      if (AppError.from(thrown).code === 'token-missing') return null;
      throw thrown;
    }
  };

  /** Returns another instance on the same server that uses this token and would lose access. */
  const findSharer = async (token: Token): Promise<string | null> => {
    const { url } = settings.instance(name);
    for (const other of settings.read().instances) {
      if (other.name === name || other.anonymous || other.url.toLowerCase() !== url.toLowerCase()) continue;
      for (const slot of ['main', 'spare'] as const) {
        const otherToken = await credentials.resolveStored(accountOf(other.name, slot)).catch(() => null);
        if (otherToken?.token.reveal() === token.reveal()) return other.name;
      }
    }
    return null;
  };

  return {
    get hasSpare() {
      return settings.instance(name).hasSpare || credentials.isRemembered(account('spare'));
    },
    async resolveToken(slot) {
      const token = await tokenOf(slot);
      return token === null ? null : toClient(token);
    },
    async storedToken(slot) {
      const token = await findStored(slot);
      return token === null ? null : toClient(token);
    },
    async blockedReason(slot) {
      const token = await tokenOf(slot);
      if (token === null) return null;
      const other = await findSharer(token);
      if (other !== null) return `"${other}" uses the same token and would be left without one`;
      if (slot === 'spare') return null;
      const { source } = await credentials.resolve(name);
      if (source === 'environment')
        return 'The token comes from an environment variable, where a new token cannot be stored';
      const stored = await credentials.readKeychain(name);
      if (source === 'session' && stored !== null && stored.reveal() !== token.reveal()) {
        return 'The token of this session differs from the token in the keychain, which the new token would replace';
      }
      return null;
    },
    async checkKeychainWritable() {
      const problem = await credentials.testKeychain();
      if (problem !== null) throw AppError.fromData(problem);
    },
    isBusy: (id) => deps.openJobs(name).some((other) => other < id),
    acquireExclusive: () => rotationLock.acquireExclusive(),

    async saveToken(slot, token) {
      const secret = secretOf(token);
      credentials.remember(account('pending'), secret);
      credentials.remember(account(slot), secret);
      if (slot === 'main') rotationLock.incrementTokenVersion();
      await newTokens.saveToKeychain(name, secret);
    },
    get hasUnsavedToken() {
      return newTokens.has(name);
    },
    async retrySave() {
      if (!newTokens.has(name)) return;
      const pending = await findStored('pending');
      if (pending !== null) await newTokens.saveToKeychain(name, pending);
    },
    discardPending() {
      newTokens.drop(name);
      credentials.forgetRemembered(account('pending'));
    },
    async activate(slot) {
      const pending = await credentials.resolveStored(account('pending'));
      if (pending === null) return;
      await credentials.store(account(slot), pending.token);
      credentials.forgetRemembered(account(slot));
      if (slot === 'main') rotationLock.incrementTokenVersion();
      await credentials.remove(account('pending')).catch((thrown: unknown) => {
        // The token is already stored. Only a second copy remains, which the next rotation replaces.
        deps.log.warn(
          { code: AppError.from(thrown).code },
          'a second copy of a token remains in the keychain',
        );
      });
    },
    recordExpiry: (slot, { expiresOn }) =>
      change(() =>
        slot === 'main'
          ? { tokenExpiresOn: expiresOn, rotationLost: null }
          : { hasSpare: true, spareExpiresOn: expiresOn },
      ),
    async blockInstance(lost) {
      const { url } = settings.instance(name);
      const rotationLost: RotationLost = { ...lost, page: `${url}/-/user_settings/personal_access_tokens` };
      await change(() => ({ rotationLost }));
      credentials.forgetRemembered(name);
      return rotationLost;
    },
    canHandOver: (recipient) => deps.recipient.isAvailable && deps.recipient.processKey === recipient,
    async handOverBlockedReason(id, signal) {
      if (id !== null) {
        const spare = this.hasSpare ? await findStored('spare') : null;
        const isSpare = spare !== null && (await toClient(spare).getOwn(signal)).id === id;
        return isSpare
          ? 'This is the spare token: rotate it as the spare, and the new one goes to the keychain'
          : null;
      }
      const token = await tokenOf('main');
      const other = token === null ? null : await findSharer(token);
      if (other !== null) return `"${other}" uses the same token and would be left without one`;
      const keychainToken = await credentials.readKeychain(name).catch(() => null);
      return keychainToken !== null && keychainToken.reveal() === token?.reveal()
        ? 'The token in use is in the keychain: rotate it without a destination, and the new one goes to the keychain'
        : null;
    },
    async handOver(client, { id, name: tokenName, expiresOn }, isMain) {
      const token = secretOf(client);
      if (isMain) {
        credentials.remember(account('main'), token);
        rotationLock.incrementTokenVersion();
      }
      await deps.recipient.give({ instance: name, id, name: tokenName, token });
      newTokens.forget(token);
      if (isMain) await change(() => ({ tokenExpiresOn: expiresOn, rotationLost: null }));
    },
    async forget(slot: TokenSlot) {
      await credentials.remove(account(slot)).catch((thrown: unknown) => {
        deps.log.warn({ code: AppError.from(thrown).code }, 'a token could not be deleted from the keychain');
      });
      if (slot === 'spare') await change(() => ({ hasSpare: false, spareExpiresOn: null }));
      else deps.onChange(name);
    },
  };
}
