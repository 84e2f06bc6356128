/** @file A selection of projects as a form edits it: all, chosen ones, or those that match a rule. Pure. */
import { planBounds, type Bounds } from '../../../../src-contract/bounds.ts';
import type { Selection } from '../../../../src-contract/plans/plan.ts';
import type { Scope } from '../../../../src-contract/projects/scope.ts';
import { planEditorText as text } from './plan-editor.text.ts';

type Rule = Extract<Selection, { kind: 'rule' }>;
type Answer = '' | 'yes' | 'no';

export interface SelectionForm {
  /** The instance of the projects. */
  instance: string;
  selection: Selection['kind'];
  /** The scope that "all" and a rule choose from. */
  scope: Scope;
  projects: { id: number; fullPath: string }[];
  rule: {
    group: string;
    name: string;
    topic: string;
    visibility: '' | NonNullable<Rule['visibility']>;
    markedArchived: Answer;
    starred: Answer;
    owned: Answer;
    activeWithinDays: number | null;
    /** One per line. */
    except: string;
  };
}

export type SelectionProblems = Partial<Record<'projects' | 'activeWithinDays', string>>;

/** True for an integer within the bounds. */
export const within = (value: number | null, { min, max }: Bounds): value is number =>
  value !== null && Number.isInteger(value) && value >= min && value <= max;

const answer = (held: boolean | null): Answer => (held === null ? '' : held ? 'yes' : 'no');
const held = (given: Answer): boolean | null => (given === '' ? null : given === 'yes');
const given = (words: string): string | null => (words.trim() === '' ? null : words.trim());

/** The form of a selection; null gives the form of a new one. */
export function selectionFormOf(selection: Selection | null, instance: string): SelectionForm {
  const rule = selection?.kind === 'rule' ? selection : null;
  return {
    instance,
    selection: selection?.kind ?? 'all',
    scope: selection === null || selection.kind === 'projects' ? 'member' : selection.scope,
    projects: selection?.kind === 'projects' ? selection.projects : [],
    rule: {
      group: rule?.group ?? '',
      name: rule?.name ?? '',
      topic: rule?.topic ?? '',
      visibility: rule?.visibility ?? '',
      markedArchived: answer(rule?.markedArchived ?? null),
      starred: answer(rule?.starred ?? null),
      owned: answer(rule?.owned ?? null),
      activeWithinDays: rule?.activeWithinDays ?? null,
      except: rule?.except.join('\n') ?? '',
    },
  };
}

/** Null while the form has errors. */
export function selectionOf({ selection, scope, projects, rule }: SelectionForm): Selection | null {
  if (selection === 'all') return { kind: 'all', scope };
  if (selection === 'projects') return projects.length === 0 ? null : { kind: 'projects', projects };
  if (rule.activeWithinDays !== null && !within(rule.activeWithinDays, planBounds.activeWithinDays))
    return null;
  return {
    kind: 'rule',
    scope,
    group: given(rule.group),
    topic: given(rule.topic),
    visibility: rule.visibility === '' ? null : rule.visibility,
    markedArchived: held(rule.markedArchived),
    activeWithinDays: rule.activeWithinDays,
    starred: held(rule.starred),
    owned: held(rule.owned),
    name: given(rule.name),
    except: rule.except.split('\n').flatMap((line) => given(line) ?? []),
  };
}

/** Errors that the user must correct. */
export function selectionProblems(form: SelectionForm): SelectionProblems {
  if (selectionOf(form) !== null) return {};
  return form.selection === 'projects'
    ? { projects: text.chooseOne }
    : { activeWithinDays: text.numberWrong(planBounds.activeWithinDays) };
}
