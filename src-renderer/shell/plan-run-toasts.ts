/** @file Shows a message, once, when a plan's run ends badly or looks suspicious while the page is open. */
import type { Job } from '../../src-contract/runs/job.ts';
import {
  PlanRunNotifications,
  reasonNotStarted,
  shrunkArchives,
  type RunNotification,
} from '../../src-contract/runs/run-notifications.ts';
import type { Run } from '../../src-contract/runs/run.ts';
import { call, on } from '../client.ts';
import { planRunToastText as text } from './plan-run-toasts.text.ts';
import type { Tone } from '../kit/feedback/tones.ts';
import { throttle } from '../kit/throttle.ts';
import { toasts } from '../data/toasts.svelte.ts';
import { goTo } from '../data/places/places.ts';

/** Runs of another process may change without an event. */
const pollIntervalMs = 60_000;
const runsPerPage = 50;
const jobsPerPage = 500;

class PlanRunToasts {
  #notifications: PlanRunNotifications | null = null;
  #isPolling = false;

  follow(): () => void {
    this.#notifications = null;
    const poll = throttle(() => void this.#pollRuns(), 2000);
    const cleanups = [on('plan.changed', poll.trigger), on('job.changed', poll.trigger)];
    const timer = setInterval(poll.trigger, pollIntervalMs);
    poll.trigger();
    return () => {
      clearInterval(timer);
      poll.cancel();
      for (const cleanup of cleanups) cleanup();
    };
  }

  async #pollRuns(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const runs = await this.#fetchRuns();
    this.#isPolling = false;
    if (runs === null) return;
    // Uses the times of the runs: the clock of the browser may differ from that of the program.
    this.#notifications ??= new PlanRunNotifications(
      1 + Math.max(0, ...runs.map(({ createdAt }) => Date.parse(createdAt))),
    );
    for (const notification of this.#notifications.findNew(runs)) void showToast(notification);
  }

  /**
   * Returns the newest runs, back to the oldest run that was seen in progress; null if the request fails. The next
   * poll then tries again.
   */
  async #fetchRuns(): Promise<Run[] | null> {
    const runs: Run[] = [];
    const missing = new Set(this.#notifications?.openRunIds);
    let before: string | null = null;
    do {
      const answer: Awaited<ReturnType<typeof call<'run.list'>>> = await call('run.list', {
        before,
        limit: runsPerPage,
      });
      if (!answer.ok) return null;
      runs.push(...answer.value.runs);
      for (const { id } of answer.value.runs) missing.delete(id);
      before = answer.value.next;
    } while (before !== null && missing.size > 0);
    return runs;
  }
}

export const planRunToasts = new PlanRunToasts();

async function showToast(notification: RunNotification): Promise<void> {
  const toast = await toastOf(notification);
  if (toast === null) return;
  toasts.show(toast.tone, text.planMessage(await planNameOf(notification.run), toast.text), {
    label: text.show,
    run: () => {
      goTo({ what: 'run', id: notification.run.id });
    },
  });
}

async function toastOf({
  run,
  kind,
  warnings,
}: RunNotification): Promise<{ tone: Tone; text: string } | null> {
  const warning = warnings.length === 0 ? null : { tone: 'warn' as const, text: warnings.join(' ') };
  if (kind === 'notes') return warning;
  const refusal = reasonNotStarted(run);
  if (refusal !== null) return refusal.isCancelled ? null : { tone: 'bad', text: refusal.message };
  const failed = run.jobs['failed'] ?? 0;
  if (failed > 0) return { tone: 'bad', text: text.failed(failed, run) };
  if (run.outcome === 'incomplete') return { tone: 'bad', text: text.incomplete };
  if (run.outcome !== 'warnings') return warning;
  const shrunk = shrunkArchives(await jobsOf(run.id));
  const [first] = shrunk;
  if (first !== undefined) {
    return { tone: 'warn', text: text.suspicious(shrunk.length, first.project, first.finding.message) };
  }
  return warning ?? { tone: 'warn', text: text.warnings };
}

async function planNameOf({ planId, instances }: Run): Promise<string> {
  const answer = await call('plan.list', {});
  const found = answer.ok ? answer.value.plans.find(({ plan }) => plan.id === planId) : undefined;
  return found?.plan.name ?? instances.join(', ');
}

async function jobsOf(runId: string): Promise<Job[]> {
  const jobs: Job[] = [];
  let before: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof call<'job.list'>>> = await call('job.list', {
      runId,
      status: 'succeeded',
      before,
      limit: jobsPerPage,
    });
    if (!answer.ok) return jobs;
    jobs.push(...answer.value.jobs);
    before = answer.value.next;
  } while (before !== null);
  return jobs;
}
