/** @file Words of the import view. */
import { formatNumber } from '../../ui/format.ts';

export const importText = {
  subtitle: 'From an archive into any instance, followed to its end and compared with what arrived.',
  title: (project: string) => `Import of ${project}`,
  into: (instance: string) => `into ${instance}`,
  another: 'Import another',

  archive: 'Archive',
  change: 'Choose another archive',
  stored: 'A stored archive',
  search: 'Search stored archives by project',
  storedList: 'Projects with archives',
  newest: (time: string, size: string) => `newest from ${time}, ${size}`,

  moreMatches: (count: number) => `And ${formatNumber(count)} more; search to find them.`,
  noneStoredTitle: 'Nothing is stored yet',
  noneStoredText: 'Back up a project, or open an archive file.',
  backUp: 'Back up projects',
  noMatch: 'No stored project is called like that.',
  file: 'A file',
  drop: 'Drop an export archive here',
  dropHint: 'The .tar.gz file of a project export.',
  whichDate: 'Stored',
  reading: 'Reading the archive',
  notStored: 'A file that is not part of the store',
  show: 'Show what is in it',
  showFindings: (count: number) => (count === 1 ? 'Show 1 finding' : `Show ${formatNumber(count)} findings`),

  target: 'Target',
  instance: 'Instance',
  noInstanceTitle: 'No instance is added yet',
  noInstanceText: 'Add the GitLab that the project goes to, with a token that may write.',
  addInstance: 'Add an instance',
  checking: 'Asking the instance what the token can do…',
  tokenGood: (user: string | null, version: string | null) => {
    const connected = user === null ? 'Connected' : `Connected as ${user}`;
    return version === null ? `${connected}.` : `${connected}, GitLab ${version}.`;
  },
  tokenUntil: (day: string) => `The token expires on ${day}.`,
  tokenReadOnly: 'This token may only read; an import needs one with the scope “api”.',
  replaceToken: 'Replace the token',
  anonymous: 'This instance is used without an account; an import needs one.',
  giveToken: 'Give it an account',
  readOnly: 'This instance is set to be read only; nothing can be imported there.',
  showInstance: 'Show how it is used',
  namespace: 'Group',
  namespaceHint: 'Full path of the group it goes to. Left empty: your own namespace.',
  projectPath: 'Path',
  projectPathHint: 'The last part of its address.',
  projectPathWrong: 'Use letters, digits, “_”, “-” and “.”, and begin with a letter, a digit or “_”.',
  name: 'Name',
  nameHint: 'Left empty: as the archive names it.',
  becomes: 'It becomes',
  on: (instance: string) => `on ${instance}`,
  ownNamespace: '(your own namespace)',

  options: 'Options',
  overwrite: 'Replace a project that is already there',
  overwriteHint: 'GitLab deletes that project with everything in it. You are asked once more before.',
  allowSuspicious: 'Import it although it holds odd things',
  allowSuspiciousHint: 'Read the findings first: links, devices or names that lead out of the archive.',
  overrides: 'Settings of the new project',
  overridesHint:
    'They win over what the archive says, for example visibility: private. Any attribute that GitLab takes when a project is created.',

  start: 'Start the import',
  starting: 'Reading the archive before it is sent',
  missingArchive: 'Choose an archive first.',
  missingInstance: 'Choose the instance first.',
  unusable: 'This archive cannot be imported.',
  damaged: (reason: string) =>
    `This archive is damaged and cannot be imported. ${reason.replace(/\.$/, '')}.`,
  absent: 'The archive cannot be reached at the moment.',
  suspicious: 'This archive holds odd things; say that it may be imported.',
  missingNamespace:
    'Name the group, because your own namespace is not known while the instance does not answer.',
  overwriteTitle: (target: string) => `Replace ${target}?`,
  overwriteConfirm: 'Replace the project',
  overwriteStays: 'The archive stays as it is. Back the project up first if you may need it.',

  steps: 'Steps',
  stepStates: {
    done: 'Done',
    running: 'Running',
    next: 'Next',
    later: 'Later',
    stopped: 'Stopped here',
  },
  attempts: (count: number) => `${formatNumber(count)} attempts`,
  progress: 'What goes on',
  cancelledTitle: (by: string) => `Cancelled by ${by}`,
  cancelledText: 'What was sent before stays on GitLab; an import it had begun may go on there.',
  skippedTitle: 'The import was skipped',
  retry: 'Try again',
  showLog: 'Show the log',
  openProject: 'Open on the instance',
  checkAgain: 'Check again',
  warnings: 'Warnings',
  resultUnreadable: 'The result of this import cannot be read; its log may say more.',
} as const;

/** Of settings by GitLab's names that an import carries. */
export const overrideText = {
  keyOf: (at: number) => `Name of setting ${at}`,
  valueOf: (at: number) => `Value of setting ${at}`,
  keyExample: 'visibility',
  value: 'private',
  add: 'Add a setting',
  remove: (key: string) => (key === '' ? 'Remove this setting' : `Remove ${key}`),
  twice: 'This one is already given.',
  nameless: 'Give its name.',
} as const;
