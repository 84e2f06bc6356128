/** @file Plans which items projects lose in a migration, and assigns the recorded losses to them. */
import { maxNamedEdits } from '../../../src-main/jobs/migrations/comparing/contents/content-differences.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { lossKinds, lossKindNames, sides, type LossKind, type Side } from './loss-kinds.ts';
import { settingOf, type KnownLoss } from './verdict-losses.ts';

export interface PlannedLoss {
  kind: LossKind;
  side: Side;
  variant: number;
}

export const actionOf = ({ kind, side, variant }: PlannedLoss): FaultAction =>
  lossKinds[kind].action(variant, side);

/**
 * An import by a Maintainer brings no members, invitations and epics, and its account does not see custom attributes. Many
 * users of records become the importer, so that another user in the archive has no effect.
 */
const kindsOfAdministrators: ReadonlySet<LossKind> = new Set([
  ...(['members', 'memberships', 'invitations', 'changed invitations'] as const),
  ...(['custom attributes', 'epics and iterations'] as const),
]);
const columnsOfUsers: readonly string[] = ['lists.user_id', 'approvals', 'resolved_by_id'];

/** Returns whether a planned loss has an effect, and is compared, if a Maintainer imports the project. */
export function canHappenToMaintainer(planned: PlannedLoss): boolean {
  const action = actionOf(planned);
  const columns = 'values' in action ? Object.keys(action.values) : [];
  const hasUsers = planned.side === 'import' && columns.some((name) => columnsOfUsers.includes(name));
  return !kindsOfAdministrators.has(planned.kind) && !hasUsers;
}

export const nameOf = ({ kind, side }: PlannedLoss): string => `${kind} on ${side}`;

/** Returns the number of losses that the sandboxes record of a planned loss. */
export function lossCount(planned: PlannedLoss): number {
  const action = actionOf(planned);
  if (action.kind === 'drop-settings') return action.names.length;
  if (action.kind === 'change-records' || action.kind === 'change-notes')
    return Object.keys(action.values).length;
  // The import refuses the copy that replaces a record, which is a second loss.
  return planned.kind === 'duplicates' && planned.side === 'export' ? 2 : 1;
}

/** Returns the number of planned losses with that number of variants for each kind on each side. */
export const plannedLossCount = (variants: number): number => variants * lossKindNames.length * sides.length;

/**
 * Plans the losses of each project. Losses share a project if they need the same recipe and affect different parts of it,
 * so that each recorded loss belongs to one of them. The losses of a project that may count as edits are all named.
 * @param variants number of losses of each kind on each side.
 * @param maxLosses maximum number of losses of a project.
 */
export function planLosses(variants: (kind: LossKind) => number, maxLosses: number): PlannedLoss[][] {
  const losses = lossKindNames
    .flatMap((kind) =>
      Array.from({ length: variants(kind) }, (_, variant) => sides.map((side) => ({ kind, side, variant }))),
    )
    .flat()
    .sort((a, b) => a.variant - b.variant);
  const projects: PlannedLoss[][] = [];
  for (const loss of losses) {
    const shared = projects.find(
      (others) =>
        others.length < maxLosses &&
        others.every((other) => canShareProject(loss, other)) &&
        (!mayCountAsEdit(loss) || countEdits([...others, loss]) <= maxNamedEdits),
    );
    if (shared === undefined) projects.push([loss]);
    else shared.push(loss);
  }
  return projects;
}

/** Returns the planned loss that caused a recorded one. */
export const findCause = (planned: readonly PlannedLoss[], loss: KnownLoss): PlannedLoss | undefined =>
  planned.find((each) => partsOf(each).includes(partOf(loss)));

const canShareProject = (a: PlannedLoss, b: PlannedLoss): boolean =>
  lossKinds[a.kind].recipe === lossKinds[b.kind].recipe &&
  !partsOf(a).some((part) => partsOf(b).includes(part)) &&
  !(editsSource(a) && isUnknownAfterEdits(b)) &&
  !(editsSource(b) && isUnknownAfterEdits(a));

/** The preparation of these losses edits the source while its export is made. */
const editsSource = ({ kind }: PlannedLoss): boolean => kind === 'epics and iterations';

/** Returns whether a comparison does not know if the export lost the part, as soon as anything of its source was edited. */
const isUnknownAfterEdits = (planned: PlannedLoss): boolean =>
  planned.side === 'export' && partsOf(planned).some((part) => part.startsWith('protected_'));

/**
 * Returns whether a comparison may not know if the export or somebody on the source changed the contents. One sentence
 * declares all such contents and names ten of them, so that other losses could hide behind it.
 */
function mayCountAsEdit(planned: PlannedLoss): boolean {
  const { kind } = actionOf(planned);
  return planned.side === 'export' && (kind === 'change-records' || kind === 'change-notes');
}

const countEdits = (losses: readonly PlannedLoss[]): number =>
  losses
    .filter(mayCountAsEdit)
    .map(lossCount)
    .reduce((sum, count) => sum + count, 0);

/** Returns the settings or the relation that a planned loss affects. */
function partsOf(planned: PlannedLoss): readonly string[] {
  const action = actionOf(planned);
  if (action.kind === 'drop-settings') return action.names.map(settingPart);
  if (action.kind === 'drop-diffs') return ['merge_requests'];
  if ('relation' in action) return [action.relation];
  if ('of' in action) return [action.of.replace('-', '_')];
  throw new Error(`A ${action.kind} loses nothing.`);
}

const partOf = ({ part, relation, name }: KnownLoss): string =>
  part === 'setting' ? settingPart(name ?? '') : relation;

const settingPart = (column: string): string => `setting ${settingOf(column)}`;
