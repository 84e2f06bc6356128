/** @file The user's preferences, kept up to date. Needs no Electron. */
import type { EventName } from '../../../src-contract/call-names.ts';
import { initialPreferences, type Preferences } from '../../../src-contract/settings.ts';
import type { Client } from '../../bridge/transports/in-process.ts';

export class PreferencesWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #onRead: (preferences: Preferences) => void;
  current: Preferences = initialPreferences;

  constructor(client: Pick<Client, 'call'>, onRead: (preferences: Preferences) => void) {
    this.#client = client;
    this.#onRead = onRead;
  }

  handleEvent(name: EventName): void {
    if (name === 'settings.changed') void this.refresh();
  }

  /** Keeps the previous preferences if they cannot be read. The window reports the problem with the settings. */
  async refresh(): Promise<void> {
    await this.#update(this.#client.call('settings.show', {}));
  }

  async change(preferences: Partial<Preferences>): Promise<void> {
    await this.#update(this.#client.call('settings.change', { preferences }));
  }

  async #update(reply: Promise<{ preferences: Preferences }>): Promise<void> {
    try {
      this.current = (await reply).preferences;
    } catch {
      return;
    }
    this.#onRead(this.current);
  }
}
