/** @file What the editor of a plan edits, what is wrong with it, and the draft that comes of it. Pure. */
import { maxNameLength, planBounds } from '../../../../src-contract/bounds.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { hookSeconds, type Hook, type hookFailureRules } from '../../../../src-contract/plans/hook.ts';
import { initialValues, pickOptions } from '../../../../src-contract/options.ts';
import { planSettings, type PlanSettings } from '../../../../src-contract/plans/options/settings.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { Plan, PlanDraft, Retention, ScheduleDraft } from '../../../../src-contract/plans/plan.ts';
import {
  keepsAll,
  boundsOf,
  retentionLimits,
  type RetentionLimit,
} from '../../../../src-contract/plans/retention-periods.ts';
import { planEditorText as text } from './plan-editor.text.ts';
import {
  selectionFormOf,
  selectionOf,
  selectionProblems,
  within,
  type SelectionForm,
  type SelectionProblems,
} from './selection-form.ts';

export interface PlanForm extends SelectionForm {
  name: string;
  schedule: {
    kind: ScheduleDraft['kind'];
    minute: number | null;
    /** `HH:MM`; empty while incomplete. */
    at: string;
    weekdays: number[];
    day: number | null;
    expression: string;
    /** Empty: that of the machine on which Packhorse runs. */
    timeZone: string;
  };
  keep: 'all' | 'limits';
  limits: Record<RetentionLimit, number | null>;
  before: HookForm;
  after: HookForm;
  ifBeforeFails: (typeof hookFailureRules)[number];
  /** `origin`: of the one that stays; `address`: of another one, a secret. */
  heartbeat: { had: boolean; origin: string | null; address: string };
  /** The folder of its archives, and the one that it had; empty: that of the settings. */
  root: { had: string; path: string };
  settings: PlanSettings;
}

interface HookForm {
  /** Empty: none. */
  program: string;
  /** One on each line. */
  arguments: string;
  seconds: number | null;
}

export type PlanField =
  | 'name'
  | 'instance'
  | keyof SelectionProblems
  | 'minute'
  | 'at'
  | 'weekdays'
  | 'day'
  | 'expression'
  | 'limits'
  | 'before'
  | 'after'
  | 'heartbeat'
  | RetentionLimit;
export type PlanProblems = Partial<Record<PlanField, string>>;

/** What a plan says, or what a new one of that instance begins with. */
export function formOf(plan: Plan | null, instance: string): PlanForm {
  const schedule = plan?.schedule;
  const retention = plan?.retention ?? { ...keepsAll, keepLast: 7 };
  return {
    name: plan?.name ?? '',
    ...selectionFormOf(plan?.selection ?? null, plan?.instance ?? instance),
    schedule: {
      kind: schedule?.kind ?? 'daily',
      minute: schedule?.kind === 'hourly' ? schedule.minute : 0,
      at: schedule !== undefined && 'at' in schedule ? schedule.at : '02:30',
      weekdays: schedule?.kind === 'weekly' ? [...schedule.weekdays] : [7],
      day: schedule?.kind === 'monthly' ? schedule.day : 1,
      expression: schedule?.kind === 'cron' ? schedule.expression : '30 2 * * 1-5',
      timeZone: schedule?.timeZone ?? '',
    },
    keep: retentionLimits.some((limit) => retention[limit] !== null) ? 'limits' : 'all',
    limits: { ...retention },
    before: hookForm(plan?.hooks.before ?? null),
    after: hookForm(plan?.hooks.after ?? null),
    ifBeforeFails: plan?.hooks.before?.ifFails ?? 'skip',
    heartbeat: {
      had: plan !== null && plan.heartbeat !== null,
      origin: plan?.heartbeat?.origin ?? null,
      address: '',
    },
    root: { had: plan?.archiveRoot ?? '', path: plan?.archiveRoot ?? '' },
    settings: pickOptions(planSettings, plan ?? initialValues(planSettings)),
  };
}

const hookForm = (hook: Hook | null): HookForm => ({
  program: hook?.program ?? '',
  arguments: hook?.arguments.join('\n') ?? '',
  seconds: hook?.timeLimitSeconds ?? hookSeconds.usual,
});

function hookOf({ program, arguments: lines, seconds }: HookForm): Hook | null {
  if (program === '') return null;
  const given = lines.replace(/\n$/, '');
  return {
    program,
    arguments: given === '' ? [] : given.split('\n'),
    timeLimitSeconds: seconds ?? hookSeconds.usual,
  };
}

/** An empty field leaves the one that there is, unless that was removed. */
function heartbeatOf({ had, origin, address }: PlanForm['heartbeat']): Pick<PlanDraft, 'heartbeat'> {
  if (address.trim() !== '') return { heartbeat: { secretAddress: address.trim() } };
  return had && origin === null ? { heartbeat: null } : {};
}

/** Null while it is incomplete; whether an expression of cron can be read only the app can say. */
export function scheduleOf({ schedule }: Pick<PlanForm, 'schedule'>): ScheduleDraft | null {
  const { kind, minute, at, weekdays, day } = schedule;
  const timeZone = schedule.timeZone === '' ? null : schedule.timeZone;
  switch (kind) {
    case 'hourly':
      return within(minute, planBounds.minute) ? { kind, minute, timeZone } : null;
    case 'daily':
      return at === '' ? null : { kind, at, timeZone };
    case 'weekly':
      return at === '' || weekdays.length === 0
        ? null
        : { kind, weekdays: weekdays.toSorted((a, b) => a - b), at, timeZone };
    case 'monthly':
      return at !== '' && within(day, planBounds.dayOfMonth) ? { kind, day, at, timeZone } : null;
    case 'cron': {
      const expression = schedule.expression.trim();
      return expression.split(/\s+/).length === 5 ? { kind, expression, timeZone } : null;
    }
  }
}

/** Null where a limit is no number that may be, or all are empty. */
export function retentionOf({ keep, limits }: Pick<PlanForm, 'keep' | 'limits'>): Retention | null {
  if (keep === 'all') return keepsAll;
  const set = retentionLimits.filter((limit) => limits[limit] !== null);
  const right = set.length > 0 && set.every((limit) => within(limits[limit], boundsOf(limit)));
  return right ? { ...limits } : null;
}

/** What a person must mend before it can be saved. `others`: names of the other plans. */
export function problemsOf(form: PlanForm, others: readonly string[]): PlanProblems {
  const problems: PlanProblems = {};
  const name = form.name.trim();
  if (name === '') problems.name = text.nameMissing;
  else if (name.length > maxNameLength) problems.name = text.nameLong;
  else if (others.some((other) => other.toLowerCase() === name.toLowerCase())) problems.name = text.nameTaken;
  if (form.instance === '') problems.instance = text.noInstance;
  Object.assign(problems, selectionProblems(form), scheduleProblems(form));
  for (const side of ['before', 'after'] as const) {
    const { program, seconds } = form[side];
    if (program !== '' && !within(seconds, hookSeconds)) {
      problems[side] = text.numberWrong(hookSeconds);
    }
  }
  if (form.keep === 'limits' && retentionOf(form) === null) {
    const wrong = retentionLimits.filter(
      (limit) => form.limits[limit] !== null && !within(form.limits[limit], boundsOf(limit)),
    );
    for (const limit of wrong) problems[limit] = text.numberWrong(boundsOf(limit));
    if (wrong.length === 0) problems.limits = text.limitsMissing;
  }
  return problems;
}

function scheduleProblems({ schedule }: PlanForm): PlanProblems {
  const { kind, minute, at, weekdays, day } = schedule;
  const problems: PlanProblems = {};
  if (kind === 'hourly' && !within(minute, planBounds.minute))
    problems.minute = text.numberWrong(planBounds.minute);
  if ((kind === 'daily' || kind === 'weekly' || kind === 'monthly') && at === '') problems.at = text.atWrong;
  if (kind === 'weekly' && weekdays.length === 0) problems.weekdays = text.weekdaysWrong;
  if (kind === 'monthly' && !within(day, planBounds.dayOfMonth))
    problems.day = text.numberWrong(planBounds.dayOfMonth);
  if (kind === 'cron' && scheduleOf({ schedule }) === null) problems.expression = text.expressionWrong;
  return problems;
}

/** What the app refused, where it belongs to a field; empty where it does not. */
export function problemOfError(error: ErrorData): PlanProblems {
  const { what } = errorText(error);
  if (error.code === 'already-exists') return { name: what };
  if (error.code === 'instance-unknown') return { instance: what };
  if (error.code === 'invalid-input' && error.details['parameter'] === 'heartbeat')
    return { heartbeat: what };
  if (error.code === 'invalid-input' && error.details['parameter'] === 'schedule')
    return { expression: what };
  return {};
}

/** Null while something must be mended. `mayChoose`: whether this window may say which programs are run; else they stay. */
export function draftOf(id: string | null, form: PlanForm, mayChoose: boolean): PlanDraft | null {
  const [selection, schedule, retention] = [selectionOf(form), scheduleOf(form), retentionOf(form)];
  if (selection === null || schedule === null || retention === null) return null;
  const before = hookOf(form.before);
  const hooks = { before: before && { ...before, ifFails: form.ifBeforeFails }, after: hookOf(form.after) };
  return {
    ...{ id, name: form.name.trim(), instance: form.instance, selection, schedule, retention },
    ...form.settings,
    ...(mayChoose ? { hooks } : {}),
    ...heartbeatOf(form.heartbeat),
    ...(form.root.path === form.root.had
      ? {}
      : { archiveRoot: form.root.path === '' ? null : form.root.path }),
  };
}

/** Every zone that is offered: those the window knows, and the one that is set. */
export function timeZones(set: string): string[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  if (set !== '') known.add(set);
  return [...known].sort();
}
