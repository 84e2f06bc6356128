/** @file The options that select differences, once for the window and the command line. */
import type { OptionTable, OptionValues } from '../options.ts';
import { differenceKinds, type Difference } from './difference.ts';

/** The sides of a loss: the export or the import lost the data. */
export const lossSides = ['on-export', 'on-import'] as const;

/** The conditions by the name of their field. Null sets no condition. */
export const differenceConditions = {
  kind: {
    kind: 'choice',
    flag: 'kind',
    placeholder: 'kind',
    help: 'only differences of this kind',
    choices: differenceKinds,
  },
  relation: {
    kind: 'text',
    flag: 'relation',
    placeholder: 'relation',
    help: 'only differences of this relation, for example issues, or of the setting with this name',
    maxLength: 255,
  },
  lost: {
    kind: 'choice',
    flag: 'side',
    placeholder: 'side',
    help: 'only data lost on this side',
    choices: lossSides,
  },
  isGrave: {
    kind: 'optional-switch',
    on: {
      flag: 'grave',
      help: 'only differences by which people can see or do more on the target than on the source',
    },
    off: null,
  },
} as const satisfies OptionTable;

export type DifferenceFilter = Partial<OptionValues<typeof differenceConditions>>;

/** Returns whether a difference meets all conditions. A difference of an unknown side is not on a given one. */
export function matchesFilter(
  difference: Pick<Difference, 'kind' | 'relation' | 'lost' | 'isGrave'>,
  { kind = null, relation = null, lost = null, isGrave = null }: DifferenceFilter,
): boolean {
  return (
    (kind === null || difference.kind === kind) &&
    (relation === null || difference.relation === relation) &&
    (lost === null || difference.lost === lost) &&
    (isGrave !== true || difference.isGrave)
  );
}
