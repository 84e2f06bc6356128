/** @file Texts of the form that creates a project or edits its attributes. */
import { formatNumber } from '../../../kit/format.ts';

/** Texts that creating and editing share. */
export const attributesText = {
  search: 'Search in the attributes',
  groups: {
    general: 'General',
    start: 'What it begins with',
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
  asItIs: '— as it is —',
  undecided: '— as the instance decides —',
  standard: (value: string) => `Otherwise: ${value}`,
  untold: 'GitLab does not tell how it is now.',
  listHint: 'Separated by commas.',
  chooseFile: 'Choose an image to send instead',
  chooseNewFile: 'Choose an image to send',
  removeFile: 'Remove the image there is',
  keepFile: 'Keep the image there is',
  removedFile: 'The image there is will be removed. Or choose another',
  chosenFile: (name: string) => `To be sent: ${name}`,
  yes: 'Yes',
  no: 'No',
  wrong: 'This cannot be sent so.',
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
  commandWords: 'new project make add',
  instance: 'Instance',
  forUser: 'For the user with the ID',
  forUserHint: 'Only administrators can create it for somebody else. Empty: it is your own.',
  namespace: 'Namespace',
  namespaceHint: 'Full path of a group; empty: your own.',
  namespaceForUserHint: 'Full path of the namespace of that user.',
  namespaceNeeded: 'Say where the project of that user is to be.',
  namespaceMissing: 'There is no such namespace, or the account may not see it.',
  userMissing: 'There is no such user on the instance.',
  taken: 'It is taken.',
  nameNeeded: 'It needs a name or a path.',
  noPath: 'No path follows from that name: give one.',
  willBe: (path: string, instance: string) => `It will be ${path} on ${instance}.`,
  confirm: 'Create the project',
  back: 'Back to the form',
  created: (path: string) => `${path} was created`,
  noInstance: 'There is no instance yet on which it could be created.',
} as const;
