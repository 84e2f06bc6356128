/** @file Calls about the settings of the program itself. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Handlers } from '../handler.ts';
import type { HostPort } from './host-port.ts';
import type { Services } from '../../services/services.ts';

/** Returns the origin of a proxy. Throws `invalid-input`; the message does not repeat an address with a password. */
export function parseProxyUrl(typed: string): string {
  const bad = (why: string): AppError => new AppError('invalid-input', `The proxy cannot be used: ${why}.`);
  const url = URL.parse(typed.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw bad('its address must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '')
    throw bad('its address must not contain a user name or password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw bad('its address must end after the host and port');
  }
  return url.origin;
}

export function settingsHandlers(services: Services, host: HostPort) {
  return {
    'settings.show': () => services.settings.show(),

    'settings.change': async ({ preferences = {}, archiveRoot, forgetRoot }) => {
      const { proxy, startAtLogin } = preferences;
      const checked = {
        ...preferences,
        ...(typeof proxy === 'string' ? { proxy: parseProxyUrl(proxy) } : {}),
      };
      const before = services.settings.show().preferences.startAtLogin;
      if (startAtLogin === undefined || startAtLogin === before) {
        return services.settings.change({ preferences: checked, archiveRoot, forgetRoot });
      }
      if (!host.capabilities.startAtLogin) {
        throw new AppError('host-cannot', 'Only the desktop window starts at login.');
      }
      await host.setStartAtLogin?.(startAtLogin);
      try {
        return await services.settings.change({ preferences: checked, archiveRoot, forgetRoot });
      } catch (thrown) {
        await host.setStartAtLogin?.(before);
        throw thrown;
      }
    },
  } satisfies Partial<Handlers>;
}
