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

/** `monotonic` in milliseconds: a jump of the wall clock must not open or close a window. */
export function createPaceKeeper(monotonic: () => number): PaceKeeper {
  const taken = new Map<string, number[]>();
  return {
    turn(instance, pace, action, project) {
      const limit = limitOf(pace, action);
      if (limit === 0) return 0;
      const now = monotonic();
      const bucket = bucketOf(instance, pace, action, project);
      const recent = (taken.get(bucket) ?? []).filter((at) => now - at < minuteMs);
      taken.set(bucket, recent);
      const oldest = recent[recent.length - limit];
      if (oldest !== undefined) return minuteMs - (now - oldest);
      recent.push(now);
      return 0;
    },
  };
}
