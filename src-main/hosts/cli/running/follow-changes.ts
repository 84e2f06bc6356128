/**
 * @file Reads the followed data again after each event. A slow poll finds changes by other processes, and changes whose
 * event was lost.
 */
import type { EventName } from '../../../../src-contract/call-names.ts';
import { events, type EventPayload } from '../../../../src-contract/calls.ts';
import type { Session } from './session.ts';

/** The poll interval while this process runs the jobs, and so emits their events. */
const pollHereMs = 2_000;
/** The poll interval while another process runs the jobs: its events do not arrive here. */
const pollElsewhereMs = 400;
/** Events within this time lead to one read. */
const debounceMs = 40;
const redrawMs = 100;

type Ids = Partial<EventPayload<'job.changed'> & EventPayload<'migration.changed'>>;

export interface FollowOptions<Result> {
  /** Returns true if the event concerns the data that `read` returns. */
  isRelevant: (name: EventName, payload: Ids) => boolean;
  /** Reads the jobs in `jobs` again, or everything if it is null. Returns null until there is a result. */
  read: (jobs: ReadonlySet<string> | null) => Promise<Result | null>;
  /** True if `read` can read single jobs. If false, `jobs` is always null. */
  canReadSingleJobs?: boolean;
  /** Draws progress between two reads. Called on a terminal only. */
  redraw?: () => void;
  /** Extra delay before each full read, because a full read is slow. */
  fullReadDelayMs?: () => number;
}

type FollowSession = Pick<Session, 'clock' | 'signal'> & {
  app: Pick<Session['app'], 'subscribe' | 'isRunningJobs' | 'blockingError'>;
  terminal: Pick<Session['terminal'], 'interactive'>;
};

/** Reads until there is a result. Throws the error that blocks the jobs, or the signal's abort reason. */
export async function followChanges<Result>(
  session: FollowSession,
  options: FollowOptions<Result>,
): Promise<Result> {
  const { app, clock, signal, terminal } = session;
  const {
    isRelevant,
    read,
    canReadSingleJobs = false,
    redraw,
    fullReadDelayMs: fullReadDelayMs = () => 0,
  } = options;
  let isAllStale = true;
  let staleJobs = new Set<string>();
  let wake = (): void => undefined;
  const unsubscribe = app.subscribe((name, payload) => {
    if (!isRelevant(name, payload as Ids)) return;
    if (canReadSingleJobs && name === 'job.changed') staleJobs.add(events[name].parse(payload).jobId);
    else isAllStale = true;
    wake();
  });
  /** Resolves after `ms` milliseconds, or at the next event. */
  const waitForEvent = async (ms: number): Promise<void> => {
    const sleepEnd = new AbortController();
    wake = () => {
      sleepEnd.abort();
    };
    await clock.sleep(ms, AbortSignal.any([signal, sleepEnd.signal])).catch(() => undefined);
    signal.throwIfAborted();
  };
  const needsFullRead = (): boolean => isAllStale;
  const isStale = (): boolean => needsFullRead() || staleJobs.size > 0;
  try {
    for (;;) {
      const jobs = isAllStale ? null : staleJobs;
      [isAllStale, staleJobs] = [false, new Set()];
      const result = await read(jobs);
      if (result !== null) return result;
      const error = app.blockingError();
      if (error !== null) throw error;
      const pollAt =
        clock.monotonic() + fullReadDelayMs() + (app.isRunningJobs() ? pollHereMs : pollElsewhereMs);
      while (!isStale() && clock.monotonic() < pollAt) {
        const leftMs = pollAt - clock.monotonic();
        const canRedraw = redraw !== undefined && terminal.interactive;
        if (canRedraw) redraw();
        await waitForEvent(canRedraw ? Math.min(redrawMs, leftMs) : leftMs);
      }
      if (isStale()) await clock.sleep(debounceMs + (needsFullRead() ? fullReadDelayMs() : 0), signal);
      else isAllStale = true;
    }
  } finally {
    unsubscribe();
  }
}
