/** @file The words for repairs of a migrated project. */
import type { Repair, UnrepairableReason } from '../migrations/repair.ts';
import { relationText, shownValues } from './relations.ts';

/** Names the part or the record that a repair is about, for example `title of issues #12`. */
export function repairedPartText({ relation, key, field }: Repair): string {
  if (relation === 'settings') return `the setting ${field ?? ''}`;
  const isNumbered = relation === 'issues' || relation === 'merge_requests' || relation === 'milestones';
  const owner = `${relationText(relation)} ${isNumbered ? '#' : ''}${key}`;
  return field === null ? owner : `${field} of ${owner}`;
}

/** Describes a repair, for example `Set title of issues #12 from "Fix" to "Fix login".` */
export function repairText(repair: Repair): string {
  const { field, found, expected, body } = repair;
  const part = repairedPartText(repair);
  if (field === null || found === null) return `Add ${part} (${parametersText(body)}).`;
  const shown = shownValues({ name: field, values: { expected, found } });
  if (field === 'labels') return `Add to ${part}: ${quoted(shown.expected)}.`;
  return `Set ${part} from ${quoted(shown.found)} to ${quoted(shown.expected)}.`;
}

/** Returns what a request adds, for example `color: #ff0000`. */
export const parametersText = (body: Repair['body']): string =>
  Object.entries(body)
    .filter(([name]) => name !== 'name')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');

const quoted = (value: string): string => (value === '' ? 'no value' : `"${value.replaceAll(/\s+/g, ' ')}"`);

/** GitLab sends mails for edits as for those of any user. */
export const repairMailsText = 'GitLab may send mails about these changes.';

export const unrepairableText: Record<UnrepairableReason, string> = {
  'import-again': 'Records are imported again with "retry".',
  'no-request': 'Packhorse cannot repair this kind of loss.',
  'no-value': 'The archive or the source does not show the lost value.',
  'source-changed': 'The source has another value now. Compare again first.',
  'no-name': 'It is not known which record it is.',
};
