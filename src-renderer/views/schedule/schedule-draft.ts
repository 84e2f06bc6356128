/** @file What the schedule dialog edits, and the request that comes of it. Pure. */
import type { CallRequest } from '../../../src-preload/contract/calls.ts';
import type { Plan } from '../../../src-preload/contract/plan.ts';

export interface ScheduleDraft {
  enabled: boolean;
  /** `HH:MM`; empty while incomplete. */
  at: string;
  /** Empty: that of the machine on which Packhorse runs. */
  timeZone: string;
  keep: 'all' | 'newest';
  keepLast: number | null;
}

export const keepLeast = 1;
export const keepMost = 1000;

/** What a plan says, or what a new one begins with. */
export function draftOf(plan: Plan | null): ScheduleDraft {
  return {
    enabled: plan?.enabled ?? true,
    at: plan?.schedule.kind === 'daily' ? plan.schedule.at : '02:30',
    timeZone: plan?.schedule.timeZone ?? '',
    keep: plan !== null && plan.retention.keepLast === null ? 'all' : 'newest',
    keepLast: plan?.retention.keepLast ?? 7,
  };
}

export function keepIsWrong({ keep, keepLast }: ScheduleDraft): boolean {
  return (
    keep === 'newest' &&
    (keepLast === null || !Number.isInteger(keepLast) || keepLast < keepLeast || keepLast > keepMost)
  );
}

export function saveRequest(
  instance: string,
  plan: Plan | null,
  draft: ScheduleDraft,
): CallRequest<'plan.save'> {
  return {
    id: plan?.id ?? null,
    name: plan?.name ?? instance,
    instance,
    selection: plan?.selection ?? { kind: 'all' },
    schedule: { kind: 'daily', at: draft.at, timeZone: draft.timeZone === '' ? null : draft.timeZone },
    retention: { ...plan?.retention, keepLast: draft.keep === 'all' ? null : draft.keepLast },
    skipUnchanged: plan?.skipUnchanged ?? true,
    enabled: draft.enabled,
  };
}

/** Every zone that is offered: those the window knows, and the one that is set. */
export function timeZones(set: string): string[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  if (set !== '') known.add(set);
  return [...known].sort();
}
