/** @file Calls about the tokens of an instance's account: list, replace and revoke them, and set the spare token. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { ListedToken, PersonalAccessToken, TokenInput } from '../../../src-contract/tokens/token.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { assertMayChange } from '../../services/instances/instance-checks.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

async function createSlotMarker(
  services: Services,
  instance: Instance,
  signal: AbortSignal,
): Promise<(token: PersonalAccessToken) => ListedToken> {
  const own = await services.connections
    .connect(instance)
    .tokens.getOwn(signal)
    .catch((thrown: unknown) => {
      // Old servers cannot describe the token in use. The list is returned without that mark.
      if (['server-too-old', 'not-found', 'request-refused'].includes(AppError.from(thrown).code))
        return null;
      throw thrown;
    });
  const spare = await services.spares.fetchDetails(instance, signal);
  return (token) => ({
    ...token,
    slot: token.id === own?.id ? 'main' : token.id === spare?.id ? 'spare' : null,
  });
}

function enqueueTokenJob(services: Services, instance: string, tokenLabel: string, input: TokenInput) {
  const draft = { instance, project: `token ${tokenLabel}`, input };
  return services.jobs.enqueueOne('token', { instance, ...input }, draft);
}

export function tokenHandlers(services: Services, confirmations: Confirmations) {
  return {
    'token.list': async ({ instance: name, filter, cursor, limit }, { signal }) => {
      const instance = services.instances.get(name);
      const remote = services.connections.connect(instance);
      const { records, next } = await remote.tokens.page(filter, { cursor, limit }, signal);
      return { tokens: records.map(await createSlotMarker(services, instance, signal)), next };
    },

    'token.show': async ({ instance: name, id }, { signal }) => {
      const instance = services.instances.get(name);
      const { tokens } = services.connections.connect(instance);
      const token = id === null ? await tokens.getOwn(signal) : await tokens.get(id, signal);
      return (await createSlotMarker(services, instance, signal))(token);
    },

    'token.rotate': async ({ instance: name, slot, expiresOn }) => {
      assertMayChange(services.instances.get(name));
      // Without a token, the job would wait for one; this call must fail at once.
      await services.tokens.source(name);
      return enqueueTokenJob(services, name, slot, { action: 'rotate', slot, expiresOn });
    },

    'token.handOver': async ({ instance: name, id, expiresOn, confirmation }) => {
      const instance = services.instances.get(name);
      const project = id === null ? null : String(id);
      confirmations.consume(confirmation, { action: 'token.rotate', instance: name, project });
      assertMayChange(instance);
      const { recipient } = services;
      if (!recipient.isAvailable) {
        throw new AppError('host-cannot', 'Packhorse cannot hand over a new token when it runs in this way.');
      }
      await services.tokens.source(name);
      const tokenLabel = id === null ? 'main' : String(id);
      return enqueueTokenJob(services, name, tokenLabel, {
        action: 'hand-over',
        id,
        expiresOn,
        recipient: recipient.processKey,
      });
    },

    'token.revoke': ({ instance: name, id, confirmation }) => {
      const instance = services.instances.get(name);
      confirmations.consume(confirmation, { action: 'token.revoke', instance: name, project: String(id) });
      assertMayChange(instance);
      return enqueueTokenJob(services, name, String(id), { action: 'revoke', id });
    },

    'token.setSpare': async ({ instance, token, keep }, { signal }) => ({
      ...(await services.spares.set(services.instances.get(instance), token, keep, signal)),
      slot: 'spare',
    }),

    'token.forgetSpare': async ({ instance }) => {
      await services.spares.forget(instance);
      return {};
    },
  } satisfies Partial<Handlers>;
}
