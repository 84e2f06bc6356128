/** @file The second token of an instance's user, for the bridge: looked at, kept, forgotten. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import type { SparesPort } from '../../bridge/instances/instance-ports.ts';
import type { InstanceClient } from '../../instance/http/client.ts';
import { ownToken } from '../../instance/account/tokens.ts';
import { accountOf, type Credentials } from '../../platform/credentials.ts';
import { checkToken } from '../../platform/token-source.ts';
import type { Token } from '../../platform/token.ts';

export function createSpares(parts: {
  credentials: Credentials;
  /** A client that sends this token and no other. */
  open(instance: Instance, token: Token): InstanceClient;
}): SparesPort {
  const { credentials } = parts;
  const ask = async (instance: Instance, token: Token, signal: AbortSignal) => {
    const client = parts.open(instance, token);
    try {
      return await ownToken(client, { signal });
    } finally {
      client.close();
    }
  };
  return {
    look: (instance, token, signal) => ask(instance, checkToken(token), signal),
    async own(instance, signal) {
      try {
        const kept = await credentials.kept(accountOf(instance.name, 'spare'));
        return kept === null ? null : await ask(instance, kept.token, signal);
      } catch (thrown) {
        const { code } = AppError.from(thrown);
        if (code.startsWith('token-') || code.startsWith('keychain-')) return null;
        throw thrown;
      }
    },
    async keep(name, text, where) {
      const account = accountOf(name, 'spare');
      const token = checkToken(text);
      if (where === 'session') {
        credentials.remember(account, token);
        return;
      }
      await credentials.store(account, token);
      credentials.drop(account);
    },
    forget: (name) => credentials.forget(accountOf(name, 'spare')),
  };
}
