/** @file Reports once that a scheduled backup could not start, or did not start when it was due. Needs no Electron. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Notice } from './notices.ts';
import { desktopTexts } from './desktop-texts.ts';

/** Short enough for two polls within the first minute after the machine wakes up. */
const pollIntervalMs = 25_000;
/** Runs that were due during a sleep start within this time. Only runs that are still due after it count as missed. */
const catchUpMs = 20_000;

export interface OverduePlanWatch {
  /** Call this for every event of the app. Resolves when the event is handled. */
  handleEvent(name: EventName): Promise<void>;
  stop(): void;
}

export function watchOverduePlans(
  client: Pick<Client, 'call'>,
  clock: Clock,
  onOverdue: (notice: Notice) => void,
): OverduePlanWatch {
  /** Due times that were reported, by plan. */
  const reported = new Map<string, string>();
  /** Due times that passed without a run or a reason, by plan, with the monotonic time when this was first seen. */
  const missed = new Map<string, { since: string; at: number }>();
  let isStopped = false;

  const isMissed = (planId: string, since: string): boolean => {
    const now = clock.monotonic();
    const firstSeen = missed.get(planId);
    if (firstSeen?.since === since) return now - firstSeen.at >= catchUpMs;
    missed.set(planId, { since, at: now });
    return false;
  };
  const report = ({ plan, overdue }: PlanStatus): void => {
    if (overdue === null || reported.get(plan.id) === overdue.since) return;
    if (overdue.error === null && !isMissed(plan.id, overdue.since)) return;
    reported.set(plan.id, overdue.since);
    const since = new Date(overdue.since).toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    const text =
      overdue.error === null
        ? { title: desktopTexts.notice.notStarted(plan.name), body: desktopTexts.notice.dueSince(since) }
        : { title: desktopTexts.notice.couldNotStart(plan.name), body: errorText(overdue.error).what };
    onOverdue({ ...text, target: { what: 'plan', id: plan.id } });
  };
  const poll = async (): Promise<void> => {
    // A failed call is repeated by the next poll; the window shows the failure itself.
    const reply = await client.call('plan.list', {}).catch(() => null);
    for (const status of reply?.plans ?? []) report(status);
  };
  let cancelTimer: () => void;
  const pollLater = (): void => {
    cancelTimer = clock.timer(pollIntervalMs, () => {
      void poll().finally(() => {
        if (!isStopped) pollLater();
      });
    });
  };
  pollLater();
  return {
    async handleEvent(name) {
      if (name === 'plan.changed') await poll();
    },
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
