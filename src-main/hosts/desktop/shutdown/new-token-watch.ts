/** @file Notices new tokens that the keychain does not store: each once, soon after its creation. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';

/** A working keychain has stored the token by then. */
const pollIntervalMs = 2_000;

export interface NewTokenWatchParts {
  newTokens: Pick<App['newTokens'], 'unkept'>;
  clock: Clock;
  onUnkept: () => void;
}

export class NewTokenWatch {
  readonly #parts: NewTokenWatchParts;
  /** Unstored tokens that the user was notified of, by instance and name. */
  #reported: string[] = [];
  #cancel: (() => void) | null = null;

  constructor(parts: NewTokenWatchParts) {
    this.#parts = parts;
  }

  handleEvent(name: EventName): void {
    if (name !== 'job.changed' || this.#cancel !== null) return;
    const unkept = this.#unkept();
    this.#reported = this.#reported.filter((token) => unkept.includes(token));
    if (this.#isNews(unkept)) this.#pollLater();
  }

  stop(): void {
    this.#cancel?.();
  }

  #unkept(): string[] {
    return this.#parts.newTokens.unkept.map(({ instance, name }) => JSON.stringify([instance, name]));
  }

  #isNews(unkept: string[]): boolean {
    return unkept.some((token) => !this.#reported.includes(token));
  }

  #pollLater(): void {
    this.#cancel = this.#parts.clock.timer(pollIntervalMs, () => {
      this.#cancel = null;
      const unkept = this.#unkept();
      const isNews = this.#isNews(unkept);
      this.#reported = unkept;
      if (isNews) this.#parts.onUnkept();
    });
  }
}
