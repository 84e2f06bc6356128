/**
 * @file Words that allow something destructive once: given with a summary of the effects, for one action and target, valid
 * for a minute. Kept in memory only.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { ConfirmedAction } from '../../../src-contract/host.ts';

const goodForMs = 60_000;
/** Limits the memory of a page that asks again and again; the oldest is forgotten. */
const maxAtOnce = 100;

export interface Target {
  action: ConfirmedAction;
  instance: string;
  /** Full path on the instance; null where the action is about the instance itself. */
  project: string | null;
}

export class Confirmations {
  readonly #now: () => number;
  readonly #given = new Map<string, { key: string; at: number }>();

  /** @param now epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  give(target: Target): string {
    const [oldest] = this.#given.keys();
    if (this.#given.size >= maxAtOnce && oldest !== undefined) this.#given.delete(oldest);
    const word = randomBytes(24).toString('base64url');
    this.#given.set(word, { key: keyOf(target), at: this.#now() });
    return word;
  }

  /** Uses the word up, for any action. Throws `confirmation-missing` unless it allows exactly this, now. */
  use(word: string | null, target: Target): void {
    const given = word === null ? undefined : this.#given.get(word);
    if (word !== null) this.#given.delete(word);
    // A clock that was set back must not make a word valid for longer.
    const isFresh = given !== undefined && Math.abs(this.#now() - given.at) <= goodForMs;
    if (given?.key !== keyOf(target) || !isFresh) {
      throw new AppError('confirmation-missing', 'This was not confirmed.');
    }
  }
}

/** GitLab compares paths without regard to case. */
function keyOf({ action, instance, project }: Target): string {
  return JSON.stringify([action, instance, project?.toLowerCase() ?? null]);
}
