/** @file Calls about the settings of the program itself. */
import { AppError } from '../../../src-contract/errors.ts';
import { parseProxyUrl } from '../../services/instances/typed-addresses.ts';
import type { Handlers } from '../handler.ts';
import type { HostActions } from './host-port.ts';
import type { Services } from '../../services/services.ts';

export function settingsHandlers(services: Services, host: HostActions) {
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
