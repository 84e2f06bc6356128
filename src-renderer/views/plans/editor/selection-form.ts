/** @file A selection of projects as a form edits it: all, chosen ones, or those that match a rule. Pure. */
import { isIntegerWithin, type Bounds } from '../../../../src-contract/bounds.ts';
import { initialValues, optionsOf, type OptionDeclaration } from '../../../../src-contract/options.ts';
import {
  ruleConditions,
  type RuleCondition,
  type RuleConditions,
} from '../../../../src-contract/plans/options/rule.ts';
import type { Selection } from '../../../../src-contract/plans/plan.ts';
import type { Scope } from '../../../../src-contract/projects/scope.ts';
import { planEditorText as text } from './plan-editor.text.ts';

type Answer = '' | 'yes' | 'no';

export interface SelectionForm {
  instance: string;
  selectionKind: Selection['kind'];
  /** The scope that "all" and a rule choose from. */
  scope: Scope;
  projects: { id: number; fullPath: string }[];
  rule: RuleForm;
}

/** The fields of a rule. A field without a value (null or '') adds no condition. */
export type RuleForm = { [Condition in RuleCondition]: ConditionField<RuleConditions[Condition]> };
type ConditionField<Value> = Value extends boolean | null
  ? Answer
  : Value extends number | null
    ? number | null
    : Value extends string[] | null
      ? string
      : Exclude<Value, null> | '';

export type SelectionProblems = Partial<Record<'projects' | RuleCondition, string>>;

const initialRule: RuleConditions = initialValues(ruleConditions);

function fieldValueOf(value: RuleConditions[RuleCondition]): string | number | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join('\n') : value;
}

const ruleFormOf = (rule: RuleConditions): RuleForm =>
  Object.fromEntries(
    optionsOf(ruleConditions).map(([name, { kind }]) => [
      name,
      fieldValueOf(rule[name]) ?? (kind === 'number' ? null : ''),
    ]),
  ) as RuleForm;

/** Returns the condition in a field; a list has one text on each line. */
function conditionOf(kind: OptionDeclaration['kind'], field: string | number | null) {
  if (typeof field !== 'string') return field;
  const text = field.trim();
  if (kind === 'list') return text.split('\n').flatMap((line) => line.trim() || []);
  if (text === '') return null;
  return kind === 'optional-switch' ? text === 'yes' : text;
}

const ruleOf = (form: RuleForm): RuleConditions =>
  Object.fromEntries(
    optionsOf(ruleConditions).map(([name, { kind }]) => [name, conditionOf(kind, form[name])]),
  ) as RuleConditions;

const outOfBounds = (form: RuleForm): [RuleCondition, Bounds][] =>
  optionsOf(ruleConditions).flatMap(([name, declaration]): [RuleCondition, Bounds][] => {
    if (declaration.kind !== 'number' || form[name] === null) return [];
    return isIntegerWithin(Number(form[name]), declaration.bounds) ? [] : [[name, declaration.bounds]];
  });

/** Returns the form for a selection; for null, the form for a new selection. */
export function selectionFormOf(selection: Selection | null, instance: string): SelectionForm {
  return {
    instance,
    selectionKind: selection?.kind ?? 'all',
    scope: selection === null || selection.kind === 'projects' ? 'member' : selection.scope,
    projects: selection?.kind === 'projects' ? selection.projects : [],
    rule: ruleFormOf(selection?.kind === 'rule' ? selection : initialRule),
  };
}

/** Returns null while the form has errors. */
export function selectionOf({ selectionKind, scope, projects, rule }: SelectionForm): Selection | null {
  if (selectionKind === 'all') return { kind: 'all', scope };
  if (selectionKind === 'projects') return projects.length === 0 ? null : { kind: 'projects', projects };
  return outOfBounds(rule).length > 0 ? null : { kind: 'rule', scope, ...ruleOf(rule) };
}

export function selectionProblems(form: SelectionForm): SelectionProblems {
  if (selectionOf(form) !== null) return {};
  if (form.selectionKind === 'projects') return { projects: text.chooseOne };
  return Object.fromEntries(outOfBounds(form.rule).map(([name, bounds]) => [name, text.numberWrong(bounds)]));
}
