/**
 * @file Keeps our side of an instance's per-minute limits: asked before each limited request, it answers how long to wait.
 * GitLab counts failed and resumed downloads too, so a turn is taken before the request, not after its success. Where the
 * instance refuses all the same (its limits are lower, or somebody else uses the account), the limit is learned from that.
 */
import type { Pace } from '../../src-preload/contract/instance.ts';

const minuteMs = 60_000;
/** How long a learned limit is kept before the ordinary one is tried again: whoever shared the account may be done. */
const learnedMs = 60 * minuteMs;

export type LimitedAction = 'export' | 'import' | 'download';

export interface PaceKeeper {
  /** Takes a turn and returns 0, or takes none and returns the milliseconds until one is free. */
  turn(instance: string, pace: Pace, action: LimitedAction, project: string): number;
  /** The request that the project's newest turn is for leaves now; it may have been taken some time before. */
  sending(instance: string, pace: Pace, action: LimitedAction, project: string): void;
  /** The instance refused a request that had its turn: nobody gets one before `waitMs` are over, and then fewer a minute. */
  refused(instance: string, pace: Pace, action: LimitedAction, project: string, waitMs: number): void;
}

const limitOf = (pace: Pace, action: LimitedAction): number =>
  ({ export: pace.exportsPerMinute, import: pace.importsPerMinute, download: pace.downloadsPerMinute })[
    action
  ];

/** Path of the group or user that a project stands in. */
export const namespaceOf = (project: string): string =>
  project.slice(0, Math.max(0, project.lastIndexOf('/')));

/** Exports and imports are counted per user, downloads per project or, on some versions, per namespace (gitlab-facts 4). */
function bucketOf(instance: string, pace: Pace, action: LimitedAction, project: string): string {
  if (action !== 'download') return `${instance} ${action}`;
  const scope = pace.downloadScope === 'project' ? project : namespaceOf(project);
  return `${instance} ${action} ${scope}`;
}

interface Bucket {
  /** The turns of the last minute, and when what they are for was sent; until then, when they were taken. */
  taken: { at: number; project: string }[];
  /** Which turn each waiting project was promised, so that a thousand of them wait once each and not all together. */
  promised: Map<string, number>;
  /** No turn is given before. */
  closedUntil: number;
  /** Turns in a minute that the instance bears, and until when that is believed. */
  learned: { limit: number; until: number } | null;
}

/** `monotonic` in milliseconds: a jump of the wall clock must not open or close a window. */
export function createPaceKeeper(monotonic: () => number): PaceKeeper {
  const buckets = new Map<string, Bucket>();
  const bucketFor = (...of: Parameters<typeof bucketOf>): Bucket => {
    const name = bucketOf(...of);
    const bucket = buckets.get(name) ?? { taken: [], promised: new Map(), closedUntil: 0, learned: null };
    buckets.set(name, bucket);
    bucket.taken = bucket.taken.filter(({ at }) => monotonic() - at < minuteMs);
    return bucket;
  };
  return {
    turn(instance, pace, action, project) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      const ordinary = limitOf(pace, action);
      if (bucket.learned !== null && bucket.learned.until <= now) bucket.learned = null;
      const limit = bucket.learned?.limit ?? ordinary;
      // Turns are counted also where there is no limit: one may have to be learned.
      if (limit === 0) {
        if (now >= bucket.closedUntil) bucket.taken.push({ at: now, project });
        return Math.max(0, bucket.closedUntil - now);
      }
      // A promise that nobody came for lapses: its job was cancelled.
      for (const [other, at] of bucket.promised) if (now - at >= minuteMs) bucket.promised.delete(other);
      const promised = bucket.promised.get(project);
      if (promised !== undefined && promised > now) return promised - now;
      bucket.promised.delete(project);
      // A newcomer queues behind all promises; who comes for a promised turn gets it unless others came late for theirs.
      const taken = bucket.taken.map(({ at }) => at);
      const before = promised === undefined ? [...taken, ...bucket.promised.values()] : taken;
      const limiting = before.toSorted((one, other) => one - other)[before.length - limit];
      const free = limiting === undefined ? now : Math.max(now, limiting + minuteMs);
      const next = Math.max(free, bucket.closedUntil);
      if (next === now) bucket.taken.push({ at: now, project });
      else bucket.promised.set(project, next);
      return next - now;
    },
    sending(instance, pace, action, project) {
      const turn = bucketFor(instance, pace, action, project).taken.findLast(
        (one) => one.project === project,
      );
      if (turn !== undefined) turn.at = monotonic();
    },
    refused(instance, pace, action, project, waitMs) {
      const now = monotonic();
      const bucket = bucketFor(instance, pace, action, project);
      bucket.closedUntil = Math.max(bucket.closedUntil, now + waitMs);
      // The one that was refused is among those that were taken.
      const limit = Math.max(1, Math.min(bucket.learned?.limit ?? Infinity, bucket.taken.length - 1));
      bucket.learned = { limit, until: now + learnedMs };
      // Promises were made for a limit that does not hold.
      for (const [other, at] of bucket.promised) bucket.promised.set(other, Math.max(at, bucket.closedUntil));
    },
  };
}
