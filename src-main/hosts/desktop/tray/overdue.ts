/** @file Reports once that a scheduled backup could not start, or did not start when it was due. Needs no Electron. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Notice } from './notices.ts';
import { words } from './words.ts';

/** Two polls fall into the first minute after the machine woke up. */
const pollIntervalMs = 25_000;
/** Runs that were due during a sleep start within this time; only those that are still due later are missed. */
const catchUpMs = 20_000;

export class OverdueWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onOverdue: (notice: Notice) => void;
  /** Due times that were reported, by plan. */
  readonly #reported = new Map<string, string>();
  /** Due times that passed without a run or a reason, by plan, with the time when that was first seen (monotonic). */
  readonly #missed = new Map<string, { since: string; at: number }>();
  #cancelTimer: () => void = () => undefined;

  constructor(client: Pick<Client, 'call'>, clock: Clock, onOverdue: (notice: Notice) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#onOverdue = onOverdue;
    this.#pollLater();
  }

  async handleEvent(name: EventName): Promise<void> {
    if (name === 'plan.changed') await this.#poll();
  }

  stop(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => undefined;
    this.#pollLater = () => undefined;
  }

  #pollLater = (): void => {
    this.#cancelTimer = this.#clock.timer(pollIntervalMs, () => {
      void this.#poll().finally(() => {
        this.#pollLater();
      });
    });
  };

  async #poll(): Promise<void> {
    // A failed call is repeated by the next poll; the window shows the failure itself.
    const plans = await this.#client.call('plan.list', {}).then(
      (answer) => answer.plans,
      () => [],
    );
    for (const status of plans) this.#report(status);
  }

  #report({ plan, overdue }: PlanStatus): void {
    if (overdue === null || this.#reported.get(plan.id) === overdue.since) return;
    if (overdue.error === null && !this.#isMissed(plan.id, overdue.since)) return;
    this.#reported.set(plan.id, overdue.since);
    const { overdue: late, missed, dueSince } = words.notice;
    this.#onOverdue({
      title: overdue.error === null ? missed(plan.name) : late(plan.name),
      body:
        overdue.error === null
          ? dueSince(
              new Date(overdue.since).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
            )
          : errorText(overdue.error).what,
      place: { what: 'plan', id: plan.id },
    });
  }

  #isMissed(planId: string, since: string): boolean {
    const now = this.#clock.monotonic();
    const seen = this.#missed.get(planId);
    if (seen?.since === since) return now - seen.at >= catchUpMs;
    this.#missed.set(planId, { since, at: now });
    return false;
  }
}
