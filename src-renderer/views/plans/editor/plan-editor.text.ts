/** @file Texts of the form that adds or edits a plan. */
import { maxNameLength, type Bounds } from '../../../../src-contract/bounds.ts';
import type { RuleCondition } from '../../../../src-contract/plans/options/rule.ts';
import type { PlanSetting } from '../../../../src-contract/plans/options/settings.ts';
import type { Schedule, Selection } from '../../../../src-contract/plans/plan.ts';
import { mapPeriods, unitOf, type RetentionLimit } from '../../../../src-contract/plans/retention-periods.ts';
import type { Scope } from '../../../../src-contract/projects/scope.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';
import type { OptionFieldText } from '../../shared/forms/option-field-text.ts';

export const planEditorText = {
  addTitle: 'Add a plan',
  editTitle: (plan: string) => `Edit ${plan}`,
  back: 'All plans',
  notFound: 'Plan not found',
  notFoundText: 'The plan was removed.',
  save: 'Save the plan',
  saved: (plan: string) => `The plan ${plan} is saved.`,

  projectsTitle: 'Projects to back up',
  name: 'Name',
  nameMissing: 'Enter a name.',
  nameTaken: 'Another plan has this name.',
  nameLong: `At most ${maxNameLength} characters.`,
  instance: 'Instance',
  noInstance: 'Choose an instance.',
  selection: 'Projects',
  selections: {
    all: {
      label: 'All projects',
      hint: 'Projects in the scope that the account may export. Each run lists them again.',
    },
    projects: { label: 'Chosen projects', hint: 'These projects stay selected, even if they are renamed.' },
    rule: {
      label: 'By a rule',
      hint: 'Projects that meet every condition at the time of the run.',
    },
  } satisfies Record<Selection['kind'], { label: string; hint: string }>,

  scope: 'Scope',
  scopes: [
    { value: 'member', label: 'Projects that the account is a member of' },
    { value: 'owned', label: 'Projects that the account owns' },
    { value: 'visible', label: 'All projects that the account can see' },
  ] satisfies { value: Scope; label: string }[] as { value: Scope; label: string }[],

  searchProjects: 'Search the project list',
  listCount: (shownCount: number, total: number) =>
    shownCount < total
      ? `The first ${formatNumber(shownCount)} of ${formatNumber(total)}`
      : common.projects(total),
  noneFound: 'No project of the list matches.',
  chosenCount: (count: number) =>
    count === 0 ? 'No project is chosen' : `Chosen: ${common.projects(count)}`,
  deselect: (project: string) => `Leave ${project} out`,
  chooseOne: 'Choose at least one project.',

  rule: {
    group: { label: 'In the group', hint: 'Its full path; subgroups are included.', mono: true },
    name: { label: 'Full path', hint: '“*” matches any text: atlas/*-api.', mono: true },
    topic: { label: 'Topic' },
    activeWithinDays: { label: 'Active within this many days', hint: 'If empty, there is no limit.' },
    visibility: {
      label: 'Visibility',
      choices: { private: 'Private', internal: 'Internal', public: 'Public' },
    },
    markedArchived: { label: 'Marked as archived' },
    starred: { label: 'Starred by me' },
    owned: { label: 'Owned by me' },
    except: { label: 'Except', hint: 'One full path or pattern per line.' },
  } satisfies Record<RuleCondition, OptionFieldText> as Record<RuleCondition, OptionFieldText>,

  showMatches: 'Show matching projects',
  listingProjects: 'Listing projects on the instance',
  matchesNow: (count: number) =>
    count === 0
      ? 'No project matches now.'
      : `${common.projects(count)} ${count === 1 ? 'matches' : 'match'} now.`,
  scopeNote: (scope: string) => `Scope: ${scope}.`,
  outsideScope: (count: number) =>
    `The account can see ${formatNumber(count)} more ${count === 1 ? 'project' : 'projects'} outside this scope; ${count === 1 ? 'it is' : 'they are'} left out.`,
  matchesFirst: (shownCount: number) => `The first ${formatNumber(shownCount)}:`,
  leftOut: (count: number) => `Left out: ${common.projects(count)}`,
  leftOutMore: (count: number) => `and ${formatNumber(count)} more`,

  when: 'When',
  kind: 'How often',
  kinds: {
    hourly: 'Hourly',
    daily: 'Daily',
    weekly: 'Weekly',
    monthly: 'Monthly',
    cron: 'Cron',
  } satisfies Record<Schedule['kind'], string>,
  minute: 'Minute of the hour',
  timeOfDay: 'Time of day',
  timeOfDayWrong: 'Enter a time, for example 02:30.',
  weekdays: 'On',
  weekdaysWrong: 'Choose at least one day.',
  day: 'Day of the month',
  dayHint: 'A shorter month uses its last day.',
  expression: 'Cron expression',
  expressionHint: 'Minute, hour, day of the month, month, day of the week: 30 2 * * 1-5.',
  expressionWrong: 'Enter five fields.',
  timeZone: 'Time zone',
  thisMachine: 'Time zone of this machine',
  thisMachineHint: 'The machine on which Packhorse runs.',
  nextRuns: 'The next runs',
  nextRunsIn: (zone: string) => `Times in ${zone}.`,
  noNextRuns: 'Fill in the schedule to see the next runs.',
  neverDue: 'This schedule is never due.',

  keep: 'How long archives are kept',
  keepLabel: 'For each project, keep',
  keepAll: 'All archives',
  keepAllHint:
    'Nothing is ever removed: each run can add an archive of every project, so the folder grows without limit. Keeping the newest 7 of each project is usually enough.',
  keepSome: 'Only those within limits',
  limits: {
    keepLast: 'The newest',
    withinDays: 'All within this many days',
    ...mapPeriods((period) => `One per ${unitOf(period)}, for how many ${unitOf(period)}s`),
  } satisfies Record<RetentionLimit, string>,
  limitsHint:
    'An archive is kept if any limit keeps it; an empty limit keeps none. A period (hour, day and so on) counts only if it has an archive; the newest archive of each period is kept. A damaged, incomplete or less verified archive never replaces a better one.',
  limitsMissing: 'Set at least one limit.',
  numberWrong: ({ min, max }: Bounds) => `Enter a number from ${formatNumber(min)} to ${formatNumber(max)}.`,
  keepTrash:
    'Other archives are moved to the trash, but only after a new archive was stored and read to its end. The newest readable archive and the best one are always kept.',
  preview: 'Show what would be removed now',
  previewAbsent: (count: number) => `Not available: ${common.archives(count)}. Is the disk mounted?`,
  previewNone: 'Nothing would be removed now.',
  previewSome: (count: number, bytes: number) =>
    `${common.archives(count)} would be removed now, ${formatBytes(bytes)}.`,
  previewKept: (projectCount: number) => `Nothing would be removed from ${common.projects(projectCount)}.`,
  previewOf: (project: string, removedCount: number, keptCount: number) =>
    `${project}: ${formatNumber(removedCount)} of ${common.archives(removedCount + keptCount)} would be removed`,
  previewTable: (project: string) => `Archives of ${project}`,
  previewColumns: ['Stored', 'Size', 'Proof', 'Verified', 'Action', 'Why'],
  kept: 'Kept',
  removed: 'Removed',

  root: 'Archive folder',
  rootHint: 'Folder for its new archives. Stored archives are not moved.',
  rootOfSettings: (path: string | null) =>
    path === null ? 'As in the settings' : `As in the settings: ${path}`,
  chooseRoot: 'Another folder…',

  more: 'More options',
  settings: {
    skipUnchanged: {
      label: 'Skip unchanged projects',
      hint: 'A project without activity since its newest readable archive is not exported again. At least one archive is still made every 7 days.',
    },
    enabled: { label: 'Switched on', hint: 'If switched off, the plan runs only when you start it.' },
  } satisfies Record<PlanSetting, OptionFieldText> as Record<PlanSetting, OptionFieldText>,
  mail: 'GitLab sends a mail for each export',
  mailText:
    'The mail goes to the owner of the account whose token is used. For plans, use a dedicated account whose mail nobody has to read.',
} as const;
