/** @file Texts of the form that creates a project or edits its attributes. */
import { formatNumber } from '../../../../kit/format.ts';

export const attributesText = {
  search: 'Search in the attributes',
  groups: {
    general: 'General',
    start: 'Initial contents',
    features: 'Features and who may use them',
    merging: 'Merge requests',
    pipelines: 'Pipelines and jobs',
    templates: 'Templates and messages',
    mirroring: 'Mirroring',
    more: 'More',
  },
  noMatch: 'No attribute matches.',
  tier: { higher: 'Paid tiers', highest: 'Highest tier' },
  administrators: 'Administrators',
  since: (release: string) => `From ${release}`,
  unchanged: '— unchanged —',
  instanceDefault: '— default of the instance —',
  defaultValue: (value: string) => `Default: ${value}`,
  notReported: 'GitLab does not report the current value.',
  listHint: 'Separated by commas.',
  replaceFile: 'Choose a new image',
  chooseNewFile: 'Choose an image',
  removeFile: 'Remove the current image',
  keepFile: 'Keep the current image',
  removedFile: 'The current image will be removed, unless you choose another',
  chosenFile: (name: string) => `Selected: ${name}`,
  yes: 'Yes',
  no: 'No',
  wrong: 'This value is invalid.',
  refused: 'The instance refused this.',
  accessLevel: { disabled: 'Disabled', private: 'Members only', enabled: 'Everyone with access' },
} as const;

export const editText = {
  title: (project: string) => `Edit ${project}`,
  changes: (count: number) => (count === 1 ? '1 change' : `${formatNumber(count)} changes`),
  none: 'Nothing is changed yet.',
  undo: 'Undo the changes',
  save: 'Save',
} as const;

export const createText = {
  title: 'Create a project',
  button: 'New project…',
  command: 'Create a project…',
  commandKeywords: 'new project make add',
  instance: 'Instance',
  forUser: 'For the user with the ID',
  forUserHint:
    'Only administrators can create a project for another user. If empty, the project is your own.',
  namespace: 'Namespace',
  namespaceHint: 'Full path of a group. If empty, your own namespace.',
  namespaceForUserHint: 'Full path of the namespace of that user.',
  namespaceNeeded: 'Enter the namespace for the project of that user.',
  namespaceMissing: 'There is no such namespace, or the account cannot see it.',
  userMissing: 'There is no such user on the instance.',
  pathTaken: 'This path is already in use.',
  nameNeeded: 'Enter a name or a path.',
  noPath: 'No path can be derived from that name. Enter a path.',
  pathPreview: (path: string, instance: string) => `It will be ${path} on ${instance}.`,
  confirm: 'Create the project',
  back: 'Back to the form',
  created: (path: string) => `${path} was created`,
  noInstance: 'Add an instance first.',
} as const;
