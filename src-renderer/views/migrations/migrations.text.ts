/** @file Words of migrations: which projects go where, how far that is, and what came of it. */
import { maxNameLength, waveBounds } from '../../../src-contract/bounds.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';
import { planEditorText } from '../plans/editor/plan-editor.text.ts';

export const migrationSteps = ['choose', 'map', 'check', 'run', 'result'] as const;
export type MigrationStep = (typeof migrationSteps)[number];

export const migrationsText = {
  subtitle: 'Projects moved from one instance to another, with proof of what arrived.',
  list: 'Migrations',
  add: 'New migration…',
  all: 'All migrations',
  emptyTitle: 'There is no migration yet',
  emptyText: 'Choose projects, say where they go, have it checked; then they move by themselves.',
  noInstanceTitle: 'A migration needs an instance',
  noInstanceText: 'Add the instance that the projects come from, and the one that they go to.',
  addInstance: 'Add an instance…',
  gone: 'There is no such migration',
  goneText: 'It was removed meanwhile.',
  ways: (source: string, target: string) => `${source} → ${target}`,
  waysRead: (source: string, target: string) => `from ${source} to ${target}`,
  wave: (current: number, total: number) => `Wave ${formatNumber(current)} of ${formatNumber(total)}`,
  waves: (count: number) => (count === 1 ? '1 wave' : `${formatNumber(count)} waves`),
  counts: (migration: string) => `Projects of ${migration} by how far they are`,
  created: 'Made',
  goOn: 'Go on',
  show: 'Show',
  more: (migration: string) => `More about ${migration}`,
  remove: 'Remove…',
  removeTitle: (migration: string) => `Remove the migration ${migration}?`,
  removeText:
    'Packhorse forgets what was planned and what came of it. Projects that were moved stay where they are, and so do their archives.',
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
  next: { map: 'On to the map', check: 'On to the check', run: 'On to the run' },
} as const;

export const chooseText = {
  addTitle: 'New migration',
  what: 'What goes where',
  name: 'Name',
  nameMissing: 'Give it a name.',
  nameLong: `At most ${maxNameLength} characters.`,
  source: 'From the instance',
  target: 'To the instance',
  instanceMissing: 'Choose an instance.',
  fixed: 'For other instances make another migration.',
  projects: 'Which projects',
  selections: {
    ...planEditorText.selections,
    all: {
      label: 'All projects',
      hint: 'That the account is a member of and may export, looked up when this is saved.',
    },
    projects: { label: 'Chosen projects', hint: 'From the stored list of the source.' },
    rule: { label: 'By a rule', hint: 'Of all projects, those for which every condition holds now.' },
  },
  how: 'How they go',
  waveSize: 'Projects in a wave',
  waveSizeHint: 'The next wave begins when the one before has ended. Empty: all of them in one wave.',
  waveSizeWrong: `Give a number from ${formatNumber(waveBounds.min)} to ${formatNumber(waveBounds.max)}, or nothing.`,
  freeze: 'Mark each source as archived before it is exported',
  freezeHint:
    'Nobody can change it on GitLab any more. The mark is taken away again where the move fails, and from the project that arrives.',
  overrides: 'Settings that every imported project gets',
  overridesHint:
    'By GitLab’s own names, such as visibility or description; sent as override_params with each import.',
  create: 'Save and go on',
  saving: 'Asking the source which projects these are',
  saved: 'The migration is saved.',
  started: 'It was started, so this stays as it is.',
  selection: 'Projects',
  oneWave: 'All in one wave',
  perWave: (count: number) => `${common.projects(count)} each`,
  noOverrides: 'None',
} as const;

export const mapText = {
  rules: 'Rules',
  rulesHint:
    'A rule moves the projects below a group, its subgroups with them; the longest group that fits decides. A project that no rule is about keeps its group.',
  from: 'Group on the source',
  to: 'Group on the target',
  fromOf: (at: number) => `Group on the source of rule ${at}`,
  toOf: (at: number) => `Group on the target of rule ${at}`,
  everyGroup: 'every group',
  addRule: 'Add a rule',
  removeRule: (from: string) =>
    from === '' ? 'Remove the rule for every group' : `Remove the rule for ${from}`,
  toMissing: 'Name a group, for example atlas/moved.',
  fromTwice: 'Another rule is about this group.',
  applyRules: 'Apply the rules',
  applied: 'The rules are applied.',
  unsaved: 'Not applied yet.',
  projects: 'Where each project goes',
  table: 'Projects and where they go',
  search: 'Search paths',
  everyWave: 'Every wave',
  everyState: 'Every state',
  wave: 'Wave',
  onlyConflicts: (count: number) => `Only conflicts (${formatNumber(count)})`,
  conflicts: (count: number) =>
    count === 1
      ? '1 project cannot go where it is to go'
      : `${formatNumber(count)} projects cannot go where they are to go`,
  conflictsText: 'Choose another place for it, or leave it out. The migration does not start before.',
  none: 'No project matches.',
  columns: {
    source: 'Source',
    target: 'Goes to',
    wave: 'Wave',
    conflict: 'Conflict',
    with: 'With',
    state: 'State',
  },
  replaces: 'Replaces what is there',
  settings: (count: number) => (count === 1 ? '1 setting' : `${formatNumber(count)} settings`),
  staysHere: 'Stays where it is',
  place: 'Place…',
  placeOf: (project: string) => `Place ${project}`,
  leaveOut: 'Leave out',
  takeIn: 'Take in again',
} as const;

export const tableText = {
  table: 'As a table',
  save: 'Save as CSV',
  fill: 'Fill in from a CSV file…',
  saved: 'The table is saved',
  savedAs: (path: string) => `It is ${path}.`,
  filled: (count: number) =>
    count === 0
      ? 'Nothing changes: every project is placed as the table says'
      : `${common.projects(count)} placed otherwise than before`,
  filledFrom: (file: string) => `As ${file} says.`,
  refused: (file: string) => `${file} was not taken`,
  refusedText: 'Nothing was changed. Mend this in the table, then fill it in again:',
  notUtf8: 'It is not written in UTF-8. Save it as “CSV UTF-8” in the spreadsheet.',
  tooLarge: 'It is larger than any table of a migration.',
} as const;

export const placeText = {
  title: (project: string) => `Where ${project} goes`,
  namespace: 'Group on the target',
  namespaceMissing: 'Name a group.',
  path: 'Path',
  pathHint: 'The last part of its address.',
  pathMissing: 'Give a path.',
  name: 'Name',
  nameHint: 'Empty: GitLab takes the path.',
  wave: 'Wave',
  waveWrong: 'Give a whole number from 1 on.',
  overwrite: 'Replace the project that is there',
  overwriteWarning:
    'If a project has this path on the target, it is deleted with everything in it. That is asked once more at the start.',
  overrides: 'Settings of this project alone',
  leftOut: 'Leave it out',
  leftOutHint: 'It stays where it is; nothing is asked for.',
  save: 'Place it',
} as const;

export const runText = {
  start: 'Start the migration…',
  startNow: 'Start the migration',
  startTitle: (migration: string) => `Start ${migration}?`,
  startText: (projects: number, source: string, target: string) =>
    `${common.projects(projects)} ${projects === 1 ? 'is' : 'are'} exported from ${source} and imported into ${target}, one wave after the other.`,
  startStays: 'A project that fails stops no other. Nothing is ever deleted on the source.',
  createGroups: 'Create the groups that the target lacks',
  createGroupsHint: 'Without them the migration does not start.',
  blocked: (count: number) =>
    count === 1
      ? '1 finding stands against the start'
      : `${formatNumber(count)} findings stand against the start`,
  blockedText: 'Mend them, or override each with a note.',
  unchecked: 'It has not been checked',
  uncheckedText: 'A migration starts only after a check.',
  toCheck: 'To the check',
  toMap: 'To the map',
  replaceTitle: (migration: string) => `Replace projects and start ${migration}?`,
  replaceStays: 'Their sources stay as they are.',
  replaceConfirm: 'Replace and start',
  replaceOnTitle: (migration: string) => `Replace projects and go on with ${migration}?`,
  replaceOnConfirm: 'Replace and go on',
  replaceAgainTitle: (migration: string) => `Replace projects and try ${migration} again?`,
  replaceAgainConfirm: 'Replace and try again',
  started: (migration: string) => `${migration} has started.`,
  pause: 'Pause',
  pauseHint: 'What is under way comes to its end; nothing more is begun.',
  resume: 'Go on',
  cancel: 'Cancel…',
  cancelTitle: (migration: string) => `Cancel ${migration}?`,
  cancelText:
    'What is under way is given up. What GitLab was already asked to do goes on there; projects that arrived stay.',
  cancelConfirm: 'Cancel the migration',
  keep: 'Keep it running',
  by: 'the window',
  again: 'Again',
  againAll: (count: number) => `Try ${common.projects(count)} again`,
  againHint: 'From the step that failed; nothing is deleted.',
  progress: 'How far it is',
  of: (done: number, total: number) => `${formatNumber(done)} of ${common.projects(total)} ended`,
  rate: (perHour: number) =>
    `${formatNumber(perHour < 10 ? Math.round(perHour * 10) / 10 : Math.round(perHour))} an hour`,
  left: (time: string) => `about ${time} left`,
  waveOf: (wave: number) => `Wave ${formatNumber(wave)}`,
  waveEnded: 'Ended',
  waveNow: 'Now',
  waveLater: 'Later',
  moreWaves: (count: number) => `and ${formatNumber(count)} more`,
  table: 'Projects of the migration',
  columns: {
    project: 'Project',
    target: 'Arrives at',
    wave: 'Wave',
    state: 'State',
    details: 'Details',
  },
  none: 'No project matches.',
  missing: (count: number) => (count === 1 ? '1 missing' : `${formatNumber(count)} missing`),
  failures: (count: number) => (count === 1 ? '1 failed record' : `${formatNumber(count)} failed records`),
  accepted: (count: number) => `${formatNumber(count)} accepted`,
  changedSince: 'Changed since',
  changedSinceHint: 'Something happened in the source after its export began.',
  frozen: 'Marked as archived',
  notStarted: 'It has not been started.',
} as const;

export const resultText = {
  summary: 'What came of it',
  allArrived: 'Arrived, contents not compared',
  allArrivedText:
    'Of every project, the numbers and names in source, archive and target agree. Contents were not compared.',
  accepted: 'Arrived but for what was accepted, contents not compared',
  acceptedText: (count: number) =>
    `${formatNumber(count)} ${count === 1 ? 'loss was' : 'losses were'} accepted; the passports name ${count === 1 ? 'it' : 'them'}.`,
  notAll: 'Not everything arrived',
  notAllText: (differs: number, failed: number) =>
    [
      differs === 0 ? '' : `${common.projects(differs)} arrived in part.`,
      failed === 0 ? '' : `${common.projects(failed)} did not arrive.`,
    ]
      .filter(Boolean)
      .join(' '),
  notOver: 'It has not ended',
  notOverText: 'What is shown here is what is known so far.',
  parts: 'Parts of the result',
  projects: 'Projects',
  failures: 'Failed records',
} as const;

export const retryText = {
  open: 'Import a part again…',
  title: (project: string) => `Import a part of ${project} again`,
  text: 'GitLab adds what is not there. Other parts are not touched.',
  relation: 'Which part',
  records: 'Which records',
  missing: 'Only the records that are missing or failed',
  missingHint: 'A small archive is made of them.',
  all: 'All of this part',
  allHint: 'For records that nobody can name.',
  confirm: 'Import it again',
  removeMembers: 'Import it all the same: these members may be removed',
  started: 'It is being imported again.',
  follow: 'Follow',
  unknown: 'The migration has no such project any more.',
} as const;

export const passportText = {
  save: 'Save passport',
  saveAll: 'Save passports',
  hint: 'The evidence as HTML, JSON and CSV: what was on both sides, what arrived, what failed.',
  saving: 'Gathering the evidence',
  saved: (count: number) => (count === 1 ? '1 file is written' : `${formatNumber(count)} files are written`),
  into: (folder: string) => `They are in ${folder}.`,
  intoServer: (folder: string) => `They are in ${folder}, on the machine where Packhorse runs.`,
  download: 'Download them',
} as const;

export const finishText = {
  open: 'Finish the sources…',
  openOne: 'Finish the source…',
  title: (project: string | null) =>
    project === null ? 'Finish the sources of what has arrived' : `Finish the source ${project}`,
  text: 'What was moved is still on the source. This tells people there that it has gone, and deletes nothing.',
  mark: 'Mark as archived on GitLab',
  markHint: 'Nobody can change it there any more.',
  looking: (done: number, total: number) =>
    `Reading your role${total === 0 ? '' : `: ${formatNumber(done)} of ${formatNumber(total)}`}`,
  tooLow: (count: number, all: number) =>
    all === 1
      ? 'You are not an Owner of it: GitLab will refuse the mark.'
      : `You are not an Owner of ${formatNumber(count)} of ${common.projects(all)}: GitLab will refuse the mark there.`,
  more: (count: number) => `and ${formatNumber(count)} more`,
  roleUnknown: 'Your role could not be read everywhere.',
  note: 'Note the new place in its description',
  noteHint: 'Its address on the target, below what is written there now.',
  choose: 'Choose at least one.',
  /** Null: nobody compared it yet. */
  differs: (lost: { missing: number | null; failures: { open: number } } | null) => {
    if (lost === null) return 'What arrived was not compared yet.';
    const told = [
      ...((lost.missing ?? 0) > 0
        ? [`${formatNumber(lost.missing ?? 0)} ${lost.missing === 1 ? 'record is' : 'records are'} missing`]
        : []),
      ...(lost.failures.open > 0
        ? [
            `${formatNumber(lost.failures.open)} ${lost.failures.open === 1 ? 'failure is' : 'failures are'} open`,
          ]
        : []),
    ];
    return `Not everything arrived${told.length === 0 ? '' : `: ${told.join(', ')}`}.`;
  },
  differsText: 'Whoever reads the source will be told that it has moved all the same.',
  leftOut: (count: number) =>
    count === 1
      ? '1 project has not arrived whole: its source is left as it is.'
      : `${common.projects(count)} have not arrived whole: their sources are left as they are.`,
  confirm: 'Do it',
  confirmDespite: 'Do it although it differs',
  done: (jobs: number) => `${common.jobs(jobs)} ${jobs === 1 ? 'does' : 'do'} it.`,
  follow: 'Follow',
  refused: (count: number) => `${common.projects(count)} left as they are:`,
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
  retryJob: (at: number) => `Relation import ${formatNumber(at)}`,
  wave: 'Wave',
  changed: 'Last activity on the source',
  failures: 'Failed records',
  failedOf: (open: number, total: number) => `${formatNumber(total)} in all, ${formatNumber(open)} open`,
  compare: 'Compare again',
  comparing: 'Asking both instances',
  compared: 'Source and target were compared again.',
  notCompared: 'They were not compared yet.',
  reconciliation: 'Source, archive and target',
} as const;
