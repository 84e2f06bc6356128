/** @file Shows a message, once, when a plan's run ends badly or looks suspicious while the page is open. */
import type { Job } from '../../src-contract/runs/job.ts';
import {
  PlanRunNotifications,
  reasonNotStarted,
  shrunkOf,
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
const page = 50;
const jobsPage = 500;

class PlanRunToasts {
  #news: PlanRunNotifications | null = null;
  #looking = false;

  follow(): () => void {
    this.#news = null;
    const look = throttle(() => void this.#pollRuns(), 2000);
    const ends = [on('plan.changed', look.trigger), on('job.changed', look.trigger)];
    const timer = setInterval(look.trigger, pollIntervalMs);
    look.trigger();
    return () => {
      clearInterval(timer);
      look.cancel();
      for (const end of ends) end();
    };
  }

  async #pollRuns(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const runs = await this.#runs();
    this.#looking = false;
    if (runs === null) return;
    // Uses the times of the runs: the clock of the browser may differ from that of the program.
    this.#news ??= new PlanRunNotifications(
      1 + Math.max(0, ...runs.map(({ createdAt }) => Date.parse(createdAt))),
    );
    for (const news of this.#news.findNew(runs)) void showNews(news);
  }

  /**
   * Returns the newest runs, back to the oldest run that was seen in progress; null if the request fails. The next
   * poll then tries again.
   */
  async #runs(): Promise<Run[] | null> {
    const runs: Run[] = [];
    const missing = new Set(this.#news?.open);
    let before: string | null = null;
    do {
      const answer: Awaited<ReturnType<typeof call<'run.list'>>> = await call('run.list', {
        before,
        limit: page,
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

async function showNews(news: RunNotification): Promise<void> {
  const said = await newsMessage(news);
  if (said === null) return;
  toasts.show(said.tone, text.planMessage(await planOf(news.run), said.text), {
    label: text.show,
    run: () => {
      goTo({ what: 'run', id: news.run.id });
    },
  });
}

async function newsMessage({
  run,
  about,
  warnings,
}: RunNotification): Promise<{ tone: Tone; text: string } | null> {
  const noted = warnings.length === 0 ? null : { tone: 'warn' as const, text: warnings.join(' ') };
  if (about === 'notes') return noted;
  const refusal = reasonNotStarted(run);
  if (refusal !== null) return refusal.asked ? null : { tone: 'bad', text: refusal.message };
  const failed = run.jobs['failed'] ?? 0;
  if (failed > 0) return { tone: 'bad', text: text.failed(failed, run) };
  if (run.outcome === 'incomplete') return { tone: 'bad', text: text.incomplete };
  if (run.outcome !== 'warnings') return noted;
  const shrunk = shrunkOf(await jobsOf(run.id));
  const [first] = shrunk;
  if (first !== undefined) {
    return { tone: 'warn', text: text.suspicious(shrunk.length, first.project, first.finding.message) };
  }
  return noted ?? { tone: 'warn', text: text.warnings };
}

async function planOf({ planId, instances }: Run): Promise<string> {
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
      limit: jobsPage,
    });
    if (!answer.ok) return jobs;
    jobs.push(...answer.value.jobs);
    before = answer.value.next;
  } while (before !== null);
  return jobs;
}
