/** @file The form of the plan editor: its values, its errors, and the draft made of it. Pure. */
import { maxNameLength, planBounds, isIntegerWithin } from '../../../../src-contract/bounds.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import {
  hookTimeLimitSeconds,
  type Hook,
  type hookFailureActions,
} from '../../../../src-contract/plans/hook.ts';
import { initialValues, pickOptions } from '../../../../src-contract/options.ts';
import { planSettings, type PlanSettings } from '../../../../src-contract/plans/options/settings.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { Plan, PlanDraft, Retention, ScheduleDraft } from '../../../../src-contract/plans/plan.ts';
import {
  unlimitedRetention,
  boundsOf,
  retentionLimits,
  type RetentionLimit,
} from '../../../../src-contract/plans/retention-periods.ts';
import { planEditorText as text } from './plan-editor.text.ts';
import {
  selectionFormOf,
  selectionOf,
  selectionProblems,
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
    /** Empty for the time zone of the machine where Packhorse runs. */
    timeZone: string;
  };
  retentionMode: 'all' | 'limits';
  limits: Record<RetentionLimit, number | null>;
  before: HookForm;
  after: HookForm;
  beforeHookFailureAction: (typeof hookFailureActions)[number];
  /**
   * `isStored`: an address is stored. `origin` is its origin, null once the user removes it. `address` is a new
   * address, a secret.
   */
  heartbeat: { isStored: boolean; origin: string | null; address: string };
  /** `path` is the archive folder, `oldPath` the previous one. An empty text means the folder of the settings. */
  archiveRoot: { oldPath: string; path: string };
  settings: PlanSettings;
}

interface HookForm {
  /** Empty for no program. */
  program: string;
  /** One per line. */
  arguments: string;
  seconds: number | null;
}

type ScheduleField = 'minute' | 'at' | 'weekdays' | 'day' | 'expression';
type OtherField = 'name' | 'instance' | 'limits' | 'before' | 'after' | 'heartbeat';
type PlanField = keyof SelectionProblems | ScheduleField | OtherField | RetentionLimit;
export type PlanProblems = Partial<Record<PlanField, string>>;

export function formOf(plan: Plan | null, instance: string): PlanForm {
  const schedule = plan?.schedule;
  const retention = plan?.retention ?? { ...unlimitedRetention, keepLast: 7 };
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
    retentionMode: retentionLimits.some((limit) => retention[limit] !== null) ? 'limits' : 'all',
    limits: { ...retention },
    before: hookFormOf(plan?.hooks.before ?? null),
    after: hookFormOf(plan?.hooks.after ?? null),
    beforeHookFailureAction: plan?.hooks.before?.ifFails ?? 'skip',
    heartbeat: {
      isStored: plan !== null && plan.heartbeat !== null,
      origin: plan?.heartbeat?.origin ?? null,
      address: '',
    },
    archiveRoot: { oldPath: plan?.archiveRoot ?? '', path: plan?.archiveRoot ?? '' },
    settings: pickOptions(planSettings, plan ?? initialValues(planSettings)),
  };
}

const hookFormOf = (hook: Hook | null): HookForm => ({
  program: hook?.program ?? '',
  arguments: hook?.arguments.join('\n') ?? '',
  seconds: hook?.timeLimitSeconds ?? hookTimeLimitSeconds.default,
});

function hookOf({ program, arguments: lines, seconds }: HookForm): Hook | null {
  if (program === '') return null;
  const trimmed = lines.replace(/\n$/, '');
  return {
    program,
    arguments: trimmed === '' ? [] : trimmed.split('\n'),
    timeLimitSeconds: seconds ?? hookTimeLimitSeconds.default,
  };
}

/** An empty field keeps the stored address, unless it was removed. */
function heartbeatOf({ isStored, origin, address }: PlanForm['heartbeat']): Pick<PlanDraft, 'heartbeat'> {
  if (address.trim() !== '') return { heartbeat: { secretAddress: address.trim() } };
  return isStored && origin === null ? { heartbeat: null } : {};
}

/** Returns null while the schedule is incomplete. Only the app can validate a cron expression. */
export function scheduleOf({ schedule }: Pick<PlanForm, 'schedule'>): ScheduleDraft | null {
  const { kind, minute, at, weekdays, day } = schedule;
  const timeZone = schedule.timeZone === '' ? null : schedule.timeZone;
  switch (kind) {
    case 'hourly':
      return isIntegerWithin(minute, planBounds.minute) ? { kind, minute, timeZone } : null;
    case 'daily':
      return at === '' ? null : { kind, at, timeZone };
    case 'weekly':
      return at === '' || weekdays.length === 0
        ? null
        : { kind, weekdays: weekdays.toSorted((a, b) => a - b), at, timeZone };
    case 'monthly':
      return at !== '' && isIntegerWithin(day, planBounds.dayOfMonth) ? { kind, day, at, timeZone } : null;
    case 'cron': {
      const expression = schedule.expression.trim();
      return expression.split(/\s+/).length === 5 ? { kind, expression, timeZone } : null;
    }
  }
}

/** Returns null if a limit is out of bounds, or if all are empty. */
export function retentionOf({
  retentionMode,
  limits,
}: Pick<PlanForm, 'retentionMode' | 'limits'>): Retention | null {
  if (retentionMode === 'all') return unlimitedRetention;
  const setLimits = retentionLimits.filter((limit) => limits[limit] !== null);
  const isValid =
    setLimits.length > 0 && setLimits.every((limit) => isIntegerWithin(limits[limit], boundsOf(limit)));
  return isValid ? { ...limits } : null;
}

/** Returns the errors that the user must correct before saving. `others` are the names of the other plans. */
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
    if (program !== '' && !isIntegerWithin(seconds, hookTimeLimitSeconds))
      problems[side] = text.numberWrong(hookTimeLimitSeconds);
  }
  if (form.retentionMode === 'limits' && retentionOf(form) === null) {
    const invalid = retentionLimits.filter(
      (limit) => form.limits[limit] !== null && !isIntegerWithin(form.limits[limit], boundsOf(limit)),
    );
    for (const limit of invalid) problems[limit] = text.numberWrong(boundsOf(limit));
    if (invalid.length === 0) problems.limits = text.limitsMissing;
  }
  return problems;
}

function scheduleProblems({ schedule }: PlanForm): PlanProblems {
  const { kind, minute, at, weekdays, day } = schedule;
  const problems: PlanProblems = {};
  if (kind === 'hourly' && !isIntegerWithin(minute, planBounds.minute))
    problems.minute = text.numberWrong(planBounds.minute);
  if ((kind === 'daily' || kind === 'weekly' || kind === 'monthly') && at === '')
    problems.at = text.timeOfDayWrong;
  if (kind === 'weekly' && weekdays.length === 0) problems.weekdays = text.weekdaysWrong;
  if (kind === 'monthly' && !isIntegerWithin(day, planBounds.dayOfMonth))
    problems.day = text.numberWrong(planBounds.dayOfMonth);
  if (kind === 'cron' && scheduleOf({ schedule }) === null) problems.expression = text.expressionWrong;
  return problems;
}

export function problemsFromError(error: ErrorData): PlanProblems {
  const { what } = errorText(error);
  if (error.code === 'already-exists') return { name: what };
  if (error.code === 'instance-unknown') return { instance: what };
  if (error.code === 'invalid-input' && error.details['parameter'] === 'heartbeat')
    return { heartbeat: what };
  if (error.code === 'invalid-input' && error.details['parameter'] === 'schedule')
    return { expression: what };
  return {};
}

/**
 * Returns null while the form has errors. If `mayChoose` is false, this window may not choose programs, and the
 * stored programs are kept.
 */
export function draftOf(id: string | null, form: PlanForm, mayChoose: boolean): PlanDraft | null {
  const [selection, schedule, retention] = [selectionOf(form), scheduleOf(form), retentionOf(form)];
  if (selection === null || schedule === null || retention === null) return null;
  const before = hookOf(form.before);
  const hooks = {
    before: before && { ...before, ifFails: form.beforeHookFailureAction },
    after: hookOf(form.after),
  };
  return {
    ...{ id, name: form.name.trim(), instance: form.instance, selection, schedule, retention },
    ...form.settings,
    ...(mayChoose ? { hooks } : {}),
    ...heartbeatOf(form.heartbeat),
    ...(form.archiveRoot.path === form.archiveRoot.oldPath
      ? {}
      : { archiveRoot: form.archiveRoot.path === '' ? null : form.archiveRoot.path }),
  };
}

export function timeZones(current: string): string[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  if (current !== '') zones.add(current);
  return [...zones].sort();
}
