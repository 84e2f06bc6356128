/**
 * @file Tells once that a scheduled backup could not start, or has not begun although it was due: nothing else would be seen of it.
 * Looks when a plan changed, and by the clock, as a machine that slept, or a process that hangs, changes nothing. Needs no Electron.
 */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Notice } from './notices.ts';
import { words } from './words.ts';

/** Two looks fall into the first minute after the machine woke. */
const pollIntervalMs = 25_000;
/** What is due after a sleep is caught up in a moment; only what still stands then is missed. */
const catchUpMs = 20_000;

export class OverdueWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onOverdue: (notice: Notice) => void;
  /** Due times that were told of, by plan. */
  readonly #told = new Map<string, string>();
  /** Due times that passed without a run or a reason, by plan, and when that was seen first (monotonic). */
  readonly #missed = new Map<string, { since: string; at: number }>();
  #cancelTimer: () => void = () => undefined;

  constructor(client: Pick<Client, 'call'>, clock: Clock, onOverdue: (notice: Notice) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#onOverdue = onOverdue;
    this.#lookLater();
  }

  /** To be told of every event of the app. Resolves when what followed from it is done. */
  async heard(name: EventName): Promise<void> {
    if (name === 'plan.changed') await this.#look();
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => undefined;
    this.#lookLater = () => undefined;
  }

  #lookLater = (): void => {
    this.#cancelTimer = this.#clock.timer(pollIntervalMs, () => {
      void this.#look().finally(() => {
        this.#lookLater();
      });
    });
  };

  async #look(): Promise<void> {
    // What cannot be asked now is asked at the next look; the window shows it anyway.
    const plans = await this.#client.call('plan.list', {}).then(
      (answer) => answer.plans,
      () => [],
    );
    for (const standing of plans) this.#tell(standing);
  }

  #tell({ plan, overdue }: PlanStatus): void {
    if (overdue === null || this.#told.get(plan.id) === overdue.since) return;
    if (overdue.error === null && !this.#isMissed(plan.id, overdue.since)) return;
    this.#told.set(plan.id, overdue.since);
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
