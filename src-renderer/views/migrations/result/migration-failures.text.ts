/** @file Texts of the stored import failures and their states. */
import type { FailureState } from '../../../../src-contract/migrations/failure.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';
import { failureText } from '../../shared/records/evidence.text.ts';

export const failureStateText: Record<FailureState, { text: string; hint: string }> = {
  open: { text: 'Open', hint: 'Not handled yet.' },
  retried: {
    text: 'Tried again',
    hint: 'Its relation was imported again; the result is not known yet.',
  },
  resolved: { text: 'Resolved', hint: 'The record is on the target now.' },
  accepted: { text: 'Accepted', hint: 'A user accepted the loss.' },
};

export const migrationFailuresText = {
  title: 'Failed records',
  table: 'Failed records of the migration',
  filters: 'Which failed records are shown',
  search: 'Search titles, numbers and projects',
  everyState: 'Every state',
  state: 'State',
  group: 'Relation and exception',
  everyGroup: (count: number) => `Everything (${formatNumber(count)})`,
  groupOf: (relation: string, exception: string, open: number, total: number) =>
    `${relation} · ${exception} (${formatNumber(total)}, ${formatNumber(open)} open)`,
  ofProject: (project: string) => `Project ${project}`,
  everyProject: 'Show every project',
  none: 'No record failed',
  noneText:
    'GitLab listed no failed record for these imports. Other missing records are listed with each project.',
  noMatch: 'No failed record matches.',
  columns: { project: failureText.project, state: 'State' },
  count: common.failures,
  chosen: (count: number) => `${formatNumber(count)} chosen`,
  accept: 'Accept…',
  acceptConfirm: 'Accept',
  acceptAll: (count: number) => `Accept all ${formatNumber(count)}…`,
  acceptTitle: (count: number) =>
    count === 1 ? 'Accept the loss?' : `Accept ${formatNumber(count)} losses?`,
  acceptText: 'The records stay missing on the target, and the note is stored in the passport.',
  acceptedBecause: (count: number, all: number, note: string) =>
    `${count < all ? `${formatNumber(count)} of ${formatNumber(all)} accepted` : 'Accepted'}: ${note}`,
  note: 'Why the loss is acceptable',
  noteMissing: 'Enter a reason.',
  reopen: 'Reopen',
  accepted: (count: number) => `${formatNumber(count)} accepted.`,
  reopened: 'The failure is open again.',
  tooMany: (max: number) => `At most ${formatNumber(max)} at once.`,
  meaning: 'What it means',
  advice: 'What to do',
  original: 'Open the original',
  whyAccepted: 'Accepted because',
} as const;
