/** @file Texts for the repair of a migrated project. */
import type {
  Repair,
  RepairableRelation,
  UnrepairableReason,
} from '../../../../src-contract/migrations/repair.ts';
import { relationLabel } from '../../../../src-contract/words/relations.ts';
import { repairMailsText, unrepairableText } from '../../../../src-contract/words/repairs.ts';
import { common, pluralize } from '../../../kit/common.text.ts';
import { retryText } from '../migrations.text.ts';

/** The relations whose records have a number. */
const numbered: readonly RepairableRelation[] = ['issues', 'merge_requests', 'milestones'];

export const repairsText = {
  open: 'Repair…',
  title: (target: string) => `Repair ${target}`,
  planning: 'Reading the lost values',
  text: (target: string, instance: string) =>
    `Each repair is a request to ${instance} that gives ${target} a lost value or record. A value that somebody changed since the comparison is left alone. Afterwards the project is compared again. ${repairMailsText}`,
  list: 'Repairs',
  all: (count: number) => `All ${pluralize(count, 'repair')}`,
  record: ({ relation, key }: Pick<Repair, 'relation' | 'key'>) =>
    [relationLabel(relation), numbered.includes(relation) ? `#${key}` : key].filter(Boolean).join(' '),
  add: 'Add to the target',
  now: 'Now',
  afterwards: 'Afterwards',
  noValue: 'no value',
  confirm: (count: number) => `Send ${common.requests(count)}`,
  sending: 'Starting the repair',
  nothing: 'Nothing can be repaired',
  noDifference: 'No open difference',
  noDifferenceText: 'The last comparison found no difference that is still open.',
  unrepairable: (count: number) => `${pluralize(count, 'difference')} without a repair`,
  reasons: {
    ...unrepairableText,
    'import-again': `Missing records are imported with “${retryText.open}”.`,
  } satisfies Record<UnrepairableReason, string>,
  reload: 'Read the repairs again',
  started: 'The repairs are being sent.',
  follow: 'Follow',
};
