/** @file Saves each change of the settings at once. Keeps the last saved change for undo, and the last refusal. */
import type { CallRequest } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Preferences } from '../../../src-contract/settings.ts';
import { settings } from '../../data/settings.svelte.ts';

type Change = CallRequest<'settings.change'>;

/** The change that restores the values that `change` is about to replace. */
function inverse(change: Change): Change {
  const { value } = settings;
  if (value === null) return {};
  const names = Object.keys(change.preferences ?? {}) as (keyof Preferences)[];
  return {
    ...(change.preferences === undefined
      ? {}
      : { preferences: Object.fromEntries(names.map((name) => [name, value.preferences[name]])) }),
    ...(change.archiveRoot === undefined ? {} : { archiveRoot: value.archiveRoot }),
  };
}

export class SettingsSaver {
  /** The last saved change, in words; null if there is none yet. */
  lastSaved = $state.raw<{ what: string; undone: boolean } | null>(null);
  /** The last refused change, with the name of its setting. */
  lastRefused = $state.raw<{ what: string; error: ErrorData } | null>(null);
  busy = $state(false);
  #undoChange: Change | null = null;

  get canUndo(): boolean {
    return this.lastSaved !== null && !this.lastSaved.undone;
  }

  /** `what` is the name of the setting on the page. Returns true if the change was saved. */
  async save(what: string, change: Change): Promise<boolean> {
    const undoChange = inverse(change);
    return await this.#apply(what, change, () => {
      this.lastSaved = { what, undone: false };
      this.#undoChange = undoChange;
    });
  }

  async undo(): Promise<void> {
    const { lastSaved } = this;
    const undoChange = this.#undoChange;
    if (lastSaved === null || undoChange === null) return;
    await this.#apply(lastSaved.what, undoChange, () => {
      this.lastSaved = { what: lastSaved.what, undone: true };
      this.#undoChange = null;
    });
  }

  async #apply(what: string, change: Change, done: () => void): Promise<boolean> {
    this.busy = true;
    this.lastRefused = null;
    const result = await settings.change(change);
    this.busy = false;
    if (result.ok) done();
    else this.lastRefused = { what, error: result.error };
    return result.ok;
  }
}
