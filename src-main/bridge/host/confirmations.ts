/**
 * @file One-time confirmation codes for destructive actions. A code is issued with a summary of the effects, allows one
 * action on one target, and expires after a minute. They are in memory only.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { ConfirmedAction } from '../../../src-contract/host.ts';

const goodForMs = 60_000;
/** Limits the memory of unused words. At the limit, the oldest word is dropped. */
const maxAtOnce = 100;

export interface ConfirmationTarget {
  action: ConfirmedAction;
  instance: string;
  /** Full path of a project, or the id of a token or migration; null if the action has no such target. */
  project: string | null;
}

export class Confirmations {
  readonly #now: () => number;
  readonly #given = new Map<string, { key: string; at: number }>();

  /** @param now epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  issue(target: ConfirmationTarget): string {
    const [oldest] = this.#given.keys();
    if (this.#given.size >= maxAtOnce && oldest !== undefined) this.#given.delete(oldest);
    const word = randomBytes(24).toString('base64url');
    this.#given.set(word, { key: keyOf(target), at: this.#now() });
    return word;
  }

  /**
   * Consumes the word, even if it does not match. Throws `confirmation-missing` unless it is valid for exactly this
   * target.
   */
  consume(word: string | null, target: ConfirmationTarget): void {
    const given = word === null ? undefined : this.#given.get(word);
    if (word !== null) this.#given.delete(word);
    // A clock that was set back must not make a word valid for longer.
    const isFresh = given !== undefined && Math.abs(this.#now() - given.at) <= goodForMs;
    if (given?.key !== keyOf(target) || !isFresh) {
      throw new AppError('confirmation-missing', 'The action was not confirmed.');
    }
  }
}

/** GitLab compares paths without regard to case. */
function keyOf({ action, instance, project }: ConfirmationTarget): string {
  return JSON.stringify([action, instance, project?.toLowerCase() ?? null]);
}
