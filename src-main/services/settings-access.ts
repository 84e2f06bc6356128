/** @file The settings as a person sees and changes them, with what follows from a change. */
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { SettingsPort } from '../bridge/ports.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { ArchiveRoots } from './archives/archive-roots.ts';
import type { Announce } from './events.ts';

export function createSettingsAccess(parts: {
  settings: SettingsStore;
  roots: ArchiveRoots;
  dataFolder: string;
  announce: Announce;
  /** Throws `invalid-input` for a folder that must stay known, `job-busy`. */
  forgetRoot(path: string): Promise<void>;
  /** Preferences hold from now on. */
  changed(): void;
}): SettingsPort {
  const { settings, roots, dataFolder } = parts;
  const show = (): SettingsView => {
    const current = roots.current();
    return {
      preferences: settings.read().preferences,
      archiveRoot: current.path,
      earlierRoots: roots.all().flatMap(({ number, path }) => (number === current.number ? [] : [path])),
      dataFolder,
    };
  };
  return {
    show,
    async change({ preferences = {}, archiveRoot, forgetRoot }) {
      if (archiveRoot !== undefined) await roots.choose(archiveRoot);
      if (forgetRoot !== undefined) await parts.forgetRoot(forgetRoot);
      const chosen = Object.fromEntries(
        Object.entries(preferences).filter(([, value]) => value !== undefined),
      );
      await settings.change((before) => ({
        ...before,
        preferences: { ...before.preferences, ...chosen },
      }));
      parts.announce('settings.changed', {});
      parts.changed();
      return show();
    },
  };
}
