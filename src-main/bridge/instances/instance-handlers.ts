/** @file Calls about instances: add, check, change and remove them, and set their token. */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import {
  instanceDefaults,
  presetPaces,
  type Instance,
  type PacePreset,
} from '../../../src-contract/instances/instance.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { checkedFacts } from '../../services/instances/instance-checks.ts';
import { findLostToken } from '../../services/tokens/lost-token.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { parseProxyUrl } from '../host/settings-handlers.ts';

const noUserInIt = 'it must not contain a user name or password';

/** Returns scheme, host, port and base path of a typed address, without a trailing slash or `/api/v4`. */
function baseUrl(typed: string): string {
  // A password in the message would be shown and logged.
  const shown = typed.replace(/\/\/[^/]*@/, '//***@');
  const bad = (why: string): AppError =>
    new AppError('invalid-input', `"${shown}" is not the address of an instance: ${why}.`);
  let url: URL;
  try {
    url = new URL(typed.trim());
  } catch {
    throw bad(whyNoAddress(typed.trim()));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw bad('only https and http are supported');
  if (url.username !== '' || url.password !== '') throw bad(noUserInIt);
  if (url.search !== '' || url.hash !== '') throw bad('it must not contain "?" or "#"');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v4$/, '');
}

function whyNoAddress(typed: string): string {
  const [, , host] = /^(https?):\/\/([^/?#]*)/i.exec(typed) ?? [];
  if (host === undefined) return 'it must begin with https:// (or http://)';
  if (host.includes('@')) return noUserInIt;
  if (/\s/.test(typed)) return 'it contains a space';
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    return 'its port must be a number from 1 to 65535';
  }
  return 'its host name is not valid';
}

const refusals: ErrorCode[] = [
  'token-invalid',
  'token-expired',
  'token-revoked',
  'token-scope',
  'account-blocked',
];

/** Drops a refused token from memory, where it would take precedence over a working token. */
async function orDropped<T>(services: Services, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (refusals.includes(AppError.from(thrown).code)) services.tokens.forgetRemembered(name);
    throw thrown;
  }
}

function draftOf(
  services: Services,
  request: Pick<Instance, 'name' | 'url' | 'caFile'> & { pace: PacePreset; anonymous?: boolean },
): Instance {
  return {
    name: request.name,
    url: baseUrl(request.url),
    caFile: request.caFile,
    pacePreset: request.pace,
    pace: presetPaces[request.pace],
    username: null,
    userId: null,
    administrator: false,
    serverVersion: null,
    tokenExpiresOn: null,
    tokenCanWrite: null,
    addedAt: new Date(services.clock.now()).toISOString(),
    ...instanceDefaults,
    anonymous: request.anonymous ?? false,
  };
}

export function instanceHandlers(services: Services, confirmations: Confirmations) {
  return {
    'instance.setToken': async ({ name, token, keep }, { signal }) => {
      const instance = services.instances.list().find((known) => known.name === name);
      if (instance === undefined && keep !== 'keychain') {
        services.tokens.remember(name, token);
        return {};
      }
      // A new token gives the instance an account, and unblocks it.
      const thawed = { anonymous: false, rotationLost: null };
      const endTrial = services.refusals.ignore(name);
      const known = { ...(instance ?? services.instances.get(name)), ...thawed };
      let putBack = services.tokens.remember(name, token);
      try {
        const checked = await services.checks.check(known, signal);
        if (keep === 'keychain' && !checked.canWrite) {
          putBack();
          const before = await services.checks.check(known, signal).catch(() => null);
          if (before?.canWrite === true) {
            throw new AppError('token-scope', 'The new token can do less than the stored token.');
          }
          putBack = services.tokens.remember(name, token);
        }
        if (keep === 'keychain') await services.tokens.storeInKeychain(name);
        if (keep === 'command') {
          // The check stays a trial: a token of another user for one command must not affect later commands.
          const account = instance?.username ?? null;
          if (account === null || account === checked.username) {
            await services.instances.save({
              ...known,
              ...checkedFacts(checked),
              tokenRefused: known.tokenRefused,
            });
          }
        } else {
          await services.instances.save({ ...known, ...checkedFacts(checked) });
          endTrial();
        }
      } catch (thrown) {
        endTrial();
        // A refused token in memory would take precedence over a working token.
        putBack();
        throw thrown;
      }
      const before = instance?.rotationLost ?? null;
      const lost =
        before === null ? null : await findLostToken(services.connections.connect(known), before, signal);
      return lost === null ? {} : { lost };
    },

    'instance.preview': async ({ name, url, caFile }, { signal }) => {
      // The caller chose the address, so only a token given for this check may be sent there.
      services.instances.assertFree(name);
      if (!services.tokens.isRemembered(name)) {
        throw new AppError('token-missing', `No token was given for "${name}".`, {
          details: { instance: name },
        });
      }
      const draft = draftOf(services, { name, url, caFile, pace: 'gitlab' });
      return orDropped(services, name, () => services.checks.check(draft, signal));
    },

    'instance.add': async (request, { signal }) => {
      const { name } = request;
      services.instances.assertFree(name);
      services.instances.assertUniqueVariable(name);
      const draft = draftOf(services, request);
      const checked = await orDropped(services, name, async () => {
        const answer = await services.checks.check(draft, signal);
        if (request.keep === 'keychain' && !draft.anonymous) await services.tokens.storeInKeychain(name);
        return answer;
      });
      const instance: Instance = { ...draft, ...checkedFacts(checked) };
      try {
        await services.instances.save(instance);
      } catch (thrown) {
        if (request.keep === 'keychain') await services.tokens.forget(name);
        throw thrown;
      }
      return { instance, check: checked };
    },

    'instance.list': () => ({ instances: services.instances.list() }),

    'instance.check': async ({ name }, { signal }) =>
      services.checks.checkAndSave(services.instances.get(name), signal),

    'instance.change': async ({ name, readOnly, proxy, caFile, rotateDaysBefore }, { signal }) => {
      const known = services.instances.get(name);
      if (typeof rotateDaysBefore === 'number' && known.anonymous) {
        throw new AppError('sign-in-needed', 'There is no token to replace.', { details: { host: name } });
      }
      if (typeof rotateDaysBefore === 'number' && !(await services.tokens.hasKeychain())) {
        throw new AppError(
          'rotation-refused',
          'A new token could not be stored: the keychain of this system cannot be used.',
        );
      }
      const way = {
        ...(proxy === undefined ? {} : { proxy: proxy === null ? null : parseProxyUrl(proxy) }),
        ...(caFile === undefined ? {} : { caFile }),
      };
      const changed = {
        ...known,
        ...way,
        ...(readOnly === undefined ? {} : { readOnly }),
        ...(rotateDaysBefore === undefined ? {} : { rotateDaysBefore }),
      };
      if (Object.keys(way).length > 0) await services.checks.check(changed, signal);
      await services.instances.save(changed);
      return changed;
    },

    'instance.remove': async ({ name, confirmation }) => {
      services.instances.get(name);
      confirmations.consume(confirmation, { action: 'instance.remove', instance: name, project: null });
      const open = services.jobs.countOpen(name);
      if (open > 0) {
        throw new AppError('job-busy', `Jobs of "${name}" have not ended (${open}); cancel them first.`, {
          details: { instance: name, jobs: open },
        });
      }
      await services.instances.remove(name);
      services.projectLists.forget(name);
      services.scopeSurveys.forget(name);
      await services.tokens.forget(name);
      await services.sandboxes.stop(name);
      return {};
    },
  } satisfies Partial<Handlers>;
}
