/** @file Texts of the form that adds or edits a plan. */
import { maxNameLength, type Bounds } from '../../../../src-contract/bounds.ts';
import type { Schedule, Selection } from '../../../../src-contract/plans/plan.ts';
import {
  forEachPeriod,
  unitOf,
  type RetentionLimit,
} from '../../../../src-contract/plans/retention-periods.ts';
import type { Scope } from '../../../../src-contract/projects/scope.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';

export const planEditorText = {
  addTitle: 'Add a plan',
  editTitle: (plan: string) => `Edit ${plan}`,
  back: 'All plans',
  gone: 'There is no such plan',
  goneText: 'It was removed meanwhile.',
  save: 'Save the plan',
  saved: (plan: string) => `The plan ${plan} is saved.`,

  what: 'What is backed up',
  name: 'Name',
  nameMissing: 'Give it a name.',
  nameTaken: 'Another plan is called like that.',
  nameLong: `At most ${maxNameLength} characters.`,
  instance: 'Instance',
  noInstance: 'Choose an instance.',
  selection: 'Projects',
  selections: {
    all: {
      label: 'All projects',
      hint: 'That the scope covers and the account may export, looked up at each run.',
    },
    projects: { label: 'Chosen projects', hint: 'These stay, also when they are renamed.' },
    rule: {
      label: 'By a rule',
      hint: 'Of all projects, those for which every condition holds at that time.',
    },
  } satisfies Record<Selection['kind'], { label: string; hint: string }>,

  scope: 'Scope',
  scopes: [
    { value: 'member', label: 'Projects that the account is a member of' },
    { value: 'owned', label: 'Projects that the account owns' },
    { value: 'visible', label: 'All projects that the account sees' },
  ] satisfies { value: Scope; label: string }[] as { value: Scope; label: string }[],

  searchProjects: 'Search the project list',
  listed: (shown: number, total: number) =>
    shown < total ? `The first ${formatNumber(shown)} of ${formatNumber(total)}` : common.projects(total),
  noneFound: 'No project of the list matches.',
  chosen: (count: number) => (count === 0 ? 'No project is chosen' : `Chosen: ${common.projects(count)}`),
  unchoose: (project: string) => `Leave ${project} out`,
  chooseOne: 'Choose at least one project.',

  group: 'In the group',
  groupHint: 'Its full path; subgroups count.',
  ruleName: 'Full path',
  ruleNameHint: '“*” stands for anything: atlas/*-api.',
  topic: 'Topic',
  visibility: 'Visibility',
  any: 'Any',
  visibilities: { private: 'Private', internal: 'Internal', public: 'Public' },
  markedArchived: 'Marked as archived',
  starred: 'With my star',
  owned: 'Owned by me',
  activeWithin: 'Active within days',
  activeWithinHint: 'Empty: however long ago.',
  except: 'Except',
  exceptHint: 'One full path or pattern on each line.',

  matches: 'Show what matches now',
  matching: 'Asking the instance',
  matchesNow: (count: number) =>
    count === 0
      ? 'No project matches now.'
      : `${common.projects(count)} ${count === 1 ? 'matches' : 'match'} now.`,
  covers: (scope: string) => `Scope: ${scope}.`,
  beyond: (count: number) =>
    `The account sees ${formatNumber(count)} more ${count === 1 ? 'project' : 'projects'} outside this scope; ${count === 1 ? 'it is' : 'they are'} left out.`,
  matchesFirst: (shown: number) => `The first ${formatNumber(shown)}:`,
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
  at: 'Time of day',
  atWrong: 'Give a time, for example 02:30.',
  weekdays: 'On',
  weekdaysWrong: 'Choose at least one day.',
  day: 'Day of the month',
  dayHint: 'A shorter month has it on its last day.',
  expression: 'Cron expression',
  expressionHint: 'Minute, hour, day of the month, month, day of the week: 30 2 * * 1-5.',
  expressionWrong: 'Give five fields.',
  timeZone: 'Time zone',
  thisMachine: 'The machine’s own',
  thisMachineHint: 'Of the machine on which Packhorse runs.',
  nextRuns: 'The next runs',
  nextRunsIn: (zone: string) => `Times of ${zone}.`,
  noNextRuns: 'Fill in when to see them.',
  neverDue: 'It is never due.',

  keep: 'How long archives are kept',
  keeping: 'Of each project keep',
  keepAll: 'All archives',
  keepAllHint:
    'Nothing is ever removed: each run adds an archive of every project that changed, so the folder grows without limit. Keeping the newest 7 of each project is enough for most.',
  keepSome: 'Only those within limits',
  limits: {
    keepLast: 'The newest',
    withinDays: 'All within days',
    ...forEachPeriod((period) => `One per ${unitOf(period)}, of so many ${unitOf(period)}s`),
  } satisfies Record<RetentionLimit, string>,
  limitsHint:
    'An archive stays where any limit keeps it; an empty limit keeps none. Only hours, days and so on that have an archive count, and of each the newest stays. An archive never takes the place of a better one.',
  limitsMissing: 'Set at least one limit.',
  numberWrong: ({ min, max }: Bounds) => `Give a number from ${formatNumber(min)} to ${formatNumber(max)}.`,
  keepTrash:
    'Others go to the trash folder, and only after a new archive was stored and read to its end. The newest readable one and the best one always stay.',
  preview: 'Show what would be removed now',
  previewAbsent: (count: number) => `Not there: ${common.archives(count)}. Is the disk mounted?`,
  previewNone: 'Nothing would be removed now.',
  previewSome: (count: number, bytes: number) =>
    `${common.archives(count)} would be removed now, ${formatBytes(bytes)}.`,
  previewKept: (projects: number) => `Nothing goes of ${common.projects(projects)}.`,
  previewOf: (project: string, removed: number, kept: number) =>
    `${project}: ${formatNumber(removed)} of ${common.archives(removed + kept)} ${removed === 1 ? 'goes' : 'go'}`,
  previewTable: (project: string) => `Archives of ${project}`,
  stored: 'Stored',
  size: 'Size',
  proof: 'Proof',
  provenAt: 'Looked at',
  fate: 'What becomes of it',
  stays: 'Stays',
  goes: 'Goes',
  reason: 'Why',

  root: 'Archive folder',
  rootHint: 'Where its new archives go. Those that are stored stay where they are.',
  rootOfSettings: (path: string | null) =>
    path === null ? 'As in the settings' : `As in the settings: ${path}`,
  chooseRoot: 'Another folder…',

  more: 'Further',
  skipUnchanged: 'Pass over what has not changed',
  skipUnchangedHint:
    'A project in which nothing happened since its newest readable archive is not exported again. At least one archive every 7 days is made all the same.',
  enabled: 'Switched on',
  enabledHint: 'Switched off, it runs only when you start it.',
  mail: 'GitLab sends a mail for each export',
  mailText:
    'It goes to the owner of the account whose token is used. For plans a dedicated account is recommended, whose mail nobody has to read.',
} as const;
