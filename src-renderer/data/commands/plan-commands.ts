/** @file The command lines that do the same as the view of plans, in addition to those of `commands.ts`. */
import type { PlanDraft, Retention, Selection } from '../../../src-contract/plans/plan.ts';
import { initialValue, optionsOf } from '../../../src-contract/options.ts';
import {
  failureRuleOption,
  heartbeatFlags,
  hookOptions,
  hookPhases,
  removeHookOption,
} from '../../../src-contract/plans/options/hooks.ts';
import { retentionOptions } from '../../../src-contract/plans/options/retention.ts';
import { ruleConditions } from '../../../src-contract/plans/options/rule.ts';
import { timeZoneOption, scheduleArguments } from '../../../src-contract/plans/options/schedule.ts';
import { canAddPlanWith, planSettings } from '../../../src-contract/plans/options/settings.ts';
import { commandOf } from '../../kit/content/command-of.ts';
import { formatOption, formatOptions } from './printed-options.ts';

/** Several projects follow one flag. Returns null if the program has no option for the selection. */
function selectionArguments(selection: Selection): string[] | null {
  if (selection.kind === 'projects') {
    return ['--project', ...selection.projects.map(({ fullPath }) => fullPath)];
  }
  const scope = selection.scope === 'member' ? [] : ['--scope', selection.scope];
  if (selection.kind === 'all') return ['--all', ...scope];
  const conditions = formatOptions(ruleConditions, selection);
  return conditions === null || conditions.length === 0 ? null : [...conditions, ...scope];
}

/** If `isEdit` is true, earlier limits that are no longer set must be removed. */
function retentionArguments(retention: Retention, isEdit: boolean): string[] {
  const { keepLast, ...others } = retentionOptions;
  const removes = isEdit && retention.keepLast !== null;
  return [
    ...(formatOption(keepLast, retention.keepLast, true) ?? []),
    ...optionsOf(others).flatMap(([limit, option]) => formatOption(option, retention[limit], removes) ?? []),
  ];
}

/**
 * Returns all settings of an edited plan. For a new plan, returns only settings that differ from their initial values.
 */
const settings = (draft: PlanDraft, isEdit: boolean): string[] =>
  optionsOf(planSettings).flatMap(([name, option]) =>
    isEdit || draft[name] !== initialValue(option) ? (formatOption(option, draft[name], isEdit) ?? []) : [],
  );

/**
 * Returns the options for programs and the heartbeat. The program reads the address of a heartbeat from standard input.
 */
function hookArguments({ hooks, heartbeat }: PlanDraft, isEdit: boolean): string[] {
  const programs = hookPhases.flatMap((phase) => {
    const hook = hooks?.[phase] ?? null;
    if (hook === null) return isEdit && hooks !== undefined ? [`--${removeHookOption(phase).flag}`] : [];
    return formatOptions(hookOptions(phase), hook) ?? [];
  });
  const rule = formatOptions(failureRuleOption, { ifFails: hooks?.before?.ifFails ?? null }) ?? [];
  if (heartbeat === undefined) return [...programs, ...rule];
  return [...programs, ...rule, `--${heartbeatFlags[heartbeat === null ? 'remove' : 'set'].flag}`];
}

export const planCommands = {
  /**
   * `currentName` is the current name of the plan; null for a new plan. Returns null if the command line cannot express
   * the draft.
   */
  planSave: (draft: PlanDraft, currentName: string | null): string | null => {
    const chosen = selectionArguments(draft.selection);
    const { timeZone } = draft.schedule;
    const isEdit = currentName !== null;
    if (chosen === null || (isEdit ? timeZone === null : !canAddPlanWith(draft))) return null;
    const subject = isEdit
      ? ['plan', 'edit', currentName, ...(draft.name === currentName ? [] : ['--name', draft.name])]
      : ['plan', 'add', '--instance', draft.instance, '--name', draft.name];
    const { archiveRoot } = draft;
    const rootArguments =
      archiveRoot === undefined
        ? []
        : archiveRoot === null
          ? ['--no-archive-root']
          : ['--archive-root', archiveRoot];
    const [schedule, times] = scheduleArguments(draft.schedule);
    return commandOf([
      ...[...subject, ...chosen, ...hookArguments(draft, isEdit), ...rootArguments, `--${schedule}`, times],
      ...(timeZone === null ? [] : [`--${timeZoneOption.flag}`, timeZone]),
      ...retentionArguments(draft.retention, isEdit),
      ...settings(draft, isEdit),
    ]);
  },
  planRemove: (plan: string) => commandOf(['plan', 'remove', plan]),
} as const;
