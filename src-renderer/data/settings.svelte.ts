/** @file The settings, shared by the whole window. A change is shown at once and reverted if it is refused. */
import type { CallRequest, Result } from '../../src-contract/calls.ts';
import type { ErrorData } from '../../src-contract/errors.ts';
import {
  initialPreferences,
  type Preferences,
  type SettingsReply,
  type TableLayout,
} from '../../src-contract/settings.ts';
import { call, on } from '../client.ts';

class Settings {
  value = $state.raw<SettingsReply | null>(null);
  error = $state.raw<ErrorData | null>(null);

  #changeCount = 0;
  #layoutTimer: ReturnType<typeof setTimeout> | null = null;
  #layouts = $state.raw<Preferences['tables']>({});

  get preferences(): Preferences {
    return this.value?.preferences ?? initialPreferences;
  }

  follow(): () => void {
    void this.refresh();
    return on('settings.changed', () => void this.refresh());
  }

  async refresh(): Promise<void> {
    const countAtStart = this.#changeCount;
    const result = await call('settings.show', {});
    // A reply from before the change would show the change as undone.
    if (countAtStart !== this.#changeCount) return;
    if (result.ok) this.value = result.value;
    this.error = result.ok ? null : result.error;
  }

  async change(change: CallRequest<'settings.change'>): Promise<Result<SettingsReply>> {
    this.#changeCount += 1;
    const changeNumber = this.#changeCount;
    const previous = this.value;
    if (previous !== null && change.preferences !== undefined) {
      const preferences = { ...previous.preferences, ...change.preferences } as Preferences;
      this.value = { ...previous, preferences };
    }
    const result = await call('settings.change', change);
    if (changeNumber === this.#changeCount) this.value = result.ok ? result.value : previous;
    return result;
  }

  layoutOf(table: string): TableLayout | null {
    return this.#layouts[table] ?? this.preferences.tables[table] ?? null;
  }

  /** Stores the layout of a table after a short pause, because resizing a column reports every pixel. */
  rememberLayout(table: string, layout: TableLayout): void {
    this.#layouts = { ...this.#layouts, [table]: layout };
    if (this.#layoutTimer !== null) clearTimeout(this.#layoutTimer);
    this.#layoutTimer = setTimeout(() => {
      // Without the stored settings, the layouts of other tables would be overwritten.
      if (this.value === null) return;
      const tables = { ...this.preferences.tables, ...this.#layouts };
      void this.change({ preferences: { tables } });
    }, 500);
  }
}

export const settings = new Settings();
