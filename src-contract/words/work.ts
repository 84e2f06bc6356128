/** @file The words for the work of a job: by its kind, and for a change of a project by the kind of change. */
import type { JobKind } from '../runs/job.ts';
import type { ChangeKind } from '../projects/change.ts';
import { upperFirst } from './first-letter.ts';

interface KindText {
  singular: string;
  plural: string;
  /** The preposition before the subject of the job. */
  connector: string;
  /** The words before the project while the job runs. */
  running: string;
  /** Sentences about the effects that remain after the job is cancelled, and about those that do not. */
  ifCancelled: string;
}

export const jobKindText: Record<JobKind, KindText> = {
  export: {
    singular: 'backup',
    plural: 'backups',
    connector: ' of ',
    running: 'Backing up',
    ifCancelled:
      'Incomplete files are removed, and earlier archives stay. GitLab may still finish the export, which does no harm.',
  },
  import: {
    singular: 'import',
    plural: 'imports',
    connector: ' of ',
    running: 'Importing',
    ifCancelled:
      'Packhorse stops following the import. An import that has begun continues on GitLab, and sent data stays there. Check the project or the import afterwards.',
  },
  change: {
    singular: 'change',
    plural: 'changes',
    connector: ' of ',
    running: 'Changing',
    ifCancelled: 'Requests already sent to GitLab are not undone. Check the project afterwards.',
  },
  'relation-import': {
    singular: 'relation import',
    plural: 'relation imports',
    connector: ' into ',
    running: 'Importing a relation into',
    ifCancelled:
      'Packhorse stops following the import. Records that were already sent are still imported. Check the project afterwards.',
  },
  token: {
    singular: 'token change',
    plural: 'token changes',
    connector: ': ',
    running: 'Changing',
    ifCancelled:
      'The token is not changed. If the request was already sent to GitLab, the change is completed instead.',
  },
};

/** The noun, and the words between it and the name of the project. */
const changeText: Record<ChangeKind, [noun: string, connector: string]> = {
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
  'mark-as-moved': ['mark as moved', ': '],
  repair: ['repair', ' of '],
};

/**
 * Returns the work of the job, for use within a sentence. `changeKind` is null if it is unknown, and for other kinds of
 * jobs.
 */
export const workText = (kind: JobKind, changeKind: ChangeKind | null): string =>
  changeKind === null ? jobKindText[kind].singular : changeText[changeKind][0];

/** Returns the work of the job on a project as a title: "Backup of atlas/compass". */
export function workTitle(kind: JobKind, changeKind: ChangeKind | null, project: string): string {
  const { singular, connector: kindConnector } = jobKindText[kind];
  const [noun, connector] = changeKind === null ? [singular, kindConnector] : changeText[changeKind];
  return `${upperFirst(noun)}${connector}${project}`;
}

/** The host through which a user cancelled or reported something. The history stores it. */
export const hostLabels = { window: 'the window', cli: 'the command line' } as const;
