/**
 * @file The settings as a person sees and changes them, and the effects of a change.
 */
import type { ParsedRequest } from '../../src-contract/calls.ts';
import type { SettingsView } from '../../src-contract/settings.ts';
import type { ArchiveRoots } from './archives/folders/archive-roots.ts';
import type { SharedParts } from './shared-parts.ts';

interface Parts extends Pick<SharedParts, 'announce' | 'settings'> {
  roots: ArchiveRoots;
  dataFolder: string;
  /** Throws `invalid-input` for a folder that must stay known, `job-busy`. */
  forgetRoot(path: string): Promise<void>;
  /** Preferences hold from now on. */
  changed(): void;
}

export class SettingsAccess {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  show(): SettingsView {
    const { settings, roots, dataFolder } = this.#parts;
    const current = roots.current();
    return {
      preferences: settings.read().preferences,
      archiveRoot: current.path,
      earlierRoots: roots.all().flatMap(({ number, path }) => (number === current.number ? [] : [path])),
      dataFolder,
    };
  }

  /** Throws `invalid-input` or a `disk-…` error for a root that cannot be one; then nothing is changed. */
  async change({
    preferences = {},
    archiveRoot,
    forgetRoot,
  }: ParsedRequest<'settings.change'>): Promise<SettingsView> {
    const { settings, roots, announce } = this.#parts;
    if (archiveRoot !== undefined) await roots.choose(archiveRoot);
    if (forgetRoot !== undefined) await this.#parts.forgetRoot(forgetRoot);
    const chosen = Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== undefined));
    await settings.change((before) => ({ ...before, preferences: { ...before.preferences, ...chosen } }));
    announce('settings.changed', {});
    this.#parts.changed();
    return this.show();
  }
}
