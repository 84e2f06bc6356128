/** @file The command lines that do the same as the view of plans, in addition to those of `commands.ts`. */
import type { PlanDraft, Retention, ScheduleDraft, Selection } from '../../../src-contract/plans/plan.ts';
import { retentionPeriods } from '../../../src-contract/plans/retention-periods.ts';
import { commandOf } from '../../kit/content/command-of.ts';

type Options = Parameters<typeof commandOf>[1];

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function when(schedule: ScheduleDraft): Options {
  switch (schedule.kind) {
    case 'hourly':
      return { hourly: schedule.minute };
    case 'daily':
      return { daily: schedule.at };
    case 'weekly':
      return { weekly: `${schedule.weekdays.map((day) => days[day - 1]).join(',')}@${schedule.at}` };
    case 'monthly':
      return { monthly: `${schedule.day}@${schedule.at}` };
    case 'cron':
      return { cron: schedule.expression };
  }
}

/** Returns words, because some options take several values; null if the program has no option for the selection. */
function what(selection: Selection): string[] | null {
  const scope =
    selection.kind === 'projects' || selection.scope === 'member' ? [] : ['--scope', selection.scope];
  if (selection.kind === 'all') return ['--all', ...scope];
  if (selection.kind === 'projects') {
    return ['--project', ...selection.projects.map(({ fullPath }) => fullPath)];
  }
  const { starred, owned, markedArchived, except } = selection;
  if (starred === false || owned === false) return null;
  const given: [string, string | number | null][] = [
    ['--group', selection.group],
    ['--topic', selection.topic],
    ['--visibility', selection.visibility],
    ['--active-within', selection.activeWithinDays],
    ['--name-pattern', selection.name],
  ];
  const words = [
    ...given.flatMap(([option, value]) => (value === null ? [] : [option, String(value)])),
    ...(markedArchived === null ? [] : [markedArchived ? '--archived' : '--not-archived']),
    ...(starred === true ? ['--starred'] : []),
    ...(owned === true ? ['--owned'] : []),
    ...except.flatMap((pattern) => ['--except', pattern]),
  ];
  return words.length === 0 ? null : [...words, ...scope];
}

/** `before`: the plan has limits, which must be removed if they are not given. */
function kept(retention: Retention, before: boolean): Options {
  const { keepLast } = retention;
  const none = before && keepLast !== null ? 'none' : null;
  return {
    keep: keepLast ?? 'all',
    'keep-days': retention.withinDays ?? none,
    ...Object.fromEntries(retentionPeriods.map((period) => [`keep-${period}`, retention[period] ?? none])),
  };
}

/** The hooks and the heartbeat of a run; the program reads the heartbeat's address from standard input. */
function around({ hooks, heartbeat }: PlanDraft, edits: boolean): string[] {
  const side = (when: 'before' | 'after'): string[] => {
    const hook = hooks?.[when] ?? null;
    if (hook === null) return edits && hooks !== undefined ? [`--no-${when}-run`] : [];
    const given = hook.arguments.flatMap((word) => [`--${when}-arg`, word]);
    return [`--${when}-run`, hook.program, ...given, `--${when}-limit`, String(hook.timeLimitSeconds)];
  };
  const before = hooks?.before ?? null;
  return [
    ...side('before'),
    ...(before === null ? [] : ['--if-before-fails', before.ifFails]),
    ...side('after'),
    ...(heartbeat === null ? ['--no-heartbeat'] : heartbeat === undefined ? [] : ['--heartbeat-url-stdin']),
  ];
}

export const planCommands = {
  /**
   * `before`: the current name of the plan; null for a new one. Returns null if the program has no option for the plan.
   */
  planSave: (draft: PlanDraft, before: string | null): string | null => {
    const chosen = what(draft.selection);
    const { timeZone } = draft.schedule;
    if (chosen === null || (before === null && !draft.enabled) || (before !== null && timeZone === null)) {
      return null;
    }
    const subject =
      before === null
        ? ['plan', 'add', '--instance', draft.instance, '--name', draft.name]
        : ['plan', 'edit', before, ...(draft.name === before ? [] : ['--name', draft.name])];
    const { archiveRoot: root } = draft;
    const where = root === undefined ? [] : root === null ? ['--no-archive-root'] : ['--archive-root', root];
    return commandOf([...subject, ...chosen, ...around(draft, before !== null), ...where], {
      ...when(draft.schedule),
      'time-zone': timeZone,
      ...kept(draft.retention, before !== null),
      'every-time': !draft.skipUnchanged,
      ...(before === null
        ? {}
        : { 'skip-unchanged': draft.skipUnchanged, on: draft.enabled, off: !draft.enabled }),
    });
  },
  planRemove: (plan: string) => commandOf(['plan', 'remove', plan]),
} as const;
