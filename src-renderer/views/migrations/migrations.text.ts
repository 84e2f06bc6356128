/** @file Texts of migrations: selection, mapping, progress and results. */
import { maxNameLength, waveSizeBounds } from '../../../src-contract/bounds.ts';
import { contentsComparedText } from '../../../src-contract/words/depths.ts';
import { formatNumber } from '../../kit/format.ts';
import { common, pluralize } from '../../kit/common.text.ts';
import { planEditorText } from '../plans/editor/plan-editor.text.ts';

export const migrationSteps = ['choose', 'map', 'check', 'run', 'result'] as const;
export type MigrationStep = (typeof migrationSteps)[number];

export const migrationsText = {
  subtitle: 'Move projects from one instance to another, with proof of the result.',
  list: 'Migrations',
  add: 'New migration…',
  all: 'All migrations',
  emptyTitle: 'No migrations yet',
  emptyText:
    'Choose projects, set their targets and run the check. The projects are then migrated automatically.',
  noInstanceTitle: 'A migration needs an instance',
  noInstanceText: 'Add the source instance and the target instance of the projects.',
  addInstance: 'Add an instance…',
  gone: 'Migration not found',
  goneText: 'The migration was removed.',
  direction: (source: string, target: string) => `${source} → ${target}`,
  directionLabel: (source: string, target: string) => `from ${source} to ${target}`,
  wave: (current: number, total: number) => `Wave ${formatNumber(current)} of ${formatNumber(total)}`,
  waves: (count: number) => pluralize(count, 'wave'),
  counts: (migration: string) => `Projects of ${migration} by state`,
  unlistedFailuresOf: (count: number) =>
    `, failures of ${common.projects(count)} may be missing from GitLab's list`,
  created: 'Created',
  continue: 'Continue',
  show: 'Show',
  more: (migration: string) => `More about ${migration}`,
  remove: 'Remove…',
  removeTitle: (migration: string) => `Remove the migration ${migration}?`,
  removeText:
    'Packhorse deletes the settings and the results of the migration. Migrated projects and their archives are kept.',
  removeConfirm: 'Remove the migration',
  removed: (migration: string) => `The migration ${migration} is removed.`,
  steps: 'Steps of the migration',
  stepNames: {
    choose: 'Choose',
    map: 'Map',
    check: 'Check',
    run: 'Run',
    result: 'Result',
  } satisfies Record<MigrationStep, string>,
  next: { map: 'Continue to mapping', check: 'Continue to the check', run: 'Continue to the run' },
} as const;

export const chooseText = {
  addTitle: 'New migration',
  sourceAndTarget: 'Source and target',
  name: 'Name',
  nameMissing: 'Enter a name.',
  nameLong: `At most ${maxNameLength} characters.`,
  source: 'From the instance',
  target: 'To the instance',
  instanceMissing: 'Choose an instance.',
  instancesLocked: 'For other instances, create another migration.',
  projects: 'Which projects',
  selections: {
    ...planEditorText.selections,
    all: {
      label: 'All projects',
      hint: 'Projects that the account is a member of and may export, listed when the form is saved.',
    },
    projects: { label: 'Chosen projects', hint: 'From the stored list of the source.' },
    rule: { label: 'By a rule', hint: 'Projects that meet every condition now.' },
  },
  options: 'Options',
  waveSize: 'Projects in a wave',
  waveSizeHint:
    'The next wave starts when the previous one has ended. If empty, all projects are in one wave.',
  waveSizeWrong: `Enter a number from ${formatNumber(waveSizeBounds.min)} to ${formatNumber(waveSizeBounds.max)}, or leave it empty.`,
  freeze: 'Mark each source as archived before it is exported',
  freezeHint:
    'Nobody can then change it on GitLab. The mark is removed if the migration fails. The imported project does not keep it.',
  compare: 'Compared after the import',
  overrides: 'Settings that every imported project gets',
  overridesHint:
    'Use GitLab’s names, such as visibility or description. They are sent as override_params with each import.',
  create: 'Save and continue',
  saving: 'Listing the projects on the source',
  saved: 'The migration is saved.',
  started: 'The migration was started, so this can no longer be changed.',
  selection: 'Projects',
  oneWave: 'All in one wave',
  perWave: (count: number) => `${common.projects(count)} each`,
  noOverrides: 'None',
} as const;

export const mapText = {
  rules: 'Rules',
  rulesHint:
    'A rule maps all projects in a group and its subgroups. The longest matching group decides. A project without a matching rule keeps its group.',
  from: 'Group on the source',
  to: 'Group on the target',
  fromOf: (ruleNumber: number) => `Group on the source of rule ${ruleNumber}`,
  toOf: (ruleNumber: number) => `Group on the target of rule ${ruleNumber}`,
  everyGroup: 'every group',
  addRule: 'Add a rule',
  removeRule: (from: string) =>
    from === '' ? 'Remove the rule for every group' : `Remove the rule for ${from}`,
  toMissing: 'Enter a group, for example atlas/moved.',
  fromTwice: 'Another rule already has this group.',
  applyRules: 'Apply the rules',
  applied: 'The rules are applied.',
  unsaved: 'Not applied yet.',
  projects: 'Target of each project',
  table: 'Projects and their targets',
  search: 'Search paths',
  everyWave: 'Every wave',
  everyState: 'Every state',
  wave: 'Wave',
  onlyConflicts: (count: number) => `Only conflicts (${formatNumber(count)})`,
  conflicts: (count: number) =>
    pluralize(count, 'project has a conflicting target', 'projects have conflicting targets'),
  conflictsText: 'Choose another target, or leave the project out. The migration cannot start until then.',
  none: 'No project matches.',
  columns: {
    source: 'Source',
    target: 'Target',
    wave: 'Wave',
    conflict: 'Conflict',
    options: 'Options',
    state: 'State',
  },
  replaces: 'Replaces the existing project',
  settings: (count: number) => (count === 1 ? '1 setting' : `${formatNumber(count)} settings`),
  notMigrated: 'Not migrated',
  setTarget: 'Set target…',
  setTargetOf: (project: string) => `Set the target of ${project}`,
  leaveOut: 'Leave out',
  include: 'Include again',
} as const;

export const placementFileText = {
  table: 'CSV table',
  save: 'Save as CSV',
  apply: 'Apply a CSV file…',
  saved: 'The table is saved',
  savedAs: (path: string) => `Saved as ${path}.`,
  applied: (count: number) =>
    count === 0
      ? 'Nothing changes: every target is already as in the table'
      : `${common.projects(count)} with a new target`,
  appliedFrom: (file: string) => `Applied from ${file}.`,
  refused: (file: string) => `${file} was refused`,
  refusedText: 'Nothing was changed. Correct these errors in the file, then apply it again:',
  notUtf8: 'The file is not in UTF-8. Save it as “CSV UTF-8” in the spreadsheet.',
  tooLarge: 'The file is too large.',
} as const;

export const targetText = {
  title: (project: string) => `Target of ${project}`,
  namespace: 'Group on the target',
  namespaceMissing: 'Enter a group.',
  path: 'Path',
  pathHint: 'The last part of its address.',
  pathMissing: 'Enter a path.',
  name: 'Name',
  nameHint: 'If empty, GitLab uses the path.',
  wave: 'Wave',
  waveWrong: 'Enter a whole number of at least 1.',
  overwrite: 'Replace an existing project',
  overwriteWarning:
    'If a project has this path on the target, it is deleted with everything in it. You are asked for confirmation at the start.',
  overrides: 'Settings for this project only',
  leftOut: 'Leave it out',
  leftOutHint: 'The project is not migrated.',
  save: 'Set the target',
} as const;

export const migrationRunText = {
  start: 'Start the migration…',
  startNow: 'Start the migration',
  startTitle: (migration: string) => `Start ${migration}?`,
  startText: (projects: number, source: string, target: string) =>
    `${common.projects(projects)} ${projects === 1 ? 'is' : 'are'} exported from ${source} and imported into ${target}, one wave after the other.`,
  startHint: 'A failed project does not stop the others. Nothing is ever deleted on the source.',
  createGroups: 'Create missing groups on the target',
  createGroupsHint: 'The migration does not start without these groups.',
  blocked: (count: number) => pluralize(count, 'finding blocks the start', 'findings block the start'),
  blockedText: 'Resolve them, or override each with a note.',
  unchecked: 'The migration has not been checked',
  uncheckedText: 'A migration starts only after a check.',
  toCheck: 'Open the check',
  toMap: 'Open the mapping',
  replaceTitle: (migration: string) => `Replace projects and start ${migration}?`,
  replaceKeptText: 'Their sources are not changed.',
  replaceConfirm: 'Replace and start',
  replaceAndContinueTitle: (migration: string) => `Replace projects and continue ${migration}?`,
  replaceAndContinueConfirm: 'Replace and continue',
  replaceAndRetryTitle: (migration: string) => `Replace projects and try ${migration} again?`,
  replaceAndRetryConfirm: 'Replace and try again',
  started: (migration: string) => `${migration} has started.`,
  pause: 'Pause',
  pauseHint: 'Work in progress continues to its end; no new work starts.',
  resume: 'Resume',
  cancel: 'Cancel…',
  cancelTitle: (migration: string) => `Cancel ${migration}?`,
  cancelText:
    'Work in progress is cancelled. Requests already sent to GitLab continue there; migrated projects stay.',
  cancelConfirm: 'Cancel the migration',
  keep: 'Keep it running',
  retry: 'Retry',
  retryAll: (count: number) => `Try ${common.projects(count)} again`,
  retryHint: 'Continues from the failed step; nothing is deleted.',
  progress: 'Progress',
  endedCount: (done: number, total: number) => `${formatNumber(done)} of ${common.projects(total)} ended`,
  rate: (perHour: number) =>
    `${formatNumber(perHour < 10 ? Math.round(perHour * 10) / 10 : Math.round(perHour))} an hour`,
  left: (time: string) => `about ${time} left`,
  comparing: (done: number, total: number) =>
    `Comparing: ${formatNumber(done)} of about ${common.requests(total)}`,
  waveOf: (wave: number) => `Wave ${formatNumber(wave)}`,
  waveEnded: 'Ended',
  waveNow: 'Now',
  waveLater: 'Later',
  moreWaves: (count: number) => `and ${formatNumber(count)} more`,
  table: 'Projects of the migration',
  columns: { project: 'Project', target: 'Target', wave: 'Wave', state: 'State', details: 'Details' },
  none: 'No project matches.',
  missing: (count: number) => pluralize(count, 'difference', 'differences'),
  failures: (count: number) => (count === 1 ? '1 failed record' : `${formatNumber(count)} failed records`),
  accepted: (count: number) => `${formatNumber(count)} accepted`,
  changedSince: 'Changed since',
  changedSinceHint: 'The source had activity after its export started.',
  frozen: 'Marked as archived',
  notStarted: 'The migration has not been started.',
} as const;

export const resultText = {
  summary: 'Result',
  allArrivedText: (comparedInPart: number) =>
    `No project has a difference between source, archive and target. ${
      comparedInPart === 0
        ? contentsComparedText.contents
        : 'The details of a project say why its contents were compared in part.'
    }`,
  accepted: (arrived: string) => `${arrived}, except for accepted losses`,
  acceptedText: (count: number) =>
    `${formatNumber(count)} ${count === 1 ? 'loss was' : 'losses were'} accepted; the passports name ${count === 1 ? 'it' : 'them'}.`,
  unlistedText: (count: number) =>
    `GitLab may have left failures of ${common.projects(count)} out of its list, and what they lost is not known.`,
  notAll: 'Not everything arrived',
  uncompared: 'Arrived, contents not compared',
  uncomparedText: (count: number) =>
    `No difference was found, but the contents of ${common.projects(count)} were not compared. Open a project to compare its contents.`,
  notAllText: (differs: number, failed: number, uncompared: number) =>
    [
      differs === 0 ? '' : `${common.projects(differs)} arrived in part.`,
      uncompared === 0 ? '' : `The contents of ${common.projects(uncompared)} were not compared.`,
      failed === 0 ? '' : `${common.projects(failed)} did not arrive.`,
    ]
      .filter(Boolean)
      .join(' '),
  notOver: 'The migration has not ended',
  notOverText: 'These are the results so far.',
  parts: 'Parts of the result',
  projects: 'Projects',
  failures: 'Failed records',
} as const;

export const retryText = {
  open: 'Import a part again…',
  title: (project: string) => `Import a part of ${project} again`,
  text: 'GitLab adds missing records. Other parts are not changed.',
  relation: 'Which part',
  records: 'Which records',
  missing: 'Only the records that are missing or failed',
  missingHint: 'A small archive of these records is created.',
  all: 'All of this part',
  allHint: 'For missing records that cannot be identified.',
  confirm: 'Import it again',
  removeMembers: 'Import it anyway: these members may be removed',
  started: 'The part is being imported again.',
  follow: 'Follow',
  unknown: 'The migration no longer has this project.',
} as const;

export const passportText = {
  save: 'Save passport',
  saveAll: 'Save passports',
  hint: 'The passport as HTML, JSON and CSV: the contents of both sides, what arrived, what failed.',
  saving: 'Creating the passport',
  saved: (count: number) => (count === 1 ? '1 file written' : `${formatNumber(count)} files written`),
  into: (folder: string) => `They are in ${folder}.`,
  intoServer: (folder: string) => `They are in ${folder}, on the machine where Packhorse runs.`,
  download: 'Download them',
} as const;

export const finishText = {
  open: 'Mark the sources as moved…',
  openOne: 'Mark the source as moved…',
  title: (project: string | null) =>
    project === null
      ? 'Mark the sources of migrated projects as moved'
      : `Mark the source ${project} as moved`,
  text: 'Migrated projects still exist on the source. This marks them there as moved, and deletes nothing.',
  mark: 'Mark as archived on GitLab',
  markHint: 'Nobody can then change the source.',
  readingRoles: (done: number, total: number) =>
    `Reading your role${total === 0 ? '' : `: ${formatNumber(done)} of ${formatNumber(total)}`}`,
  roleTooLow: (count: number, all: number) =>
    all === 1
      ? 'You are not an Owner of the project: GitLab will not archive it.'
      : `You are not an Owner of ${formatNumber(count)} of ${common.projects(all)}: GitLab will not archive them.`,
  more: (count: number) => `and ${formatNumber(count)} more`,
  roleUnknown: 'Your role could not be read everywhere.',
  note: 'Note the new place in its description',
  noteHint: 'Adds its address on the target below the current description.',
  choose: 'Choose at least one option.',
  /** `lost` is null if the result was not compared yet. */
  differs: (lost: { missing: number | null; failures: { open: number } } | null) => {
    if (lost === null) return 'The result was not compared yet.';
    const [missing, open] = [lost.missing ?? 0, lost.failures.open];
    const lossTexts = [
      missing === 0
        ? ''
        : pluralize(missing, 'record is missing or changed', 'records are missing or changed'),
      open === 0 ? '' : pluralize(open, 'failure is open', 'failures are open'),
    ].filter(Boolean);
    return `Not everything arrived${lossTexts.length === 0 ? '' : `: ${lossTexts.join(', ')}`}.`;
  },
  uncompared: 'The contents of its records were not compared.',
  differsText: 'The source is marked as moved anyway.',
  leftOut: (count: number) =>
    count === 1
      ? '1 project has not arrived completely: its source is not changed.'
      : `${common.projects(count)} have not arrived completely: their sources are not changed.`,
  confirm: 'Mark as moved',
  confirmDespite: 'Mark as moved although the result differs',
  done: (jobs: number) => `${common.jobs(jobs)} started.`,
  follow: 'Follow',
  refused: (count: number) => `${common.projects(count)} not changed:`,
} as const;

export const migratedText = {
  source: 'Source',
  target: 'Target',
  none: 'Nothing yet',
  openSource: 'Open on the source',
  openTarget: 'Open on the target',
  archive: 'Archive',
  showArchive: 'Show the archive',
  jobs: 'Jobs',
  exportJob: 'Export',
  importJob: 'Import',
  retryJob: (at: number) => `Retry or repair ${formatNumber(at)}`,
  wave: 'Wave',
  changed: 'Last activity on the source',
  failures: 'Failed records',
  failedOf: (open: number, total: number) => `${formatNumber(total)} in all, ${formatNumber(open)} open`,
  compare: 'Compare again',
  compareContents: 'Compare contents',
  comparing: 'Reading both instances',
  compared: 'Source and target were compared again.',
  notCompared: 'Not compared yet.',
  reconciliation: 'Source, archive and target',
} as const;
