/** @file Calls about the tokens of an instance's account. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { ListedToken, PersonalToken } from '../../src-preload/contract/token.ts';
import { knownInstance } from './instance-handlers.ts';
import type { BridgePorts, Handlers, TokenReadPort } from './ports.ts';

/** What every token is to us: the one in use, or nothing. */
async function slots(
  remote: { tokens: TokenReadPort },
  signal: AbortSignal,
): Promise<(token: PersonalToken) => ListedToken> {
  const own = await remote.tokens.own(signal).catch((thrown: unknown) => {
    // Old servers tell nothing of the token in use; what is listed is listed all the same.
    if (['server-too-old', 'not-found', 'request-refused'].includes(AppError.from(thrown).code)) return null;
    throw thrown;
  });
  return (token) => ({ ...token, slot: token.id === own?.id ? 'main' : null });
}

export function tokenHandlers(ports: BridgePorts): Pick<Handlers, 'token.list' | 'token.show'> {
  return {
    'token.list': async ({ instance: name, filter, cursor, limit }, { signal }) => {
      const remote = ports.instances.connect(await knownInstance(ports, name));
      const { records, next } = await remote.tokens.page(filter, { cursor, limit }, signal);
      return { tokens: records.map(await slots(remote, signal)), next };
    },
    'token.show': async ({ instance: name, id }, { signal }) => {
      const remote = ports.instances.connect(await knownInstance(ports, name));
      const token = id === null ? await remote.tokens.own(signal) : await remote.tokens.one(id, signal);
      return (await slots(remote, signal))(token);
    },
  };
}
