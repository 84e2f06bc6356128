/** @file The words for repairs of a migrated project. */
import type { Repair, UnrepairableReason } from '../migrations/repair.ts';
import { relationText } from './relations.ts';

/** Names what a repair is about, for example `title of issue 12`. */
export function repairedPartText({ relation, key, field }: Repair): string {
  if (relation === 'settings') return `the setting ${field ?? ''}`;
  const record = /^\d+$/.test(key) ? `#${key}` : key;
  const owner = `${relationText(relation)} ${record}`;
  return field === null ? owner : `${field} of ${owner}`;
}

/** Says what a repair does, for example `Set title of issues #12 from "Fix" to "Fix login".` */
export function repairText(repair: Repair): string {
  const part = repairedPartText(repair);
  const isProtection = repair.relation === 'protected_branches' || repair.relation === 'protected_tags';
  return repair.found === null
    ? `Add ${part}.`
    : `Set ${part} from ${quoted(repair.found)} to ${quoted(repair.expected)}.${
        isProtection ? ' The protection is removed and added again at once.' : ''
      }`;
}

const quoted = (value: string): string => (value === '' ? 'no value' : `"${value.replaceAll(/\s+/g, ' ')}"`);

export const unrepairableText: Record<UnrepairableReason, string> = {
  'import-again': 'Records are imported again with "retry".',
  'no-request': 'Packhorse cannot repair this kind of loss.',
  'no-value': 'Neither the archive nor the source shows the lost value.',
  'source-changed': 'The source has another value now. Compare again first.',
  'no-name': 'Only the number of lost records is known.',
};
