/**
 * @file Sets the token that a user entered for an instance: checks it, keeps it in memory, and stores it on request.
 */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import type { Connections } from '../instances/connections.ts';
import { checkedFacts, type InstanceChecks } from '../instances/instance-checks.ts';
import type { Instances } from '../instances/instances.ts';
import { Service } from '../service.ts';
import type { InstanceTokens } from './instance-tokens.ts';
import { findLostToken } from './lost-token.ts';
import type { TokenRefusals } from './token-refusals.ts';

type EnteredToken = ParsedRequest<'instance.setToken'>;

interface Deps {
  instances: Instances;
  tokens: InstanceTokens;
  checks: InstanceChecks;
  refusals: TokenRefusals;
  connections: Connections;
}

export class TokenEntry extends Service<Deps> {
  /**
   * Sets the token of an instance. For a name that is not registered, the token is only kept in memory, unless it is
   * for the keychain. If the check fails, the earlier token is restored. Throws `instance-unknown`, `token-scope` if
   * the new token can do less than the stored one, and the errors of the check.
   *
   * @returns the token that an earlier rotation lost, if it still works; otherwise null.
   */
  async set({ name, token, keep }: EnteredToken, signal: AbortSignal): Promise<PersonalAccessToken | null> {
    const { instances, tokens, connections } = this.deps;
    const instance = instances.list().find((known) => known.name === name);
    if (instance === undefined && keep !== 'keychain') {
      tokens.remember(name, token);
      return null;
    }
    // A new token gives the instance an account, and unblocks it.
    const unblocked = { ...(instance ?? instances.get(name)), anonymous: false, rotationLost: null };
    await this.#checkAndStore(unblocked, instance?.username ?? null, { name, token, keep }, signal);
    const lost = instance?.rotationLost ?? null;
    return lost === null ? null : findLostToken(connections.connect(unblocked), lost, signal);
  }

  async #checkAndStore(
    instance: Instance,
    account: string | null,
    { name, token, keep }: EnteredToken,
    signal: AbortSignal,
  ): Promise<void> {
    const { instances, tokens, checks, refusals } = this.deps;
    const stopIgnoring = refusals.ignore(name);
    let restoreToken = tokens.remember(name, token);
    try {
      const checked = await checks.check(instance, signal);
      if (keep === 'keychain' && !checked.canWrite) {
        restoreToken();
        const previous = await checks.check(instance, signal).catch(() => null);
        if (previous?.canWrite === true) {
          throw new AppError('token-scope', 'The new token can do less than the stored token.');
        }
        restoreToken = tokens.remember(name, token);
      }
      if (keep === 'keychain') await tokens.storeInKeychain(name);
      if (keep === 'command') {
        // Refusals stay ignored: a token for one command may belong to another user, and must not affect others.
        if (account !== null && account !== checked.username) return;
        const { tokenRefused } = instance;
        await instances.save({ ...instance, ...checkedFacts(checked), tokenRefused });
      } else {
        await instances.save({ ...instance, ...checkedFacts(checked) });
        stopIgnoring();
      }
    } catch (thrown) {
      stopIgnoring();
      // A refused token in memory would take precedence over a working token.
      restoreToken();
      throw thrown;
    }
  }
}
