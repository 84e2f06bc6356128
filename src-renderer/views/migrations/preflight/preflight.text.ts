/** @file Texts of the preflight of a migration. */
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common, pluralize } from '../../../kit/common.text.ts';

export const severityWords: Record<PreflightFinding['severity'], { text: string; hint: string }> = {
  blocker: { text: 'Blocker', hint: 'The migration will fail or lose something.' },
  warning: { text: 'Warning', hint: 'The migration may fail or lose something.' },
  info: { text: 'Note', hint: 'Good to know.' },
};

const countText: Record<PreflightFinding['severity'], (count: number) => string> = {
  blocker: (count) => (count === 1 ? '1 blocker' : `${formatNumber(count)} blockers`),
  warning: (count) => common.warnings(count),
  info: (count) => (count === 1 ? '1 note' : `${formatNumber(count)} notes`),
};

export const preflightText = {
  title: 'Check',
  text: 'Checks on both instances whether every project can be migrated to its target. Nothing is changed there.',
  check: 'Check now',
  again: 'Check again',
  checking: 'Checking both instances',
  checked: 'Checked',
  notCheckedYet: 'The migration has not been checked since it was changed.',
  countText,
  noBlockers: 'Nothing blocks the start',
  noBlockersText: 'Every blocker of the start is resolved or overridden.',
  projectsUnreadable: (count: number) =>
    pluralize(count, 'project cannot be read', 'projects cannot be read'),
  projectsUnreadableText:
    'Only the projects that can be read will move. Check again once GitLab shows the others.',
  groupsMissing: (count: number) =>
    pluralize(count, 'group is missing on the target', 'groups are missing on the target'),
  groupsMissingText:
    'Nothing else blocks the start. Packhorse creates the groups at the start if you confirm that.',
  blocked: (count: number) => `${countText.blocker(count)} not overridden`,
  blockedText: 'Resolve them and check again, or override each with a note.',
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
  columns: { severity: 'Severity', project: 'Project', message: 'Finding', overridden: 'Overridden' },
  wholeMigration: 'The whole migration',
  advice: 'What to do',
  code: 'Code',
  override: 'Override',
  overrideLabel: 'Why this is acceptable',
  overrideHint: 'The note is stored in the passport.',
  overrideMissing: 'Enter a reason.',
  overriddenTitle: 'Overridden',
  removeOverride: 'Remove the override',
  groupsText: 'These groups do not exist on the target. Their projects fail unless the groups are created.',
  createGroups: 'Create them at the start',
  noGroups: 'The target has every group that is needed.',
  writesText:
    'The requests that the migration would send to both instances, in this order. No request was sent yet.',
  writesTable: 'Requests that the migration would send',
  noWrites: 'The migration would send no request.',
  writeColumns: {
    instance: 'Instance',
    method: 'Method',
    path: 'Path',
    does: 'What it does',
    project: 'Project',
  },
  forecastText:
    'The estimate starts at the time of the check. It uses the limits of both instances and the duration of earlier exports.',
  forecastTable: 'Expected start and end of each wave',
  noForecast: 'There is no forecast yet: the duration of exports is unknown.',
  forecastColumns: {
    wave: 'Wave',
    projects: 'Projects',
    starts: 'Starts',
    ends: 'Ends',
    duration: 'Duration',
  },
  moreWaves: (count: number) => `and ${formatNumber(count)} more waves`,
} as const;
