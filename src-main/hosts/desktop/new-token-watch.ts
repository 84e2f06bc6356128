/** @file Notices a new token that the keychain does not take, once, soon after. Needs no Electron. */
import type { EventName } from '../../../src-preload/contract/call-names.ts';
import type { App } from '../../app/compose.ts';
import type { Clock } from '../../platform/clock.ts';

/** A keychain that works has taken it by then. */
const lookMs = 2_000;

export interface NewTokenWatchParts {
  newTokens: Pick<App['newTokens'], 'unkept'>;
  clock: Clock;
  /** Whoever sits before the screen is to be told. */
  onUnkept: () => void;
}

export class NewTokenWatch {
  readonly #parts: NewTokenWatchParts;
  #told = false;
  #cancel: (() => void) | null = null;

  constructor(parts: NewTokenWatchParts) {
    this.#parts = parts;
  }

  /** To be told of every event of the app. */
  heard(name: EventName): void {
    if (name !== 'job.changed' || this.#cancel !== null) return;
    if (!this.#isUnkept()) this.#told = false;
    else if (!this.#told) this.#lookLater();
  }

  stop(): void {
    this.#cancel?.();
  }

  #isUnkept(): boolean {
    return this.#parts.newTokens.unkept.length > 0;
  }

  #lookLater(): void {
    this.#cancel = this.#parts.clock.timer(lookMs, () => {
      this.#cancel = null;
      this.#told = this.#isUnkept();
      if (this.#told) this.#parts.onUnkept();
    });
  }
}
