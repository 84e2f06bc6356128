/** @file Calls about instances: add, check, remove, and the one call that carries a token. */
import { AppError, type ErrorCode } from '../../../src-preload/contract/errors.ts';
import {
  ordinaryUse,
  endsSoon,
  paceOf,
  type Instance,
  type InstanceCheck,
  type PacePreset,
} from '../../../src-preload/contract/instance.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { lostToken } from './lost-token.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { proxyAddress } from '../host/settings-handlers.ts';

/** The instance of that name; throws `instance-unknown`. */
export async function knownInstance(services: Services, name: string): Promise<Instance> {
  const instance = (await services.instances.list()).find((candidate) => candidate.name === name);
  if (instance === undefined) {
    throw new AppError('instance-unknown', `There is no instance "${name}".`, { details: { name } });
  }
  return instance;
}

/** All instances, of which none has that name; throws `instance-exists`. */
async function othersThan(services: Services, name: string): Promise<Instance[]> {
  const known = await services.instances.list();
  if (!known.some((instance) => instance.name === name)) return known;
  throw new AppError('instance-exists', `There is already an instance "${name}".`, { details: { name } });
}

const noUserInIt = 'a user name or password does not belong in it';

/** Scheme, host, port and base path, as typed by people: a trailing slash or `/api/v4` is taken off. */
function baseUrl(typed: string): string {
  // A password in it would be shown and logged.
  const shown = typed.replace(/\/\/[^/]*@/, '//***@');
  const bad = (why: string): AppError =>
    new AppError('invalid-input', `"${shown}" is not the address of an instance: ${why}.`);
  let url: URL;
  try {
    url = new URL(typed.trim());
  } catch {
    throw bad(whyNoAddress(typed.trim()));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw bad('only https and http are spoken');
  if (url.username !== '' || url.password !== '') throw bad(noUserInIt);
  if (url.search !== '' || url.hash !== '') throw bad('it must not contain "?" or "#"');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v4$/, '');
}

/** What of a text keeps it from being an address. */
function whyNoAddress(typed: string): string {
  const [, , host] = /^(https?):\/\/([^/?#]*)/i.exec(typed) ?? [];
  if (host === undefined) return 'it must begin with https:// (or http://)';
  if (host.includes('@')) return noUserInIt;
  if (/\s/.test(typed)) return 'there is a space in it';
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    return 'its port must be a number from 1 to 65535';
  }
  return 'its host name is not valid';
}

/** Without an account only public projects are shown; the version is not told. */
async function checkAnonymous(
  services: Services,
  instance: Instance,
  signal: AbortSignal,
): Promise<InstanceCheck> {
  const projects = await services.instances.connect(instance).projectCount({ membership: false }, signal);
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
      `Without an account only public projects are seen${projects === null ? '' : ` (${projects})`}, and nothing is exported or imported.`,
    ],
  };
}

async function check(services: Services, instance: Instance, signal: AbortSignal): Promise<InstanceCheck> {
  if (instance.anonymous) return checkAnonymous(services, instance, signal);
  const remote = services.instances.connect(instance);
  const user = await remote.user(signal).catch((thrown: unknown) => {
    // Every GitLab knows this address. A 404 there is another server, or a path that does not belong into the URL.
    if (AppError.from(thrown).code !== 'not-found') throw thrown;
    throw new AppError('not-gitlab', 'There is no API at this address.', { details: { url: instance.url } });
  });
  const server = await remote.server(signal);
  const token = await remote.token(signal);
  const scopes = token?.scopes ?? null;
  const canWrite = scopes === null || scopes.includes('api');
  const canRead = canWrite || scopes.includes('read_api');
  const notes: string[] = [];
  if (!canRead) notes.push('The token cannot read projects: it needs the scope "api".');
  else if (!canWrite) notes.push('The token can look but not export or import: that needs the scope "api".');
  if (scopes === null) notes.push('The instance does not say what the token may do.');
  const expires = token?.expiresOn ?? null;
  if (expires !== null && endsSoon(expires, services.now())) {
    notes.push(`The token expires on ${expires}.`);
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
    tokenSource: await services.credentials.source(instance.name),
    scopes,
    expiresOn: expires,
    canRead,
    canWrite,
    clockSkewMs: server.clockSkewMs,
    notes,
  };
}

const refusals: ErrorCode[] = [
  'token-invalid',
  'token-expired',
  'token-revoked',
  'token-scope',
  'account-blocked',
];

/** A token that turned out to be no good must not stay in memory and win over a good one. */
async function orDropped<T>(services: Services, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (refusals.includes(AppError.from(thrown).code)) services.credentials.drop(name);
    throw thrown;
  }
}

/** What a check told is kept, so that it can be shown without asking again. */
export async function checkAndKeep(
  services: Services,
  instance: Instance,
  signal: AbortSignal,
): Promise<InstanceCheck> {
  const checked = await check(services, instance, signal);
  const isOthers =
    services.credentials.isBorrowed(instance.name) &&
    instance.username !== null &&
    instance.username !== checked.username;
  if (isOthers) return checked;
  const now = { ...instance, ...learned(checked) };
  if (JSON.stringify(now) !== JSON.stringify(instance)) await services.instances.save(now);
  return checked;
}

type Learned = Pick<
  Instance,
  | 'username'
  | 'userId'
  | 'administrator'
  | 'serverVersion'
  | 'tokenExpiresOn'
  | 'tokenCanWrite'
  | 'tokenRefused'
>;

function learned(checked: InstanceCheck): Learned {
  return {
    username: checked.username,
    userId: checked.userId,
    administrator: checked.administrator,
    serverVersion: checked.version,
    tokenExpiresOn: checked.expiresOn,
    tokenCanWrite: checked.scopes === null ? null : checked.canWrite,
    tokenRefused: null,
  };
}

/** An instance about which nothing is known yet. */
function draftOf(
  services: Services,
  request: Pick<Instance, 'name' | 'url' | 'caFile'> & { pace: PacePreset; anonymous?: boolean },
): Instance {
  return {
    name: request.name,
    url: baseUrl(request.url),
    caFile: request.caFile,
    pacePreset: request.pace,
    pace: paceOf[request.pace],
    username: null,
    userId: null,
    administrator: false,
    serverVersion: null,
    tokenExpiresOn: null,
    tokenCanWrite: null,
    addedAt: new Date(services.now()).toISOString(),
    ...ordinaryUse,
    anonymous: request.anonymous ?? false,
  };
}

type InstanceCalls =
  | 'instance.setToken'
  | 'instance.preview'
  | 'instance.add'
  | 'instance.list'
  | 'instance.check'
  | 'instance.change'
  | 'instance.remove';

export function instanceHandlers(
  services: Services,
  confirmations: Confirmations,
): Pick<Handlers, InstanceCalls> {
  return {
    'instance.setToken': async ({ name, token, keep }, { signal }) => {
      const instance = (await services.instances.list()).find((known) => known.name === name);
      if (instance === undefined && keep !== 'keychain') {
        services.credentials.remember(name, token);
        return {};
      }
      // Whoever gives a token gives the instance an account, and thaws it.
      const thawed = { anonymous: false, rotationLost: null };
      const endTrial = services.credentials.borrow(name);
      const known = { ...(instance ?? (await knownInstance(services, name))), ...thawed };
      let putBack = services.credentials.remember(name, token);
      try {
        const checked = await check(services, known, signal);
        if (keep === 'keychain' && !checked.canWrite) {
          putBack();
          const before = await check(services, known, signal).catch(() => null);
          if (before?.canWrite === true) {
            throw new AppError('token-scope', 'The token can do less than the one that is stored.');
          }
          putBack = services.credentials.remember(name, token);
        }
        if (keep === 'keychain') await services.credentials.keep(name);
        if (keep === 'command') {
          // It stays a trial: one command with the token of another user changes nothing for the next.
          const account = instance?.username ?? null;
          if (account === null || account === checked.username) {
            await services.instances.save({
              ...known,
              ...learned(checked),
              tokenRefused: known.tokenRefused,
            });
          }
        } else {
          await services.instances.save({ ...known, ...learned(checked) });
          endTrial();
        }
      } catch (thrown) {
        endTrial();
        // It would win over a good one.
        putBack();
        throw thrown;
      }
      const before = instance?.rotationLost ?? null;
      const lost = before === null ? null : await lostToken(services, known, before, signal);
      return lost === null ? {} : { lost };
    },

    'instance.preview': async ({ name, url, caFile }, { signal }) => {
      // The address is the caller's: no token may go there but one that was given for this.
      await othersThan(services, name);
      if (!services.credentials.isRemembered(name)) {
        throw new AppError('token-missing', `No token was given for "${name}".`, {
          details: { instance: name },
        });
      }
      const draft = draftOf(services, { name, url, caFile, pace: 'gitlab' });
      return orDropped(services, name, () => check(services, draft, signal));
    },

    'instance.add': async (request, { signal }) => {
      const { name } = request;
      const known = await othersThan(services, name);
      const clash = services.credentials.clash(
        name,
        known.map((instance) => instance.name),
      );
      if (clash !== null) {
        throw new AppError(
          'invalid-input',
          `"${name}" and "${clash}" would share one environment variable for their tokens.`,
        );
      }
      const draft = draftOf(services, request);
      const checked = await orDropped(services, name, async () => {
        const answer = await check(services, draft, signal);
        if (request.keep === 'keychain' && !draft.anonymous) await services.credentials.keep(name);
        return answer;
      });
      const instance: Instance = { ...draft, ...learned(checked) };
      try {
        await services.instances.save(instance);
      } catch (thrown) {
        if (request.keep === 'keychain') await services.credentials.forget(name);
        throw thrown;
      }
      return { instance, check: checked };
    },

    'instance.list': async () => ({ instances: await services.instances.list() }),

    'instance.check': async ({ name }, { signal }) =>
      checkAndKeep(services, await knownInstance(services, name), signal),

    'instance.change': async ({ name, readOnly, proxy, caFile, rotateDaysBefore }, { signal }) => {
      const known = await knownInstance(services, name);
      if (typeof rotateDaysBefore === 'number' && known.anonymous) {
        throw new AppError('sign-in-needed', 'There is no token to replace.', { details: { host: name } });
      }
      if (typeof rotateDaysBefore === 'number' && !(await services.credentials.keychainWorks())) {
        throw new AppError(
          'rotation-refused',
          'A new token could not be kept: the keychain of this system cannot be used',
        );
      }
      const way = {
        ...(proxy === undefined ? {} : { proxy: proxy === null ? null : proxyAddress(proxy) }),
        ...(caFile === undefined ? {} : { caFile }),
      };
      const changed = {
        ...known,
        ...way,
        ...(readOnly === undefined ? {} : { readOnly }),
        ...(rotateDaysBefore === undefined ? {} : { rotateDaysBefore }),
      };
      if (Object.keys(way).length > 0) await check(services, changed, signal);
      await services.instances.save(changed);
      return changed;
    },

    'instance.remove': async ({ name, confirmation }) => {
      await knownInstance(services, name);
      confirmations.use(confirmation, { action: 'instance.remove', instance: name, project: null });
      const open = Object.values(services.jobs.open(name)).reduce((sum, jobs) => sum + jobs, 0);
      if (open > 0) {
        throw new AppError('job-busy', `Jobs of "${name}" have not ended (${open}); cancel them first.`, {
          details: { instance: name, jobs: open },
        });
      }
      await services.instances.remove(name);
      services.projectLists.forget(name);
      services.scopes.forget(name);
      await services.credentials.forget(name);
      await services.closePractice(name);
      return {};
    },
  };
}
