/**
 * @file Keeps our side of an instance's per-minute limits: asked before each limited request, it answers how long to wait.
 * GitLab counts failed and resumed downloads too, so a turn is taken before the request, not after its success.
 */
import type { Pace } from '../../src-preload/contract/instance.ts';

const minuteMs = 60_000;

export type LimitedAction = 'export' | 'import' | 'download';

export interface PaceKeeper {
  /** Takes a turn and returns 0, or takes none and returns the milliseconds until one is free. */
  turn(instance: string, pace: Pace, action: LimitedAction, project: string): number;
}

const limitOf = (pace: Pace, action: LimitedAction): number =>
  ({ export: pace.exportsPerMinute, import: pace.importsPerMinute, download: pace.downloadsPerMinute })[
    action
  ];

/** Exports and imports are counted per user, downloads per project or, on some versions, per namespace (gitlab-facts 4). */
function bucketOf(instance: string, pace: Pace, action: LimitedAction, project: string): string {
  if (action !== 'download') return `${instance} ${action}`;
  const scope =
    pace.downloadScope === 'project' ? project : project.slice(0, Math.max(0, project.lastIndexOf('/')));
  return `${instance} ${action} ${scope}`;
}

interface Bucket {
  /** When turns were taken, within the last minute. */
  taken: number[];
  /** Which turn each waiting project was promised, so that a thousand of them wait once each and not all together. */
  promised: Map<string, number>;
}

/** `monotonic` in milliseconds: a jump of the wall clock must not open or close a window. */
export function createPaceKeeper(monotonic: () => number): PaceKeeper {
  const buckets = new Map<string, Bucket>();
  return {
    turn(instance, pace, action, project) {
      const limit = limitOf(pace, action);
      if (limit === 0) return 0;
      const now = monotonic();
      const name = bucketOf(instance, pace, action, project);
      const bucket = buckets.get(name) ?? { taken: [], promised: new Map<string, number>() };
      buckets.set(name, bucket);
      bucket.taken = bucket.taken.filter((at) => now - at < minuteMs);
      // A promise that nobody came for lapses: its job was cancelled.
      for (const [other, at] of bucket.promised) if (now - at >= minuteMs) bucket.promised.delete(other);
      const promised = bucket.promised.get(project);
      if (promised !== undefined && promised > now) return promised - now;
      bucket.promised.delete(project);
      // A newcomer queues behind all promises; who comes for a promised turn gets it unless others came late for theirs.
      const before = promised === undefined ? [...bucket.taken, ...bucket.promised.values()] : bucket.taken;
      const limiting = before.toSorted((one, other) => one - other)[before.length - limit];
      const next = limiting === undefined ? now : Math.max(now, limiting + minuteMs);
      if (next === now) bucket.taken.push(now);
      else bucket.promised.set(project, next);
      return next - now;
    },
  };
}
