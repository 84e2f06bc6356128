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
import { printedOption, printedOptions } from './printed-options.ts';

/** Several projects follow one flag. Returns null if the program has no option for the selection. */
function choosing(selection: Selection): string[] | null {
  if (selection.kind === 'projects') {
    return ['--project', ...selection.projects.map(({ fullPath }) => fullPath)];
  }
  const scope = selection.scope === 'member' ? [] : ['--scope', selection.scope];
  if (selection.kind === 'all') return ['--all', ...scope];
  const conditions = printedOptions(ruleConditions, selection);
  return conditions === null || conditions.length === 0 ? null : [...conditions, ...scope];
}

/** If `edits` is true, earlier limits that are no longer set must be removed. */
function keeping(retention: Retention, edits: boolean): string[] {
  const { keepLast, ...others } = retentionOptions;
  const removes = edits && retention.keepLast !== null;
  return [
    ...(printedOption(keepLast, retention.keepLast, true) ?? []),
    ...optionsOf(others).flatMap(
      ([limit, declared]) => printedOption(declared, retention[limit], removes) ?? [],
    ),
  ];
}

/**
 * Returns all settings of an edited plan. For a new plan, returns only settings that differ from their initial
 * values.
 */
const settings = (draft: PlanDraft, edits: boolean): string[] =>
  optionsOf(planSettings).flatMap(([name, declared]) =>
    edits || draft[name] !== initialValue(declared)
      ? (printedOption(declared, draft[name], edits) ?? [])
      : [],
  );

/**
 * Returns the options for programs and the heartbeat. The program reads the address of a heartbeat from standard
 * input.
 */
function around({ hooks, heartbeat }: PlanDraft, edits: boolean): string[] {
  const programs = hookPhases.flatMap((side) => {
    const hook = hooks?.[side] ?? null;
    if (hook === null) return edits && hooks !== undefined ? [`--${removeHookOption(side).flag}`] : [];
    return printedOptions(hookOptions(side), hook) ?? [];
  });
  const rule = printedOptions(failureRuleOption, { ifFails: hooks?.before?.ifFails ?? null }) ?? [];
  if (heartbeat === undefined) return [...programs, ...rule];
  return [...programs, ...rule, `--${heartbeatFlags[heartbeat === null ? 'remove' : 'set'].flag}`];
}

export const planCommands = {
  /**
   * `before` is the current name of the plan; null for a new plan. Returns null if the command line cannot express
   * the draft.
   */
  planSave: (draft: PlanDraft, before: string | null): string | null => {
    const chosen = choosing(draft.selection);
    const { timeZone } = draft.schedule;
    const edits = before !== null;
    if (chosen === null || (edits ? timeZone === null : !canAddPlanWith(draft))) return null;
    const subject = edits
      ? ['plan', 'edit', before, ...(draft.name === before ? [] : ['--name', draft.name])]
      : ['plan', 'add', '--instance', draft.instance, '--name', draft.name];
    const { archiveRoot } = draft;
    const where =
      archiveRoot === undefined
        ? []
        : archiveRoot === null
          ? ['--no-archive-root']
          : ['--archive-root', archiveRoot];
    const [schedule, times] = scheduleArguments(draft.schedule);
    return commandOf([
      ...[...subject, ...chosen, ...around(draft, edits), ...where, `--${schedule}`, times],
      ...(timeZone === null ? [] : [`--${timeZoneOption.flag}`, timeZone]),
      ...keeping(draft.retention, edits),
      ...settings(draft, edits),
    ]);
  },
  planRemove: (plan: string) => commandOf(['plan', 'remove', plan]),
} as const;
