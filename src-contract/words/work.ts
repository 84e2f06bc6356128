/** @file The words for the work of a job: by its kind, and for a change of a project by the kind of change. */
import type { JobKind } from '../runs/job.ts';
import type { ChangeKind } from '../projects/change.ts';
import { upperFirst } from './first-letter.ts';

interface KindText {
  singular: string;
  plural: string;
  /** The preposition before the subject of the job. */
  preposition: string;
  /** In front of the project while the job runs. */
  running: string;
  /** The effects that remain when the job is cancelled, and those that do not: whole sentences. */
  ifCancelled: string;
}

export const jobKindText: Record<JobKind, KindText> = {
  export: {
    singular: 'backup',
    plural: 'backups',
    preposition: ' of ',
    running: 'Backing up',
    ifCancelled:
      'Nothing incomplete is kept here, and earlier archives stay. GitLab may still finish an export it has begun; that harms nothing.',
  },
  import: {
    singular: 'import',
    plural: 'imports',
    preposition: ' of ',
    running: 'Importing',
    ifCancelled:
      'Packhorse stops following it. What was sent already stays on GitLab, and an import it has begun continues there: look at the project afterwards, or check the import.',
  },
  change: {
    singular: 'change',
    plural: 'changes',
    preposition: ' of ',
    running: 'Changing',
    ifCancelled: 'Requests already sent to GitLab are not undone. Check the project afterwards.',
  },
  'relation-import': {
    singular: 'relation import',
    plural: 'relation imports',
    preposition: ' into ',
    running: 'Importing a relation into',
    ifCancelled:
      'Packhorse stops following it. What was sent already is imported all the same: look at the project afterwards.',
  },
  token: {
    singular: 'token change',
    plural: 'token changes',
    preposition: ': ',
    running: 'Changing',
    ifCancelled:
      'The token is not changed. If the request was already sent to GitLab, the change is completed instead.',
  },
};

/** The noun, and what joins it to the name of the project. */
const changeText: Record<ChangeKind, [noun: string, joint: string]> = {
  create: ['creation', ' of '],
  edit: ['edit', ' of '],
  fork: ['fork', ' of '],
  star: ['star', ' for '],
  unstar: ['removal of the star', ' from '],
  'set-archived': ['mark as archived', ': '],
  'unset-archived': ['removal of the mark as archived', ': '],
  delete: ['deletion', ' of '],
  'delete-permanently': ['permanent deletion', ' of '],
  restore: ['restoration', ' of '],
  upload: ['upload', ' to '],
  export: ['export request', ' for '],
  'create-group': ['creation of the group', ' '],
  'mark-as-moved': ['note that it was moved', ': '],
};

/** Returns the effect of the job, within a sentence. `deed` of a change, where it is known. */
export const workText = (kind: JobKind, deed: ChangeKind | null): string =>
  deed === null ? jobKindText[kind].singular : changeText[deed][0];

/** Returns the effect of the job on a project, as a title: "Backup of atlas/compass". */
export function workTitle(kind: JobKind, deed: ChangeKind | null, project: string): string {
  const { singular, preposition: jointOfKind } = jobKindText[kind];
  const [noun, joint] = deed === null ? [singular, jointOfKind] : changeText[deed];
  return `${upperFirst(noun)}${joint}${project}`;
}

/** The host through which a person cancelled or reported something. The history stores it. */
export const hostLabels = { window: 'the window', cli: 'the command line' } as const;
