/** @file Words of the check before a migration. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';

export const severityWords: Record<PreflightFinding['severity'], { text: string; hint: string }> = {
  blocker: { text: 'Blocker', hint: 'It will fail, or lose something for sure.' },
  warning: { text: 'Warning', hint: 'It may fail, or lose something.' },
  info: { text: 'Note', hint: 'Good to know.' },
};

const counted: Record<PreflightFinding['severity'], (count: number) => string> = {
  blocker: (count) => (count === 1 ? '1 blocker' : `${formatNumber(count)} blockers`),
  warning: (count) => common.warnings(count),
  info: (count) => (count === 1 ? '1 note' : `${formatNumber(count)} notes`),
};

export const preflightText = {
  title: 'Check',
  text: 'Asks both instances whether everything can go where it is to go. Nothing is changed there.',
  check: 'Check now',
  again: 'Check again',
  checking: 'Asking both instances',
  checked: 'Checked',
  notYet: 'It has not been checked since it was changed.',
  counted,
  clear: 'Nothing stands against it',
  clearText: 'No finding is a blocker that nobody has overridden.',
  groupsMissing: (count: number) =>
    count === 1
      ? '1 group is missing on the target'
      : `${formatNumber(count)} groups are missing on the target`,
  groupsMissingText: 'Nothing else stands against it. They are created at the start, once you say so there.',
  blocked: (count: number) => `${counted.blocker(count)} nobody has overridden`,
  blockedText: 'Mend what they name and check again, or override each with a note.',
  parts: 'Parts of the check',
  findings: 'Findings',
  groups: 'Missing groups',
  writes: 'Requests',
  forecast: 'Forecast',
  noFindings: 'The check found nothing.',
  noMatch: 'No finding matches.',
  table: 'Findings of the check',
  search: 'Search findings',
  everySeverity: 'Everything',
  columns: { severity: 'How bad', project: 'Project', message: 'What is so', overridden: 'Overridden' },
  wholeMigration: 'The whole migration',
  advice: 'What to do',
  code: 'Code',
  override: 'Override',
  overrideLabel: 'Why it may go on all the same',
  overrideHint: 'The note stands in the passport.',
  overrideMissing: 'Write why.',
  overrides: 'Overridden',
  takeBack: 'Take the override back',
  groupsText: 'The target has no such groups. Projects that go there fail unless they are created.',
  createGroups: 'Create them at the start',
  noGroups: 'The target has every group that is needed.',
  writesText: 'What the migration would ask of both instances, in this order. None of it was sent.',
  writesTable: 'Requests that the migration would make',
  noWrites: 'It would ask for nothing.',
  writeColumns: {
    instance: 'Instance',
    method: 'Method',
    path: 'Path',
    does: 'What it does',
    project: 'Project',
  },
  forecastText:
    'From the limits of both instances and how long earlier exports took there; counted from the time of the check.',
  forecastTable: 'When each wave is expected to begin and to end',
  noForecast: 'How long exports take there is not known yet.',
  forecastColumns: { wave: 'Wave', projects: 'Projects', starts: 'Begins', ends: 'Ends', takes: 'Takes' },
  moreWaves: (count: number) => `and ${formatNumber(count)} more waves`,
} as const;
