/** @file What the person decided in the settings, as it is now. Needs no Electron. */
import type { EventName } from '../../../src-contract/call-names.ts';
import { initialPreferences, type Preferences } from '../../../src-contract/settings.ts';
import type { Client } from '../../bridge/transports/in-process.ts';

export class PreferencesWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #onRead: (preferences: Preferences) => void;
  now: Preferences = initialPreferences;

  /** `onRead` is told each time they were read. */
  constructor(client: Pick<Client, 'call'>, onRead: (preferences: Preferences) => void) {
    this.#client = client;
    this.#onRead = onRead;
  }

  /** To be told of every event of the app. */
  heard(name: EventName): void {
    if (name === 'settings.changed') void this.read();
  }

  /** What cannot be read stays as it was; the window says what is wrong with the settings. */
  async read(): Promise<void> {
    await this.#take(this.#client.call('settings.show', {}));
  }

  async change(preferences: Partial<Preferences>): Promise<void> {
    await this.#take(this.#client.call('settings.change', { preferences }));
  }

  async #take(answer: Promise<{ preferences: Preferences }>): Promise<void> {
    try {
      this.now = (await answer).preferences;
    } catch {
      return;
    }
    this.#onRead(this.now);
  }
}
