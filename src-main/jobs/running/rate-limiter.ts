/**
 * @file Keeps our side of an instance's per-minute limits: asked before each limited request, it answers how long to wait.
 * GitLab counts failed and resumed downloads too, so a turn is taken before the request, not after its success. Where the
 * instance refuses all the same (its limits are lower, or somebody else uses the account), the limit is learned from that.
 *
 * [Note: a turn ends a minute after its answer] GitLab counts in fixed minutes, from when it hears of a request: some time
 * between its leaving and its answer. Whoever leaves a minute after that answer is counted in another minute, however slow the
 * way there was.
 */
import type { Pace } from '../../../src-contract/instance.ts';

const minuteMs = 60_000;
/** How long a learned limit is kept before the ordinary one is tried again: whoever shared the account may be done. */
const learnedMs = 60 * minuteMs;
/** How long it is believed that an instance counts downloads by namespace, which a refusal showed. */
const scopeLearnedMs = 24 * 60 * minuteMs;
/** How often a request that is under way is looked at, where the next one waits for its answer. */
const pollIntervalMs = 250;
/** How many requests tell how long it takes from a turn to its request. */
const remembered = 5;
/** The longest time before its due time that a turn is given. */
const maxLeadMs = 10_000;

/**
 * How many projects are looked at in a minute. GitLab tells an account 400 of them and answers 2,000 requests in all (gitlab-facts
 * 4); a look that compares counts takes a dozen requests, and whoever else uses the account wants some.
 */
const looksPerMinute = 120;

/** `look`: reading what a project is and holds, before anything is asked of the server for it. */
export type LimitedAction = 'export' | 'import' | 'download' | 'look';

export interface RateLimiter {
  /**
   * Takes a turn and returns 0, or takes none and returns the milliseconds until one is free. Where requests were got ready
   * for some time after their turns were taken, one is given as much sooner.
   */
  reserve(instance: string, pace: Pace, action: LimitedAction, project: string): number;
  /** The request that the project's turn is for is ready: it leaves now and 0 is returned, or it must wait so long first. */
  waitToSend(instance: string, pace: Pace, action: LimitedAction, project: string): number;
  /** What was sent is answered, or nothing will come any more. Repeatable. */
  release(instance: string, pace: Pace, action: LimitedAction, project: string): void;
  /** The instance refused a request that had its turn: nobody gets one before `waitMs` are over, and then fewer a minute. */
  onRateLimited(instance: string, pace: Pace, action: LimitedAction, project: string, waitMs: number): void;
}

const limitOf = (pace: Pace, action: LimitedAction): number =>
  ({
    export: pace.exportsPerMinute,
    import: pace.importsPerMinute,
    download: pace.downloadsPerMinute,
    // Where a server has no other limits, it has none of this kind.
    look: pace.exportsPerMinute === 0 ? 0 : looksPerMinute,
  })[action];

/** Path of the group or user that a project stands in. */
export const namespaceOf = (project: string): string =>
  project.slice(0, Math.max(0, project.lastIndexOf('/')));

/** Exports, imports and looks are counted per user, downloads per project or, on some versions, per namespace (gitlab-facts 4). */
function bucketOf(
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
  /** When its request is to leave; once answered, when that was. */
  at: number;
  givenAt: number;
  /** When its request was first ready to leave. */
  readyAt: number | null;
}

interface Bucket {
  /** Those that were not answered more than a minute ago. */
  turns: Turn[];
  /** When the turn of each waiting project is promised, so that a thousand of them wait once each and not all together. */
  promised: Map<string, number>;
  /** No turn is given before. */
  closedUntil: number;
  /** Turns in a minute that the instance bears, and until when that is believed. */
  learned: { limit: number; until: number } | null;
  /** How long the newest requests took to be ready after their turns were given. */
  gotReady: number[];
}

/** `monotonic` in milliseconds: a jump of the wall clock must not open or close a window. */
export function createRateLimiter(monotonic: () => number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  /** Until when instances are believed to count downloads by namespace, although nothing said so. */
  const byNamespaceUntil = new Map<string, number>();
  const scopeOf = (instance: string, pace: Pace): Pace['downloadScope'] =>
    (byNamespaceUntil.get(instance) ?? 0) > monotonic() ? 'namespace' : pace.downloadScope;
  const bucketFor = (instance: string, pace: Pace, action: LimitedAction, project: string): Bucket => {
    const now = monotonic();
    const name = bucketOf(instance, scopeOf(instance, pace), action, project);
    const bucket = buckets.get(name) ?? emptyBucket();
    buckets.set(name, bucket);
    bucket.turns = bucket.turns.filter(({ state, at }) => state === 'sent' || now - at < minuteMs);
    if (bucket.learned !== null && bucket.learned.until <= now) bucket.learned = null;
    return bucket;
  };
  /** Whether a download that was refused had none of its own project before it, but one of another project of its namespace. */
  const isSiblings = (instance: string, project: string, now: number): boolean => {
    const sentIn = (name: string): number =>
      buckets.get(name)?.turns.filter((turn) => turn.state !== 'given' && now - timeOf(turn, now) < minuteMs)
        .length ?? 0;
    const own = bucketOf(instance, 'project', 'download', project);
    const siblings = bucketOf(instance, 'namespace', 'download', project);
    const isSibling = (name: string): boolean =>
      name !== own && name.slice(0, name.lastIndexOf('/')) === siblings && sentIn(name) > 0;
    return sentIn(own) <= 1 && [...buckets.keys()].some(isSibling);
  };
  return {
    reserve(instance, pace, action, project) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      // What it was given before was of no use.
      bucket.turns = bucket.turns.filter((turn) => turn.state !== 'given' || turn.project !== project);
      const give = (at: number): void => {
        bucket.promised.delete(project);
        bucket.turns.push({ project, state: 'given', at, givenAt: now, readyAt: null });
      };
      const limit = bucket.learned?.limit ?? limitOf(pace, action);
      // Turns are counted also where there is no limit: one may have to be learned.
      if (limit === 0) {
        if (now >= bucket.closedUntil) give(now);
        return Math.max(0, bucket.closedUntil - now);
      }
      const lead = leadOf(bucket);
      // A promise that nobody came for lapses: its job was cancelled.
      for (const [other, at] of bucket.promised) if (now - at >= minuteMs) bucket.promised.delete(other);
      const queue = [...bucket.promised];
      const place = queue.findIndex(([other]) => other === project);
      const promised = queue[place]?.[1] ?? Infinity;
      if (promised !== Infinity && promised - lead > now) return promised - lead - now;
      bucket.promised.delete(project);
      // Who was promised a turn sooner has it sooner, and a newcomer queues behind all; answers may have come late.
      const sooner = queue.flatMap(([other, at], its) =>
        other !== project && (at < promised || (at === promised && its < place)) ? [at] : [],
      );
      const before = [
        ...bucket.turns.map((turn) => timeOf(turn, now)),
        ...sooner.map((at) => Math.max(at, now)),
      ];
      const limiting = nthNewest(before, limit);
      const free = limiting === undefined ? now : Math.max(now, limiting + minuteMs);
      const next = Math.max(free, bucket.closedUntil);
      if (next - lead <= now) give(next);
      else bucket.promised.set(project, next);
      return Math.max(0, next - lead - now);
    },
    waitToSend(instance, pace, action, project) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      let own = bucket.turns.findLast((turn) => turn.state === 'given' && turn.project === project);
      if (own === undefined) {
        // It took so long that its turn has lapsed.
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
      const underWay = sent.filter(({ state }) => state === 'sent').length;
      const free = limiting === undefined ? now : limiting + minuteMs;
      const wait = Math.max(free, bucket.closedUntil) - now;
      if (wait > 0) return limit > 0 && underWay >= limit ? pollIntervalMs : wait;
      bucket.gotReady = [...bucket.gotReady, own.readyAt - own.givenAt].slice(-remembered);
      own.state = 'sent';
      return 0;
    },
    release(instance, pace, action, project) {
      const now = monotonic();
      for (const turn of bucketFor(instance, pace, action, project).turns) {
        if (turn.state !== 'sent' || turn.project !== project) continue;
        turn.state = 'answered';
        turn.at = now;
      }
    },
    onRateLimited(instance, pace, action, project, waitMs) {
      const now = monotonic();
      let bucket = bucketFor(instance, pace, action, project);
      if (
        action === 'download' &&
        scopeOf(instance, pace) === 'project' &&
        isSiblings(instance, project, now)
      ) {
        byNamespaceUntil.set(instance, now + scopeLearnedMs);
        bucket = bucketFor(instance, pace, action, project);
        bucket.learned ??= { limit: 1, until: now + scopeLearnedMs };
      }
      bucket.closedUntil = Math.max(bucket.closedUntil, now + waitMs);
      // The one that was refused is among those that were sent.
      const sent = bucket.turns.filter(({ state }) => state !== 'given').length;
      // Where none was borne before it, the refusal tells when to come again, and nothing of a limit.
      if (sent > 1 || bucket.learned !== null) {
        const limit = Math.max(1, Math.min(bucket.learned?.limit ?? Infinity, sent - 1));
        bucket.learned = { limit, until: now + learnedMs };
      }
      // It was not let through, so it fills no place.
      bucket.turns = bucket.turns.filter(({ state, project: of }) => state === 'given' || of !== project);
      // Promises were made for a limit that does not hold.
      for (const [other, at] of bucket.promised) bucket.promised.set(other, Math.max(at, bucket.closedUntil));
    },
  };
}

const emptyBucket = (): Bucket => ({
  turns: [],
  promised: new Map(),
  closedUntil: 0,
  learned: null,
  gotReady: [],
});

/** The instance may count what is under way as late as now. */
const timeOf = ({ state, at }: Turn, now: number): number => (state === 'sent' ? now : at);

const nthNewest = (times: readonly number[], nth: number): number | undefined =>
  times.toSorted((one, other) => one - other)[times.length - nth];

/** How long before its due time a turn is given: as long as the quickest of the newest requests took to be ready. */
const leadOf = ({ gotReady }: Bucket): number =>
  gotReady.length === 0 ? 0 : Math.min(maxLeadMs, ...gotReady);
