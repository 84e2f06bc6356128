/** @file The words for the projects of a plan or a migration. */
import type { Selection } from '../../plans/plan.ts';
import type { Scope } from '../../projects/scope.ts';
import { pluralize } from '../counted.ts';

/**
 * The words for scopes. `all`: every project of the scope; `short`: the same for a table; `noun`: the noun before
 * conditions.
 */
const scopes: Record<Scope, { all: string; short: string; noun: string }> = {
  member: {
    all: 'all projects that the account is a member of and may export',
    short: 'all as a member',
    noun: 'projects',
  },
  owned: { all: 'all projects that the account owns', short: 'all owned', noun: 'owned projects' },
  visible: {
    all: 'all projects that the account sees and may export',
    short: 'all visible',
    noun: 'visible projects',
  },
};

/** Returns for example "projects in atlas, active within 30 days, except atlas/old". */
export function selectionText(selection: Selection): string {
  switch (selection.kind) {
    case 'all':
      return scopes[selection.scope].all;
    case 'projects':
      return onlyPath(selection) ?? `${pluralize(selection.projects.length, 'project')} that were chosen`;
    case 'rule': {
      const { all, noun } = scopes[selection.scope];
      const conditions = conditionsOf(selection);
      const text = conditions.length === 0 ? all : `${noun} ${conditions.join(', ')}`;
      return `${text}${exceptText(selection.except)}`;
    }
  }
}

/** Returns the selection in a few words for a table: "all as a member", "in atlas, with my star". */
export function selectionSummary(selection: Selection): string {
  switch (selection.kind) {
    case 'all':
      return scopes[selection.scope].short;
    case 'projects':
      return onlyPath(selection) ?? pluralize(selection.projects.length, 'project');
    case 'rule': {
      const { short } = scopes[selection.scope];
      const conditions = conditionsOf(selection);
      const scope = selection.scope === 'member' && conditions.length > 0 ? [] : [short];
      return `${[...scope, ...conditions].join(', ')}${exceptText(selection.except)}`;
    }
  }
}

function onlyPath({ projects }: Extract<Selection, { kind: 'projects' }>): string | null {
  const [first, second] = projects;
  return second === undefined ? (first?.fullPath ?? null) : null;
}

function exceptText(patterns: readonly string[]): string {
  if (patterns.length === 0) return '';
  return `, except ${patterns.length > 2 ? `${patterns.length} paths or patterns` : patterns.join(' and ')}`;
}

/** Returns the words for each condition, for use after "projects". */
function conditionsOf(rule: Extract<Selection, { kind: 'rule' }>): string[] {
  const { group, name, topic, visibility, markedArchived, activeWithinDays: days, starred, owned } = rule;
  const booleanText = (value: boolean | null, yes: string, no: string): string[] =>
    value === null ? [] : [value ? yes : no];
  return [
    ...(group === null ? [] : [`in ${group}`]),
    ...(name === null ? [] : [`called ${name}`]),
    ...(topic === null ? [] : [`with the topic ${topic}`]),
    ...(visibility === null ? [] : [`that are ${visibility}`]),
    ...booleanText(markedArchived, 'marked as archived', 'not marked as archived'),
    ...(days === null ? [] : [`active within ${pluralize(days, 'day')}`]),
    ...booleanText(starred, 'with my star', 'without my star'),
    ...booleanText(owned, 'that I own', 'that I do not own'),
  ];
}
