/** @file The parts of projects that the kinds of losses lose, by the names of the table of compared fields. */
import { isObject } from '../../../src-main/sandbox/content/project-content.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { distinctVariants, lossKindNames, lossKinds, type LossKind, type Side } from './loss-kinds.ts';

export interface DrawnLosses {
  /** Paths of fields, such as `issues.timelogs.time_spent`. Each note counts as one of `notes`. */
  fields: ReadonlySet<string>;
  /** Columns of settings, without their relation. */
  settings: ReadonlySet<string>;
  /** Relations that lose records, and files and refs that are lost or changed, such as `drop-files uploads`. */
  parts: ReadonlySet<string>;
}

const noteRelation = 'notes';
/** GitLab stores all notes in one table. A note on a commit is a record of an archive. */
export const normalizedPath = (path: string): string =>
  path.replace(/^(?:\w+\.notes|commit_notes)\./, 'notes.');

/** Returns the paths in a value that have a value themselves. */
function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((entry) => pathsIn(entry, path));
  return isObject(value)
    ? Object.entries(value).flatMap(([field, nested]) => pathsIn(nested, `${path}.${field}`))
    : [path];
}

function fieldsOf(action: FaultAction): string[] {
  if (action.kind !== 'change-records' && action.kind !== 'change-notes') return [];
  const relation = action.kind === 'change-notes' ? noteRelation : action.relation;
  return pathsIn(action.values, relation).map(normalizedPath);
}

function partsOf(action: FaultAction): string[] {
  switch (action.kind) {
    case 'drop-records':
      return [action.relation];
    case 'drop-notes':
      return [action.system === true ? 'system notes' : noteRelation];
    case 'drop-files':
    case 'change-files':
    case 'drop-refs':
    case 'move-refs':
      return [`${action.kind} ${action.of}`];
    default:
      return [];
  }
}

/** @param kinds the kinds that are drawn. Default: all. */
export function drawnLosses(side: Side, kinds: readonly LossKind[] = lossKindNames): DrawnLosses {
  const actions = kinds.flatMap((kind) =>
    Array.from({ length: distinctVariants(kind) }, (_, variant): FaultAction => {
      const action = lossKinds[kind].action(variant, side);
      const isRenamed = 'ofInvitation' in lossKinds[kind] && 'relation' in action;
      return isRenamed ? { ...action, relation: 'invitations' } : action;
    }),
  );
  return {
    fields: new Set(actions.flatMap(fieldsOf)),
    settings: new Set(actions.flatMap((action) => (action.kind === 'drop-settings' ? action.names : []))),
    parts: new Set(actions.flatMap(partsOf)),
  };
}
