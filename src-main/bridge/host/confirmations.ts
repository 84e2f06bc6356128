/**
 * @file One-time confirmation codes for destructive actions. A code is issued with a summary of the effects, allows one
 * action on one target, and expires after a minute. Codes are in memory only.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { ConfirmedAction } from '../../../src-contract/host.ts';

const goodForMs = 60_000;
/** Limits the memory for unused codes. At the limit, the oldest code is deleted. */
const maxAtOnce = 100;

export interface ConfirmationTarget {
  action: ConfirmedAction;
  instance: string;
  /** Full path of a project, or the id of a token or migration; null if the action has no such target. */
  project: string | null;
}

export class Confirmations {
  readonly #now: () => number;
  readonly #issued = new Map<string, { key: string; at: number }>();

  /** @param now epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  issue(target: ConfirmationTarget): string {
    const [oldest] = this.#issued.keys();
    if (this.#issued.size >= maxAtOnce && oldest !== undefined) this.#issued.delete(oldest);
    const code = randomBytes(24).toString('base64url');
    this.#issued.set(code, { key: keyOf(target), at: this.#now() });
    return code;
  }

  /**
   * Consumes the code, even if it does not match. Throws `confirmation-missing` unless it is valid for exactly this
   * target.
   */
  consume(code: string | null, target: ConfirmationTarget): void {
    const issued = code === null ? undefined : this.#issued.get(code);
    if (code !== null) this.#issued.delete(code);
    // A clock that was set back must not make a code valid for longer.
    const isFresh = issued !== undefined && Math.abs(this.#now() - issued.at) <= goodForMs;
    if (issued?.key !== keyOf(target) || !isFresh) {
      throw new AppError('confirmation-missing', 'The action was not confirmed.');
    }
  }
}

/** GitLab compares paths without regard to case. */
function keyOf({ action, instance, project }: ConfirmationTarget): string {
  return JSON.stringify([action, instance, project?.toLowerCase() ?? null]);
}
