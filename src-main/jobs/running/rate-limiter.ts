/**
 * @file Keeps requests within an instance's limits per minute. The limiter is called before each limited request and
 * returns how long to wait. GitLab also counts failed and resumed downloads, so a turn is taken before the request, not
 * after its success. If the instance still refuses a request, because its limits are lower or another client uses the
 * account, the limiter learns the lower limit.
 *
 * [Note: a turn ends a minute after its answer] GitLab counts in fixed minutes, and counts a request at some time
 * between its sending and its response. A request sent a minute after that response is therefore counted in another
 * minute, even on a slow network.
 */
import type { Pace } from '../../../src-contract/instances/instance.ts';

const minuteMs = 60_000;
/**
 * How long a learned limit applies before the ordinary limit is tried again, because another client of the account may
 * have finished.
 */
const learnedMs = 60 * minuteMs;
/** How long an instance is assumed to count downloads by namespace after a refusal suggested that. */
const scopeLearnedMs = 24 * 60 * minuteMs;
/** How often to check again while the next request waits for the response to a running request. */
const pollIntervalMs = 250;
const maxPreparationTimes = 5;
/** A turn is given at most this many milliseconds before its due time. */
const maxLeadMs = 10_000;

/** GitLab allows 400 project reads a minute (gitlab-facts 4); a comparison of counts takes a dozen requests. */
const readsPerMinute = 120;

/** `read` reads a project and its counts before anything is requested for it. */
export type LimitedAction = 'export' | 'import' | 'download' | 'read';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

const limitOf = (pace: Pace, action: LimitedAction): number =>
  ({
    export: pace.exportsPerMinute,
    import: pace.importsPerMinute,
    download: pace.downloadsPerMinute,
    // A server without a limit for exports also has no limit for reads.
    read: pace.exportsPerMinute === 0 ? 0 : readsPerMinute,
  })[action];

export const namespaceOf = (project: string): string =>
  project.slice(0, Math.max(0, project.lastIndexOf('/')));

/**
 * GitLab counts downloads per project or, in some versions, per namespace. Other requests are counted per user
 * (gitlab-facts 4).
 */
function bucketName(
  instance: string,
  scope: Pace['downloadScope'],
  action: LimitedAction,
  project: string,
): string {
  if (action !== 'download') return `${instance} ${action}`;
  return `${instance} ${action} ${scope === 'project' ? project : namespaceOf(project)}`;
}

interface Turn {
  project: string;
  state: 'given' | 'sent' | 'answered';
  at: number;
  givenAt: number;
  readyAt: number | null;
}

interface Bucket {
  /** Turns without a response, or with a response within the last minute. */
  turns: Turn[];
  /** The time promised to each waiting project, so that each of a thousand projects waits only once. */
  promised: Map<string, number>;
  closedUntil: number;
  /** The learned number of turns in a minute, and until when it applies. */
  learned: { limit: number; until: number } | null;
  preparationTimes: number[];
}

/** `monotonic` returns milliseconds. A jump of the wall clock must not open or close a window. */
export function createRateLimiter(monotonic: () => number) {
  const buckets = new Map<string, Bucket>();
  /** Until when an instance is assumed to count downloads by namespace, although its `downloadScope` is `project`. */
  const byNamespaceUntil = new Map<string, number>();
  const scopeOf = (instance: string, pace: Pace): Pace['downloadScope'] =>
    (byNamespaceUntil.get(instance) ?? 0) > monotonic() ? 'namespace' : pace.downloadScope;
  const bucketFor = (instance: string, pace: Pace, action: LimitedAction, project: string): Bucket => {
    const now = monotonic();
    const name = bucketName(instance, scopeOf(instance, pace), action, project);
    const bucket = buckets.get(name) ?? emptyBucket();
    buckets.set(name, bucket);
    bucket.turns = bucket.turns.filter(({ state, at }) => state === 'sent' || now - at < minuteMs);
    if (bucket.learned !== null && bucket.learned.until <= now) bucket.learned = null;
    return bucket;
  };
  /**
   * Returns whether a refused download was the first of its project and followed a download of another project in the
   * same namespace.
   */
  const isLimitedByNamespace = (instance: string, project: string, now: number): boolean => {
    const sentIn = (name: string): number =>
      buckets.get(name)?.turns.filter((turn) => turn.state !== 'given' && now - timeOf(turn, now) < minuteMs)
        .length ?? 0;
    const own = bucketName(instance, 'project', 'download', project);
    const namespacePrefix = bucketName(instance, 'namespace', 'download', project);
    const isSibling = (name: string): boolean =>
      name !== own && name.slice(0, name.lastIndexOf('/')) === namespacePrefix && sentIn(name) > 0;
    return sentIn(own) <= 1 && [...buckets.keys()].some(isSibling);
  };
  return {
    /**
     * Takes a turn and returns 0, or returns the milliseconds until a turn is free. If requests take long to prepare,
     * turns are given earlier.
     */
    reserve(instance: string, pace: Pace, action: LimitedAction, project: string) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      // An earlier turn of this project was not used.
      bucket.turns = bucket.turns.filter((turn) => turn.state !== 'given' || turn.project !== project);
      const give = (at: number): void => {
        bucket.promised.delete(project);
        bucket.turns.push({ project, state: 'given', at, givenAt: now, readyAt: null });
      };
      const limit = bucket.learned?.limit ?? limitOf(pace, action);
      // Turns are counted even without a limit, because the limiter may have to learn one.
      if (limit === 0) {
        if (now >= bucket.closedUntil) give(now);
        return Math.max(0, bucket.closedUntil - now);
      }
      const lead = leadOf(bucket);
      // A promise that is not claimed expires, because its job was cancelled.
      for (const [other, at] of bucket.promised) if (now - at >= minuteMs) bucket.promised.delete(other);
      const queue = [...bucket.promised];
      const position = queue.findIndex(([other]) => other === project);
      const promised = queue[position]?.[1] ?? Infinity;
      if (promised !== Infinity && promised - lead > now) return promised - lead - now;
      bucket.promised.delete(project);
      // Earlier promises come first; a new project queues last. A promise in the past counts as now: replies were late.
      const sooner = queue.flatMap(([other, at], index) =>
        other !== project && (at < promised || (at === promised && index < position)) ? [at] : [],
      );
      const countedTimes = [
        ...bucket.turns.map((turn) => timeOf(turn, now)),
        ...sooner.map((at) => Math.max(at, now)),
      ];
      const limiting = nthNewest(countedTimes, limit);
      const freeAt = limiting === undefined ? now : Math.max(now, limiting + minuteMs);
      const next = Math.max(freeAt, bucket.closedUntil);
      if (next - lead <= now) give(next);
      else bucket.promised.set(project, next);
      return Math.max(0, next - lead - now);
    },
    /** Called when the request is ready. Returns 0 if it may be sent now, or the milliseconds to wait. */
    trySend(instance: string, pace: Pace, action: LimitedAction, project: string) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      let own = bucket.turns.findLast((turn) => turn.state === 'given' && turn.project === project);
      if (own === undefined) {
        own = { project, state: 'given', at: now, givenAt: now, readyAt: null };
        bucket.turns.push(own);
      }
      own.readyAt ??= now;
      const limit = bucket.learned?.limit ?? limitOf(pace, action);
      const sent = bucket.turns.filter(({ state }) => state !== 'given');
      const limiting =
        limit === 0
          ? undefined
          : nthNewest(
              sent.map((turn) => timeOf(turn, now)),
              limit,
            );
      const inProgress = sent.filter(({ state }) => state === 'sent').length;
      const freeAt = limiting === undefined ? now : limiting + minuteMs;
      const wait = Math.max(freeAt, bucket.closedUntil) - now;
      if (wait > 0) return limit > 0 && inProgress >= limit ? pollIntervalMs : wait;
      bucket.preparationTimes = [...bucket.preparationTimes, own.readyAt - own.givenAt].slice(
        -maxPreparationTimes,
      );
      own.state = 'sent';
      return 0;
    },
    /** Called when the response to the request has arrived, or none will arrive. Idempotent. */
    release(instance: string, pace: Pace, action: LimitedAction, project: string) {
      const now = monotonic();
      for (const turn of bucketFor(instance, pace, action, project).turns) {
        if (turn.state !== 'sent' || turn.project !== project) continue;
        turn.state = 'answered';
        turn.at = now;
      }
    },
    /**
     * Called when the instance refused a request. Gives no turn before `waitMs` have passed, and fewer turns per minute
     * after that.
     */
    onRateLimited(instance: string, pace: Pace, action: LimitedAction, project: string, waitMs: number) {
      const now = monotonic();
      let bucket = bucketFor(instance, pace, action, project);
      if (
        action === 'download' &&
        scopeOf(instance, pace) === 'project' &&
        isLimitedByNamespace(instance, project, now)
      ) {
        byNamespaceUntil.set(instance, now + scopeLearnedMs);
        bucket = bucketFor(instance, pace, action, project);
        bucket.learned ??= { limit: 1, until: now + scopeLearnedMs };
      }
      bucket.closedUntil = Math.max(bucket.closedUntil, now + waitMs);
      const sent = bucket.turns.filter(({ state }) => state !== 'given').length;
      // If no request was accepted in this window, the 429 gives a retry time but says nothing about the limit.
      if (sent > 1 || bucket.learned !== null) {
        const limit = Math.max(1, Math.min(bucket.learned?.limit ?? Infinity, sent - 1));
        bucket.learned = { limit, until: now + learnedMs };
      }
      // The instance did not accept the request, so it uses no turn.
      bucket.turns = bucket.turns.filter(
        ({ state, project: turnProject }) => state === 'given' || turnProject !== project,
      );
      // The promises were made for a limit that no longer applies.
      for (const [other, at] of bucket.promised) bucket.promised.set(other, Math.max(at, bucket.closedUntil));
    },
  };
}

const emptyBucket = (): Bucket => ({
  turns: [],
  promised: new Map(),
  closedUntil: 0,
  learned: null,
  preparationTimes: [],
});

/** The instance may still count a running request now. */
const timeOf = ({ state, at }: Turn, now: number): number => (state === 'sent' ? now : at);

const nthNewest = (times: readonly number[], nth: number): number | undefined =>
  times.toSorted((a, b) => a - b)[times.length - nth];

/** Returns how long before its due time a turn is given: the shortest time that a recent request needed to be ready. */
const leadOf = ({ preparationTimes }: Bucket): number =>
  preparationTimes.length === 0 ? 0 : Math.min(maxLeadMs, ...preparationTimes);
